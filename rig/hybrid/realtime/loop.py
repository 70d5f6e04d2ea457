"""The loop of a real-time hybrid test, sample by sample: structure, compensator, converters, actuator and specimen, sensors, monitor.

At sample k: the displacement of the computed structure is the target; the compensator makes the command of it and of the displacement that
is measured; the actuator follows until k + 1, with the command held. The structure goes to k + 1 with the force that was measured at
k - 1 (the package's unit delay), held, and the ground straight in between. Everything linear is exact at the samples.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, compiled
from rig.hybrid.realtime.compensators.contract import STEP, Step
from rig.hybrid.realtime.control_plant import PLANT, PlantStep

Floats = NDArray[np.float64]

COLUMNS = ("floor_1", "floor_2", "floor_3", "measured", "force", "command", "actuator", "specimen", "indicator", "spurious", "dissipated")
"""m, m, m, m, N, m, m, m, 1, J, J: of the results; the energies since the start."""
FLOORS, MEASURED, FORCE, COMMAND, ACTUATOR, SPECIMEN, INDICATOR, SPURIOUS, DISSIPATED = 0, 3, 4, 5, 6, 7, 8, 9, 10

# Places in the loop's own settings.
QUANTUM_X, RANGE_X, QUANTUM_F, RANGE_F, QUANTUM_U, RANGE_U, STEP_S, KEPT, FLOOR, TRIP, BOUND, FORCE_BOUND, STOPS = range(13)
SETTINGS = 13

DONE, TRIPPED, DIVERGED = 0, 1, 2


@compiled(REAL(REAL, REAL, REAL))
def converted(value: float, quantum: float, limit: float) -> float:
    """As a converter gives it: within its range, in whole quanta; 0: without one."""
    if limit > 0.0:
        value = min(max(value, -limit), limit)
    return float(quantum * np.rint(value / quantum)) if quantum > 0.0 else value


@compiled(INDEX(VECTOR, TABLE, TABLE, TABLE, VECTOR, PLANT, VECTOR, VECTOR, STEP, VECTOR, VECTOR, TABLE, VECTOR, VECTOR, TABLE, VECTOR))
def run(
    ground: Floats, a: Floats, b: Floats, damping: Floats, structure: Floats, advance: PlantStep, plant: Floats, plant_parameters: Floats,
    compensate: Step, compensator: Floats, compensator_parameters: Floats, noise: Floats, settings: Floats, monitor: Floats,
    results: Floats, end: Floats,
) -> int:  # fmt: skip
    """Fill `results` (N, COLUMNS); end[0]: samples that were run, end[1]: sample of the trip, -1 without.

    ground: (N + 1,) m/s^2. a: (6, 6), b: (3, 6) of the ground before, the ground after, the force. damping: (3, 3) of the computed part.
    structure: (12,) its state and room. noise: (N, 2) of displacement, m, and force, N. monitor: (6,) room. Returns how it ended.
    """
    step, kept = settings[STEP_S], settings[KEPT]
    output = monitor[3:6]
    force_before = measured_before = used = displacement_before = 0.0
    output[0] = output[1] = output[2] = 0.0
    end[0], end[1] = 0.0, -1.0
    for k in range(results.shape[0]):
        target = structure[0]
        measured = converted(output[0] + noise[k, 0], settings[QUANTUM_X], settings[RANGE_X])
        force = converted(output[1] + noise[k, 1], settings[QUANTUM_F], settings[RANGE_F])
        wanted = compensate(compensator, compensator_parameters, target, measured)
        command = converted(wanted, settings[QUANTUM_U], settings[RANGE_U])
        # What the actuator gave to the specimen and did not take from the structure, and what the structure's damping took.
        given = 0.5 * (force + force_before) * (measured - measured_before)
        taken = used * (target - displacement_before)
        lost = 0.0
        for i in range(3):
            for j in range(3):
                lost += structure[3 + i] * damping[i, j] * structure[3 + j]
        lost *= step
        spurious = given - taken
        monitor[0] = kept * monitor[0] + spurious
        monitor[1] = kept * monitor[1] + lost
        indicator = monitor[0] / (monitor[1] + settings[FLOOR])
        measured_before, displacement_before = measured, target
        for i in range(3):
            results[k, i] = structure[i]
        results[k, MEASURED], results[k, FORCE], results[k, COMMAND] = measured, force, command
        results[k, ACTUATOR], results[k, SPECIMEN], results[k, INDICATOR] = output[0], output[2], indicator
        results[k, SPURIOUS] = spurious + (results[k - 1, SPURIOUS] if k else 0.0)
        results[k, DISSIPATED] = lost + (results[k - 1, DISSIPATED] if k else 0.0)
        end[0] = k + 1
        if not (abs(measured) <= settings[BOUND] and abs(force) <= settings[FORCE_BOUND] and math.isfinite(target)):
            return DIVERGED
        if indicator > settings[TRIP] and end[1] < 0.0:
            end[1] = k
            if settings[STOPS] > 0.0:
                return TRIPPED
        advance(plant, plant_parameters, command, output)
        used = force_before  # a sample late, as the package has it
        force_before = force
        for i in range(6):
            total = b[0, i] * ground[k] + b[1, i] * ground[k + 1] + b[2, i] * used
            for j in range(6):
                total += a[i, j] * structure[j]
            structure[6 + i] = total
        for i in range(6):
            structure[i] = structure[6 + i]
    return DONE
