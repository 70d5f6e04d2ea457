"""The mean wave of some cycles at a time: both signals, by the phase of the command."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rig.comparison.series import Floats

GROUPS = 32
"""Of consecutive cycles, at the most; each is a replicate."""
BINS_PER_PERIOD = 8
"""Of the low-pass's corner."""
MOST_BINS, LEAST_BINS = 1 << 14, 16
TURN = 2.0 * np.pi


class Waves(NamedTuple):
    """(G, K) each: measured and predicted, mean in each of K equal parts of a turn of the command's phase, of each group of cycles."""

    measured: Floats
    predicted: Floats


class Fold:
    """Gathered while the samples pass by."""

    def __init__(self, numbers: Floats, samples: float, corner: float | None, rate: float) -> None:
        """numbers: of the counted cycles, in order. samples: of one cycle. corner: of the low-pass, Hz."""
        self._numbers = numbers
        self.groups = min(len(numbers), GROUPS)
        wanted = samples if corner is None else min(samples, BINS_PER_PERIOD * corner * samples / rate)
        self.bins = int(np.clip(wanted / 2.0, LEAST_BINS, MOST_BINS))
        self._count, self._measured, self._predicted = np.zeros((3, max(1, self.groups) * self.bins))

    def add(self, measured: Floats, predicted: Floats, cycle: Floats, phase: Floats) -> None:
        """The next samples that count, (k,) each: the phase of the command in rad."""
        if self.groups < 2:
            return
        at = np.searchsorted(self._numbers, cycle) * self.groups // len(self._numbers)
        part = np.floor(np.mod(phase, TURN) * (self.bins / TURN)).astype(np.intp)
        place = at * self.bins + np.minimum(part, self.bins - 1)
        first = int(np.min(at)) * self.bins
        place -= first
        count = np.bincount(place)
        there = slice(first, first + len(count))
        self._count[there] += count
        self._measured[there] += np.bincount(place, measured)
        self._predicted[there] += np.bincount(place, predicted)

    def waves(self) -> Waves | None:
        """Of the groups that have samples in every part of the turn; None where fewer than two have."""
        if self.groups < 2:
            return None
        count = self._count.reshape(self.groups, self.bins)
        whole = np.all(count > 0.0, axis=1)
        if np.count_nonzero(whole) < 2:
            return None
        found = (x.reshape(self.groups, self.bins)[whole] / count[whole] for x in (self._measured, self._predicted))
        return Waves(*found)
