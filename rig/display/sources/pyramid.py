"""Smallest and largest of bins over a whole record, worked out piece by piece."""

from __future__ import annotations

import numpy as np

from rig.display.sources.history import BIN
from rig.display.sources.reduction import bounds, merge
from rig.display.sources.source import Floats

MOST_BINS = 2**20  # of one trace: 8 MB
PIECE = 2**16  # samples, at least, that are worked out at a time


class Pyramid:
    """One trace of `length` samples; what has not been worked out yet is NaN."""

    def __init__(self, length: int) -> None:
        self.bin = BIN
        while -(-length // self.bin) > MOST_BINS:
            self.bin *= 2
        self.piece = max(PIECE, 64 * self.bin)
        self.length = length
        bins = -(-length // self.bin)
        self._low, self._high = np.full(bins, np.nan, np.float32), np.full(bins, np.nan, np.float32)
        self.done = np.zeros(-(-length // self.piece), dtype=bool)

    def missing(self, first: int, last: int) -> int | None:
        """n of the first piece within first .. last - 1 that has not been worked out."""
        begin, end = max(0, first) // self.piece, -(-min(last, self.length) // self.piece)
        undone = np.flatnonzero(~self.done[begin:end])
        return None if len(undone) == 0 else int(begin + undone[0]) * self.piece

    def put(self, first: int, values: Floats) -> None:
        """The samples of the piece that begins at `first`."""
        low, high = bounds(values, self.bin)
        place = slice(first // self.bin, first // self.bin + len(low))
        self._low[place], self._high[place] = low, high
        self.done[first // self.piece] = True

    def bounds(self, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        """As `Source.bounds`, within the record."""
        merged = max(1, round(step / self.bin))
        begin = max(0, first) // (merged * self.bin) * merged
        end = min(-(-last // self.bin), len(self._low))
        low, high = (values[begin : max(begin, end)] for values in (self._low, self._high))
        return (begin * self.bin, merged * self.bin, *merge(low, high, merged))
