"""How far measured and predicted are apart in each cycle, gathered while the samples pass by (pure functions of arrays).

Of a cycle: the rms of the difference, and the error of the peak (predicted less measured), both as shares of the measured peak.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.comparison.preparation import whole
from rig.display.sources.source import Floats

KEPT = 4096  # points; when they are used up each stands for twice as many cycles, so memory does not grow with the test

Rows = NDArray[np.float64]  # columns: cycle, rms of the difference, smallest and largest error of the peak


class CycleErrors:
    """Fed with stretches in order; a cycle of which the beginning was not seen is left out."""

    def __init__(self, kept: int = KEPT) -> None:
        self._rows = np.empty((kept, 4))
        self._ends = np.empty(kept, dtype=np.int64)  # n behind the last cycle of each
        self._count = 0
        self._cycle: float | None = None  # the one being gathered
        self._whole = False
        self._sums = np.zeros(4)  # samples, squared difference, peak measured, peak predicted

    @property
    def rows(self) -> Rows:
        """(k, 4) by cycle, each once."""
        return self._once(np.ones(self._count, dtype=bool))

    def known(self, n: int) -> Rows:
        """`rows` of the cycles that have ended by sample `n`."""
        return self._once(self._ends[: self._count] <= n)

    def jump(self) -> None:
        """What comes next does not follow on what was."""
        self._cycle, self._whole = None, False

    def append(self, cycle: Floats, measured: Floats, predicted: Floats, first: int = 0) -> None:
        """The next k samples of each, from sample `first` on; a cycle is a whole number from 0, what is below is no cycle, a missing
        sample is NaN."""
        if len(cycle) == 0:
            return
        number = whole(np.asarray(cycle, dtype=np.float64))
        starts = np.concatenate(([0], np.flatnonzero(np.diff(number)) + 1))
        for start, value, part in zip(starts, number[starts], _sums(measured, predicted, starts), strict=True):
            if value != self._cycle:
                self._finish(first + int(start))
                self._whole, self._cycle = self._cycle is not None, float(value)
                self._sums[:] = 0.0
            self._sums[:2] += part[:2]
            self._sums[2:] = np.maximum(self._sums[2:], part[2:])

    def _once(self, chosen: NDArray[np.bool_]) -> Rows:
        rows = self._rows[: self._count][chosen]
        return rows[np.unique(rows[:, 0], return_index=True)[1]]

    def _finish(self, end: int) -> None:
        count, squares, measured, predicted = self._sums
        if self._cycle is None or not self._whole or not self._cycle >= 0.0 or count == 0.0 or measured == 0.0:
            return
        if self._count == len(self._rows):
            self._halve()
        error = (predicted - measured) / measured
        self._rows[self._count] = self._cycle, np.sqrt(squares / count) / measured, error, error
        self._ends[self._count] = end
        self._count += 1

    def _halve(self) -> None:
        each = np.unique(self._rows[: self._count, 0], return_index=True)[1]
        rows = self._rows[each]
        pairs = rows[: len(rows) // 2 * 2].reshape(-1, 2, 4)
        ends = self._ends[each][: len(rows) // 2 * 2].reshape(-1, 2).max(axis=1)
        cycle, rms, low, high = (pairs[:, :, column] for column in range(4))
        merged = np.column_stack([cycle[:, 0], np.sqrt(np.mean(rms**2, axis=1)), low.min(axis=1), high.max(axis=1)])
        self._count = len(merged)
        self._rows[: self._count], self._ends[: self._count] = merged, ends


def _sums(measured: Floats, predicted: Floats, starts: NDArray[np.intp]) -> Rows:
    """(runs, 4) of the runs that begin at `starts`: samples, squared difference, largest |measured| and |predicted|."""
    there = np.isfinite(measured) & np.isfinite(predicted)
    m, p = (np.where(there, values, 0.0).astype(float) for values in (measured, predicted))
    sums = [np.add.reduceat(values, starts) for values in (there.astype(float), (m - p) ** 2)]
    peaks = [np.maximum.reduceat(np.abs(values), starts) for values in (m, p)]
    return np.stack([*sums, *peaks], axis=1)
