"""Motion of the four-bar with clearance between coupler and rocker, compiled (zhang1995 eqs 3 and 4 with a contact in place of the link).

| symbol | unit | meaning |
|---|---|---|
| e = C3 - C2 | m | journal (rocker's end) from the centre of its bearing (coupler's end) |
| r, alpha | m, rad | length and direction of e; penetration delta = r - R_c |
| e1 e2 e3 | 1 | unit vectors of crank, coupler, rocker |
| omega2 omega3 | rad/s | theta2', theta3' |
| f | N | force on the coupler in the joint, F32 e^{j alpha} without friction |

The loop l1 e1 + l2 e2 + e + l3 e3 = l4 gives both links from e, so e is the state and the errors stay far below a penetration. In contact
it is kept as (delta, R_c alpha): in x and y the stages of a step would leave the bearing's circle and shake the stiff direction, which
took three times as many steps. Apart it is kept as (x, y), since the journal may pass the centre.

Each kernel is there twice: with the crank at constant speed, and `driven`, with the crank as the input samples have it: theta1 = START + u.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.friction import velocity_window
from model.joints import contact, revolute
from model.stepping import inputs

# Parameters p, PER: the reciprocal; the last three are those of the friction.
(
    L1, L2, L3, L4, PER_L2, PER_L3, PER_J2, PER_J3, SWING_2, WEIGHT_2, WEIGHT_3, SPEED, START, GAP, PER_GAP,
    RADIUS_I, RADIUS_J, V_FLOOR, FRICTION,
) = range(19)  # fmt: skip
PARAMETERS = FRICTION + velocity_window.PARAMETERS
EX, EY, EX_RATE, EY_RATE, STATES = range(5)  # state y apart, m and m/s
DEPTH, ARC, DEPTH_RATE, ARC_RATE = range(4)  # state y in contact, m and m/s
JOINT = 0  # the only contact
JOINT_GUARD, WINDING_GUARD, GUARD_COUNT = range(3)
# PENETRATION is not published: it is looked at for a joint that is crushed.
CRANK_ANGLE, COUPLER_ANGLE, ROCKER_ANGLE, FORCE, FORCE_ANGLE, IN_CONTACT, ACCELERATION, PENETRATION, CHANNEL_COUNT = range(9)

TURN = 2.0 * math.pi
APART = 1.0 - 1e-15  # a journal that leaves is at most this share of the clearance from the centre

OFFSET = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]
LINKS = types.UniTuple(REAL, 8)  # type: ignore[no-untyped-call]
LOADS = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]


@compiled(OFFSET(VECTOR, VECTOR, VECTOR))
def offset(y: Floats, p: Floats, s: Floats) -> tuple[float, float, float, float, float, float]:
    """e and its rate in x and y, then e/r in contact (apart it is not needed: 0, 0)."""
    if contact.touching(s, JOINT) == 0:
        return y[EX], y[EY], y[EX_RATE], y[EY_RATE], 0.0, 0.0
    alpha, r = y[ARC] * p[PER_GAP], p[GAP] + y[DEPTH]
    nx, ny = math.cos(alpha), math.sin(alpha)
    around = r * y[ARC_RATE] * p[PER_GAP]
    return r * nx, r * ny, y[DEPTH_RATE] * nx - around * ny, y[DEPTH_RATE] * ny + around * nx, nx, ny


@compiled(LINKS(REAL, REAL, REAL, REAL, REAL, REAL, VECTOR))
def links(
    theta1: float, omega1: float, ex: float, ey: float, ex_rate: float, ey_rate: float, p: Floats
) -> tuple[float, float, float, float, float, float, float, float]:
    """(cos, sin) of theta1, theta2, theta3, then omega2, omega3."""
    c1, s1 = math.cos(theta1), math.sin(theta1)
    dx, dy = p[L4] - p[L1] * c1 - ex, -p[L1] * s1 - ey
    square = dx * dx + dy * dy
    per = 1.0 / square
    difference = (p[L2] - p[L3]) * (p[L2] + p[L3])
    r2, r3 = 0.5 * p[PER_L2] * (square + difference), 0.5 * p[PER_L3] * (square - difference)
    a2 = math.sqrt(square - r2 * r2)
    a3 = a2 * p[L2] * p[PER_L3]  # both make the height of C over B D
    c2, s2 = (dx * r2 - dy * a2) * per, (dy * r2 + dx * a2) * per
    c3, s3 = (dx * r3 + dy * a3) * per, (dy * r3 - dx * a3) * per
    wx, wy = -p[L1] * omega1 * c1 - ey_rate, -p[L1] * omega1 * s1 + ex_rate
    span = 1.0 / (c2 * s3 - s2 * c3)
    return c1, s1, c2, s2, c3, s3, span * p[PER_L2] * (wx * s3 - wy * c3), span * p[PER_L3] * (wy * c2 - wx * s2)


@compiled(LOADS(REAL, REAL, REAL, REAL, VECTOR, VECTOR, VECTOR, LAW))
def loads(
    nx: float, ny: float, omega2: float, omega3: float, y: Floats, p: Floats, s: Floats, law: ContactLaw
) -> tuple[float, float, float, float]:
    """(f_x, f_y) on the coupler, and the moments of friction on coupler and rocker."""
    if contact.touching(s, JOINT) == 0:
        return 0.0, 0.0, 0.0, 0.0
    normal = law(y[DEPTH], y[DEPTH_RATE], s[: contact.EACH])
    if p[FRICTION] == 0.0:
        return normal * nx, normal * ny, 0.0, 0.0
    sliding = (1.0 + y[DEPTH] * p[PER_GAP]) * y[ARC_RATE] + omega3 * p[RADIUS_J] - omega2 * p[RADIUS_I]
    return revolute.loads(nx, ny, normal, velocity_window.force(sliding, normal, p[FRICTION:]), p[RADIUS_I], p[RADIUS_J])


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def motion(theta1: float, omega1: float, alpha1: float, y: Floats, dy: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Time derivative of the state: eqs 3 for both links, then the loop's second derivative."""
    ex, ey, ex_rate, ey_rate, nx, ny = offset(y, p, s)
    c1, s1, c2, s2, c3, s3, omega2, omega3 = links(theta1, omega1, ex, ey, ex_rate, ey_rate, p)
    fx, fy, moment_2, moment_3 = loads(nx, ny, omega2, omega3, y, p, s, law)
    # Acceleration of the crank's end, turned round: inwards it is positive.
    bx, by = omega1 * omega1 * c1 + alpha1 * s1, omega1 * omega1 * s1 - alpha1 * c1
    alpha2 = (p[L2] * (fy * c2 - fx * s2) + p[SWING_2] * (by * c2 - bx * s2) - p[WEIGHT_2] * c2 + moment_2) * p[PER_J2]
    alpha3 = (p[L3] * (fy * c3 - fx * s3) + p[WEIGHT_3] * c3 + moment_3) * p[PER_J3]
    square2, square3 = omega2 * omega2, omega3 * omega3
    ax = p[L1] * bx + p[L2] * (square2 * c2 + alpha2 * s2) + p[L3] * (square3 * c3 + alpha3 * s3)
    ay = p[L1] * by + p[L2] * (square2 * s2 - alpha2 * c2) + p[L3] * (square3 * s3 - alpha3 * c3)
    dy[0], dy[1], dy[2], dy[3] = y[2], y[3], ax, ay
    if contact.touching(s, JOINT) == 1:
        r, turning = p[GAP] + y[DEPTH], y[ARC_RATE] * p[PER_GAP]
        dy[DEPTH_RATE] = ax * nx + ay * ny + r * turning * turning
        dy[ARC_RATE] = p[GAP] * (ay * nx - ax * ny - 2.0 * y[DEPTH_RATE] * turning) / r
    return 0


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`motion` at constant speed."""
    return int(motion(p[START] + p[SPEED] * t, p[SPEED], 0.0, y, dy, p, s, law))


@compiled(RHS.signature)
def rhs_driven(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`motion` as the samples turn the crank."""
    turned, omega1, alpha1 = inputs.course(u, t)
    return int(motion(p[START] + turned, omega1, alpha1, y, dy, p, s, law))


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Penetration while apart, its negative while touching; then how far alpha is beyond a whole turn, where the arc is wound back."""
    if contact.touching(s, JOINT) == 1:
        g[JOINT_GUARD], g_rate[JOINT_GUARD] = contact.guard(s, JOINT, y[DEPTH], y[DEPTH_RATE])
        g[WINDING_GUARD] = abs(y[ARC]) - TURN * p[GAP]
        g_rate[WINDING_GUARD] = math.copysign(1.0, y[ARC]) * y[ARC_RATE]
    else:
        depth, rate, _, _, _ = revolute.approach(y[EX], y[EY], y[EX_RATE], y[EY_RATE], 0.0, 0.0, p[GAP], 0.0)
        g[JOINT_GUARD], g_rate[JOINT_GUARD] = contact.guard(s, JOINT, depth, rate)
        g[WINDING_GUARD], g_rate[WINDING_GUARD] = -1.0, 0.0
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Latch the approach speed of a contact that begins (noted, m/s), clear that of one that ends (noted as 0); the state changes form."""
    if k == WINDING_GUARD:
        y[ARC] -= math.copysign(TURN * p[GAP], y[ARC])
        return math.nan
    if contact.touching(s, JOINT) == 1:
        _, _, y[EX_RATE], y[EY_RATE], nx, ny = offset(y, p, s)
        inside = min(1.0 + y[DEPTH] * p[PER_GAP], APART) * p[GAP]
        y[EX], y[EY] = inside * nx, inside * ny
        return float(contact.switch(s, JOINT, 0.0, p[V_FLOOR]))
    depth, rate, nx, ny, around = revolute.approach(y[EX], y[EY], y[EX_RATE], y[EY_RATE], 0.0, 0.0, p[GAP], 0.0)
    y[DEPTH], y[ARC] = depth, p[GAP] * math.atan2(ny, nx)
    y[DEPTH_RATE], y[ARC_RATE] = rate, p[GAP] * around / (p[GAP] + depth)
    return float(contact.switch(s, JOINT, rate, p[V_FLOOR]))


@compiled(INDEX(REAL, REAL, REAL, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def seen(theta1: float, omega1: float, alpha1: float, y: Floats, values: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.four_bar; apart, the angle of the force is that of the journal's eccentricity."""
    ex, ey, ex_rate, ey_rate, nx, ny = offset(y, p, s)
    c1, s1, c2, s2, c3, s3, omega2, omega3 = links(theta1, omega1, ex, ey, ex_rate, ey_rate, p)
    fx, fy, moment_2, _ = loads(nx, ny, omega2, omega3, y, p, s, law)
    swing = (omega1 * omega1 * s1 - alpha1 * c1) * c2 - (omega1 * omega1 * c1 + alpha1 * s1) * s2
    alpha2 = (p[L2] * (fy * c2 - fx * s2) + p[SWING_2] * swing - p[WEIGHT_2] * c2 + moment_2) * p[PER_J2]
    values[CRANK_ANGLE] = theta1
    values[COUPLER_ANGLE], values[ROCKER_ANGLE] = math.atan2(s2, c2), math.atan2(s3, c3)
    values[FORCE] = math.sqrt(fx * fx + fy * fy)
    values[FORCE_ANGLE] = math.atan2(fy, fx) if values[FORCE] > 0.0 else math.atan2(ey, ex)
    values[IN_CONTACT] = float(contact.touching(s, JOINT))
    values[PENETRATION] = y[DEPTH] if contact.touching(s, JOINT) == 1 else 0.0
    values[ACCELERATION] = p[L2] * alpha2 - p[L1] * swing
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`seen` at constant speed."""
    return int(seen(p[START] + p[SPEED] * t, p[SPEED], 0.0, y, values, p, s, law))


@compiled(CHANNELS.signature)
def channels_driven(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`seen` as the samples turn the crank."""
    turned, omega1, alpha1 = inputs.course(u, t)
    return int(seen(p[START] + turned, omega1, alpha1, y, values, p, s, law))
