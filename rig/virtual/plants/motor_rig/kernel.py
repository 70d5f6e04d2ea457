"""Motion of a mechanism that motors drive, with its sensors: fixed steps, compiled. What the mechanism is comes in as a function.

State y of every mechanism: angles of its k driven axes (rad), their k speeds, work done on it (J), energy lost in it to friction and
contacts (J), then what is its own. A motion is `motion(y, p, torques, volts, seen, h)`: one step of h (s) under the torques (N m) on the
axes, k of them, and of their brakes, k more, with the volts of the analogue inputs; `seen` gets the quantities that sensors look at.

| part | what it does in a step |
|---|---|
| motor | cascade of position and velocity loop, torque after the current loop's lag or of an armature, gear |
| sensor | low-pass of one or two poles, AC coupling of one, gain, offset, range |
| encoder | quadrature A before B forwards, Z while A and B are high in the cycle at the index; edges at their crossings |
| pickup | high over a short piece of each turn |

Samples between two steps are extrapolated from the earlier one, so the result does not depend on how time is cut into calls.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Compiled, Floats, compiled

VELOCITY, POSITION, TORQUE = range(3)
EARLY = 1e-3  # part of a step by which an instant may come early: whole steps are so up to rounding only
FULL, EDGES = -1, 8192  # what `advance` returns when there are more edges than it has room for

CALMING = 1e-3

MOTOR = np.dtype(
    [(name, "i8") for name in ("mode", "powered")]
    + [(name, "f8") for name in ("setpoint", "rate", "effort", "limit", "integral", "torque", "start")]
    + [(name, "f8") for name in ("gear", "velocity_gain", "velocity_integral", "position_gain", "lag", "brake")]
    + [(name, "f8") for name in ("constant", "resistance", "inductance", "supply", "most", "current_gain", "current_integral")]
    + [(name, "f8") for name in ("current", "bridge")]
)
"""One motor, at its shaft; `start`: angle of the axis at which the shaft's is 0; `lag`: share of a change that passes in a step.
`constant` and what follows: of its armature, where it has one (more than 0); `most`: of its current, `bridge`: the loop's integral, V."""
SENSOR = np.dtype(
    [(name, "i8") for name in ("source", "poles", "stuck")]
    + [(name, "f8") for name in ("omega", "low", "high", "gain", "offset", "range", "stuck_at")]
    + [(name, "f8") for name in ("value", "speed", "drift", "shown", "slope")]
)
"""One sensor: `low`, `high`: shares of a change that pass the low-pass, and the drift's, in a step; `omega` 0: no low-pass."""
ENCODER = np.dtype([(name, "i8") for name in ("axis", "lines", "silent", "quarter")] + [("zero", "f8")])
"""One encoder; `quarter`: quarters of a line's width turned since `zero` (rad); Z is high in the second of them, once a turn."""
PICKUP = np.dtype(
    [(name, "i8") for name in ("axis", "silent", "missing", "doubled", "rises", "drops", "returns", "falls")]
    + [("angle", "f8"), ("width", "f8")]
)
"""One pickup; every `missing`th turn gives no pulse, every `doubled`th two (0: none does), the first a quarter as long as one of its own,
the second half as long. `rises` to `falls`: turns at which its flanks were passed, `drops` and `returns` being those between two pulses."""

_M, _S, _E, _P = (from_dtype(dtype) for dtype in (MOTOR, SENSOR, ENCODER, PICKUP))
MOTORS, SENSORS, ENCODERS, PICKUPS = (types.Array(record, 1, "C") for record in (_M, _S, _E, _P))
MOTION = types.FunctionType(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
COUNTS = types.int64[::1]
Record = Any
"""A record of one of these types as a kernel has it: fields are attributes."""
Records = NDArray[np.void]
Motion = Compiled[[Floats, Floats, Floats, Floats, Floats, float], None]


@compiled(REAL(_M, REAL, REAL, REAL))
def armature_torque(m: Record, wanted: float, velocity: float, h: float) -> float:
    """Torque (N m) after a step of h of an armature that is to give `wanted`: L i' = V - R i - k w, V by a PI loop within the supply.

    The current is that which the step leaves, so that no inductance is too small for it.
    """
    error = min(max(wanted / m.constant, -m.most), m.most) - m.current
    free = m.current_gain * error + m.bridge
    volts = min(max(free, -m.supply), m.supply)
    if volts == free:  # at the end of its supply the loop does not wind up
        m.bridge += h * m.current_integral * error
    coil = m.inductance / h
    m.current = (coil * m.current + volts - m.constant * velocity) / (coil + m.resistance)
    return float(m.constant * m.current)


@compiled(REAL(_M, REAL, REAL, REAL))
def motor_torque(m: Record, position: float, velocity: float, h: float) -> float:
    """Torque of a motor (N m) at its shaft's position (rad) and velocity (rad/s), after a step of h."""
    wanted = 0.0
    if m.powered and m.mode == TORQUE:
        wanted = m.setpoint
        m.integral = 0.0
    elif m.powered:
        speed = m.setpoint
        if m.mode == POSITION:
            speed = m.rate + m.position_gain * (m.setpoint - position)
            m.setpoint += h * m.rate  # goes on until the next tick tells where it is
        error = speed - velocity
        m.integral = min(max(m.integral + h * m.velocity_integral * error, -m.limit), m.limit)
        wanted = m.velocity_gain * error + m.integral + m.effort
    else:
        m.integral = 0.0
    wanted = min(max(wanted, -m.limit), m.limit)
    if m.constant > 0.0 and m.powered:
        m.torque = armature_torque(m, wanted, velocity, h)
    else:
        m.torque = m.torque + m.lag * (wanted - m.torque) if m.powered else 0.0
        m.current = m.bridge = 0.0
    return float(m.torque)


@compiled(types.void(_S, REAL, REAL))
def sense(s: Record, u: float, h: float) -> None:
    """One step of a sensor that looks at u."""
    if s.omega > 0.0 and s.poles == 2:
        s.speed += h * s.omega * (s.omega * (u - s.value) - math.sqrt(2.0) * s.speed)
        s.value += h * s.speed
    elif s.omega > 0.0:
        s.value += s.low * (u - s.value)
    else:
        s.value = u
    s.drift += s.high * (s.value - s.drift)
    shown = s.gain * (s.value - s.drift) + s.offset if s.high > 0.0 else s.gain * s.value + s.offset
    s.slope = (shown - s.shown) / h
    s.shown = shown


@compiled(REAL(_S, REAL))
def read(s: Record, late: float) -> float:
    """Volts of a sensor `late` (s) after its last step."""
    shown = s.stuck_at if s.stuck else s.shown + s.slope * late
    return float(min(max(shown, -s.range), s.range))


@compiled(INDEX(TABLE, COUNTS, INDEX, REAL))
def mark(edges: Floats, counts: NDArray[np.int64], signal: int, time: float) -> int:
    """Keep an edge; FULL when there is no room."""
    count = counts[signal]
    if count >= edges.shape[1]:
        return FULL
    if count > 0 and time <= edges[signal, count - 1]:
        time = edges[signal, count - 1] + 1e-12
    edges[signal, count] = time
    counts[signal] = count + 1
    return 0


@compiled(INDEX(_E, REAL, REAL, REAL, REAL, TABLE, COUNTS, INDEX))
def encode(e: Record, before: float, after: float, time: float, h: float, edges: Floats, counts: NDArray[np.int64], first: int) -> int:
    """Edges of A, B, Z (signals first, first + 1, first + 2) in the step of h after `time` that turns the axis from before to after."""
    per = 4.0 * e.lines / (2.0 * math.pi)
    begin, end = (before - e.zero) * per, (after - e.zero) * per
    there = math.floor(end)
    status = 0
    while e.quarter != there:
        forward = there > e.quarter
        border = e.quarter + 1 if forward else e.quarter
        e.quarter += 1 if forward else -1
        if e.silent:
            continue
        at = time + h * min(max((border - begin) / (end - begin), 0.0), 1.0)
        status |= mark(edges, counts, first + border % 2, at)
        if border % (4 * e.lines) == 1 or border % (4 * e.lines) == 2:
            status |= mark(edges, counts, first + 2, at)
    return status


@compiled(INDEX(_P, INDEX, INDEX, INDEX, REAL, REAL, REAL, REAL, TABLE, COUNTS, INDEX))
def flank(
    k: Record, before: int, there: int, between: int, begin: float, end: float, time: float, h: float, edges: Floats,
    counts: NDArray[np.int64], signal: int,
) -> int:  # fmt: skip
    """A flank of a pickup that was passed `before` turns and is now passed `there`; begin, end: turns since it at the step's ends."""
    if there == before:
        return 0
    turn = max(there, before)
    if k.silent or (k.missing > 0 and turn % k.missing == k.missing - 1):
        return 0
    if between and not (k.doubled > 0 and turn % k.doubled == k.doubled - 1):
        return 0
    return mark(edges, counts, signal, time + h * min(max((turn - begin) / (end - begin), 0.0), 1.0))


@compiled(INDEX(_P, REAL, REAL, REAL, REAL, TABLE, COUNTS, INDEX))
def pick(k: Record, before: float, after: float, time: float, h: float, edges: Floats, counts: NDArray[np.int64], signal: int) -> int:
    """Edges of a pickup in a step, as `encode`: up at `angle`, down `width` (rad) later, each turn."""
    per = 1.0 / (2.0 * math.pi)
    begin, end = (before - k.angle) * per, (after - k.angle) * per
    width = k.width * per
    rises, falls = math.floor(end), math.floor(end - width)
    drops, returns = math.floor(end - 0.25 * width), math.floor(end - 0.5 * width)
    status = flank(k, k.rises, rises, 0, begin, end, time, h, edges, counts, signal)
    status |= flank(k, k.drops, drops, 1, begin - 0.25 * width, end - 0.25 * width, time, h, edges, counts, signal)
    status |= flank(k, k.returns, returns, 1, begin - 0.5 * width, end - 0.5 * width, time, h, edges, counts, signal)
    status |= flank(k, k.falls, falls, 0, begin - width, end - width, time, h, edges, counts, signal)
    k.rises, k.drops, k.returns, k.falls = rises, drops, returns, falls
    return status


@compiled(
    INDEX(
        MOTION, INDEX, INDEX, REAL, VECTOR, INDEX, TABLE, VECTOR, VECTOR, MOTORS, SENSORS, ENCODERS, PICKUPS, VECTOR, VECTOR, VECTOR,
        TABLE, TABLE, COUNTS,
    )
)  # fmt: skip
def advance(
    motion: Motion,
    begin: int,
    end: int,
    h: float,
    times: Floats,
    row: int,
    volts: Floats,
    y: Floats,
    p: Floats,
    motors: Records,
    sensors: Records,
    encoders: Records,
    pickups: Records,
    torques: Floats,
    before: Floats,
    seen: Floats,
    out: Floats,
    edges: Floats,
    counts: NDArray[np.int64],
) -> int:
    """Go from step `begin` to step `end`; rows of `times` (m,) from `row` on that lie before the step after are sampled into `out`.

    volts (m, inputs); out (m, sensors) V; edges (signals, EDGES) with their counts: three signals an encoder, then one a pickup.
    Returns the first row that is left, or FULL.
    """
    axes = len(motors)
    step = begin
    while True:
        while row < len(times) and times[row] < (step + 1 - EARLY) * h:
            late = times[row] - step * h
            for j in range(len(sensors)):
                out[row, j] = read(sensors[j], late)
            row += 1
        if step >= end:
            return row
        for i in range(axes):
            m = motors[i]
            torques[i] = m.gear * motor_torque(m, m.gear * (y[i] - m.start), m.gear * y[axes + i], h)
            torques[axes + i] = 0.0 if m.powered else m.gear * m.brake
            before[i] = y[i]
        motion(y, p, torques, volts[row], seen, h)
        status = 0
        for j in range(len(encoders)):
            e = encoders[j]
            if before[e.axis] != y[e.axis]:
                status |= encode(e, before[e.axis], y[e.axis], step * h, h, edges, counts, 3 * j)
        for j in range(len(pickups)):
            k = pickups[j]
            if before[k.axis] != y[k.axis]:
                status |= pick(k, before[k.axis], y[k.axis], step * h, h, edges, counts, 3 * len(encoders) + j)
        if status:
            return FULL
        for j in range(len(sensors)):
            sense(sensors[j], seen[sensors[j].source], h)
        step += 1


@compiled(types.void(MOTION, INDEX, REAL, VECTOR, VECTOR, COUNTS, VECTOR, VECTOR, VECTOR))
def relax(
    motion: Motion, steps: int, h: float, y: Floats, p: Floats, rates: NDArray[np.int64], torques: Floats, volts: Floats, seen: Floats
) -> None:
    """`steps` without power, each of which takes CALMING of the `rates` (places in y): places creep to where forces balance."""
    for _ in range(steps):
        motion(y, p, torques, volts, seen, h)
        for rate in rates:
            y[rate] *= 1.0 - CALMING
