"""The leapfrog (velocity Verlet) for motion with a constant mass matrix: one evaluation of the forces a step, second order, no damping of
its own (Hairer, Lubich, Wanner 2003).

Stable up to 2/omega of the fastest mode with one evaluation; Runge-Kutta methods reach 0.5/omega to 0.7/omega with each of theirs.
Friction, which may be far stiffer than that, is taken implicitly at the end of each step. Contacts begin and end at whole steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from model.floats import Floats
from model.integrators.method import Integrator


@dataclass(frozen=True)
class Config(Integrator):
    """Fixed steps. `step` is the largest: it is made to fit a whole number of times between two output samples."""

    KIND: ClassVar[str] = "leapfrog"

    step: float = field(default=1e-6, metadata={"unit": "s", "over": 0.0, "at_most": 1e-3})

    def __post_init__(self) -> None:
        if not 0.0 < self.step < math.inf:
            raise ValueError(f"step: expected more than 0 and finite, got {self.step:g}")

    def finer(self, step: float, tolerance: float, least: float) -> Config:
        """See `Integrator`."""
        return replace(self, step=step * self.step)


def stable_step(omega: Floats, rate: Floats) -> float:
    """Largest step for which no mode q'' = -omega^2 q - rate q' grows (omega, rate >= 0 in 1/s), its damping by the speed predicted."""
    low, high = 0.0, 2.0 / float(np.max(omega))
    for _ in range(50):
        middle = 0.5 * (low + high)
        if _growth(middle, omega, rate) > 1.0 + 1e-9:
            high = middle
        else:
            low = middle
    return low


def _growth(h: float, omega: Floats, rate: Floats) -> float:
    """Largest |eigenvalue| of a step of (q, h v, h^2 a), over the modes."""
    x, c = (h * omega) ** 2, h * rate
    new = np.stack([-x, -x - c, -0.5 * x - c], axis=-1)
    drift = np.broadcast_to([1.0, 1.0, 0.5], new.shape)
    kick = np.array([0.0, 1.0, 0.5]) + 0.5 * new
    return float(np.max(np.abs(np.linalg.eigvals(np.stack([drift, kick, new], axis=-2)))))
