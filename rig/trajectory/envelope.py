"""A wave under a raised-cosine envelope: soft start, the counted part, soft stop.

value(t) = E(t) w(t - soft_start), E rising 0..1 in the soft start and falling 1..0 in the soft stop (raised cosine). The wave runs on
under the envelope, so that value and rate are continuous; wave time 0 is the end of the soft start.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FINE = 0.01
FEWEST_CELLS, MOST_CELLS = 256, 200_000
ROUNDING = 1e-9  # relative to the largest value: what evaluation in floating point may add


class Wave(Protocol):
    """A smooth wave on [-before, duration + after] for any before and after."""

    @property
    def duration(self) -> float:
        """Length in s."""

    @property
    def counted(self) -> bool:
        """Whether its periods are counted as cycles."""

    @property
    def cycles(self) -> int:
        """How many are counted."""

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase) at t (N,)."""

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|) over [0, duration], never passed."""

    def curvature(self, before: float, after: float) -> tuple[float, float, float]:
        """Bounds of |value|, |rate| and |second derivative| over [-before, duration + after]."""


@dataclass(frozen=True)
class Enveloped:
    """A trajectory made of one wave."""

    wave: Wave
    soft_start: float
    soft_stop: float
    frequency: float | None = None

    @property
    def duration(self) -> float:
        """Length in s, soft start and stop included."""
        return self.soft_start + self.wave.duration + self.soft_stop

    @property
    def cycles(self) -> int:
        """Counted cycles."""
        return self.wave.cycles

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) at t (N,)."""
        t = np.minimum(np.asarray(t, dtype=np.float64), self.duration)
        value, _, phase = self.wave.evaluate(t - self.soft_start)
        return self._envelope(t)[0] * value, phase, self._cycle(t, phase)

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|): the wave's own, and those under the envelope, cell by cell."""
        low, high, rate = self.wave.bounds()
        for begin, length in ((0.0, self.soft_start), (self.soft_start + self.wave.duration, self.soft_stop)):
            if length > 0.0:
                soft = self._soft_bounds(begin, length)
                low, high, rate = min(low, soft[0]), max(high, soft[1]), max(rate, soft[2])
        return low, high, rate

    def steady(self) -> Enveloped:
        """The wave alone."""
        return replace(self, soft_start=0.0, soft_stop=0.0)

    def _cycle(self, t: Floats, phase: Floats) -> Floats:
        since = t - self.soft_start
        tiny = 1e-9 * max(self.wave.duration, 1e-3)  # a sample on the border belongs to the cycle that begins there
        inside = (since >= -tiny) & (since < self.wave.duration - tiny) & self.wave.counted
        return np.where(inside, np.floor(phase / (2.0 * np.pi) + 1e-9), -1.0)

    def _envelope(self, t: Floats) -> tuple[Floats, Floats]:
        """E and dE/dt."""
        share, rate = np.ones_like(t), np.zeros_like(t)
        end = self.soft_start + self.wave.duration
        for on, since, length, sign in (
            (t < self.soft_start, t, self.soft_start, 1.0),
            (t > end, self.duration - t, self.soft_stop, -1.0),
        ):
            if length > 0.0:
                angle = np.pi * np.clip(since[on] / length, 0.0, 1.0)
                share[on] = 0.5 * (1.0 - np.cos(angle))
                rate[on] = sign * 0.5 * np.pi / length * np.sin(angle)
        return share, rate

    def _soft_bounds(self, begin: float, length: float) -> tuple[float, float, float]:
        """(min, max, max |rate|) under one flank of the envelope; the rate's bound at most `FINE` above a rate that is reached."""
        w0, w1, w2 = self.wave.curvature(self.soft_start, self.soft_stop)
        second = 0.5 * (math.pi / length) ** 2 * w0 + math.pi / length * w1 + w2
        cells = FEWEST_CELLS
        while True:
            # On a cell of half width h about its middle: |v'| <= |v'(mid)| + h sup|v''|, |v - v(mid)| <= h |v'(mid)| + h^2/2 sup|v''|.
            half = 0.5 * length / cells
            t: Floats = begin + half * (2.0 * np.arange(cells, dtype=np.float64) + 1.0)
            share, share_rate = self._envelope(t)
            value, rate, _ = self.wave.evaluate(t - self.soft_start)
            slope, middle = np.abs(share_rate * value + share * rate), share * value
            excess, fastest = half * second, float(slope.max())
            if excess <= FINE * fastest or cells >= MOST_CELLS:
                break
            cells = int(min(max(cells * excess / (FINE * max(fastest, 1e-300)), 2 * cells), MOST_CELLS))
        reach = half * slope + 0.5 * half**2 * second
        tiny = ROUNDING * w0
        return float((middle - reach).min()) - tiny, float((middle + reach).max()) + tiny, fastest + excess
