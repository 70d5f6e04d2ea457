"""The mean wave of some cycles at a time: both signals, by the phase of the command."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.comparison.series import Floats

GROUPS = 32
"""Of consecutive cycles, at the most; each is a replicate."""
BINS_PER_PERIOD = 8
"""Of the low-pass's corner."""
ALIKE, MOST_OF_IT = 0.95, 0.5
HELD = 0.005
"""Share by which a group of cycles lasts longer than it should, where the test was held in it: it repeats nothing."""
ASIDE = 0.38
"""Of the way from one sample to the next: where a turn has a whole number of samples, none lies on the border of two parts."""
MOST_BINS, LEAST_BINS = 1 << 14, 16
TURN = 2.0 * np.pi


class Waves(NamedTuple):
    """(G, K) each: measured and predicted, mean in each of K equal parts of a turn of the command's phase, of each group of cycles; NaN
    where no sample counts."""

    measured: Floats
    predicted: Floats
    cycles: float = 1.0
    """Of each group."""

    @property
    def whole(self) -> bool:
        return bool(np.isfinite(self.measured).all())


class Fold:
    """Gathered while the samples pass by."""

    def __init__(self, numbers: Floats, samples: float, corner: float | None, rate: float, period: float | None = None) -> None:
        """numbers: of the counted cycles, in order. samples: of one cycle. corner: of the low-pass, Hz. period: that all should have, in
        samples, where they should."""
        self._numbers, self._period = numbers, period
        self.groups = min(len(numbers), GROUPS)
        wanted = samples if corner is None else min(samples, BINS_PER_PERIOD * corner * samples / rate)
        self.bins = int(np.clip(wanted / 2.0, LEAST_BINS, MOST_BINS))
        self._aside = ASIDE * self.bins / samples if samples else 0.0
        self._count, self._measured, self._predicted = np.zeros((3, max(1, self.groups) * self.bins))

    def add(self, measured: Floats, predicted: Floats, cycle: Floats, phase: Floats) -> None:
        """The next samples that count, (k,) each: the phase of the command in rad."""
        if self.groups < 2:
            return
        at = np.searchsorted(self._numbers, cycle) * self.groups // len(self._numbers)
        part = np.floor(np.mod(phase, TURN) * (self.bins / TURN) + self._aside).astype(np.intp)
        place = at * self.bins + part % self.bins
        first = int(np.min(at)) * self.bins
        place -= first
        count = np.bincount(place)
        there = slice(first, first + len(count))
        self._count[there] += count
        self._measured[there] += np.bincount(place, measured)
        self._predicted[there] += np.bincount(place, predicted)

    def waves(self) -> Waves | None:
        """Of the groups that have samples in as many parts of the turn as any, or nearly, and in which the test was not held; None where
        fewer than two have, or it is less than MOST_OF_IT of the turn."""
        if self.groups < 2:
            return None
        count = self._count.reshape(self.groups, self.bins)
        filled = np.count_nonzero(count, axis=1)
        there = (filled >= ALIKE * np.max(filled)) & self._unheld(np.sum(count, axis=1))
        if np.count_nonzero(there) < 2 or np.max(filled) < MOST_OF_IT * self.bins:
            return None
        common = np.all(count[there] > 0.0, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            measured, predicted = (
                np.where(common, x.reshape(self.groups, self.bins)[there] / count[there], np.nan) for x in (self._measured, self._predicted)
            )
            return Waves(measured, predicted, len(self._numbers) / self.groups)

    def _unheld(self, samples: Floats) -> NDArray[np.bool_]:
        """(G,) by the samples of each group."""
        if self._period is None:
            return np.ones(self.groups, np.bool_)
        cycles = np.bincount(np.arange(len(self._numbers)) * self.groups // len(self._numbers), minlength=self.groups)
        return np.asarray(samples <= cycles * (1.0 + HELD) * self._period + 1.0)
