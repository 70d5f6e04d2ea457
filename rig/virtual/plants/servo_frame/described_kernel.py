"""Motion of the frame with a described mechanism in it, compiled: servo loop, valve, oil column and conditioners, the specimen's bodies.

The specimen moves as `rig.virtual.plants.motor_rig.planar_kernel` has it, without axes. The piston is a part of the body that the loader
moves: the force of the oil, less what the seals take, acts on that body's point, along the line of its slide.

| symbol | unit | meaning |
|---|---|---|
| x3, v3 | m, m/s | the piston's stroke: where its point is on the line, from where it stands at stroke 0 |
| F_h - c_p v3 - F_s | N | on the point; F_s: dry friction of the seals, elastic up to what they hold, then they slip |
| F_tr | N | pull of the spring that stands for fixture and load cell |
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.kernel import CALMING, SENSORS, read
from rig.virtual.plants.motor_rig.kernel import sense as watch
from rig.virtual.plants.motor_rig.planar_bodies import bodies_at
from rig.virtual.plants.motor_rig.planar_kernel import motion
from rig.virtual.plants.servo_frame.kernel import EARLY, STATE, control, keep, sample
from rig.virtual.plants.servo_frame.parameters import PARAMETERS

LOAD, BODY, POINT, LINE, ZERO, SEALS, HELD, PISTON = 0, 1, 2, 4, 6, 7, 8, 9
"""Of the piston: number of the load that is its force, number of its body, its point from the mass centre, direction of the line, place at
stroke 0 (m), stiffness of the seals and of what holds it while the mechanism is mounted (N/m)."""
CELL = 0
"""Place in `seen` of the load cell's spring."""
MONITORS = (0, 1, 2, 6)
"""Outputs of a frame that has no accelerometers of its own, by their places among all of `kernel.OUTPUTS`."""
NONE = np.zeros(0)
_P, _S = numba.from_dtype(PARAMETERS), numba.from_dtype(STATE)
Record = Any
"""A record of PARAMETERS or STATE as a kernel has it: fields are attributes."""
PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(PAIR(VECTOR, VECTOR, VECTOR))
def stroke(y: Floats, p: Floats, piston: Floats) -> tuple[float, float]:
    """(x3, v3)."""
    b = bodies_at(p) + at.BODY_STATES * int(piston[BODY])
    cosine, sine = math.cos(y[b + at.PHI]), math.sin(y[b + at.PHI])
    x = cosine * piston[POINT] - sine * piston[POINT + 1]
    across = sine * piston[POINT] + cosine * piston[POINT + 1]
    w = y[b + at.W]
    place = piston[LINE] * (y[b + at.X] + x) + piston[LINE + 1] * (y[b + at.Y] + across)
    return place - piston[ZERO], piston[LINE] * (y[b + at.VX] - w * across) + piston[LINE + 1] * (y[b + at.VY] + w * x)


@compiled(INDEX(VECTOR, VECTOR, VECTOR, REAL, VECTOR, REAL, VECTOR))
def push(y: Floats, p: Floats, piston: Floats, force: float, none: Floats, h: float, seen: Floats) -> int:
    """One step of the mechanism under a force of its piston, N."""
    load = int(p[at.AT_LOADS]) + at.LOAD_COLUMNS * int(piston[LOAD])
    p[load + at.L_FORCE], p[load + at.L_FORCE + 1] = force * piston[LINE], force * piston[LINE + 1]
    motion(y, p, none, none, seen, h)
    return 0


@compiled(REAL(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def mount(steps: int, h: float, y: Floats, p: Floats, piston: Floats, rates: Floats, none: Floats, seen: Floats) -> float:
    """Let it come to rest with the piston held at stroke 0; returns the force that holds it, N. rates: places in y of all speeds."""
    force = 0.0
    for _ in range(steps):
        force = -piston[HELD] * stroke(y, p, piston)[0]
        push(y, p, piston, force, none, h, seen)
        for rate in rates:
            y[int(rate)] *= 1.0 - CALMING
    return force


def _move(s: Record, p: Record, y: Floats, own: Floats, piston: Floats, none: Floats, seen: Floats) -> None:
    """One step of piston and mechanism."""
    force = s.f_h - p.c_p * s.v3
    if p.seal_friction > 0.0:
        rubbing = piston[SEALS] * (s.strain + p.step * s.v3)
        rubbing = min(max(rubbing, -p.seal_friction), p.seal_friction)
        s.strain = rubbing / piston[SEALS]
        force -= rubbing
    push(y, own, piston, force, none, p.step, seen)
    s.x3, s.v3 = stroke(y, own, piston)
    s.f_tr = seen[CELL]


move = compiled(types.void(_S, _P, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))(_move)


def _advance(
    times: Floats,
    volts: Floats,
    out: Floats,
    state: NDArray[np.void],
    parameters: NDArray[np.void],
    past: Floats,
    y: Floats,
    own: Floats,
    piston: Floats,
    none: Floats,
    seen: Floats,
    sensors: NDArray[np.void],
    monitors: Floats,
) -> None:
    """Go on to each of `times` (m,), with the command `volts` (m,) held until then; fills `out` (m, MONITORS and sensors) in V.

    state, parameters, past: see `rig.virtual.plants.servo_frame.kernel`; y, own: state and parameters of the planar kernel; none: (0,);
    seen: the load cell's spring, then what each of the sensors looks at; monitors (OUTPUTS,): room to work in.
    """
    s, p = state[0], parameters[0]
    for i in range(len(times)):
        last = math.floor(times[i] / p.step + EARLY)
        while s.steps < last:
            control(s, p, volts[i])
            move(s, p, y, own, piston, none, seen)
            for j in range(len(sensors)):
                watch(sensors[j], seen[sensors[j].source], p.step)
            keep(s, p, past)
        sample(s, p, past, times[i], volts[i], monitors)
        for j in range(len(MONITORS)):
            out[i, j] = monitors[MONITORS[j]]
        late = times[i] - s.steps * p.step
        for j in range(len(sensors)):
            out[i, len(MONITORS) + j] = read(sensors[j], late)


advance = compiled(
    types.void(
        VECTOR,
        VECTOR,
        TABLE,
        types.Array(_S, 1, "C"),
        types.Array(_P, 1, "C"),
        TABLE,
        VECTOR,
        VECTOR,
        VECTOR,
        VECTOR,
        VECTOR,
        SENSORS,
        VECTOR,
    )
)(_advance)
