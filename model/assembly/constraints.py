"""Constraints between planar bodies, compiled: what is violated, how fast, the Jacobian, and what is left of the second derivative.

| symbol | unit | meaning |
|---|---|---|
| d = R s | m | from a body's mass centre to its point; d^ is d turned by +90 degrees |
| D = r_j + d_j - r_i - d_i | m | from point i to point j |
| e, e^ | 1 | a direction fixed in body i, and turned by +90 degrees |
| Phi, Phi' | m, rad | constraint and its rate; Phi'' = J v' + c |

COINCIDENT: D - offset = 0 (two rows); LINE: e.D - (value + rate x) = 0; ANGLE: phi_j - phi_i - (value + rate x) = 0. A revolute joint is
the first, a slide the other two, a drive one of the last two with a rate, or a function of x. x is the time, or where samples lead the
drives their course. What rolls and what follows a curve is in model.assembly.rolling.
The rows of J are kept as triples for body i and body j, divided by the roots of mass and inertia, so that A = J M^-1 J^T is their plain
product.
"""

from __future__ import annotations

from model.assembly import layout as at
from model.assembly.functions.evaluation import evaluate
from model.assembly.poses import apart, arm
from model.assembly.rods.bending import spread
from model.assembly.rolling import follow
from model.assembly.rows import note, triples
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.stepping import inputs


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR, INDEX))
def constrain(x: float, x_rate: float, x_second: float, p: Floats, s: Floats, k: int) -> int:
    """The rows of the constraint whose columns begin at k, where the course is at x; of one that sticks no place is asked."""
    if p[k + at.TYPE] >= at.MESH:
        return follow(p, s, k)
    i, j, row = int(p[k + at.POSE_I]), int(p[k + at.POSE_J]), int(p[k + at.ROW])
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    wanted, wanted_rate = p[k + at.VALUE] + p[k + at.RATE] * x, p[k + at.RATE] * x_rate
    given, placed = p[k + at.RATE] * x_second, 1.0 - p[k + at.STICKS]
    if p[k + at.FUNCTION] > 0.0:
        value, slope, bend = evaluate(x, p, s[int(p[at.S_STACK]) :], int(p[k + at.FUNCTION]))
        wanted += value
        wanted_rate += slope * x_rate
        given += bend * x_rate * x_rate + slope * x_second
    if p[k + at.TYPE] == at.ANGLE:
        place = note(p, s, row, placed * (s[j + at.ANGLE_OF] - s[i + at.ANGLE_OF] - wanted), wj - wi - wanted_rate, 0.0 - given)
        return triples(s, place, i, j, 0.0, 0.0, -1.0, 1.0)
    ix, iy = arm(s, i, p[k + at.S_I], p[k + at.S_I + 1])
    jx, jy = arm(s, j, p[k + at.S_J], p[k + at.S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    inward_x, inward_y = wi * wi * ix - wj * wj * jx, wi * wi * iy - wj * wj * jy
    if p[k + at.TYPE] == at.COINCIDENT:
        place = note(p, s, row, dx - p[k + at.E], dx_rate, inward_x)
        triples(s, place, i, j, 1.0, 0.0, iy, -jy)
        place = note(p, s, row + 1, dy - p[k + at.E + 1], dy_rate, inward_y)
        return triples(s, place, i, j, 0.0, 1.0, -ix, jx)
    ex, ey = arm(s, i, p[k + at.E], p[k + at.E + 1])
    along, across = ex * dx + ey * dy, ex * dy - ey * dx
    rate = ex * dx_rate + ey * dy_rate + wi * across - wanted_rate
    rest = ex * inward_x + ey * inward_y + 2.0 * wi * (ex * dy_rate - ey * dx_rate) - wi * wi * along - given
    place = note(p, s, row, placed * (along - wanted), rate, rest)
    return triples(s, place, i, j, ex, ey, ex * iy - ey * ix + across, ey * jx - ex * jy)


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def constrain_all(t: float, p: Floats, s: Floats, u: Floats) -> int:
    """Every row at t (s), for the poses in s; u: the input window, read where it leads the drives."""
    x, x_rate, x_second = t, 1.0, 0.0
    if p[at.LED] > 0.0:
        x, x_rate, x_second = inputs.course(u, t)
    k = int(p[at.AT_CONSTRAINTS])
    for _ in range(int(p[at.CONSTRAINTS])):
        constrain(x, x_rate, x_second, p, s, k)
        k += at.CONSTRAINT_COLUMNS
    if p[at.RODS] > 0.0:
        spread(p, s)
    return 0
