"""Figures of each cycle: the same bits while the test runs and from its record, however the samples come in pieces.

A cycle is summed in blocks of BLOCK samples from its first one that counts, each by numpy's pairwise sums, and the blocks in their order.
So no figure depends on where a piece of the stream ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rig.comparison.preparation import whole
from rig.comparison.result import CycleAgreement
from rig.comparison.series import Floats

Places = NDArray[np.intp]

BLOCK = 1 << 16
"""Samples."""
NUMBER, SAMPLES, DIFFERENCE, MEASURED, PREDICTED, BOTH, MEAN_MEASURED, MEAN_PREDICTED, PEAK_MEASURED, PEAK_PREDICTED = range(10)
"""Columns of a row: number of the cycle, samples, sums of (measured - predicted)^2, measured^2, predicted^2, measured predicted, measured,
predicted, and the largest |measured| and |predicted|."""
COLUMNS, SUMS = 10, slice(SAMPLES, PEAK_MEASURED)


class ClosedCycles:
    """Fed with the samples that count, in order. A cycle that comes again behind another one is a cycle of its own."""

    def __init__(self) -> None:
        self._closed: list[Floats] = []  # (runs, COLUMNS)
        self._number = np.nan  # of the cycle that is open
        self._blocks: Floats | None = None  # (COLUMNS,) its whole blocks
        self._tail = np.empty((2, 0))  # measured and predicted behind them

    def add(self, measured: Floats, predicted: Floats, cycle: Floats) -> None:
        """The next samples that count, (k,) each, k > 0; `cycle` as it is streamed."""
        waiting = self._tail.shape[1]
        numbers = np.concatenate((np.full(waiting, self._number), whole(cycle)))
        both = np.concatenate((self._tail, np.stack((measured, predicted))), axis=1)
        starts = np.concatenate(([0], np.flatnonzero(numbers[1:] != numbers[:-1]) + 1))
        blocks, rest = _blocks(starts, len(numbers))
        if len(blocks):
            self._take(_summed(both[:, :rest], blocks, numbers[blocks]))
        self._tail = both[:, rest:].copy()
        if self._blocks is not None and self._blocks[NUMBER] != numbers[-1]:
            self._closed.append(self._blocks[None])
            self._blocks = None
        self._number = float(numbers[-1])

    @property
    def closed(self) -> Floats:
        """(cycles, COLUMNS) of those behind which another one has begun, in order."""
        return np.concatenate(self._closed) if self._closed else np.empty((0, COLUMNS))

    @property
    def rows(self) -> Floats:
        """(cycles, COLUMNS) with the one that is open, as far as it came."""
        last = self._blocks
        if self._tail.shape[1]:
            tail = _summed(self._tail, np.zeros(1, np.intp), np.array([self._number]))[0]
            last = tail if last is None else _joined(last, tail)
        return self.closed if last is None else np.concatenate((self.closed, last[None]))

    def take(self) -> Floats:
        """`closed`, which are forgotten."""
        found, self._closed = self.closed, []
        return found

    def _take(self, rows: Floats) -> None:
        """Blocks in order: those of one cycle are joined, the last one stays open."""
        if self._blocks is not None:
            rows = np.concatenate((self._blocks[None], rows))
        same = np.flatnonzero(rows[1:, NUMBER] == rows[:-1, NUMBER]) + 1
        for k in same:  # of long cycles: few
            rows[k] = _joined(rows[k - 1], rows[k])
        rows = np.delete(rows, same - 1, axis=0)
        if len(rows) > 1:
            self._closed.append(rows[:-1])
        self._blocks = rows[-1]


class Cycles(Sequence[CycleAgreement]):
    """What rows (cycles, COLUMNS) say, made where it is asked for: of a test of a week an object for each cycle takes gigabytes."""

    def __init__(self, rows: Floats) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> CycleAgreement: ...
    @overload
    def __getitem__(self, place: slice) -> Cycles: ...
    def __getitem__(self, place: int | slice) -> CycleAgreement | Cycles:
        return Cycles(self._rows[place]) if isinstance(place, slice) else figures(self._rows[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == len(self) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of other things that compare by what is in them


def levels(rows: Floats) -> Floats:
    """(cycles, 3): number, rms of the difference, rms of measured; of rows (cycles, COLUMNS)."""
    return np.column_stack((rows[:, NUMBER], np.sqrt(rows[:, [DIFFERENCE, MEASURED]] / rows[:, [SAMPLES]])))


def figures(row: Floats) -> CycleAgreement:
    """What a row (COLUMNS,) says; gain and offset of measured = gain predicted + offset, by least squares."""
    count, power = row[SAMPLES], row[MEASURED]
    spread = row[PREDICTED] - row[MEAN_PREDICTED] ** 2 / count
    gain = (row[BOTH] - row[MEAN_MEASURED] * row[MEAN_PREDICTED] / count) / spread if spread > 1e-12 * row[PREDICTED] else None
    peak, predicted = float(row[PEAK_MEASURED]), float(row[PEAK_PREDICTED])
    return CycleAgreement(
        cycle=int(row[NUMBER]),
        peak_measured=peak,
        peak_predicted=predicted,
        error=(predicted - peak) / peak if peak else None,
        rms_difference=float(np.sqrt(row[DIFFERENCE] / count)),
        nrms=float(np.sqrt(row[DIFFERENCE] / power)) if power else None,
        gain=None if gain is None else float(gain),
        offset=None if gain is None else float((row[MEAN_MEASURED] - gain * row[MEAN_PREDICTED]) / count),
    )


def _blocks(starts: Places, count: int) -> tuple[Places, int]:
    """(first samples of all blocks that are whole, sample at which what waits begins) of cycles that begin at `starts`."""
    stops = np.append(starts[1:], count)
    if int(np.max(stops - starts)) < BLOCK:  # most cycles are short
        return starts[:-1], int(starts[-1])
    each = [np.arange(start, stop, BLOCK) for start, stop in zip(starts, stops, strict=True)]
    rest = int(starts[-1]) + (count - int(starts[-1])) // BLOCK * BLOCK
    blocks = np.concatenate(each)
    return blocks[blocks < rest], rest


def _summed(both: Floats, blocks: Places, numbers: Floats) -> Floats:
    """(blocks, COLUMNS) of both signals (2, k), cut where `blocks` begin."""
    measured, predicted = both
    counts = np.diff(np.append(blocks, both.shape[1])).astype(np.float64)
    summed = (np.square(measured - predicted), np.square(measured), np.square(predicted), measured * predicted, measured, predicted)
    sums = [np.add.reduceat(x, blocks) for x in summed]
    return np.column_stack((numbers, counts, *sums, *(np.maximum.reduceat(np.abs(x), blocks) for x in (measured, predicted))))


def _joined(one: Floats, next_one: Floats) -> Floats:
    """Two stretches of one cycle."""
    both = np.maximum(one, next_one)
    both[SUMS] = one[SUMS] + next_one[SUMS]
    return both
