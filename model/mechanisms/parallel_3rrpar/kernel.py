"""Rigid 3-RRPaR mechanism with clearance at R1 and R3, compiled (chen2026, corrected).

The arms are driven along a given motion, the platform never turns: four coordinates are left, and every other one follows from them.

| symbol | unit | meaning |
|---|---|---|
| theta_i | rad | arm i, given with its rates on a grid of time; between, the polynomial of degree 5 through both ends |
| T_i, E_i | m | centres of the short bars at the arm's tip and at the platform; E_i = T_i + L u_i |
| beta_i, gamma_i | rad | long bars: turn about the short bars' axis a_i (Y, Z, Y), tilt towards it: u = cos gamma x' + sin gamma a |
| x', n | 1 | direction that the long bars have without tilt, and the one across both: x' turns towards n with beta |
| P | m | platform's mass centre M13; R_i is at P + d_i |
| q | rad | beta_1, beta_3, beta_2, gamma_2; the state is (q, q'), then perhaps the drives' work |
| I, A, B | kg m^2 | of a leg without its arm: about T across u; of the long bars along u; of the short bars about their axis |
| S | kg m | first moment of a leg about T |
| F, lam | N | contact of the platform's pin on the short bar, across Y, and what the joint holds along Y |

T = 1/2 (I cos^2 gamma + A sin^2 gamma + B) beta'^2 + 1/2 I gamma'^2 + S T'.u' + ... for a leg, so that Lagrange's equations are
(I c^2 + A s^2 + B) beta'' + 2 (A - I) s c beta' gamma' + S (T'' + g).u_beta = L F.u_beta + m,
I gamma'' + (I - A) s c beta'^2 + S (T'' + g).u_gamma = L F.u_gamma. gamma_1 and gamma_3 follow P_y; their lam is eliminated, which adds
I/(L cos gamma)^2 to the platform's mass along Y. The platform carries the pins, the short bars the bushes.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import INDEX, LAW, REAL, VECTOR, ContactLaw, Floats, compiled
from model.compiled.sincos import sincos
from model.friction import velocity_window
from model.joints import contact, revolute

# Parameters p; of points three places each, J_ARM one for each arm, CLEARANCE and RADIUS_J one for each pin. Then the drives: rate of the
# grid, number of its points, and from DRIVES on theta, theta', theta'' of the three arms for each point. SAMPLES: of a mechanism that gets
# no input samples beside p, how many of the last places of p hold them (0: none, the grid's time is the clock's).
(
    GRAVITY, PLATFORM, LEG, ARM, ARM_WEIGHT, LONG, ABOUT, A, B, S, RADIUS_I, V_FLOOR,
) = range(12)  # fmt: skip
CLEARANCE, RADIUS_J, J_ARM, FRICTION, PIVOT, JOINT, POINT = 12, 14, 16, 19, 22, 31, 40
GRID_RATE, GRID_POINTS, SAMPLES, DRIVES = 43, 44, 45, 46
EACH_POINT = 9
HELD = 500.0  # 1/s: rate at which the pin of an ideal joint, beside one with clearance, comes back from what integration has done to it
LEGS = 3
BETA_1, BETA_3, BETA_2, GAMMA_2, FREEDOMS = range(5)
PINS = 2
ALONG_Y = (0, 2)  # the legs whose joints have clearance: their places among the legs
(
    POSITION, VELOCITY, ACCELERATION, ANGLE, TORQUE, R1_FORCE, R3_FORCE, R1_ECCENTRICITY, R3_ECCENTRICITY, CHANNEL_COUNT,
) = (0, 3, 6, 9, 12, 15, 16, 17, 20, 23)  # fmt: skip

DRIVE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]
TIP = types.UniTuple(REAL, 8)  # type: ignore[no-untyped-call]
SWUNG = types.UniTuple(REAL, 12)  # type: ignore[no-untyped-call]
MOTION = types.UniTuple(REAL, 16)  # type: ignore[no-untyped-call]


@compiled(DRIVE(INDEX, REAL, VECTOR))
def drive(leg: int, t: float, p: Floats) -> tuple[float, float, float]:
    """theta, theta', theta'' of an arm at t, s; beyond the grid its first or last polynomial goes on."""
    rate = p[GRID_RATE]
    n = int(min(max(math.floor(t * rate), 0.0), p[GRID_POINTS] - 2.0))
    x, h = t * rate - n, 1.0 / rate
    at = DRIVES + EACH_POINT * n + 3 * leg
    to = at + EACH_POINT
    begin, end = h * p[at + 1], h * p[to + 1]
    bend, bent = 0.5 * h * h * p[at + 2], 0.5 * h * h * p[to + 2]
    rise = p[to] - p[at] - begin - bend  # what is left at the end, of value, slope and half the curvature
    slope = end - begin - 2.0 * bend
    curve = bent - bend
    third = 10.0 * rise - 4.0 * slope + curve
    fourth = -15.0 * rise + 7.0 * slope - 2.0 * curve
    fifth = 6.0 * rise - 3.0 * slope + curve
    value = p[at] + x * (begin + x * (bend + x * (third + x * (fourth + x * fifth))))
    first = begin + x * (2.0 * bend + x * (3.0 * third + x * (4.0 * fourth + x * 5.0 * fifth)))
    second = 2.0 * bend + x * (6.0 * third + x * (12.0 * fourth + x * 20.0 * fifth))
    return value, first * rate, second * rate * rate


@compiled(TIP(INDEX, DRIVE, VECTOR))
def tip_of(leg: int, driven: tuple[float, ...], p: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """In the plane across the arm's axis, (x, z) for arms 1 and 3, (x, y) for arm 2: T, T', T'', then theta' and theta''.

    driven: theta, theta', theta''. Arms 1 and 3 turn from X towards -Z, arm 2 from X towards Y.
    """
    theta, rate, second = driven
    sine, cosine = sincos(theta)
    length = p[ARM]
    side = 1.0 if leg == 1 else -1.0
    across = p[PIVOT + 3 * leg + (1 if leg == 1 else 2)]
    bx, by = length * cosine, side * length * sine
    ux, uy = -side * by, side * bx  # along the motion, for theta' = 1
    square = rate * rate
    return p[PIVOT + 3 * leg] + bx, across + by, ux * rate, uy * rate, ux * second - bx * square, uy * second - by * square, rate, second


@compiled(TIP(INDEX, REAL, VECTOR))
def tip(leg: int, t: float, p: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """`tip_of` an arm at t, s."""
    return tip_of(leg, drive(leg, t, p), p)  # type: ignore[no-any-return]


@compiled(SWUNG(VECTOR, VECTOR, TIP))
def platform(y: Floats, p: Floats, of: tuple[float, ...]) -> tuple[float, ...]:
    """P, P', then of leg 2 sin and cos of beta and gamma, beta', gamma'."""
    sine, cosine = sincos(y[BETA_2])
    tilt, flat = sincos(y[GAMMA_2])
    turning, tilting = y[FREEDOMS + BETA_2], y[FREEDOMS + GAMMA_2]
    length = p[LONG]
    out, up, across = length * flat, length * tilt, length * flat * turning
    x = of[0] + out * cosine - p[JOINT + 3]
    py = of[1] + out * sine - p[JOINT + 4]
    z = p[PIVOT + 5] + up - p[JOINT + 5]
    vx = of[2] - across * sine - up * tilting * cosine
    vy = of[3] + across * cosine - up * tilting * sine
    return x, py, z, vx, vy, out * tilting, sine, cosine, tilt, flat, turning, tilting


@compiled(SWUNG(INDEX, VECTOR, VECTOR, SWUNG, TIP))
def swung(pin: int, y: Floats, p: Floats, of_platform: tuple[float, ...], of: tuple[float, ...]) -> tuple[float, ...]:
    """Of leg 1 (pin 0) or 3 (pin 1): e and e' of the platform's pin from the bush's centre, in (x, z), then sin and cos of beta and
    gamma, beta', gamma', and E (x, z).
    """
    leg = ALONG_Y[pin]
    sine, cosine = sincos(y[BETA_1 + pin])
    turning, length, at = y[FREEDOMS + BETA_1 + pin], p[LONG], JOINT + 3 * leg
    tilt = (of_platform[1] + p[at + 1] - p[PIVOT + 3 * leg + 1]) / length
    flat = math.sqrt(1.0 - tilt * tilt)
    tilting = of_platform[4] / (length * flat)
    out, fall, across = length * flat, length * tilt * tilting, length * flat * turning
    x, z = of[0] + out * cosine, of[1] - out * sine
    vx = of[2] - fall * cosine - across * sine
    vz = of[3] + fall * sine - across * cosine
    ex, ez = of_platform[0] + p[at] - x, of_platform[2] + p[at + 2] - z
    return ex, ez, of_platform[3] - vx, of_platform[5] - vz, sine, cosine, tilt, flat, turning, tilting, x, z


@compiled(DRIVE(INDEX, SWUNG, VECTOR, VECTOR, LAW))
def pressed(pin: int, leg: tuple[float, ...], p: Floats, s: Floats, law: ContactLaw) -> tuple[float, float, float]:
    """(F_x, F_z, m): contact on the short bar, and the moment of its friction about the bar's centre, from X towards Z."""
    place = contact.EACH * pin
    if s[place + contact.SPEED] == 0.0:
        return 0.0, 0.0, 0.0
    depth, rate, nx, nz, sliding = revolute.approach(leg[0], leg[1], leg[2], leg[3], -leg[8], 0.0, p[RADIUS_I], p[RADIUS_J + pin])
    normal = law(depth, rate, s[place : place + contact.EACH])
    friction = velocity_window.force(sliding, normal, p[FRICTION : FRICTION + 3]) if p[FRICTION] > 0.0 else 0.0
    fx, fz, moment, _ = revolute.loads(nx, nz, normal, friction, p[RADIUS_I], p[RADIUS_J + pin])
    return fx, fz, moment


@compiled(DRIVE(VECTOR, SWUNG, TIP, DRIVE))
def carried(p: Floats, leg: tuple[float, ...], of: tuple[float, ...], force: tuple[float, float, float]) -> tuple[float, float, float]:
    """(beta'', a, b) of leg 1 or 3: lam = a P_y'' + b is what the platform's joint holds along Y, on the leg."""
    sine, cosine, tilt, flat, turning, tilting = leg[4], leg[5], leg[6], leg[7], leg[8], leg[9]
    ax, az = of[4], of[5] + p[GRAVITY]
    length, about = p[LONG], p[ABOUT]
    # u_beta = -cos gamma n with n = (sin beta, cos beta), u_gamma = -sin gamma x' + cos gamma a
    pulling = length * force[0] - p[S] * ax, length * force[1] - p[S] * az
    swing = -flat * (pulling[0] * sine + pulling[1] * cosine) - force[2] - 2.0 * (p[A] - about) * tilt * flat * turning * tilting
    swing /= about * flat * flat + p[A] * tilt * tilt + p[B]
    lean = tilt * (pulling[0] * cosine - pulling[1] * sine)  # minus the part along u_gamma, in the plane
    held = about * tilt * tilting * tilting / flat + (about - p[A]) * tilt * flat * turning * turning + lean
    return swing, about / (length * flat) ** 2, held / (length * flat)


@compiled(MOTION(VECTOR, TIP, TIP, TIP, SWUNG, SWUNG, SWUNG, DRIVE, DRIVE))
def moved(
    p: Floats,
    tip_1: tuple[float, ...],
    tip_2: tuple[float, ...],
    tip_3: tuple[float, ...],
    of_platform: tuple[float, ...],
    first: tuple[float, ...],
    third: tuple[float, ...],
    force_1: tuple[float, float, float],
    force_3: tuple[float, float, float],
) -> tuple[float, ...]:
    """What `motion` has, under these forces (F_x, F_z, m) on the short bars of R1 and R3."""
    swing_1, mass_1, held_1 = carried(p, first, tip_1, force_1)
    swing_3, mass_3, held_3 = carried(p, third, tip_3, force_3)
    sine, cosine, tilt, flat, turning, tilting = of_platform[6:]
    length, mass, about = p[LONG], p[PLATFORM], p[ABOUT]
    along = mass + mass_1 + mass_3
    # P'' of the present rates: T_2'' + L (-c x' beta'^2 - 2 s n beta' gamma' - u gamma'^2), n = (-sin beta, cos beta, 0)
    inward, aside = flat * (turning * turning + tilting * tilting), 2.0 * tilt * turning * tilting
    hx = tip_2[4] + length * (aside * sine - inward * cosine)
    hy = tip_2[5] - length * (aside * cosine + inward * sine)
    hz = -length * tilt * tilting * tilting
    fx, fy = -force_1[0] - force_3[0] - mass * hx, -held_1 - held_3 - along * hy
    fz = -force_1[1] - force_3[1] - mass * (hz + p[GRAVITY])
    bx, by = -flat * sine, flat * cosine  # u_beta
    gx, gy, gz = -tilt * cosine, -tilt * sine, flat  # u_gamma
    twist = (p[A] - about) * tilt * flat * turning
    right_1 = length * (bx * fx + by * fy) - 2.0 * twist * tilting - p[S] * (bx * tip_2[4] + by * tip_2[5])
    right_2 = length * (gx * fx + gy * fy + gz * fz) + twist * turning - p[S] * (gx * tip_2[4] + gy * tip_2[5] + gz * p[GRAVITY])
    square = length * length
    m_11 = about * flat * flat + p[A] * tilt * tilt + p[B] + square * (mass * bx * bx + along * by * by)
    m_12 = square * (mass * bx * gx + along * by * gy)
    m_22 = about + square * (mass * (gx * gx + gz * gz) + along * gy * gy)
    determinant = m_11 * m_22 - m_12 * m_12
    swing = (m_22 * right_1 - m_12 * right_2) / determinant
    lean = (m_11 * right_2 - m_12 * right_1) / determinant
    ax = hx + length * (bx * swing + gx * lean)
    ay = hy + length * (by * swing + gy * lean)
    az = hz + length * gz * lean
    lam_1, lam_3 = mass_1 * ay + held_1, mass_3 * ay + held_3
    to_x, to_y = -force_1[0] - force_3[0] - mass * ax, -lam_1 - lam_3 - mass * ay
    to_z = -force_1[1] - force_3[1] - mass * (az + p[GRAVITY])
    return (
        swing_1, swing_3, swing, lean, ax, ay, az, force_1[0], force_1[1], lam_1, force_3[0], force_3[1], lam_3, to_x, to_y, to_z,
    )  # fmt: skip


@compiled(DRIVE(DRIVE, DRIVE, DRIVE))
def holding(bare: tuple[float, ...], by_x: tuple[float, ...], by_z: tuple[float, ...]) -> tuple[float, float, float]:
    """(F_x, F_z, 0) of an ideal joint, from its `parting` without a force, with 1 N along X, and along Z."""
    a, b, c, d = by_x[0] - bare[0], by_z[0] - bare[0], by_x[1] - bare[1], by_z[1] - bare[1]
    determinant = a * d - b * c
    return (b * bare[1] - d * bare[0]) / determinant, (c * bare[0] - a * bare[1]) / determinant, 0.0


@compiled(DRIVE(INDEX, VECTOR, SWUNG, TIP, MOTION))
def parting(pin: int, p: Floats, leg: tuple[float, ...], of: tuple[float, ...], now: tuple[float, ...]) -> tuple[float, float, float]:
    """e'' of a pin (x, z), as it has to be for the pin of an ideal joint to stay where it is, and 0."""
    sine, cosine, tilt, flat, turning, tilting = leg[4], leg[5], leg[6], leg[7], leg[8], leg[9]
    lean = (now[5] / p[LONG] + tilt * tilting * tilting) / flat
    across = flat * now[pin] - 2.0 * tilt * turning * tilting
    inward = flat * (turning * turning + tilting * tilting) + tilt * lean
    ax = now[4] - of[4] + p[LONG] * (sine * across + cosine * inward)
    az = now[6] - of[5] + p[LONG] * (cosine * across - sine * inward)
    return ax + HELD * (2.0 * leg[2] + HELD * leg[0]), az + HELD * (2.0 * leg[3] + HELD * leg[1]), 0.0


@compiled(MOTION(TIP, TIP, TIP, VECTOR, VECTOR, VECTOR, LAW), inline=True)
def motion(
    tip_1: tuple[float, ...], tip_2: tuple[float, ...], tip_3: tuple[float, ...], y: Floats, p: Floats, s: Floats, law: ContactLaw
) -> tuple[float, ...]:
    """beta_1'', beta_3'', beta_2'', gamma_2''; P''; F_x, F_z, lam of R1 and of R3; force of the platform on leg 2 (x, y, z)."""
    of_platform = platform(y, p, tip_2)
    first, third = swung(0, y, p, of_platform, tip_1), swung(1, y, p, of_platform, tip_3)
    force_1, force_3 = pressed(0, first, p, s, law), pressed(1, third, p, s, law)
    if p[CLEARANCE] == 0.0:  # all is linear in the force that holds the joint together
        bare = parting(0, p, first, tip_1, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, (0.0, 0.0, 0.0), force_3))
        by_x = parting(0, p, first, tip_1, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, (1.0, 0.0, 0.0), force_3))
        by_z = parting(0, p, first, tip_1, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, (0.0, 1.0, 0.0), force_3))
        force_1 = holding(bare, by_x, by_z)
    if p[CLEARANCE + 1] == 0.0:
        bare = parting(1, p, third, tip_3, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, force_1, (0.0, 0.0, 0.0)))
        by_x = parting(1, p, third, tip_3, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, force_1, (1.0, 0.0, 0.0)))
        by_z = parting(1, p, third, tip_3, moved(p, tip_1, tip_2, tip_3, of_platform, first, third, force_1, (0.0, 1.0, 0.0)))
        force_3 = holding(bare, by_x, by_z)
    return moved(p, tip_1, tip_2, tip_3, of_platform, first, third, force_1, force_3)


@compiled(REAL(VECTOR, INDEX, TIP, REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def torque(
    p: Floats, leg: int, of: tuple[float, ...], sine: float, cosine: float, tilt: float, flat: float,
    turning: float, tilting: float, swing: float, lean: float, fx: float, fy: float,
) -> float:  # fmt: skip
    """Of a drive on its arm, N m: from the leg's motion and the platform's force (fx, fy) on it, in the plane across the arm's axis."""
    side = 1.0 if leg == 1 else -1.0
    # u'' in that plane: n (cos gamma beta'' - 2 sin gamma beta' gamma') - x' (cos gamma (beta'^2 + gamma'^2) + sin gamma gamma'')
    across = flat * swing - 2.0 * tilt * turning * tilting
    inward = flat * (turning * turning + tilting * tilting) + tilt * lean
    ax, ay = -sine * across - cosine * inward, side * (cosine * across - sine * inward)
    weight = 0.0 if leg == 1 else p[GRAVITY]
    rx = p[LEG] * of[4] + p[S] * ax - fx
    ry = p[LEG] * (of[5] + weight) + p[S] * ay - fy
    bx = of[0] - p[PIVOT + 3 * leg]
    by = of[1] - p[PIVOT + 3 * leg + (1 if leg == 1 else 2)]
    return float(p[J_ARM + leg] * of[7] + side * (bx * ry - by * rx) + side * weight * p[ARM_WEIGHT] * bx / p[ARM])


@compiled(DRIVE(TIP, TIP, TIP, VECTOR, VECTOR, MOTION))
def torques(
    tip_1: tuple[float, ...], tip_2: tuple[float, ...], tip_3: tuple[float, ...], y: Floats, p: Floats, now: tuple[float, ...]
) -> tuple[float, float, float]:
    """Of the three drives, N m, about +Y (1, 3) and +Z (2)."""
    of_platform = platform(y, p, tip_2)
    _, _, _, _, s1, c1, tilt_1, flat_1, turning_1, tilting_1, _, _ = swung(0, y, p, of_platform, tip_1)
    _, _, _, _, s3, c3, tilt_3, flat_3, turning_3, tilting_3, _, _ = swung(1, y, p, of_platform, tip_3)
    lean_1 = (now[5] / p[LONG] + tilt_1 * tilting_1 * tilting_1) / flat_1
    lean_3 = (now[5] / p[LONG] + tilt_3 * tilting_3 * tilting_3) / flat_3
    sine, cosine, tilt, flat, turning, tilting = of_platform[6:]
    return (
        torque(p, 0, tip_1, s1, c1, tilt_1, flat_1, turning_1, tilting_1, now[0], lean_1, now[7], now[8]),
        torque(p, 1, tip_2, sine, cosine, tilt, flat, turning, tilting, now[2], now[3], now[13], now[14]),
        torque(p, 2, tip_3, s3, c3, tilt_3, flat_3, turning_3, tilting_3, now[1], lean_3, now[10], now[11]),
    )
