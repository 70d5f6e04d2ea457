"""Newmark's method: q_new = q + h v + h^2 ((1/2 - beta) a + beta a_new), v_new = v + h ((1 - gamma) a + gamma a_new).

gamma = 1/2, beta = 1/4 (the mean acceleration) is of second order, has no limit of stability and damps nothing. A larger gamma damps what
the step does not resolve, and makes the method first order; beta then is (gamma + 1/2)^2/4 unless it is given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

from model.integrators.method import Integrator


@dataclass(frozen=True)
class Config(Integrator):
    """Fixed steps. `step` is the largest: it is made to fit a whole number of times between two output samples."""

    KIND: ClassVar[str] = "newmark"

    step: float = field(default=1e-4, metadata={"unit": "s", "over": 0.0, "at_most": 1e-2})
    gamma: float = field(default=0.5, metadata={"unit": "1", "at_least": 0.5, "at_most": 1.0})
    beta: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "at_most": 1.0, "doc": "none: (gamma + 1/2)^2/4"})

    def __post_init__(self) -> None:
        if not 0.0 < self.step < math.inf:
            raise ValueError(f"step: expected more than 0 s and finite, got {self.step:g} s")
        if not 0.5 <= self.gamma <= 1.0:
            raise ValueError(f"gamma: expected 0.5 to 1 (less makes every motion grow), got {self.gamma:g}")
        if self.beta is not None and not 0.0 <= self.beta <= 1.0:
            raise ValueError(f"beta: expected 0 to 1, got {self.beta:g}")

    @property
    def weight(self) -> float:
        """beta, given or not."""
        return 0.25 * (self.gamma + 0.5) ** 2 if self.beta is None else self.beta

    def stable_step(self, omega: float) -> float:
        """Largest step at which no mode up to omega (rad/s) grows, s; infinite where there is no limit (beta at least gamma/2)."""
        missing = 0.5 * self.gamma - self.weight
        return math.inf if missing <= 0.0 or omega == 0.0 else 1.0 / (omega * math.sqrt(missing))

    def finer(self, step: float, tolerance: float, least: float) -> Config:
        """See `Integrator`."""
        return replace(self, step=step * self.step)
