"""From rest up to a constant rate, on at it, and down to rest: what turns, and what goes along a path.

Up the rate is v S(t/T), down it is v S at the time that is left, S(x) = 6 x^5 - 15 x^4 + 10 x^3: the rate is never above v, and its
first two derivatives are continuous.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
EDGE = 1e-9  # share of a period: a sample on the border belongs to the cycle that begins there


@dataclass(frozen=True)
class Uniform:
    """A `rig.trajectory.Trajectory` whose value does not come back: rate v, period in the value's unit, `first` where counting begins."""

    rate: float
    period: float
    cycles: int
    soft_start: float
    soft_stop: float
    first: float = 0.0
    """Way at full rate before cycle 0, in the value's unit."""

    @property
    def frequency(self) -> float | None:
        """Cycles a second, Hz."""
        return self.rate / self.period

    @property
    def duration(self) -> float:
        """Length in s, soft start and stop included."""
        return self.soft_start + self._full + self.soft_stop

    @property
    def _full(self) -> float:
        """s at full rate."""
        return (self.first + self.cycles * self.period) / self.rate

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) at t (N,) in s."""
        t = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        up = np.clip(t, 0.0, self.soft_start)
        full = np.clip(t - self.soft_start, 0.0, self._full)
        down = np.clip(t - self.soft_start - self._full, 0.0, self.soft_stop)
        value = self.rate * (_gone(up, self.soft_start) + full + 0.5 * self.soft_stop - _gone(self.soft_stop - down, self.soft_stop))
        counted = (value - self._begin) / self.period
        cycle = np.floor(counted + EDGE)
        inside = (cycle >= 0.0) & (cycle < self.cycles)
        return value, 2.0 * math.pi * counted, np.where(inside, cycle, -1.0)

    @property
    def _begin(self) -> float:
        """Value where cycle 0 begins."""
        return self.rate * 0.5 * self.soft_start + self.first

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|)."""
        end = float(self.evaluate(np.array([self.duration]))[0][0])
        return 0.0, end, self.rate

    def steady(self) -> Uniform:
        """At full rate all the time."""
        return replace(self, soft_start=0.0, soft_stop=0.0, first=0.0)


def _gone(t: Floats, length: float) -> Floats:
    """Integral of S(t/length) from 0 to t in [0, length], s."""
    if length == 0.0:
        return np.zeros_like(t)
    x = t / length
    return np.asarray(length * x**4 * (x * (x - 3.0) + 2.5))
