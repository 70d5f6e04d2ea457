"""What a compensator is to the loop: one compiled function of its state, its parameters, the target and the measured displacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from model.compiled.signatures import REAL, VECTOR, Compiled

Floats = NDArray[np.float64]

SIGNATURE = REAL(VECTOR, VECTOR, REAL, REAL)
"""step(state, parameters, target, measured) -> command, m; called once a sample, in order; writes the state."""
STEP = types.FunctionType(SIGNATURE)
Step = Compiled[[Floats, Floats, float, float], float]


@dataclass(frozen=True)
class Compensator:
    """Ready for one run: its compiled step, its parameters, and a state to begin with.

    name: as in a table. linear: the same combination of its inputs at every sample, so that the whole loop has eigenvalues.
    """

    name: str
    step: Any  # a compiled function of SIGNATURE; numba's own type has none in Python
    parameters: Floats
    initial: Floats
    linear: bool = True

    def state(self) -> Floats:
        """A new one, at rest."""
        return self.initial.copy()
