"""Motors by their equations, of a planar linkage's plant, compiled: torque on two bodies, currents and integrals (`planar_kernel`).

| kind | equations | state |
|---|---|---|
| DIRECT_CURRENT | L i' = V(t) - R i - k n w, T = k n i | current i, A |
| INDUCTION | T = 2 T_p n s s_p/(s^2 + s_p^2), s = 1 - n w/w_s (Kloss) | - |
| SERVO | w* = f'(t) + K_v (f(t) - phi), T = K_p (w* - w) + K_i z, both limited; z' = w* - w less what the limit takes away | z, rad |

w, phi: speed and angle of body j against body i. Each torque is that of the speed which its own step leaves: T = T(w + h T/J), linear in
the step, J of the two bodies. So neither a small inductance nor a steep characteristic makes a step unstable. Before the time begins
nobody has switched them on.
"""

from __future__ import annotations

from numba import types

from model.assembly.functions.evaluation import evaluate
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.planar_bodies import bodies_at

TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(TWO(VECTOR, INDEX, REAL, REAL, REAL, REAL, REAL))
def direct_current(p: Floats, k: int, volts: float, speed: float, current: float, light: float, h: float) -> tuple[float, float]:
    """(torque, current after the step) of a direct-current motor, N m and A; light: 1/J."""
    flux = p[k + at.M_CONSTANT] * p[k + at.M_GEAR]
    coil = p[k + at.M_INDUCTANCE] / h
    after = (coil * current + volts - flux * speed) / (coil + p[k + at.M_RESISTANCE] + h * light * flux * flux)
    return flux * after, after


@compiled(REAL(VECTOR, INDEX, REAL, REAL, REAL))
def induction(p: Floats, k: int, speed: float, light: float, h: float) -> float:
    """Torque of an induction motor, N m; it takes the body to its synchronous speed in a step at the most."""
    gear, most, synchronous = p[k + at.M_GEAR], p[k + at.M_SLIP], p[k + at.M_SYNCHRONOUS]
    slip = 1.0 - gear * speed / synchronous
    below = slip * slip + most * most
    scale = 2.0 * p[k + at.M_PULL_OUT] * gear * most
    steep = scale * gear / synchronous * (most * most - slip * slip) / (below * below)  # -dT/dw
    torque, most_of_all = scale * slip / below / (1.0 + h * light * max(0.0, steep)), abs(synchronous / gear - speed) / (h * light)
    return float(min(max(torque, -most_of_all), most_of_all))


@compiled(TWO(VECTOR, INDEX, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def servo(
    p: Floats, k: int, wanted: float, wanted_speed: float, angle: float, speed: float, integral: float, light: float, h: float
) -> tuple[float, float]:
    """(torque, integral after the step) of a servo, N m and rad."""
    fastest, strongest, gain = p[k + at.M_SPEED_LIMIT], p[k + at.M_TORQUE_LIMIT], p[k + at.M_SPEED_GAIN]
    asked = min(max(wanted_speed + p[k + at.M_ANGLE_GAIN] * (wanted - angle), -fastest), fastest)
    free = (gain * (asked - speed) + p[k + at.M_INTEGRAL_GAIN] * integral) / (1.0 + h * light * gain)
    torque = min(max(free, -strongest), strongest)
    return torque, integral + h * (asked - speed - h * light * torque + (torque - free) / gain)


@compiled(REAL(VECTOR, VECTOR, REAL))
def drive_all(y: Floats, p: Floats, h: float) -> float:
    """Their torques; returns the power that they give to the bodies."""
    first, k, t, given = bodies_at(p), int(p[at.AT_MOTORS]), y[-1], 0.0
    for _ in range(int(p[at.MOTORS])):
        kind, number_i, number_j = p[k + at.M_KIND], int(p[k + at.BODY_I]), int(p[k + at.BODY_J])
        i, j = first + at.BODY_STATES * number_i, first + at.BODY_STATES * number_j
        speed, light, own = y[j + at.W] - y[i + at.W], 0.0, int(p[k + at.M_OWN])
        for number in (number_i, number_j):
            if number < int(p[at.BODIES]):
                light += 1.0 / p[int(p[at.AT_BODIES]) + at.BODY_COLUMNS * number + at.B_INERTIA]
        torque, value, slope = 0.0, 0.0, 0.0
        if t >= 0.0:
            if p[k + at.M_FUNCTION] > 0.0:
                value, slope, _ = evaluate(t, p, y[int(p[at.STACK]) :], int(p[k + at.M_FUNCTION]))
            if kind == at.DIRECT_CURRENT:
                torque, y[own] = direct_current(p, k, value, speed, y[own], light, h)
            elif kind == at.SERVO:
                torque, y[own] = servo(p, k, value, slope, y[j + at.PHI] - y[i + at.PHI], speed, y[own], light, h)
            else:
                torque = induction(p, k, speed, light, h)
        y[j + at.M] += torque
        y[i + at.M] -= torque
        given += torque * speed
        k += at.MOTOR_COLUMNS
    return given
