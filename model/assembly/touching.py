"""Contact in joints with clearance, between any two bodies: pins (model.joints.revolute), corners in guides (translational), pins in slots,
followers on cams, compiled.

What takes a contact law is compiled with its caller: for the law that it hands on, or, without one, for that of the family.

A guide may move and lie in any direction: place, speed and angle of the slider are taken in axes that the guide's body carries with it.
"""

from __future__ import annotations

import math

from numba import types

from model.assembly import layout as at
from model.assembly.curves import beside
from model.assembly.functions.evaluation import on_pieces
from model.assembly.poses import FOUR, TWO, apart, arm
from model.compiled.signatures import INDEX, LAW, REAL, VECTOR, ContactLaw, Floats, compiled, template
from model.contact.force import force as family
from model.friction import velocity_window
from model.joints import contact, revolute, translational
from model.stepping.crushing import CRUSHED

FIVE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
SIX = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, REAL, REAL, REAL))
def push(s: Floats, body: int, fx: float, fy: float, ax: float, ay: float, moment: float) -> int:
    """A force at the arm (ax, ay) from the mass centre, and a moment, on the body whose triple is at place `body` of s."""
    s[body] += fx
    s[body + 1] += fy
    s[body + 2] += ax * fy - ay * fx + moment
    return 0


@compiled(FIVE(VECTOR, VECTOR, INDEX))
def in_bearing(p: Floats, s: Floats, k: int) -> tuple[float, float, float, float, float]:
    """(delta, delta', n_x, n_y, v_t) of the journal whose columns begin at k."""
    i, j = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J])
    ix, iy = arm(s, i, p[k + at.C_S_I], p[k + at.C_S_I + 1])
    jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
    ex, ey, ex_rate, ey_rate = apart(s, i, j, ix, iy, jx, jy)
    return revolute.approach(ex, ey, ex_rate, ey_rate, s[i + at.OMEGA], s[j + at.OMEGA], p[k + at.C_SIZE], p[k + at.C_SIZE + 1])


@compiled(FIVE(VECTOR, VECTOR, INDEX))
def in_guide(p: Floats, s: Floats, k: int) -> tuple[float, float, float, float, float]:
    """(d, d', v_t, r_x, r_y) of the corner whose columns begin at k; r from the slider's middle, in the world's axes."""
    i, j = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J])
    ix, iy = arm(s, i, p[k + at.C_S_I], p[k + at.C_S_I + 1])
    jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
    ex, ey = arm(s, i, p[k + at.C_LINE], p[k + at.C_LINE + 1])
    ax, ay = arm(s, j, p[k + at.C_AXIS], p[k + at.C_AXIS + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    turning = s[i + at.OMEGA]
    vx, vy = dx_rate + turning * dy, dy_rate - turning * dx
    depth, rate, sliding, rx, ry = translational.corner(
        int(p[k + at.C_KIND]), ex * dy - ey * dx, ex * vx + ey * vy, ex * vy - ey * vx, ex * ay - ey * ax, ex * ax + ey * ay,
        s[j + at.OMEGA] - turning, p[k + at.C_GUIDE : k + at.C_COLUMNS],
    )  # fmt: skip
    return depth, rate, sliding, ex * rx - ey * ry, ey * rx + ex * ry


@compiled(SIX(VECTOR, VECTOR, INDEX))
def facing(p: Floats, s: Floats, k: int) -> tuple[float, float, float, float, float, float]:
    """(delta, delta', e_x, e_y, p_x, p_y) of a pin at a wall of its slot, or of a follower on its cam.

    e: the direction in which body j is pushed; p: a point on the line of the force, from the mass centre of body i.
    """
    i, j, kind = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J]), p[k + at.C_KIND]
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    ix, iy = arm(s, i, p[k + at.C_S_I], p[k + at.C_S_I + 1])
    jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
    dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
    if kind == at.ON_FACE:
        ex, ey = arm(s, j, p[k + at.C_LINE], p[k + at.C_LINE + 1])
        psi = s[j + at.ANGLE_OF] - s[i + at.ANGLE_OF] + math.atan2(p[k + at.C_LINE + 1], p[k + at.C_LINE])
        h, slope, _ = on_pieces(psi, p, s, int(p[k + at.C_FUNCTIONS]))
        rate = slope * (wj - wi) - ex * dx_rate - ey * dy_rate - wj * (ex * dy - ey * dx)
        return h - ex * dx - ey * dy, rate, ex, ey, ix + h * ex - slope * ey, iy + h * ey + slope * ex
    if kind == at.ON_ROLLER:
        c, sine = s[i + at.COS], s[i + at.SIN]
        gap, nx, ny, _ = beside(p, s, int(p[k + at.C_FUNCTIONS]), int(p[k + at.C_FUNCTIONS + 1]), c * dx + sine * dy, c * dy - sine * dx)
        ex, ey = arm(s, i, nx, ny)
        depth = -gap
    else:
        side = 1.0 if kind == at.RIGHT_WALL else -1.0
        ex, ey = arm(s, i, -side * p[k + at.C_LINE + 1], side * p[k + at.C_LINE])
        depth = -ex * dx - ey * dy - p[k + at.C_GUIDE + translational.CLEARANCE]
    return depth, -ex * dx_rate - ey * dy_rate - wi * (ex * dy - ey * dx), ex, ey, ix + dx, iy + dy


@compiled(TWO(VECTOR, VECTOR, INDEX))
def approach(p: Floats, s: Floats, k: int) -> tuple[float, float]:
    """(penetration, its rate) of the contact whose columns begin at k, m and m/s."""
    if p[k + at.C_KIND] == at.PIN:
        depth, rate, _, _, _ = in_bearing(p, s, k)
        return depth, rate
    if p[k + at.C_KIND] >= at.LEFT_WALL:
        depth, rate, _, _, _, _ = facing(p, s, k)
        return depth, rate
    depth, rate, _, _, _ = in_guide(p, s, k)
    return depth, rate


def clearance(p: Floats, k: int) -> float:
    """Of the contact whose columns begin at k, m."""
    return float(p[k + at.C_SIZE] - p[k + at.C_SIZE + 1] if p[k + at.C_KIND] == at.PIN else p[k + at.C_GUIDE + translational.CLEARANCE])


@compiled(TWO(VECTOR, VECTOR, INDEX))
def gauge(p: Floats, s: Floats, k: int) -> tuple[float, float]:
    """What has the sign of the penetration, and its rate: smooth where a journal passes the middle of its bearing, (|e|^2 - c^2)/2c."""
    depth, rate = approach(p, s, k)
    if p[k + at.C_KIND] != at.PIN:
        return depth, rate
    c = p[k + at.C_SIZE] - p[k + at.C_SIZE + 1]
    return depth * (1.0 + 0.5 * depth / c), rate * (1.0 + depth / c)


@template()
def pin_loads(p: Floats, s: Floats, k: int, number: int, law: ContactLaw | None) -> tuple[float, float, float, float]:
    """As `loads` for a journal in its bearing."""
    place = contact.EACH * number
    depth, rate, nx, ny, sliding = in_bearing(p, s, k)
    if law is None:  # noqa: SIM108  what cannot be here is left out by the compiler
        normal = family(depth, rate, s[place : place + contact.EACH])
    else:
        normal = law(depth, rate, s[place : place + contact.EACH])
    if depth > CRUSHED * p[k + at.C_SIZE]:
        normal = math.nan  # which no step survives
    tangential = 0.0
    if p[k + at.C_FRICTION] > 0.0:
        tangential = velocity_window.force(sliding, normal, p[k + at.C_FRICTION : k + at.C_FRICTION + 3])
    fx, fy, moment_i, moment_j = revolute.loads(nx, ny, normal, tangential, p[k + at.C_SIZE], p[k + at.C_SIZE + 1])
    ix, iy = arm(s, int(p[k + at.C_POSE_I]), p[k + at.C_S_I], p[k + at.C_S_I + 1])
    jx, jy = arm(s, int(p[k + at.C_POSE_J]), p[k + at.C_S_J], p[k + at.C_S_J + 1])
    return fx, fy, ix * fy - iy * fx + moment_i, jy * fx - jx * fy + moment_j


@compiled(FOUR(VECTOR, VECTOR, INDEX))
def corner_loads(p: Floats, s: Floats, k: int) -> tuple[float, float, float, float]:
    """As `loads` for a slider's corner in its guide."""
    depth, rate, sliding, rx, ry = in_guide(p, s, k)
    guide = p[k + at.C_GUIDE : k + at.C_COLUMNS]
    pressing = translational.normal(depth, rate, guide)
    tangential = velocity_window.force(sliding, pressing, guide[translational.FRICTION :]) if guide[translational.FRICTION] > 0.0 else 0.0
    across = -pressing if p[k + at.C_KIND] >= 2.0 else pressing
    i, j = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J])
    ex, ey = arm(s, i, p[k + at.C_LINE], p[k + at.C_LINE + 1])
    fx, fy = tangential * ex - across * ey, tangential * ey + across * ex
    jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
    jx, jy = jx + rx, jy + ry
    ix, iy = jx + s[j + at.X] - s[i + at.X], jy + s[j + at.Y] - s[i + at.Y]
    return -fx, -fy, iy * fx - ix * fy, jx * fy - jy * fx


@template()
def facing_loads(p: Floats, s: Floats, k: int, number: int, law: ContactLaw | None) -> tuple[float, float, float, float]:
    """As `loads` for a pin at a wall of its slot, or a follower on its cam."""
    place = contact.EACH * number
    depth, rate, ex, ey, px, py = facing(p, s, k)
    if law is None:  # noqa: SIM108  what cannot be here is left out by the compiler
        normal = family(depth, rate, s[place : place + contact.EACH])
    else:
        normal = law(depth, rate, s[place : place + contact.EACH])
    fx, fy = -normal * ex, -normal * ey
    i, j = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J])
    qx, qy = px + s[i + at.X] - s[j + at.X], py + s[i + at.Y] - s[j + at.Y]
    return fx, fy, px * fy - py * fx, qy * fx - qx * fy


@template()
def loads(p: Floats, s: Floats, k: int, number: int, law: ContactLaw | None) -> tuple[float, float, float, float]:
    """(f_x, f_y, m_i, m_j) of a closed contact: the force on body i (on j its opposite), moments about the mass centres, N and N m."""
    if p[k + at.C_KIND] == at.PIN:
        return pin_loads(p, s, k, number, law)
    if p[k + at.C_KIND] >= at.LEFT_WALL:
        return facing_loads(p, s, k, number, law)
    return corner_loads(p, s, k)


@template()
def touch_all(p: Floats, s: Floats, forces: int, law: ContactLaw | None) -> int:
    """Contact forces of the contacts that are closed, added to the bodies' triples that begin at place `forces` of s."""
    k, rubs = int(p[at.AT_CONTACTS]), p[at.RUBS]
    for number in range(int(p[at.CONTACTS])):
        if contact.touching(s, number):
            fx, fy, moment_i, moment_j = loads(p, s, k, number, law)
            push(s, forces + int(p[k + at.C_BODY_I]), fx, fy, 0.0, 0.0, moment_i)
            push(s, forces + int(p[k + at.C_BODY_J]), -fx, -fy, 0.0, 0.0, moment_j)
            if rubs > 0.0:
                s[int(p[at.S_NORMAL]) + number] = math.sqrt(fx * fx + fy * fy)  # where it rubs by a row of its own, nothing else
        k += at.C_COLUMNS
    return 0


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX, INDEX, LAW))
def told(p: Floats, s: Floats, code: int, first: int, count: int, law: ContactLaw) -> float:
    """A joint's penetration (the deepest; 0 while apart), or the force on its second body: size, component, or the sum of corners' N."""
    k = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * first
    deepest, along_x, along_y, total = 0.0, 0.0, 0.0, 0.0
    for number in range(first, first + count):
        deepest = max(deepest, approach(p, s, k)[0])
        if contact.touching(s, number):
            fx, fy, _, _ = loads(p, s, k, number, law)
            along_x -= fx
            along_y -= fy
            if code == at.CONTACT_SUM:
                ex, ey = arm(s, int(p[k + at.C_POSE_I]), p[k + at.C_LINE], p[k + at.C_LINE + 1])
                total += abs(ex * fy - ey * fx)
        k += at.C_COLUMNS
    if code == at.CONTACT_DEPTH:
        return deepest
    if code == at.CONTACT_X:
        return along_x
    if code == at.CONTACT_Y:
        return along_y
    return total if code == at.CONTACT_SUM else math.sqrt(along_x * along_x + along_y * along_y)
