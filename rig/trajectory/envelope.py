"""A wave under a raised-cosine envelope: soft start, the counted part, soft stop.

value(t) = E(t) w(t - soft_start), E rising 0..1 in the soft start and falling 1..0 in the soft stop (raised cosine). The wave runs on
under the envelope (or stands still there, where it is not periodic); wave time 0 is the end of the soft start. A mean comes in with E.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FINE = 0.01
FEWEST_CELLS, MOST_CELLS, KINKED_CELLS = 256, 200_000, 4096


class Wave(Protocol):
    """A continuous wave on [-before, duration + after] for any before and after."""

    @property
    def duration(self) -> float:
        """Length in s."""

    @property
    def cycles(self) -> int:
        """How many are counted."""

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase) at t (N,)."""

    def cycle(self, t: Floats) -> Floats:
        """Counted cycle at t (N,) in [0, duration); a sample on the border belongs to the one that begins there. -1: not counted."""

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|) over [0, duration], never passed."""

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """(min, max, max |rate|, max |second derivative|) over [-before, 0] and [duration, duration + after]; the last inf with kinks."""


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
        return self._envelope(t)[0] * value, phase, self._cycle(t)

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|): the wave's own, and those under the envelope."""
        low, high, rate = self.wave.bounds()
        least, most, _, _ = self.wave.beyond(self.soft_start, self.soft_stop)
        for begin, length in ((0.0, self.soft_start), (self.soft_start + self.wave.duration, self.soft_stop)):
            if length > 0.0:  # 0 <= E <= 1
                low, high = min(low, least, 0.0), max(high, most, 0.0)
                rate = max(rate, self._soft_rate(begin, length))
        return low, high, rate

    def steady(self) -> Enveloped:
        """The wave alone."""
        return replace(self, soft_start=0.0, soft_stop=0.0)

    def _cycle(self, t: Floats) -> Floats:
        since = t - self.soft_start
        tiny = 1e-9 * max(self.wave.duration, 1e-3)  # a sample on the border belongs to the cycle that begins there
        inside = (since >= -tiny) & (since < self.wave.duration - tiny)
        return np.where(inside, self.wave.cycle(np.maximum(since, 0.0)), -1.0)

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

    def _soft_rate(self, begin: float, length: float) -> float:
        """A bound of |rate| under one flank of the envelope."""
        low, high, w1, w2 = self.wave.beyond(self.soft_start, self.soft_stop)
        w0 = max(abs(low), abs(high))
        if math.isinf(w2):
            return self._rate_with_kinks(begin, length, w0, w1)
        return self._rate_of_smooth(begin, length, 0.5 * (math.pi / length) ** 2 * w0 + math.pi / length * w1 + w2)

    def _rate_with_kinks(self, begin: float, length: float, w0: float, w1: float) -> float:
        """|v'| <= |E'| |w| + E w1, cell by cell, whatever the wave's rate does within one: |w| <= w0, |w'| <= w1."""
        half = 0.5 * length / KINKED_CELLS
        t: Floats = begin + half * (2.0 * np.arange(KINKED_CELLS, dtype=np.float64) + 1.0)
        share, share_rate = self._envelope(t)
        value = np.minimum(np.abs(self.wave.evaluate(t - self.soft_start)[0]) + half * w1, w0)
        steepness = np.abs(share_rate) + half * 0.5 * (math.pi / length) ** 2
        share = np.minimum(share + half * 0.5 * math.pi / length, 1.0)
        return float((steepness * value + share * w1).max())

    def _rate_of_smooth(self, begin: float, length: float, second: float) -> float:
        """At most `FINE` above a rate that is reached. second: bound of |value''|."""
        cells = FEWEST_CELLS
        while True:
            # On a cell of half width h about its middle: |v'| <= |v'(mid)| + h sup|v''|.
            half = 0.5 * length / cells
            t: Floats = begin + half * (2.0 * np.arange(cells, dtype=np.float64) + 1.0)
            share, share_rate = self._envelope(t)
            value, rate, _ = self.wave.evaluate(t - self.soft_start)
            fastest = float(np.abs(share_rate * value + share * rate).max())
            excess = half * second
            if excess <= FINE * fastest or cells >= MOST_CELLS:
                return fastest + excess
            cells = int(min(max(cells * excess / (FINE * max(fastest, 1e-300)), 2 * cells), MOST_CELLS))
