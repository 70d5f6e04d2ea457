"""Samples of a measured signal that stand at its largest or smallest value while predicted goes on: an input or a sensor at its end.

Counted in what was acquired, before any filter: behind one the end is round. Noise reaches its largest value once; what stands at one value
many times, over which predicted goes on, has been cut.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rig.comparison.series import Flags, Floats, Series

CLIPPED = "measured is clipped"
LEAST = 8
"""Samples."""
GOES_ON = 1e-3
"""Share of the measured range by which predicted must vary over them, and STEPS of the smallest difference between two samples."""
STEPS = 4.0


@dataclass
class _End:
    """One end: its value, how many samples stand there, and between what predicted is meanwhile."""

    value: float = -math.inf
    count: int = 0
    low: float = math.inf
    high: float = -math.inf

    def add(self, x: Floats, predicted: Floats) -> None:
        """(k,) each, finite, k > 0."""
        if (most := float(np.max(x))) > self.value:
            self.value, self.count, self.low, self.high = most, 0, math.inf, -math.inf
        if most == self.value:
            there = predicted[x == most]
            self.count += len(there)
            self.low, self.high = min(self.low, float(np.min(there))), max(self.high, float(np.max(there)))


@dataclass
class Clipping:
    """Counted while a record passes by."""

    measured: Series
    predicted: Series
    _high: _End = field(default_factory=_End)
    _low: _End = field(default_factory=_End)
    _step: float = math.inf

    def add(self, part: slice, counted: Flags) -> None:
        """Samples of `part`, (k,) true where they count."""
        m, p = self.measured[part], self.predicted[part]
        there = counted & np.isfinite(m) & np.isfinite(p)
        if not there.any():
            return
        m, p = m[there], p[there]
        self._high.add(m, p)
        self._low.add(-m, p)
        steps = np.abs(np.diff(m))
        if (steps := steps[steps > 0.0]).size:
            self._step = min(self._step, float(np.min(steps)))

    @property
    def ends(self) -> tuple[float, float]:
        """(low, high) at which it is cut; -inf, inf where it is not."""
        return (-self._low.value if self._cut(self._low) else -math.inf, self._high.value if self._cut(self._high) else math.inf)

    def _cut(self, end: _End) -> bool:
        """Many samples stand there while predicted goes on. What never moves is dead, and not cut."""
        if self._high.value <= -self._low.value:
            return False
        least = max(GOES_ON * (self._high.value + self._low.value), STEPS * self._step if math.isfinite(self._step) else 0.0)
        return end.count >= LEAST and end.high - end.low > least

    @property
    def words(self) -> str:
        """Where it is cut, and how often; empty where it is not."""
        return " and ".join(
            f"{end.count} samples stand at {sign * end.value:.6g}, while predicted goes from {end.low:.6g} to {end.high:.6g}"
            for sign, end in ((1.0, self._high), (-1.0, self._low))
            if self._cut(end)
        )


class Uncut:
    """A signal (N,) with NaN where it stands at an end."""

    def __init__(self, x: Series, low: float, high: float) -> None:
        self._x, self._low, self._high = x, low, high

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        x = np.asarray(self._x[part], dtype=np.float64)
        return np.where((x <= self._low) | (x >= self._high), np.nan, x)
