"""What rolls and what follows, of a planar linkage's plant, compiled: gears, belts, curves, cams, slots with play (`planar_kernel`).

| symbol | unit | meaning |
|---|---|---|
| a, b | m | radii of two wheels; of an inner wheel, or where a belt is open, a is negative |
| s = a phi_i + b phi_j - (a + b) theta | m | arc by which teeth are pressed, or a belt is longer; theta: direction of D |
| c(u), t, n | m, 1, 1 | a curve by its nodes' numbers: between two of them a cubic by places and tangents (Hermite); tangent, left normal |
| g, e | m, 1 | gap between follower and what it follows; direction in which the follower is pushed away |

Teeth and belts are springs with dampers along the pitch circle. A follower that cannot leave is a spring across what it follows; one that
can lift off presses on it, as the other contacts do.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.planar_bodies import arm, bodies_at, ends, push, shared_mass, wear
from rig.virtual.plants.surfaces import BRANCH, CONTACT_STATES, DEEPEST

THREE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]
SIX = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]
SEARCHES = 30
NEAR = 1e-12
"""Share of the way between two nodes at which the nearest place of a curve is known well enough."""


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX))
def arc_of(y: Floats, p: Floats, first: int, k: int) -> float:
    """s of the wheels at k, m, counted from where they stood at the start; theta is known but for whole turns."""
    i, j, _, _, _, _, dx, dy, _, _ = ends(y, p, first, k)
    a, b = p[k + at.WHEEL_I], p[k + at.WHEEL_J]
    arc, both = a * y[i + at.PHI] + b * y[j + at.PHI] - y[int(p[k + at.ARC])], a + b
    if both == 0.0:
        return float(arc)
    arc -= both * math.atan2(dy, dx)
    turn = 2.0 * math.pi * both
    return float(arc - turn * math.floor(arc / turn + 0.5))


@compiled(REAL(VECTOR, VECTOR))
def mesh_all(y: Floats, p: Floats) -> float:
    """Gears and belts: their forces; returns the power that they take."""
    first, lost, k = bodies_at(p), 0.0, int(p[at.AT_MESHES])
    for _ in range(int(p[at.MESHES])):
        i, j, ix, iy, jx, jy, dx, dy, vx, vy = ends(y, p, first, k)
        a, b = p[k + at.WHEEL_I], p[k + at.WHEEL_J]
        square = dx * dx + dy * dy
        ex = ey = 0.0
        if a + b != 0.0 and square > 0.0:
            ex, ey = (a + b) * dy / square, -(a + b) * dx / square
        rate = a * y[i + at.W] + b * y[j + at.W] + ex * vx + ey * vy
        f = p[k + at.STIFFNESS] * arc_of(y, p, first, k) + p[k + at.DAMPING] * rate
        push(y, i, f * ex, f * ey, ix, iy, -f * a)
        push(y, j, -f * ex, -f * ey, jx, jy, -f * b)
        lost += p[k + at.DAMPING] * rate * rate
        k += at.MESH_COLUMNS
    return lost


@compiled(INDEX(VECTOR, INDEX, REAL))
def node_before(p: Floats, k: int, u: float) -> int:
    """Number of the node before u on the curve of the row at k, the last one being that where the last piece begins."""
    return min(max(math.floor(u), 0), int(p[k + at.F_COUNT]) - 2)


@compiled(THREE(VECTOR, INDEX, INDEX, INDEX, REAL))
def hermite(p: Floats, nodes: int, n: int, which: int, u: float) -> tuple[float, float, float]:
    """(value, slope, bend) at u between nodes n and n + 1; which: 0 or 1, of each node's two values with their slopes.

    Beyond the first and the last node it goes on straight.
    """
    here, there = nodes + 4 * n + 2 * which, nodes + 4 * n + 4 + 2 * which
    y0, s0, y1, s1 = p[here], p[here + 1], p[there], p[there + 1]
    f = u - n
    if f < 0.0:
        return y0 + f * s0, s0, 0.0
    if f > 1.0:
        return y1 + (f - 1.0) * s1, s1, 0.0
    c2, c3 = 3.0 * (y1 - y0) - 2.0 * s0 - s1, 2.0 * (y0 - y1) + s0 + s1
    return y0 + f * (s0 + f * (c2 + f * c3)), s0 + f * (2.0 * c2 + 3.0 * f * c3), 2.0 * c2 + 6.0 * f * c3


@compiled(REAL(VECTOR, INDEX, REAL, REAL, REAL))
def nearest(p: Floats, k: int, u: float, x: float, y: float) -> float:
    """The u at which the curve of the row at k is nearest to (x, y), in axes of its body; looked for from the u that is given."""
    nodes, span = int(p[k + at.F_NODES]), p[k + at.F_COUNT] - 1.0
    for _ in range(SEARCHES):
        n = node_before(p, k, u)
        cx, tx, bx = hermite(p, nodes, n, 0, u)
        cy, ty, by = hermite(p, nodes, n, 1, u)
        off = (x - cx) * tx + (y - cy) * ty
        slope = tx * tx + ty * ty
        bend = slope - (x - cx) * bx - (y - cy) * by
        step = off / (bend if bend > 0.3 * slope else slope)
        u += step
        if p[k + at.F_CLOSED] > 0.0:
            u -= span * math.floor(u / span)
        if abs(step) < NEAR:
            break
    return u


@compiled(SIX(VECTOR, VECTOR, INDEX, INDEX, INDEX))
def facing(y: Floats, p: Floats, first: int, k: int, state: int) -> tuple[float, float, float, float, float, float]:
    """(g, g', e_x, e_y, p_x, p_y) of the follower at k; p: a point on the line of its force, from the mass centre of body i.

    state: place in y of its own states, where the u at which it is nearest to its curve is kept.
    """
    i, j, ix, iy, _, _, dx, dy, vx, vy = ends(y, p, first, k)
    wi, wj, kind = y[i + at.W], y[j + at.W], p[k + at.F_KIND]
    if kind == at.ON_FACE:
        ex, ey = arm(y, j, p[k + at.F_HEADING], p[k + at.F_HEADING + 1])
        count = p[k + at.F_COUNT] - 1.0
        per = count / (2.0 * math.pi)
        psi = y[j + at.PHI] - y[i + at.PHI] + math.atan2(p[k + at.F_HEADING + 1], p[k + at.F_HEADING])
        u = psi * per
        u -= count * math.floor(u / count)
        far, slope, _ = hermite(p, int(p[k + at.F_NODES]), node_before(p, k, u), 0, u)
        slope *= per
        rate = ex * vx + ey * vy + wj * (ex * dy - ey * dx) - slope * (wj - wi)
        return ex * dx + ey * dy - far, rate, ex, ey, ix + far * ex - slope * ey, iy + far * ey + slope * ex
    if kind == at.ON_CURVE:
        c, s = y[i + at.COS], y[i + at.SIN]
        along, across = c * dx + s * dy, c * dy - s * dx
        u = nearest(p, k, y[state + at.AT_U], along, across)
        y[state + at.AT_U] = u
        n, nodes = node_before(p, k, u), int(p[k + at.F_NODES])
        cx, tx, _ = hermite(p, nodes, n, 0, u)
        cy, ty, _ = hermite(p, nodes, n, 1, u)
        length = math.sqrt(tx * tx + ty * ty)
        gap = (tx * (across - cy) - ty * (along - cx)) / length
        ex, ey = arm(y, i, -ty / length, tx / length)
    else:
        ex, ey = arm(y, i, p[k + at.F_HEADING], p[k + at.F_HEADING + 1])
        gap = ex * dx + ey * dy + p[k + at.F_GAP]
    return gap, ex * vx + ey * vy + wi * (ex * dy - ey * dx), ex, ey, ix + dx, iy + dy


@compiled(REAL(VECTOR, VECTOR, INDEX, REAL))
def follow_all(y: Floats, p: Floats, state: int, h: float) -> float:
    """Followers: their forces; returns the power that they take. state: place in y of the states of the first one."""
    first, lost, k = bodies_at(p), 0.0, int(p[at.AT_FOLLOWERS])
    for _ in range(int(p[at.FOLLOWERS])):
        gap, rate, ex, ey, px, py = facing(y, p, first, k, state)
        i, j = first + at.BODY_STATES * int(p[k + at.BODY_I]), first + at.BODY_STATES * int(p[k + at.BODY_J])
        qx, qy = px + y[i + at.X] - y[j + at.X], py + y[i + at.Y] - y[j + at.Y]
        f, depth = 0.0, -gap - y[state + at.WORN]
        if p[k + at.STIFFNESS] > 0.0:
            f = -p[k + at.STIFFNESS] * gap - p[k + at.DAMPING] * rate
            lost += p[k + at.DAMPING] * rate * rate
        elif depth > 0.0:
            mass = shared_mass(y, i, j, k, px, py, qx, qy, ex, ey, p)
            f, elastic = pressing(depth, -rate, mass, h, p[k + at.F_LAW : k + at.FOLLOWER_COLUMNS], y[state : state + CONTACT_STATES])
            middle = -rate - 0.5 * h * f / mass
            lost += (f - elastic) * middle
            wear(y, p, state, h * f * middle)
        else:
            y[state + BRANCH] = y[state + DEEPEST] = 0.0
        push(y, i, -f * ex, -f * ey, px, py, 0.0)
        push(y, j, f * ex, f * ey, qx, qy, 0.0)
        k += at.FOLLOWER_COLUMNS
        state += at.FOLLOWER_STATES
    return lost
