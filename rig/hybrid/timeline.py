"""When the loader goes from one displacement to the next and stands there: the same for every step, so that a test has a known length.

    soft start (0 to level 0), hold 0 | ramp to level 1, hold 1 | ... | ramp to level N, hold N | soft stop (to 0)

Ramps are raised cosines. Part k is step k; part N + 1 is the soft stop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NEAR = 1e-6  # of a sample, s of a part: rounding
STEEPEST = 0.5 * math.pi  # of a raised cosine, times its mean slope


@dataclass(frozen=True)
class Timeline:
    """Lengths in s; `steps` is N."""

    soft_start: float
    ramp: float
    hold: float
    steps: int
    soft_stop: float

    @property
    def duration(self) -> float:
        """s of all."""
        return self._begin(self.steps + 1) + self.soft_stop

    def levels_at(self, levels: Floats, t: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """(value (N,), part (N,)) at t (N,) in s, for `levels` (steps + 3,): 0, those of the steps, 0."""
        t = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        tiny = NEAR * self.ramp
        part = np.floor((t - self.soft_start - self.hold + tiny) / (self.ramp + self.hold)).astype(np.int64) + 1
        part = np.clip(part, 0, self.steps + 1)
        begin = np.where(part == 0, 0.0, self._first + (part - 1) * (self.ramp + self.hold))
        length = np.where(part == 0, self.soft_start, np.where(part > self.steps, self.soft_stop, self.ramp))
        share = 0.5 * (1.0 - np.cos(np.pi * np.clip((t - begin) / length, 0.0, 1.0)))
        return levels[part] * (1.0 - share) + levels[part + 1] * share, part

    def bounds(self, levels: Floats) -> tuple[float, float, float]:
        """(min, max, max |rate|), attained."""
        lengths = np.full(len(levels) - 1, self.ramp)
        lengths[0], lengths[-1] = self.soft_start, self.soft_stop
        rate = STEEPEST * float(np.max(np.abs(np.diff(levels)) / lengths))
        return float(np.min(levels)), float(np.max(levels)), rate

    def window(self, step: int, settle: float, average: float, rate: float) -> tuple[int, int]:
        """(first, end) sample at `rate` (Hz) of what is averaged in the hold of a step: `average` s from `settle` s after its ramp on."""
        begin = (self._begin(step) + (self.ramp if step else self.soft_start) + settle) * rate
        first = math.ceil(begin - NEAR)
        return first, first + max(1, round(average * rate))

    @property
    def _first(self) -> float:
        return self.soft_start + self.hold

    def _begin(self, part: int) -> float:
        return 0.0 if part == 0 else self._first + (part - 1) * (self.ramp + self.hold)
