"""The mean wave of some cycles at a time: both signals, by the phase of the command."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.comparison.series import Floats

GROUPS = 32
"""Of consecutive cycles, at the most; each is a replicate."""
BINS_PER_PERIOD, FINE = 8, 64
"""Of the low-pass's corner, which has two poles and lets through a little of what is faster: for waves, and where all that comes again is
to be in them."""
ALIKE, MOST_OF_IT = 0.95, 0.5
HELD = 0.005
"""Share by which a group of cycles lasts longer than it should, where the test was held in it: it repeats nothing."""
ASIDE = 0.38
"""Of the way from one sample to the next: where a turn has a whole number of samples, none lies on the border of two parts."""
MOST_BINS, LEAST_BINS = 1 << 14, 16
TURN = 2.0 * np.pi
ONE = np.ones(1)
LOST = 0.002
"""Share of its samples that a part of a turn may have lost beyond an end at which measured is cut: of what is left there noise has been
chosen, and its mean is wrong."""


class Waves(NamedTuple):
    """(G, K) each: measured and predicted, mean in each of K equal parts of a turn of the command's phase, of each group of cycles; NaN
    where no sample counts."""

    measured: Floats
    predicted: Floats
    cycles: float = 1.0
    """Of each group, in the mean."""
    sizes: Floats = ONE
    """(G,) or one: how many cycles are in each group."""
    middles: Floats = ONE
    """(G,): which counted cycle, from the first one on, is the middle of each group; that of groups alike where it is one."""

    @property
    def whole(self) -> bool:
        return bool(np.isfinite(self.measured).all())

    def mean(self, values: Floats) -> float:
        """Of figures of the groups (G,): by how many cycles each has."""
        return float(np.average(values, weights=np.broadcast_to(self.sizes, len(values))))

    def along(self, count: int) -> Floats:
        """(G,) middles of the groups, in cycles."""
        return self.middles if len(self.middles) == count else np.arange(float(count)) * self.cycles


class Fold:
    """Gathered while the samples pass by."""

    def __init__(
        self, numbers: Floats, samples: float, corner: float | None, rate: float, period: float | None = None,
        per_period: int = BINS_PER_PERIOD,
    ) -> None:  # fmt: skip
        """numbers: of the counted cycles, in order. samples: of one cycle. corner: of the low-pass, Hz. period: that all should have, in
        samples, where they should. per_period: parts of a turn in a period of the corner."""
        self._numbers, self._period = numbers, period
        self.groups = min(len(numbers), GROUPS)
        wanted = samples if corner is None else min(samples, per_period * corner * samples / rate)
        self.bins = int(np.clip(wanted / 2.0, LEAST_BINS, MOST_BINS))
        self._aside = ASIDE * self.bins / samples if samples else 0.0
        self._cut = np.zeros(self.bins)
        self._count, self._measured, self._predicted = np.zeros((3, max(1, self.groups) * self.bins))

    def add(self, measured: Floats, predicted: Floats, cycle: Floats, phase: Floats) -> None:
        """The next samples that count, (k,) each: the phase of the command, or of the shaft, in rad. Those of other cycles are left out."""
        if self.groups < 2:
            return
        ours = (cycle >= self._numbers[0]) & (cycle <= self._numbers[-1])
        if not ours.all():
            measured, predicted, cycle, phase = (x[ours] for x in (measured, predicted, cycle, phase))
            if not len(cycle):
                return
        at = np.searchsorted(self._numbers, cycle) * self.groups // len(self._numbers)
        place = at * self.bins + self._part(phase)
        first = int(np.min(at)) * self.bins
        place -= first
        count = np.bincount(place)
        there = slice(first, first + len(count))
        self._count[there] += count
        self._measured[there] += np.bincount(place, measured)
        self._predicted[there] += np.bincount(place, predicted)

    def cut(self, phase: Floats) -> None:
        """Samples (k,) that are not there as measured is cut, and by that alone."""
        self._cut += np.bincount(self._part(phase), minlength=self.bins)

    def _part(self, phase: Floats) -> NDArray[np.intp]:
        return np.floor(np.mod(phase, TURN) * (self.bins / TURN) + self._aside).astype(np.intp) % self.bins

    def waves(self) -> Waves | None:
        """Of the groups that have samples in as many parts of the turn as any, or nearly, and in which the test was not held; None where
        fewer than two have, or it is less than MOST_OF_IT of the turn, or there is no part of which all of them have whole samples."""
        if self.groups < 2:
            return None
        count = self._count.reshape(self.groups, self.bins)
        filled = np.count_nonzero(count, axis=1)
        there = (filled >= ALIKE * np.max(filled)) & self._unheld(np.sum(count, axis=1))
        if np.count_nonzero(there) < 2 or np.max(filled) < MOST_OF_IT * self.bins:
            return None
        common = np.all(count[there] > 0.0, axis=0) & (self._cut <= LOST * np.sum(count, axis=0))
        if not common.any():
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            measured, predicted = (
                np.where(common, x.reshape(self.groups, self.bins)[there] / count[there], np.nan) for x in (self._measured, self._predicted)
            )
            cycles = self._cycles()
            middles = np.cumsum(cycles) - 0.5 * (cycles + 1.0)
            return Waves(measured, predicted, len(self._numbers) / self.groups, cycles[there], middles[there])

    def _cycles(self) -> Floats:
        """(G,) of each group."""
        of = np.arange(len(self._numbers)) * self.groups // len(self._numbers)
        return np.bincount(of, minlength=self.groups).astype(np.float64)

    def _unheld(self, samples: Floats) -> NDArray[np.bool_]:
        """(G,) by the samples of each group."""
        if self._period is None:
            return np.ones(self.groups, np.bool_)
        return np.asarray(samples <= self._cycles() * (1.0 + HELD) * self._period + 1.0)
