"""Motion of the 3-RRPaR rig, compiled: three legs with three angles each, and the platform; joints that hold are stiff springs.

| symbol | unit | meaning |
|---|---|---|
| theta beta gamma | rad | of a leg: arm; long bars about the driven axis a; their tilt towards a |
| b e x' n | 1 | arm, and where it turns to; the long bars without tilt, and where they swing to: in the plane across a, from X towards s |
| T, u, E = T + L u | m, 1, m | tip of the arm; along the long bars; centre of the short bar at the platform |
| P, d | m | platform's mass centre, and its pin from there: it does not turn |
| r = P + d - E | m | pin from the middle of its bush: held by k r + c r', but across Y at R1 and R3, where there is clearance |
| I A B | kg m^2 | of a leg without its arm: about T across u; of the long bars along u; of the short bars about a |
| M, S | kg, kg m | mass of a leg without its arm, and its first moment about T |

Of a leg, with q = (theta, beta, gamma): [[J + M l^2, S l e.u_b, S l e.u_g], [., I c^2 + A s^2 + B, 0], [., 0, I]] q'' = right side.
Vectors of a leg are (X, s, a); s is -Z, Y, -Z and a is Y, Z, Y for legs 1, 2, 3. Semi-implicit Euler. Friction of the arms takes as much
speed as it can, down to rest.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

(
    ARM, BAR, LEG_MASS, FIRST_MOMENT, ABOUT, ALONG, SHORTS, ARM_MOMENT, PLATFORM, GRAVITY, BUSH, SPRING, SPRING_DAMPING, FEELS,
) = range(14)  # fmt: skip
GAP, INERTIA, VISCOUS, COULOMB, PIVOT, PIN, LAW = 14, 17, 20, 23, 26, 35, 44
PARAMETERS = LAW + 3 * CONTACT_COLUMNS
"""Places from GAP on are three each, of the legs; of PIVOT and PIN three each as X, Y, Z. A GAP of 0: that joint has no clearance."""
LEGS = 3
ANGLE, RATE, WORK, LOST, BETA, GAMMA, PLACE, BETA_RATE, GAMMA_RATE, VELOCITY, TOUCH = 0, 3, 6, 7, 8, 11, 14, 17, 20, 23, 26
STATES = TOUCH + LEGS * CONTACT_STATES
RATES = (3, 4, 5, *range(BETA_RATE, TOUCH))
SHARING = 2.0
"""Joints with clearance that drive the platform at once: the damping of each takes no more than its part of the speed."""
ACCELERATION, JOINT_FORCE, TORQUE, SEEN = 0, 3, 6, 9
FIVE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
SIX = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]


@compiled(REAL(VECTOR, types.int64, REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def pin_mass(p: Floats, leg: int, ct: float, st: float, cb: float, sb: float, c: float, s: float, nx: float, ns: float) -> float:
    """What a leg and the platform have against being driven apart along n = (nx, ns), across the leg's axis, kg."""
    ex, es, bx, bs, kx, ks = -st, ct, -c * sb, c * cb, -s * cb, -s * sb
    m_b, m_g = p[FIRST_MOMENT] * p[ARM] * (ex * bx + es * bs), p[FIRST_MOMENT] * p[ARM] * (ex * kx + es * ks)
    about_b = p[ABOUT] * c * c + p[ALONG] * s * s + p[SHORTS]
    light = 1.0 / (p[INERTIA + leg] + p[LEG_MASS] * p[ARM] * p[ARM] - m_b * m_b / about_b - m_g * m_g / p[ABOUT])
    by_arm, by_b, by_g = p[ARM] * (ex * nx + es * ns), p[BAR] * (bx * nx + bs * ns), p[BAR] * (kx * nx + ks * ns)
    turning = light * (by_arm - m_b * by_b / about_b - m_g * by_g / p[ABOUT])
    along = by_arm * turning + by_b * (by_b - m_b * turning) / about_b + by_g * (by_g - m_g * turning) / p[ABOUT]
    return float(1.0 / (along + 1.0 / p[PLATFORM]))


@compiled(FIVE(VECTOR, VECTOR, types.int64, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def pressed(
    y: Floats, p: Floats, leg: int, rx: float, rz: float, vx: float, vz: float, turning: float, mass: float, h: float
) -> tuple[float, float, float, float, float]:
    """(F_x, F_z, moment about Y, N, lost power) of a pin at (rx, rz) in its bush, on the short bar, which turns with `turning` about Y.

    mass (kg): see `rig.virtual.plants.contact.pressing`; h: the step, s.
    """
    law, touch = LAW + CONTACT_COLUMNS * leg, TOUCH + CONTACT_STATES * leg
    distance = math.sqrt(rx * rx + rz * rz)
    depth = distance - p[GAP + leg]
    if depth <= 0.0:
        y[touch + BRANCH] = y[touch + DEEPEST] = 0.0
        return 0.0, 0.0, 0.0, 0.0, 0.0
    nx, nz = rx / distance, rz / distance
    rate = vx * nx + vz * nz
    normal, elastic = pressing(depth, rate, mass, h, p[law:], y[touch:])
    sliding = vz * nx - vx * nz + turning * p[BUSH]
    along = rubbing(sliding, normal, p[law:])
    lost = (normal - elastic) * rate - along * sliding
    return normal * nx + along * nz, normal * nz - along * nx, along * p[BUSH], normal, lost


@compiled(SIX(VECTOR, VECTOR, types.int64, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def held(
    y: Floats, p: Floats, leg: int, ct: float, st: float, cb: float, sb: float, c: float, s: float, h: float
) -> tuple[float, float, float, float, float, float]:
    """(F_x, F_s, F_a) of the platform on a leg at its pin, moment of friction about a, force across a, lost power; cos and sin of
    theta, beta, gamma."""
    flat_leg, arm, bar = leg == 1, p[ARM], p[BAR]
    w, swing, lean = y[RATE + leg], y[BETA_RATE + leg], y[GAMMA_RATE + leg]
    at, pin = PIVOT + 3 * leg, PIN + 3 * leg
    gx, gy, gz = y[PLACE] + p[pin] - p[at], y[PLACE + 1] + p[pin + 1] - p[at + 1], y[PLACE + 2] + p[pin + 2] - p[at + 2]
    vx, vy, vz = y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2]
    gs, ga, vs, va = (gy, gz, vy, vz) if flat_leg else (-gz, gy, -vz, vy)
    rx, rs, ra = gx - arm * ct - bar * c * cb, gs - arm * st - bar * c * sb, ga - bar * s
    vx += arm * st * w + bar * (c * sb * swing + s * cb * lean)
    vs += -arm * ct * w - bar * (c * cb * swing - s * sb * lean)
    va -= bar * c * lean
    fa, lost = p[SPRING] * ra + p[SPRING_DAMPING] * va, p[SPRING_DAMPING] * va * va
    if p[GAP + leg] > 0.0:  # it lies in a plane across Y, as (X, Z)
        size = math.sqrt(rx * rx + rs * rs)
        nx, ns = (rx / size, rs / size) if size > 0.0 else (1.0, 0.0)
        mass = pin_mass(p, leg, ct, st, cb, sb, c, s, nx, ns) / SHARING
        fx, fz, moment, normal, more = pressed(y, p, leg, rx, -rs, vx, -vs, swing, mass, h)
        return fx, -fz, fa, moment, normal, lost + more
    fx, fs = p[SPRING] * rx + p[SPRING_DAMPING] * vx, p[SPRING] * rs + p[SPRING_DAMPING] * vs
    return fx, fs, fa, 0.0, math.sqrt(fx * fx + fs * fs), lost + p[SPRING_DAMPING] * (vx * vx + vs * vs)


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    lx, ly, lz = 0.0, 0.0, -p[PLATFORM] * p[GRAVITY]  # on the platform
    lost = work = 0.0
    for leg in range(LEGS):
        flat_leg = leg == 1  # its axis is Z
        w, swing, lean = y[RATE + leg], y[BETA_RATE + leg], y[GAMMA_RATE + leg]
        ct, st = math.cos(y[ANGLE + leg]), math.sin(y[ANGLE + leg])
        cb, sb = math.cos(y[BETA + leg]), math.sin(y[BETA + leg])
        c, s = math.cos(y[GAMMA + leg]), math.sin(y[GAMMA + leg])
        bx, bs = -c * sb, c * cb  # u_b, which has no part along a
        kx, ks, ka = -s * cb, -s * sb, c  # u_g
        fx, fs, fa, moment, normal, more = held(y, p, leg, ct, st, cb, sb, c, s, h)
        lost += more
        lx -= fx
        if flat_leg:
            ly, lz = ly - fs, lz - fa
        else:
            ly, lz = ly - fa, lz + fs
        # The leg's own motion.
        arm, bar = p[ARM], p[BAR]
        up_s, up_a = (0.0, p[GRAVITY]) if flat_leg else (-p[GRAVITY], 0.0)
        ex, es, moved = -st, ct, p[FIRST_MOMENT]
        m_b, m_g = moved * arm * (ex * bx + es * bs), moved * arm * (ex * kx + es * ks)
        about_b = p[ABOUT] * c * c + p[ALONG] * s * s + p[SHORTS]
        tx, ts = -arm * ct * w * w, up_s - arm * st * w * w  # of T'' what rates give, and weight
        qx = -c * cb * (swing * swing + lean * lean) + 2.0 * s * sb * swing * lean  # of u'' what rates give
        qs = -c * sb * (swing * swing + lean * lean) - 2.0 * s * cb * swing * lean
        right = torques[leg] - p[VISCOUS + leg] * w + arm * (ex * fx + es * fs) - moved * arm * (ex * qx + es * qs)
        right -= (p[ARM_MOMENT] + p[LEG_MASS] * arm) * es * up_s
        twist = (p[ALONG] - p[ABOUT]) * s * c
        right_b = bar * (fx * bx + fs * bs) + moment - 2.0 * twist * swing * lean - moved * (tx * bx + ts * bs)
        right_g = bar * (fx * kx + fs * ks + fa * ka) + twist * swing * swing - moved * (tx * kx + ts * ks + up_a * ka)
        light = 1.0 / (p[INERTIA + leg] + p[LEG_MASS] * arm * arm - m_b * m_b / about_b - m_g * m_g / p[ABOUT])
        turning = light * (right - m_b * right_b / about_b - m_g * right_g / p[ABOUT])
        free = w + h * turning
        dry = -math.copysign(min(p[COULOMB + leg] + torques[LEGS + leg], abs(free) / (h * light)), free)
        turning += light * dry
        y[RATE + leg] = w + h * turning
        y[BETA_RATE + leg] = swing + h * (right_b - m_b * turning) / about_b
        y[GAMMA_RATE + leg] = lean + h * (right_g - m_g * turning) / p[ABOUT]
        middle = 0.5 * (w + y[RATE + leg])
        work += torques[leg] * middle
        lost += p[VISCOUS + leg] * w * w - dry * middle
        y[ANGLE + leg] += h * y[RATE + leg]
        y[BETA + leg] += h * y[BETA_RATE + leg]
        y[GAMMA + leg] += h * y[GAMMA_RATE + leg]
        seen[JOINT_FORCE + leg], seen[TORQUE + leg] = normal, torques[leg] + dry
    ax, ay, az = lx / p[PLATFORM], ly / p[PLATFORM], lz / p[PLATFORM]
    seen[ACCELERATION], seen[ACCELERATION + 1], seen[ACCELERATION + 2] = ax, ay, az + p[FEELS] * p[GRAVITY]
    y[VELOCITY] += h * ax
    y[VELOCITY + 1] += h * ay
    y[VELOCITY + 2] += h * az
    y[PLACE] += h * y[VELOCITY]
    y[PLACE + 1] += h * y[VELOCITY + 1]
    y[PLACE + 2] += h * y[VELOCITY + 2]
    y[WORK] += h * work
    y[LOST] += h * lost


SIDES = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])
AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
X = np.array([1.0, 0.0, 0.0])


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, springs and contacts, J."""
    up = np.array([0.0, 0.0, p[GRAVITY]])
    place, velocity = y[PLACE : PLACE + 3], y[VELOCITY : VELOCITY + 3]
    total = 0.5 * p[PLATFORM] * velocity @ velocity + p[PLATFORM] * up @ place
    for leg in range(LEGS):
        a, side = AXES[leg], SIDES[leg]
        t, beta, gamma = y[ANGLE + leg], y[BETA + leg], y[GAMMA + leg]
        w, swing, lean = y[RATE + leg], y[BETA_RATE + leg], y[GAMMA_RATE + leg]
        b, e = math.cos(t) * X + math.sin(t) * side, -math.sin(t) * X + math.cos(t) * side
        out, n = math.cos(beta) * X + math.sin(beta) * side, -math.sin(beta) * X + math.cos(beta) * side
        c, s = math.cos(gamma), math.sin(gamma)
        u, u_rate = c * out + s * a, c * n * swing + (c * a - s * out) * lean
        tip, tip_rate = p[PIVOT + 3 * leg : PIVOT + 3 * leg + 3] + p[ARM] * b, p[ARM] * e * w
        about = p[ABOUT] * c * c + p[ALONG] * s * s + p[SHORTS]
        total += 0.5 * (p[INERTIA + leg] * w**2 + p[LEG_MASS] * tip_rate @ tip_rate + about * swing**2 + p[ABOUT] * lean**2)
        total += p[FIRST_MOMENT] * tip_rate @ u_rate
        total += up @ (p[ARM_MOMENT] * b + p[LEG_MASS] * tip + p[FIRST_MOMENT] * u)
        r = place + p[PIN + 3 * leg : PIN + 3 * leg + 3] - tip - p[BAR] * u
        if p[GAP + leg] > 0.0:
            law, touch = p[LAW + CONTACT_COLUMNS * leg :], y[TOUCH + CONTACT_STATES * leg :]
            total += 0.5 * p[SPRING] * (r @ a) ** 2 + stored(float(np.linalg.norm(r - (r @ a) * a)) - p[GAP + leg], law, touch)
        else:
            total += 0.5 * p[SPRING] * r @ r
    return float(total)


def placed(place: Floats, elbows: Floats, p: Floats) -> Floats:
    """The state at rest with the platform at `place` (m), pins in the middle; elbows: +1 where theta is ahead of the way to the joint.

    Raises ValueError for a place that a leg does not reach.
    """
    y = np.zeros(STATES)
    y[PLACE : PLACE + 3] = place
    for leg in range(LEGS):
        way = place + p[PIN + 3 * leg : PIN + 3 * leg + 3] - p[PIVOT + 3 * leg : PIVOT + 3 * leg + 3]
        along, aside, out = way[0], way @ SIDES[leg], way @ AXES[leg]
        flat, reach = math.sqrt(max(p[BAR] ** 2 - out**2, 0.0)), math.hypot(along, aside)
        if not abs(flat - p[ARM]) < reach < flat + p[ARM]:
            raise ValueError(f"start: leg {leg + 1} cannot reach there; it would have to span {reach:.4g} m across its axis")
        opening = math.acos((reach**2 + p[ARM] ** 2 - flat**2) / (2.0 * reach * p[ARM]))
        theta = math.atan2(aside, along) + elbows[leg] * opening
        y[ANGLE + leg], y[GAMMA + leg] = theta, math.asin(out / p[BAR])
        y[BETA + leg] = math.atan2(aside - p[ARM] * math.sin(theta), along - p[ARM] * math.cos(theta))
    return y
