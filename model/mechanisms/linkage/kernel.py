"""Motion of the linkage, compiled. Axial chain: ground -(k_f, c_f)- m1 -joint A- m2 -joint B- m3 <- drive (hu2016 section 2).

| symbol | unit | meaning |
|---|---|---|
| x1 x2 x3, v1 v2 v3 | m, m/s | links, positive away from the fixture; x3 is the stroke |
| F_tr = k_f x1 + c_f v1 - tare | N | transmitted force, what the load cell reads; tared with the links hanging at rest |
| F_A F_B | N | joint forces, tension positive; play c: a contact each at +c/2 (tension) and -c/2 (compression); with dry friction |
| F_h | N | force of the actuator |
| q | 1 | spool; w what is asked of it; i the integral part |
| F_m | N | F_tr behind the feedback's two-pole Butterworth low-pass |

Servo: e = F_cmd - F_m; i' = ki e within +-i_limit; w = clip(kp e + i + kff dF_cmd/dt); q'' = wv^2 (w - q) - 2 zeta wv q';
F_h' = k_oil (v_max q sqrt(max(0, 1 - sgn(q) F_h/F_supply)) - v3 - leak F_h); m3 v3' = F_h - c_p v3 - F_B.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.arrays import fill
from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.friction import velocity_window
from model.joints.contact import EACH, SPEED
from model.stepping.inputs import sample, slope

# What moves m3.
IDEAL, FLOW_LIMITED, SERVO, STROKE, ACTUATOR = range(5)
# Parameters p.
(
    SOURCE, M1, M2, M3, K_F, C_F, GRAVITY, HALF_PLAY, V_FLOOR, K_JOINT, C_JOINT, RESISTANCE, RESISTANCE_SPEED, KP, KI, KFF, I_LIMIT,
    W_FEEDBACK, W_VALVE, ZETA_VALVE, SPOOL_LIMIT, V_MAX, F_SUPPLY, K_OIL, LEAK, C_SEAL, W_TRACK, ZETA_TRACK, TRACK_AHEAD,
    PIN_FRICTION, PIN_NONE_BELOW, PIN_WHOLE_ABOVE, PARAMETERS,
) = range(33)  # fmt: skip
# Discrete state s: for each contact what the law wants (stiffness, exponent, damping, approach speed; no speed: apart), then the signs.
A_TENSION, A_COMPRESSION, B_TENSION, B_COMPRESSION = range(4)
CONTACTS = 4
FORCE_SIGN, SPOOL_SIGN, SPOOL_SIDE, INTEGRAL_SIDE, DISCRETE = range(CONTACTS * EACH, CONTACTS * EACH + 5)
# State y.
X1, X2, X3, V1, V2, V3, F_H, Q, Q_RATE, INTEGRAL, F_M, F_M_RATE = range(12)
OPEN_STATES, SERVO_STATES = 6, 12
# Guards after the contacts'.
FORCE_GUARD, SPOOL_GUARD, HIGH_GUARD, LOW_GUARD, INTEGRAL_HIGH, INTEGRAL_LOW, GUARD_COUNT = range(CONTACTS, CONTACTS + 7)
# Channels; the last one, F_tr - F_cmd, is for its extremes.
TRANSMITTED, JOINT_A, JOINT_B, STROKE_CHANNEL, ACCELERATION, ACTUATOR_FORCE, EXCESS, CHANNEL_COUNT = 0, 1, 2, 3, 4, 7, 8, 9

PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(REAL(REAL, VECTOR))
def rubbing(rate: float, p: Floats) -> float:
    """Dry friction of a joint whose links part at a rate (m/s), N, tension positive; it grows to its whole over a window of speed."""
    return -velocity_window.force(rate, 1.0, p[PIN_FRICTION : PIN_FRICTION + velocity_window.PARAMETERS])


@compiled(PAIR(VECTOR, VECTOR, VECTOR, LAW))
def joint_forces(y: Floats, p: Floats, s: Floats, law: ContactLaw) -> tuple[float, float]:
    """(F_A, F_B) without dry friction, N."""
    a, a_rate, b, b_rate = y[X2] - y[X1], y[V2] - y[V1], y[X3] - y[X2], y[V3] - y[V2]
    half = p[HALF_PLAY]
    if half == 0.0:
        return p[K_JOINT] * a + p[C_JOINT] * a_rate, p[K_JOINT] * b + p[C_JOINT] * b_rate
    force_a, force_b = 0.0, 0.0
    if s[EACH * A_TENSION + SPEED] > 0.0:
        force_a = law(a - half, a_rate, s[EACH * A_TENSION : EACH * A_TENSION + EACH])
    elif s[EACH * A_COMPRESSION + SPEED] > 0.0:
        force_a = -law(-a - half, -a_rate, s[EACH * A_COMPRESSION : EACH * A_COMPRESSION + EACH])
    if s[EACH * B_TENSION + SPEED] > 0.0:
        force_b = law(b - half, b_rate, s[EACH * B_TENSION : EACH * B_TENSION + EACH])
    elif s[EACH * B_COMPRESSION + SPEED] > 0.0:
        force_b = -law(-b - half, -b_rate, s[EACH * B_COMPRESSION : EACH * B_COMPRESSION + EACH])
    return force_a, force_b


@compiled(REAL(VECTOR, VECTOR))
def tared(y: Floats, p: Floats) -> float:
    """F_tr, N."""
    return float(p[K_F] * y[X1] + p[C_F] * y[V1] - (p[M1] + p[M2] + p[M3]) * p[GRAVITY])


@compiled(REAL(REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def drive(t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Force of an open source on m3, N; flow-limited: less 50 kN (v/v_max)^8 while it moves with the force."""
    force = sample(u, t)
    if p[SOURCE] == FLOW_LIMITED:
        along = s[FORCE_SIGN] * y[V3] / p[RESISTANCE_SPEED]
        if along > 0.0:
            squared = along * along
            fourth = squared * squared
            force -= s[FORCE_SIGN] * p[RESISTANCE] * fourth * fourth
    elif p[SOURCE] == ACTUATOR:
        force -= p[C_SEAL] * y[V3]
    return float(force)


@compiled(REAL(REAL, VECTOR, VECTOR, VECTOR))
def asked_spool(t: float, y: Floats, p: Floats, u: Floats) -> float:
    """kp e + i + kff dF_cmd/dt, not limited."""
    asked = p[KP] * (sample(u, t) - y[F_M]) + y[INTEGRAL]
    return float(asked + p[KFF] * slope(u, t) if p[KFF] != 0.0 else asked)


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def servo(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Controller, valve, oil column and feedback filter."""
    asked = asked_spool(t, y, p, u)
    if s[SPOOL_SIDE] != 0.0:
        asked = s[SPOOL_SIDE] * p[SPOOL_LIMIT]
    flow = p[V_MAX] * y[Q] * math.sqrt(max(0.0, 1.0 - s[SPOOL_SIGN] * y[F_H] / p[F_SUPPLY]))
    dy[F_H] = p[K_OIL] * (flow - y[V3] - p[LEAK] * y[F_H])
    dy[Q] = y[Q_RATE]
    dy[Q_RATE] = p[W_VALVE] * (p[W_VALVE] * (asked - y[Q]) - 2.0 * p[ZETA_VALVE] * y[Q_RATE])
    dy[INTEGRAL] = p[KI] * (sample(u, t) - y[F_M]) if s[INTEGRAL_SIDE] == 0.0 else 0.0
    dy[F_M] = y[F_M_RATE]
    dy[F_M_RATE] = p[W_FEEDBACK] * (p[W_FEEDBACK] * (tared(y, p) - y[F_M]) - math.sqrt(2.0) * y[F_M_RATE])
    return 0


@compiled(REAL(REAL, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def acceleration_3(t: float, y: Floats, p: Floats, s: Floats, u: Floats, force_b: float) -> float:
    """v3', m/s^2; with a prescribed stroke that of the tracking filter."""
    if p[SOURCE] == STROKE:
        ahead = sample(u, t + p[TRACK_AHEAD])
        return float(p[W_TRACK] * (p[W_TRACK] * (ahead - y[X3]) - 2.0 * p[ZETA_TRACK] * y[V3]))
    force = y[F_H] - p[C_SEAL] * y[V3] if p[SOURCE] == SERVO else drive(t, y, p, s, u)
    return float((force - force_b) / p[M3] + p[GRAVITY])


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state, without dry friction in the joints."""
    force_a, force_b = joint_forces(y, p, s, law)
    dy[X1], dy[X2], dy[X3] = y[V1], y[V2], y[V3]
    dy[V1] = (force_a - p[K_F] * y[X1] - p[C_F] * y[V1]) / p[M1] + p[GRAVITY]
    dy[V2] = (force_b - force_a) / p[M2] + p[GRAVITY]
    dy[V3] = acceleration_3(t, y, p, s, u, force_b)
    if p[SOURCE] == SERVO:
        servo(t, y, dy, p, s, u)
    return 0


@compiled(RHS.signature)
def rubbing_rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The same with dry friction: apart, as who has none would wait for it in every evaluation."""
    rhs(t, y, dy, p, s, u, law)
    rubs_a, rubs_b = rubbing(y[V2] - y[V1], p), rubbing(y[V3] - y[V2], p)
    dy[V1] += rubs_a / p[M1]
    dy[V2] += (rubs_b - rubs_a) / p[M2]
    if p[SOURCE] != STROKE:
        dy[V3] -= rubs_b / p[M3]
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Contacts: penetration while apart, its negative while closed. Then sign of the force, of the spool, and the loop's limits."""
    fill(g, -1.0)
    fill(g_rate, 0.0)
    if p[HALF_PLAY] > 0.0:
        for contact in range(CONTACTS):
            side = 1.0 if contact % 2 == 0 else -1.0
            place = X1 + contact // 2
            pose = 1.0 if s[EACH * contact + SPEED] == 0.0 else -1.0
            g[contact] = pose * (side * (y[place + 1] - y[place]) - p[HALF_PLAY])
            g_rate[contact] = pose * side * (y[place + V1 + 1] - y[place + V1])
    if p[SOURCE] == FLOW_LIMITED:
        g[FORCE_GUARD] = -s[FORCE_SIGN] * sample(u, t)
    elif p[SOURCE] == SERVO:
        g[SPOOL_GUARD] = -s[SPOOL_SIGN] * y[Q]
        asked, error = asked_spool(t, y, p, u), sample(u, t) - y[F_M]
        above, below = asked - p[SPOOL_LIMIT], -asked - p[SPOOL_LIMIT]
        g[HIGH_GUARD] = -above if s[SPOOL_SIDE] > 0.0 else above
        g[LOW_GUARD] = -below if s[SPOOL_SIDE] < 0.0 else below
        g[INTEGRAL_HIGH] = -error if s[INTEGRAL_SIDE] > 0.0 else y[INTEGRAL] - p[I_LIMIT]
        g[INTEGRAL_LOW] = error if s[INTEGRAL_SIDE] < 0.0 else -y[INTEGRAL] - p[I_LIMIT]
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Latch the approach speed of a contact that begins (noted, m/s), clear that of one that ends (noted as 0); flip signs and limits."""
    if k < CONTACTS:
        place = EACH * k + SPEED
        if s[place] > 0.0:
            s[place] = 0.0
            return 0.0
        side = 1.0 if k % 2 == 0 else -1.0
        link = X1 + k // 2
        s[place] = max(p[V_FLOOR], side * (y[link + V1 + 1] - y[link + V1]))
        return float(s[place])
    if k == FORCE_GUARD:
        s[FORCE_SIGN] = -s[FORCE_SIGN]
    elif k == SPOOL_GUARD:
        s[SPOOL_SIGN] = -s[SPOOL_SIGN]
    elif k in (HIGH_GUARD, LOW_GUARD):
        side = 1.0 if k == HIGH_GUARD else -1.0
        s[SPOOL_SIDE] = 0.0 if s[SPOOL_SIDE] == side else side
    else:
        side = 1.0 if k == INTEGRAL_HIGH else -1.0
        s[INTEGRAL_SIDE] = 0.0 if s[INTEGRAL_SIDE] == side else side
        y[INTEGRAL] = side * p[I_LIMIT]
    return np.nan


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.linkage, then F_tr - F_cmd; without dry friction in the joints."""
    force_a, force_b = joint_forces(y, p, s, law)
    last = acceleration_3(t, y, p, s, u, force_b)
    values[TRANSMITTED] = tared(y, p)
    values[JOINT_A], values[JOINT_B] = force_a, force_b
    values[STROKE_CHANNEL] = y[X3]
    values[ACCELERATION] = (force_a - p[K_F] * y[X1] - p[C_F] * y[V1]) / p[M1] + p[GRAVITY]
    values[ACCELERATION + 1] = (force_b - force_a) / p[M2] + p[GRAVITY]
    values[ACCELERATION + 2] = last
    if p[SOURCE] == SERVO:
        values[ACTUATOR_FORCE] = y[F_H]
    elif p[SOURCE] == STROKE:
        values[ACTUATOR_FORCE] = p[M3] * (last - p[GRAVITY]) + force_b + p[C_SEAL] * y[V3]
    elif p[SOURCE] == ACTUATOR:
        values[ACTUATOR_FORCE] = sample(u, t)
    else:
        values[ACTUATOR_FORCE] = drive(t, y, p, s, u)
    values[EXCESS] = values[TRANSMITTED] - sample(u, t)
    return 0


@compiled(CHANNELS.signature)
def rubbing_channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The same with dry friction."""
    channels(t, y, values, p, s, u, law)
    rubs_a, rubs_b = rubbing(y[V2] - y[V1], p), rubbing(y[V3] - y[V2], p)
    values[JOINT_A] += rubs_a
    values[JOINT_B] += rubs_b
    values[ACCELERATION] += rubs_a / p[M1]
    values[ACCELERATION + 1] += (rubs_b - rubs_a) / p[M2]
    if p[SOURCE] == STROKE:
        values[ACTUATOR_FORCE] += rubs_b
    else:
        values[ACCELERATION + 2] -= rubs_b / p[M3]
    return 0
