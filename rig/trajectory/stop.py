"""The ramp that ends a test: from wherever the command is to a target, without a step in value or, on wish, in rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StopRamp:
    """Raised cosine from `start_value` to `target` in `duration` s; a `start_rate` (unit/s) is carried on and dies out.

    value = start + (target - start) (1 - cos pi s)/2 + start_rate t (1 - c)^2, s = t/duration and c = t/carry in [0, 1]. The shorter
    `carry` (s; none: the whole duration), the less far a fast wave runs on: by 4/27 start_rate carry at the most.
    """

    start_value: float
    target: float
    duration: float
    start_rate: float = 0.0
    carry: float | None = None

    def __post_init__(self) -> None:
        if not self.duration > 0.0:
            raise ValueError(f"duration: expected more than 0 s, got {self.duration:g} s")

    @property
    def _carry(self) -> float:
        return self.duration if self.carry is None else min(self.carry, self.duration)

    def evaluate(self, t: Floats) -> Floats:
        """Values at t (N,) in s since the ramp began; the target afterwards."""
        s = np.clip(np.asarray(t, dtype=np.float64) / self.duration, 0.0, 1.0)
        # Written from both ends so that 0 gives the start and 1 the target to the last bit.
        share = 0.5 * (1.0 - np.cos(np.pi * s))
        value = self.start_value * (1.0 - share) + self.target * share
        c = np.clip(np.asarray(t, dtype=np.float64) / self._carry, 0.0, 1.0)
        return np.asarray(value + self.start_rate * self._carry * c * (1.0 - c) ** 2)

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|), never passed. c(1-c)^2 is at most 4/27, its slope between -1/3 and 1."""
        bulge = 4.0 / 27.0 * self.start_rate * self._carry
        low, high = sorted((self.start_value, self.target))
        rate = 0.5 * np.pi * abs(self.target - self.start_value) / self.duration + abs(self.start_rate)
        return low + min(bulge, 0.0), high + max(bulge, 0.0), float(rate)
