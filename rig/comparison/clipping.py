"""Samples of a measured signal that stand at its largest or smallest value while predicted goes on: an input or a sensor at its end.

Counted in what was acquired, before any filter: behind one the end is round. Noise reaches its largest value once; what stands at one value
many times, over which predicted goes on, has been cut, or the specimen stood still there: where the noise is smaller than a step of the
converter, one value does not tell the two apart. An end cuts whatever goes beyond it at the same value; a specimen that sticks comes to
rest somewhere else the next time. So what stands there once only is told, and not taken for cut.

A smooth top that a converter rounds stands at one value, too, but goes there by way of the one before: of a parabola at most
1/(sqrt(2) - 1) = 2.4 times as many samples are in its last step as in the last but one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rig.comparison.series import Flags, Floats, Series

CLIPPED = "measured is clipped"
STOOD = "measured is clipped, or the specimen stood still, once"
LEAST = 8
"""Samples, of all its stays."""
GOES_ON = 1e-3
"""Share of the measured range by which predicted must vary over those of one stay, and STEPS of the least difference of two samples."""
STEPS = 4.0
APART = 0.1
"""Share of the range by which measured leaves its end between two stays."""
BLUNT = 3.0
"""Times as many samples as at the value one step before, from which on a top is cut and not smooth."""
KEPT = 64
"""Stays; of more, those over which predicted varies most."""


class _Stay(NamedTuple):
    """One time at an end: by how much measured was away from it before, and between what predicted is meanwhile."""

    away: float
    low: float
    high: float

    def joined(self, later: _Stay) -> _Stay:
        """Both as one."""
        return _Stay(self.away, min(self.low, later.low), max(self.high, later.high))


@dataclass
class _End:
    """One end: its value, how many samples stand there, and in which stays."""

    value: float = -math.inf
    count: int = 0
    _other: float = math.inf  # end
    _since: float = math.inf  # the lowest sample since the last one that stood here
    _stays: list[_Stay] = field(default_factory=list)
    _before: tuple[float, int] = (-math.inf, 0)  # the value next to it, and how many stand there

    def add(self, x: Floats, predicted: Floats) -> None:
        """(k,) each, finite, k > 0."""
        self._other = min(self._other, float(np.min(x)))
        if (most := float(np.max(x))) > self.value:
            self._before = self.value, self.count
            self.value, self.count, self._stays, self._since = most, 0, [], -math.inf
        self._take_before(x)
        if most < self.value:
            self._since = min(self._since, float(np.min(x)))
            return
        at = np.flatnonzero(x == most)
        lowest = np.minimum.reduceat(x, at)  # from each of them to the next one
        before = min(self._since, float(np.min(x[: at[0] + 1])))
        away = most - np.append(before, lowest[:-1])
        starts = np.flatnonzero(np.append(True, away[1:] > self._apart))
        lows, highs = np.minimum.reduceat(predicted[at], starts), np.maximum.reduceat(predicted[at], starts)
        self._take([_Stay(*one) for one in zip(away[starts].tolist(), lows.tolist(), highs.tolist(), strict=True)])
        self.count, self._since = self.count + len(at), float(lowest[-1])

    def _take_before(self, x: Floats) -> None:
        near = x[(x < self.value) & (x >= self._before[0])]
        if near.size:
            value = float(np.max(near))
            self._before = value, int(np.count_nonzero(near == value)) + (self._before[1] if value == self._before[0] else 0)

    def blunt(self, step: float) -> bool:
        """Whether far more samples stand there than one step of the converter before."""
        value, count = self._before
        return self.value - value > 1.5 * step or self.count > BLUNT * count

    @property
    def _apart(self) -> float:
        """As far as the range is known: what is less now is less in the end, too."""
        return APART * (self.value - self._other)

    def _take(self, stays: list[_Stay]) -> None:
        for stay in stays:
            if self._stays and stay.away <= self._apart:
                self._stays[-1] = self._stays[-1].joined(stay)
            else:
                self._stays.append(stay)
        while len(self._stays) > KEPT:
            least = min(range(len(self._stays) - 1), key=lambda k: self._stays[k].high - self._stays[k].low)
            gone, behind = self._stays[least : least + 2]
            self._stays[least : least + 2] = [behind._replace(away=max(gone.away, behind.away))]

    @property
    def between(self) -> tuple[float, float]:
        """What predicted is while measured stands here."""
        return min(stay.low for stay in self._stays), max(stay.high for stay in self._stays)

    def stays(self, least: float) -> int:
        """In how many of them predicted goes on by more than that."""
        found = list[_Stay]()
        for stay in self._stays:
            found = [*found[:-1], found[-1].joined(stay)] if found and stay.away <= self._apart else [*found, stay]
        return sum(stay.high - stay.low > least for stay in found)


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
        """Many samples stand there, and predicted went on twice at least."""
        return self._stands(end) and end.stays(self._least) > 1

    def _stood(self, end: _End) -> bool:
        """The same, but once."""
        return self._stands(end) and end.stays(self._least) == 1

    def _stands(self, end: _End) -> bool:
        """Many samples do. What never moves is dead, and not cut."""
        return self._high.value > -self._low.value and end.count >= LEAST and end.blunt(self._step)

    @property
    def _least(self) -> float:
        return max(GOES_ON * (self._high.value + self._low.value), STEPS * self._step if math.isfinite(self._step) else 0.0)

    @property
    def words(self) -> str:
        """Where it is cut, and how often; empty where it is not."""
        return self._told(self._cut)

    @property
    def stood(self) -> str:
        """Where it stands once only, so that nothing tells whether it was cut; empty where it does not."""
        return self._told(self._stood)

    def _told(self, which: Callable[[_End], bool]) -> str:
        return " and ".join(
            f"{end.count} samples stand at {sign * end.value:.6g}, while predicted goes from {end.between[0]:.6g} to {end.between[1]:.6g}"
            for sign, end in ((1.0, self._high), (-1.0, self._low))
            if which(end)
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
