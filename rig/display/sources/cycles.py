"""How far measured and predicted are apart in each cycle, gathered while the samples pass by (pure functions of arrays).

Of a cycle: the rms of the difference, and the error of the peak (predicted less measured), both as shares of the measured peak. They are
made of the figures that the comparison has of it (`rig.comparison.closed_cycles`), to the same bits.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from rig.comparison.closed_cycles import DIFFERENCE, PEAK_MEASURED, PEAK_PREDICTED, SAMPLES, ClosedCycles
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
        self._open = ClosedCycles()
        self._cycle: float | None = None  # the one being gathered
        self._whole = False

    @property
    def rows(self) -> Rows:
        """(k, 4) by cycle, each once."""
        return self._once(np.ones(self._count, dtype=bool))

    def known(self, n: int) -> Rows:
        """`rows` of the cycles that have ended by sample `n`."""
        return self._once(self._ends[: self._count] <= n)

    def jump(self) -> None:
        """What comes next does not follow on what was."""
        self._cycle, self._whole, self._open = None, False, ClosedCycles()

    def append(self, cycle: Floats, measured: Floats, predicted: Floats, first: int = 0) -> None:
        """The next k samples of each, from sample `first` on; a cycle is a whole number from 0, what is below is no cycle, a missing
        sample is NaN."""
        if len(cycle) == 0:
            return
        number = whole(np.asarray(cycle, dtype=np.float64))
        starts = np.flatnonzero(np.concatenate(([number[0] != self._cycle], number[1:] != number[:-1])))
        bounds = [0, *starts[starts > 0].tolist(), len(number)]
        for start, stop in itertools.pairwise(bounds):
            if number[start] != self._cycle:
                self._finish(first + start)
                self._whole, self._cycle = self._cycle is not None, float(number[start])
            m, p = (np.asarray(x[start:stop], dtype=np.float64) for x in (measured, predicted))
            there = np.isfinite(m) & np.isfinite(p)
            if self._whole and number[start] >= 0.0 and there.any():
                self._open.add(m[there], p[there], number[start:stop][there])

    def _once(self, chosen: NDArray[np.bool_]) -> Rows:
        rows = self._rows[: self._count][chosen]
        return rows[np.unique(rows[:, 0], return_index=True)[1]]

    def _finish(self, end: int) -> None:
        rows, self._open = self._open.rows, ClosedCycles()
        if not len(rows) or not (peak := rows[0, PEAK_MEASURED]):
            return
        if self._count == len(self._rows):
            self._halve()
        error = (rows[0, PEAK_PREDICTED] - peak) / peak
        self._rows[self._count] = self._cycle, np.sqrt(rows[0, DIFFERENCE] / rows[0, SAMPLES]) / peak, error, error
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
