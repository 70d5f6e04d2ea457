"""A Runge-Kutta method as data."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.floats import Floats


@dataclass(frozen=True)
class Tableau:
    """Stages, weights, error estimates and continuous extension of an explicit method.

    Row i of `a` and c[i] make stage i; the row after the method's own stages holds the weights b with c = 1, so that its stage is the
    derivative at the end of the step; further rows are stages that only the continuous extension needs.
    """

    order: int
    main: int  # stages of a step, the one at its end included
    a: Floats  # (stages, stages)
    c: Floats  # (stages,)
    errors: Floats = field(default_factory=lambda: np.empty((0, 0)))  # (2, main): fifth and third order estimates; none: fixed steps
    extension: Floats = field(default_factory=lambda: np.empty((0, 0)))  # (4, stages); none: cubic Hermite
    free: Floats = field(default_factory=lambda: np.empty((0, 0)))  # (up to 4, main): an extension without further stages

    def growth(self, z: complex) -> complex:
        """R(z) of y_new = R(h lambda) y for the linear test equation."""
        stages = np.zeros(self.main, dtype=complex)
        for i in range(self.main):
            stages[i] = 1.0 + z * (self.a[i, : self.main] @ stages)
        return complex(stages[self.main - 1])

    def stable_step(self, eigenvalues: NDArray[np.complex128]) -> float:
        """Largest step for which no decaying or oscillating mode (lambda, 1/s) grows; infinite if there is none."""
        modes = [complex(min(value.real, 0.0), value.imag) for value in eigenvalues]
        return min((self._limit(mode) for mode in modes if abs(mode) > 0.0), default=np.inf)

    def _limit(self, eigenvalue: complex) -> float:
        def grows(reach: float) -> bool:
            return abs(self.growth(reach * eigenvalue / abs(eigenvalue))) > 1.0 + 1e-9

        reach = next((r for r in np.arange(0.05, 60.0, 0.05) if grows(r) and grows(r + 0.05)), 60.0)
        return float(reach / abs(eigenvalue))
