"""Motion of the virtual frame: servo loop, valve, oil column, actuator, linkage, fixture, sensors; fixed steps, compiled.

Axial chain: ground -(k_f, c_f)- m1 -joint A- m2 -joint B- m3 <- F_h. x positive away from the fixture, tension positive.

| symbol | unit | meaning |
|---|---|---|
| x1 v1 x2 v2 x3 v3 | m, m/s | links; x3 is the piston's stroke |
| F_tr = k_f x1 + c_f v1 | N | transmitted force, what the load cell feels |
| F_A F_B | N | joints: `rig.virtual.plants.contact`, pushing only; without clearance linear |
| F_h | N | hydraulic force: F_h' = k_oil (v_flow - v3 - leakage F_h) |
| pressure | 1 | share of the supply force that is up; the flow goes with its root |
| q | 1 | spool: q'' = w_v^2 (w - q) - 2 zeta w_v q', within +-1 |
| x4 v4 | m, m/s | crosshead on m1, a second mode, where there is one |
| x5 v5, x6 v6 | m, m/s | upper link in its grip on m1, lower one in that on m3, where grips give way; m1, m3 are the rest then |
| F_r | N | dry friction of a joint: what stops its links against each other within a step, up to `pin_friction` |
| w | 1 | asked of the spool: kp e + i, i' = ki e within its limit, e = setpoint - feedback |

Semi-implicit Euler, but for the damping of the joints, which acts on the speeds that the step leaves: both joints together, as they
share the middle link. So no speed of impact, however slow, makes it unstable.

Volts and lines act from the next whole step on; what is sampled between two steps is extrapolated from the earlier one.
So the result does not depend on how the time is cut into calls.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.contact import borne
from rig.virtual.plants.servo_frame.parameters import PARAMETERS
from rig.virtual.plants.surfaces import BRANCH, CONTACT_STATES, DEEPEST

SHUT, HOLDING, FOLLOWING = 0, 1, 2
HEARTBEAT_LOST, FORCE_LIMIT, STROKE_LIMIT = 1, 2, 3
NEVER = 2**62
SWEEPS = 8  # of the joints' friction over each other
EARLY = 1e-3  # part of a step by which a step may come early: instants that are whole steps are so up to rounding only

_FLOATS = """
x1 v1 a1 x2 v2 a2 x3 v3 a3 x4 v4 x5 v5 x6 v6 worn_a worn_b strain asked f_tr f_h spool spool_rate integral setpoint setpoint_end
setpoint_rate
feedback feedback_rate force force_rate stroke stroke_rate actuator actuator_rate
acceleration_1 acceleration_2 acceleration_3 drift_1 drift_2 drift_3 pressure speed
"""
_INTEGERS = "steps loop stroke_mode deadline trip trip_step broken"
STATE = np.dtype(
    [(name, "f8") for name in _FLOATS.split()]
    + [(name, "i8") for name in _INTEGERS.split()]
    + [(name, "f8", (CONTACT_STATES,)) for name in ("touch_a", "touch_b")]
)
"""`touch_a`, `touch_b`: of the contacts. `worn_a`, `worn_b`: by how much half of their play has grown, m. `strain`: of the seals, where the
frame has another specimen, m. `asked`: of the spool, behind the valve's hysteresis. `loop`: SHUT, HOLDING or FOLLOWING. `deadline`: step at
which the heartbeat is given up.
`trip`: why the loop shut by itself.
`pressure`: share of the supply that is up, `speed`: share of the actuator's speed that it gives. `broken`: the upper joint has parted."""

OUTPUTS = (
    "force_monitor",
    "actuator_force_monitor",
    "stroke_monitor",
    "accelerometer_1",
    "accelerometer_2",
    "accelerometer_3",
    "command_monitor",
)

_P, _S, _F = numba.from_dtype(PARAMETERS), numba.from_dtype(STATE), numba.float64
Floats = NDArray[np.float64]
Record = Any
"""A record of PARAMETERS or STATE as a kernel has it: fields are attributes."""
_PAIR = numba.types.UniTuple(_F, 2)  # type: ignore[no-untyped-call]
_compiled = functools.partial(numba.njit, cache=True, nogil=True, error_model="numpy", _nrt=False, forceinline=True)
_BUTTERWORTH = math.sqrt(2.0)  # twice the damping ratio


def _joint(u: float, rate: float, play: float, contact: Floats, touch: Floats, p: Record) -> tuple[float, float]:
    """(force without damping, tension positive, damping in N s/m) of one joint. `u`: offset from the middle of the play, m."""
    if play == 0.0:
        return p.k_0 * u, p.c_0
    depth = abs(u) - play
    if depth <= 0.0:
        touch[BRANCH] = touch[DEEPEST] = 0.0
        return 0.0, 0.0
    side = 1.0 if u > 0.0 else -1.0
    force, damping, _ = borne(depth, side * rate, contact, touch)
    return side * force, damping


joint = _compiled(_PAIR(_F, _F, _F, _F[::1], _F[::1], _P))(_joint)


def _pushing(force: float, u: float, play: float) -> float:
    """A joint with play does not pull its surfaces together; `force`: tension positive."""
    return force if play == 0.0 or force * u > 0.0 else 0.0


pushing = _compiled(_F(_F, _F, _F))(_pushing)


def _joint_forces(
    s: Record, p: Record, x_1: float, v_1: float, per_1: float, per_2: float, x_3: float, v_3: float, per_3: float, f_1: float, f_3: float
) -> tuple[float, float]:
    """F_A, F_B, with the outer links at x_1, x_3 (m), their speeds; f_1 and f_3 (N) act on them beside the joints.

    per_1 to per_3: 1 / mass of each link, 1/kg.
    """
    h, u_a, u_b = p.step, s.x2 - x_1, x_3 - s.x2
    play_a, play_b = p.play_a + s.worn_a, p.play_b + s.worn_b
    f_a, c_a = joint(u_a, s.v2 - v_1, play_a, p.contact_a[:], s.touch_a[:], p)
    f_b, c_b = joint(u_b, v_3 - s.v2, play_b, p.contact_b[:], s.touch_b[:], p)
    if s.broken:
        f_a = c_a = 0.0
    if c_a == 0.0 and c_b == 0.0:  # most of the time
        return f_a, f_b
    # Rates of the joints after the step, were there no damping; and the damping on the rates that there are with it.
    free_a = s.v2 - v_1 + h * (f_b * per_2 - f_a * (per_1 + per_2) - f_1 * per_1)
    free_b = v_3 - s.v2 + h * (f_3 * per_3 + f_a * per_2 - f_b * (per_2 + per_3))
    a, b, cross = 1.0 + h * c_a * (per_1 + per_2), 1.0 + h * c_b * (per_2 + per_3), h * per_2
    part = 1.0 / (a * b - cross * cross * c_a * c_b)
    whole_a = f_a + c_a * (b * free_a + cross * c_b * free_b) * part
    whole_b = f_b + c_b * (a * free_b + cross * c_a * free_a) * part
    pushed_a, pushed_b = pushing(whole_a, u_a, play_a), pushing(whole_b, u_b, play_b)
    if pushed_a != whole_a:  # it lets go, and leaves the other one alone
        pushed_b = pushing(f_b + c_b * (free_b - cross * f_a) / b, u_b, play_b)
    elif pushed_b != whole_b:
        pushed_a = pushing(f_a + c_a * (free_a - cross * f_b) / a, u_a, play_a)
    return pushed_a, pushed_b


joint_forces = _compiled(_PAIR(_S, _P, *[_F] * 9))(_joint_forces)


def _second_order(y: float, rate: float, u: float, omega: float, twice_zeta: float, h: float) -> tuple[float, float]:
    """One step of y'' = omega^2 (u - y) - 2 zeta omega y'."""
    rate += h * omega * (omega * (u - y) - twice_zeta * rate)
    return y + h * rate, rate


second_order = _compiled(_PAIR(*[_F] * 6))(_second_order)


def _guard(s: Record, p: Record) -> None:
    """The controller's own interlocks: the valve is shut, why and when is kept."""
    trip = 0
    if s.loop == FOLLOWING and s.steps >= s.deadline:
        trip = HEARTBEAT_LOST
    elif abs(s.feedback) > p.force_limit:
        trip = FORCE_LIMIT
    elif abs(s.x3) > p.stroke_limit:
        trip = STROKE_LIMIT
    if trip:
        s.trip, s.trip_step = trip, s.steps
        s.loop, s.integral = SHUT, 0.0


guard = _compiled(numba.void(_S, _P))(_guard)


def _servo(s: Record, p: Record, volts: float) -> float:
    """Setpoint and PI of the active mode; returns what is asked of the spool."""
    if s.loop == SHUT:
        return 0.0
    if s.loop == FOLLOWING:
        s.setpoint = p.stroke_gain * volts / p.stroke_volts if s.stroke_mode else p.force_gain * volts / p.force_volts
    elif s.setpoint != s.setpoint_end:
        reach = p.step * s.setpoint_rate
        s.setpoint += min(max(s.setpoint_end - s.setpoint, -reach), reach)
    if s.stroke_mode:
        error, kp, ki = s.setpoint - s.x3, p.kp_stroke, p.ki_stroke
    else:
        error, kp, ki = s.setpoint - s.feedback - p.force_zero, p.kp_force, p.ki_force
    s.integral = min(max(s.integral + p.step * ki * error, -p.integral_limit), p.integral_limit)
    asked: float = min(max(kp * error + s.integral, -1.0), 1.0)
    return asked


servo = _compiled(_F(_S, _P, _F))(_servo)


def _actuate(s: Record, p: Record, asked: float) -> None:
    """Valve and oil column."""
    s.asked = min(max(s.asked, asked - p.valve_play), asked + p.valve_play)
    s.spool, s.spool_rate = second_order(s.spool, s.spool_rate, s.asked, p.omega_valve, 2.0 * p.zeta_valve, p.step)
    if abs(s.spool) > 1.0:
        s.spool, s.spool_rate = math.copysign(1.0, s.spool), 0.0
    supply, speed = p.force_supply * s.pressure, s.speed
    if p.ripple > 0.0:
        rippled = 1.0 + p.ripple * math.sin(p.omega_ripple * s.steps * p.step)
        supply, speed = supply * rippled, speed * math.sqrt(rippled)
    drop = 1.0 - math.copysign(1.0, s.spool) * s.f_h / supply
    opening = math.copysign(max(abs(s.spool) - p.deadband, 0.0), s.spool)
    flow = p.v_max * speed * opening * math.sqrt(max(drop, 0.0))
    s.f_h += p.step * p.k_oil * (flow - s.v3 - p.leakage * s.f_h)


actuate = _compiled(numba.void(_S, _P, _F))(_actuate)


def _rub(s: Record, p: Record, v_1: float, per_1: float, per_2: float, v_3: float, per_3: float) -> None:
    """Dry friction of both joints, on the links' accelerations: it stops each joint's links within the step, where it can.

    Both share the middle link, so each is looked at again after the other, as often as makes no difference.
    """
    h, light_a, light_b, f_a, f_b = p.step, per_1 + per_2, per_2 + per_3, 0.0, 0.0
    for _ in range(SWEEPS):
        held = f_a + (s.v2 - v_1 + h * (s.a2 - s.a1)) / (h * light_a)
        change = min(max(held, -p.pin_friction), p.pin_friction) - f_a
        f_a += change
        s.a1 += change * per_1
        s.a2 -= change * per_2
        held = f_b + (v_3 - s.v2 + h * (s.a3 - s.a2)) / (h * light_b)
        change = min(max(held, -p.pin_friction), p.pin_friction) - f_b
        f_b += change
        s.a2 += change * per_2
        s.a3 -= change * per_3


rub = _compiled(numba.void(_S, _P, *[_F] * 5))(_rub)


def _move_links(s: Record, p: Record, whole_1: float, per_2: float, whole_3: float) -> None:
    """The three links, and what grips them; whole_1, per_2, whole_3: 1 / mass of each link, 1/kg."""
    f_1, f_3 = -p.k_f * s.x1 - p.c_f * s.v1, s.f_h - p.c_p * s.v3
    if p.m4 > 0.0:
        swung = p.k_4 * (s.x4 - s.x1) + p.c_4 * (s.v4 - s.v1)
        f_1 += swung
        s.v4 -= p.step * swung / p.m4
        s.x4 += p.step * s.v4
    soft = p.k_g > 0.0
    x_1, v_1, per_1, x_3, v_3, per_3, outer_1, outer_3 = s.x1, s.v1, whole_1, s.x3, s.v3, whole_3, f_1, f_3
    grip_1 = grip_3 = 0.0
    if soft:
        grip_1 = p.k_g * (s.x5 - s.x1) + p.c_g * (s.v5 - s.v1)
        grip_3 = p.k_g * (s.x3 - s.x6) + p.c_g * (s.v3 - s.v6)
        x_1, v_1, x_3, v_3 = s.x5, s.v5, s.x6, s.v6
        per_1, per_3 = whole_1 / p.gripped, whole_3 / p.gripped
        outer_1, outer_3 = -grip_1, grip_3
    f_a, f_b = joint_forces(s, p, x_1, v_1, per_1, per_2, x_3, v_3, per_3, outer_1, outer_3)
    if abs(f_a) > p.break_force:
        s.broken = 1
        f_a = 0.0
    s.a1 = (f_a + outer_1) * per_1
    s.a2 = (f_b - f_a) * per_2
    if p.seal_friction > 0.0:
        against, mass = (grip_3, (1.0 - p.gripped) * p.m3) if soft else (f_b, p.m3)
        free = s.v3 + p.step * (f_3 - against) / mass
        f_3 -= math.copysign(min(p.seal_friction, abs(free) * mass / p.step), free)
    s.a3 = (outer_3 - f_b) * per_3 if soft else (f_3 - f_b) * per_3
    if p.pin_friction > 0.0:
        rub(s, p, v_1, per_1, per_2, v_3, per_3)
    if soft:
        s.v5 += p.step * s.a1
        s.v6 += p.step * s.a3
        s.v1 += p.step * (f_1 + grip_1) * whole_1 / (1.0 - p.gripped)
        s.v3 += p.step * (f_3 - grip_3) * whole_3 / (1.0 - p.gripped)
        v_1, v_3 = s.v5, s.v6
        s.x5 += p.step * s.v5
        s.x6 += p.step * s.v6
    else:
        s.v1 += p.step * s.a1
        s.v3 += p.step * s.a3
        v_1, v_3 = s.v1, s.v3
    s.v2 += p.step * s.a2
    if p.loosening > 0.0 or p.wear > 0.0:
        half = 0.5 * p.step
        pressed_a = f_a * (s.v2 - v_1 - half * (s.a2 - s.a1))
        pressed_b = f_b * (v_3 - s.v2 - half * (s.a3 - s.a2))
        s.worn_a += half * (p.loosening + p.wear * max(0.0, pressed_a))
        s.worn_b += half * p.wear * max(0.0, pressed_b)
    s.x1 += p.step * s.v1
    s.x2 += p.step * s.v2
    s.x3 += p.step * s.v3
    s.f_tr = p.k_f * s.x1 + p.c_f * s.v1


move_links = _compiled(numba.void(_S, _P, _F, _F, _F))(_move_links)


def _move(s: Record, p: Record) -> None:
    """One step of the three links by itself."""
    move_links(s, p, 1.0 / p.m1, 1.0 / p.m2, 1.0 / p.m3)


move = _compiled(numba.void(_S, _P))(_move)


def _sense(s: Record, p: Record) -> None:
    """Feedback filter, conditioners, accelerometers."""
    h = p.step
    s.feedback, s.feedback_rate = second_order(s.feedback, s.feedback_rate, s.f_tr, p.omega_feedback, _BUTTERWORTH, h)
    s.force, s.force_rate = second_order(s.force, s.force_rate, s.f_tr, p.omega_monitor, _BUTTERWORTH, h)
    s.stroke, s.stroke_rate = second_order(s.stroke, s.stroke_rate, s.x3, p.omega_monitor, _BUTTERWORTH, h)
    s.actuator, s.actuator_rate = second_order(s.actuator, s.actuator_rate, s.f_h, p.omega_monitor, _BUTTERWORTH, h)
    s.acceleration_1 += h * p.omega_acceleration * (s.a1 - s.acceleration_1)
    s.acceleration_2 += h * p.omega_acceleration * (s.a2 - s.acceleration_2)
    s.acceleration_3 += h * p.omega_acceleration * (s.a3 - s.acceleration_3)
    s.drift_1 += h * p.omega_coupling * (s.acceleration_1 - s.drift_1)
    s.drift_2 += h * p.omega_coupling * (s.acceleration_2 - s.drift_2)
    s.drift_3 += h * p.omega_coupling * (s.acceleration_3 - s.drift_3)


sense = _compiled(numba.void(_S, _P))(_sense)


def _control(s: Record, p: Record, volts: float) -> None:
    """Interlocks, loop, valve and oil column of one step."""
    if s.loop != SHUT:
        guard(s, p)
    asked = servo(s, p, volts)
    actuate(s, p, asked)


control = _compiled(numba.void(_S, _P, _F))(_control)


def _keep(s: Record, p: Record, past: NDArray[np.float64]) -> None:
    """End of one step: sensors, and what the delay of the force needs."""
    sense(s, p)
    s.steps += 1
    slot = s.steps & (past.shape[1] - 1)
    past[0, slot] = s.force
    past[1, slot] = s.force_rate


keep = _compiled(numba.void(_S, _P, _F[:, ::1]))(_keep)


def _sample(s: Record, p: Record, past: NDArray[np.float64], time: float, volts: float, out: NDArray[np.float64]) -> None:
    """Volts of OUTPUTS at `time`, which is within the step after the present one."""
    since = time - s.steps * p.step
    delayed = time - p.force_delay
    step = math.floor(delayed / p.step + EARLY)
    slot = step & (past.shape[1] - 1)
    force = past[0, slot] + (delayed - step * p.step) * past[1, slot]
    out[0] = p.force_volts * (force + p.force_zero)
    out[1] = p.force_volts * (s.actuator + since * s.actuator_rate)
    out[2] = p.stroke_volts * (s.stroke + since * s.stroke_rate)
    gain = since * p.omega_acceleration
    out[3] = p.acceleration_volts * (s.acceleration_1 + gain * (s.a1 - s.acceleration_1) - s.drift_1)
    out[4] = p.acceleration_volts * (s.acceleration_2 + gain * (s.a2 - s.acceleration_2) - s.drift_2)
    out[5] = p.acceleration_volts * (s.acceleration_3 + gain * (s.a3 - s.acceleration_3) - s.drift_3)
    out[6] = volts


sample = _compiled(numba.void(_S, _P, _F[:, ::1], _F, _F, _F[::1]))(_sample)


def _advance(
    times: NDArray[np.float64],
    volts: NDArray[np.float64],
    out: NDArray[np.float64],
    state: NDArray[np.void],
    parameters: NDArray[np.void],
    past: NDArray[np.float64],
) -> None:
    """Go on to each of `times` (m,), with the command `volts` (m,) held until then; fills `out` (m, OUTPUTS) in V.

    state, parameters: (1,) records of STATE and PARAMETERS. past: (2, n) ring of the conditioned force and its rate by step, n a power
    of two.
    """
    s, p = state[0], parameters[0]
    per_1, per_2, per_3 = 1.0 / p.m1, 1.0 / p.m2, 1.0 / p.m3  # divided once; a step has time for few divisions
    for i in range(len(times)):
        last = math.floor(times[i] / p.step + EARLY)
        while s.steps < last:
            control(s, p, volts[i])
            move_links(s, p, per_1, per_2, per_3)
            keep(s, p, past)
        sample(s, p, past, times[i], volts[i], out[i])


advance = _compiled(
    numba.void(_F[::1], _F[::1], _F[:, ::1], numba.types.Array(_S, 1, "C"), numba.types.Array(_P, 1, "C"), _F[:, ::1]),
)(_advance)
