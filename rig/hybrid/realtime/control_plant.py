"""What the loop moves: the control plant as one compiled function that goes on by a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, VECTOR, Compiled, compiled
from rig.hybrid.realtime.sampling import held
from rig.hybrid.realtime.transfer_system import DISPLACEMENT, FORCE, TransferSystem

Floats = NDArray[np.float64]

PLANT_SIGNATURE = INDEX(VECTOR, VECTOR, REAL, VECTOR)
"""advance(state, parameters, command, output): one sample on; output: displacement of the actuator, m, force on the specimen, N,
displacement of the specimen, m."""
PLANT = types.FunctionType(PLANT_SIGNATURE)
PlantStep = Compiled[[Floats, Floats, float, Floats], int]


@dataclass(frozen=True)
class ControlPlant:
    """Ready for a run, at rest."""

    advance: Any  # a compiled function of PLANT_SIGNATURE; numba's own type has none in Python
    parameters: Floats
    initial: Floats
    linear: bool = True

    def state(self) -> Floats:
        """A new one."""
        return self.initial.copy()


@compiled(PLANT_SIGNATURE)
def linear_plant(state: Floats, parameters: Floats, command: float, output: Floats) -> int:
    """State: the plant's (n,), then room for the next. Parameters: A (n, n), B (n,), place of the force and of the displacement."""
    n = state.size // 2
    for i in range(n):
        total = parameters[n * n + i] * command
        for j in range(n):
            total += parameters[i * n + j] * state[j]
        state[n + i] = total
    for i in range(n):
        state[i] = state[n + i]
    force, at = int(parameters[n * n + n]), int(parameters[n * n + n + 1])
    output[0], output[1], output[2] = state[at], state[force], state[at]
    return 0


def linear(system: TransferSystem, rate: float) -> ControlPlant:
    """As the benchmark has it: actuator and specimen are bolted together. rate: Hz."""
    a, b = held(*system.continuous(), 1.0 / rate)
    return ControlPlant(linear_plant, np.concatenate([a.ravel(), b, [float(FORCE), float(DISPLACEMENT)]]), np.zeros(2 * len(b)))
