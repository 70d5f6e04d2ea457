"""Constraints of wheels that roll on each other and of what follows a curve, compiled (others: model.assembly.constraints).

| symbol | unit | meaning |
|---|---|---|
| D | m | from point i to point j; D x B = D_x B_y - D_y B_x |
| theta | rad | direction of D |
| a, b | m | what of each body's angle makes the arc: the radius, of an inner wheel or an open belt with the other sign |
| n, kappa | 1, 1/m | normal and curvature of the curve where it is nearest to the point |
| h(psi) | m | distance of the face that touches a curve, by the angle psi of its normal in the curve's body |

MESH: a phi_i + b phi_j - (a + b) theta - value = 0, an arc: it holds on any carrier, since only theta says how that stands. CURVE:
n.(P - c(u)) = 0, and Phi'' = n.P'' - kappa (t.P')^2, P' and P'' seen from the curve's body. FACE: e.D - h(psi) = 0, e of body j.
"""

from __future__ import annotations

import math

from model.assembly import layout as at
from model.assembly.curves import beside
from model.assembly.functions.evaluation import evaluate
from model.assembly.poses import apart, arm
from model.assembly.rows import note, triples
from model.compiled.signatures import INDEX, VECTOR, Floats, compiled
from model.joints.revolute import CENTRED


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def mesh(p: Floats, s: Floats, k: int) -> int:
    """The row of two wheels."""
    i, j, row = int(p[k + at.POSE_I]), int(p[k + at.POSE_J]), int(p[k + at.ROW])
    wi, wj, a, b = s[i + at.OMEGA], s[j + at.OMEGA], p[k + at.E], p[k + at.E + 1]
    ix, iy = arm(s, i, p[k + at.S_I], p[k + at.S_I + 1])
    jx, jy = arm(s, j, p[k + at.S_J], p[k + at.S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    arc, arc_rate, both = a * s[i + at.ANGLE_OF] + b * s[j + at.ANGLE_OF] - p[k + at.VALUE], a * wi + b * wj, a + b
    square = dx * dx + dy * dy
    if both == 0.0 or square == 0.0:  # a belt on equal wheels: how they lie makes no difference
        place = note(p, s, row, arc, arc_rate, 0.0)
        return triples(s, place, i, j, 0.0, 0.0, a, b)
    turn = 2.0 * math.pi * both
    gap = arc - both * math.atan2(dy, dx)
    gap -= turn * math.floor(gap / turn + 0.5)  # theta is known but for whole turns
    inward_x, inward_y = wi * wi * ix - wj * wj * jx, wi * wi * iy - wj * wj * jy
    theta_rate = (dx * dy_rate - dy * dx_rate) / square
    rest = (dx * inward_y - dy * inward_x) / square - 2.0 * theta_rate * (dx * dx_rate + dy * dy_rate) / square
    ex, ey = both * dy / square, -both * dx / square
    place = note(p, s, row, gap, arc_rate - both * theta_rate, -both * rest)
    return triples(s, place, i, j, ex, ey, ex * iy - ey * ix + a, ey * jx - ex * jy + b)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def curve(p: Floats, s: Floats, k: int) -> int:
    """The row of a point on a curve."""
    i, j, row = int(p[k + at.POSE_I]), int(p[k + at.POSE_J]), int(p[k + at.ROW])
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    ix, iy = arm(s, i, p[k + at.S_I], p[k + at.S_I + 1])
    jx, jy = arm(s, j, p[k + at.S_J], p[k + at.S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    c, sine = s[i + at.COS], s[i + at.SIN]
    along, across = int(p[k + at.FUNCTION]), int(p[k + at.SECOND_FUNCTION])
    gap, nx, ny, kappa = beside(p, s, along, across, c * dx + sine * dy, c * dy - sine * dx)
    ex, ey = arm(s, i, nx, ny)
    turned = ex * dy - ey * dx
    inward_x, inward_y = wi * wi * ix - wj * wj * jx, wi * wi * iy - wj * wj * jy
    rate = ex * dx_rate + ey * dy_rate + wi * turned
    sliding = ey * (dx_rate + wi * dy) - ex * (dy_rate - wi * dx)
    rest = ex * inward_x + ey * inward_y + 2.0 * wi * (ex * dy_rate - ey * dx_rate) - wi * wi * (ex * dx + ey * dy)
    place = note(p, s, row, gap, rate, rest - kappa * sliding * sliding / (1.0 - kappa * gap))
    return triples(s, place, i, j, ex, ey, ex * iy - ey * ix + turned, ey * jx - ex * jy)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def grip(p: Floats, s: Floats, k: int) -> int:
    """The row of a journal that does not slide on its bearing: the speed of its contact point (model.joints.revolute) is 0."""
    i, j, row = int(p[k + at.POSE_I]), int(p[k + at.POSE_J]), int(p[k + at.ROW])
    contact = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * int(p[k + at.VALUE])
    radius_i, radius_j = p[contact + at.C_SIZE], p[contact + at.C_SIZE + 1]
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    ix, iy = arm(s, i, p[k + at.S_I], p[k + at.S_I + 1])
    jx, jy = arm(s, j, p[k + at.S_J], p[k + at.S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    distance = math.sqrt(dx * dx + dy * dy)
    nx, ny = (dx / distance, dy / distance) if distance > CENTRED else (1.0, 0.0)
    across = nx * dy_rate - ny * dx_rate
    turning = across / distance if distance > CENTRED else 0.0
    inward_x, inward_y = wi * wi * ix - wj * wj * jx, wi * wi * iy - wj * wj * jy
    rest = nx * inward_y - ny * inward_x - turning * (nx * dx_rate + ny * dy_rate)
    place = note(p, s, row, 0.0, across + wj * radius_j - wi * radius_i, rest)
    return triples(s, place, i, j, -ny, nx, -ny * iy - nx * ix - radius_i, nx * jx + ny * jy + radius_j)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def face(p: Floats, s: Floats, k: int) -> int:
    """The row of a flat face on a curve."""
    i, j, row = int(p[k + at.POSE_I]), int(p[k + at.POSE_J]), int(p[k + at.ROW])
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    ix, iy = arm(s, i, p[k + at.S_I], p[k + at.S_I + 1])
    jx, jy = arm(s, j, p[k + at.S_J], p[k + at.S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    ex, ey = arm(s, j, p[k + at.E], p[k + at.E + 1])
    psi = s[j + at.ANGLE_OF] - s[i + at.ANGLE_OF] + math.atan2(p[k + at.E + 1], p[k + at.E])
    h, slope, bend = evaluate(psi, p, s[int(p[at.S_STACK]) :], int(p[k + at.FUNCTION]))
    turning = wj - wi
    along, across = ex * dx + ey * dy, ex * dy - ey * dx
    inward_x, inward_y = wi * wi * ix - wj * wj * jx, wi * wi * iy - wj * wj * jy
    rate = ex * dx_rate + ey * dy_rate + wj * across - slope * turning
    rest = ex * inward_x + ey * inward_y + 2.0 * wj * (ex * dy_rate - ey * dx_rate) - wj * wj * along - bend * turning * turning
    place = note(p, s, row, along - h, rate, rest)
    return triples(s, place, i, j, ex, ey, ex * iy - ey * ix + slope, ey * jx - ex * jy + across - slope)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def follow(p: Floats, s: Floats, k: int) -> int:
    """The row of the constraint whose columns begin at k."""
    kind = p[k + at.TYPE]
    if kind == at.MESH:
        return mesh(p, s, k)
    if kind == at.CURVE:
        return curve(p, s, k)
    return face(p, s, k) if kind == at.FACE else grip(p, s, k)
