"""Motors by their equations, compiled: torque between two bodies from their angle, their speed, the time and states of the motor's own.

| kind | parameters | own state |
|---|---|---|
| DIRECT_CURRENT | torque constant k, resistance R, inductance L (none: 0), gear n | current i: L i' = V(t) - R i - k n w |
| INDUCTION | pull-out torque T_p and slip s_p, synchronous speed w_s, gear n | - |
| SERVO | gains of angle K_v, speed K_p, its integral K_i, limits of torque and speed | integral z of the error |

w and phi: speed and angle of body j from body i. Induction motor (Kloss 1901): T = 2 T_p s s_p/(s^2 + s_p^2), s = 1 - n w/w_s. Servo: the
speed w* = f'(t) + K_v (f(t) - phi), limited; T = K_p (w* - w) + K_i z, limited; z' = w* - w less what the limit has taken away, by K_p, so
that the integral does not run on while the torque is at its limit (back-calculation, Astrom and Haegglund 1995).
"""

from __future__ import annotations

from numba import types

from model.assembly import layout as at
from model.assembly.functions.evaluation import evaluate
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

DIRECT_CURRENT, INDUCTION, SERVO = range(3)
CONSTANT, RESISTANCE, INDUCTANCE, GEAR = range(4)
PULL_OUT_TORQUE, PULL_OUT_SLIP, SYNCHRONOUS_SPEED = range(3)
ANGLE_GAIN, SPEED_GAIN, INTEGRAL_GAIN, TORQUE_LIMIT, SPEED_LIMIT = range(5)
TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(TWO(REAL, REAL, REAL, VECTOR, INDEX))
def direct_current(voltage: float, speed: float, current: float, p: Floats, k: int) -> tuple[float, float]:
    """(torque, rate of the current), N m and A/s; without inductance the current is what voltage and speed make it."""
    flux = p[k + CONSTANT] * p[k + GEAR]
    if p[k + INDUCTANCE] == 0.0:
        return flux * (voltage - flux * speed) / p[k + RESISTANCE], 0.0
    return flux * current, (voltage - p[k + RESISTANCE] * current - flux * speed) / p[k + INDUCTANCE]


@compiled(REAL(REAL, VECTOR, INDEX))
def induction(speed: float, p: Floats, k: int) -> float:
    """Torque at the body, N m."""
    slip, most = 1.0 - p[k + GEAR] * speed / p[k + SYNCHRONOUS_SPEED], p[k + PULL_OUT_SLIP]
    return float(2.0 * p[k + PULL_OUT_TORQUE] * p[k + GEAR] * slip * most / (slip * slip + most * most))


@compiled(TWO(REAL, REAL, REAL, REAL, REAL, VECTOR, INDEX))
def servo(wanted: float, wanted_speed: float, angle: float, speed: float, integral: float, p: Floats, k: int) -> tuple[float, float]:
    """(torque, rate of the integral), N m and rad/s."""
    fastest, strongest = p[k + SPEED_LIMIT], p[k + TORQUE_LIMIT]
    asked = min(max(wanted_speed + p[k + ANGLE_GAIN] * (wanted - angle), -fastest), fastest)
    free = p[k + SPEED_GAIN] * (asked - speed) + p[k + INTEGRAL_GAIN] * integral
    torque = min(max(free, -strongest), strongest)
    return torque, asked - speed + (torque - free) / p[k + SPEED_GAIN]


@compiled(INDEX(REAL, VECTOR, VECTOR, INDEX))
def actuate_all(t: float, p: Floats, s: Floats, forces: int) -> int:
    """Torques at t (s) into the bodies' triples that begin at place `forces` of s, and into the actuators' room; rates of own states."""
    k, values = int(p[at.AT_ACTUATORS]), int(p[at.S_OWN])
    rates = values + int(p[at.OWN_STATES])
    for n in range(int(p[at.ACTUATORS])):
        i, j, kind, first = int(p[k + at.M_POSE_I]), int(p[k + at.M_POSE_J]), p[k + at.M_KIND], k + at.M_PARAMETERS
        own, speed = int(p[k + at.M_OWN]), s[j + at.OMEGA] - s[i + at.OMEGA]
        value, slope, rate = 0.0, 0.0, 0.0
        if p[k + at.M_FUNCTION] > 0.0:
            value, slope, _ = evaluate(t, p, s[int(p[at.S_STACK]) :], int(p[k + at.M_FUNCTION]))
        if kind == INDUCTION:
            torque = induction(speed, p, first)
        elif kind == DIRECT_CURRENT:
            torque, rate = direct_current(value, speed, s[values + own], p, first)
        else:
            torque, rate = servo(value, slope, s[j + at.ANGLE_OF] - s[i + at.ANGLE_OF], speed, s[values + own], p, first)
        if kind != INDUCTION:
            s[rates + own] = rate
        s[int(p[at.S_ACTUATORS]) + n] = torque
        s[forces + int(p[k + at.M_BODY_J]) + 2] += torque
        s[forces + int(p[k + at.M_BODY_I]) + 2] -= torque
        k += at.ACTUATOR_COLUMNS
    return 0
