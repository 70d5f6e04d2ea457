"""Whether cycles reach what was commanded: peak and valley of each, commanded and measured, in constant memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Extremes:
    """Of counted cycle `number`, whose first sample is `first`: (valley, peak) as commanded and as measured."""

    number: int
    first: int
    commanded: tuple[float, float]
    measured: tuple[float, float]

    @property
    def missing(self) -> float:
        """Share of the commanded amplitude that the worse of both ends was not reached by; 0: both were reached. NaN: nothing was."""
        (low, high), (valley, peak) = self.commanded, self.measured
        half = 0.5 * (high - low)
        short = np.maximum(high - peak, valley - low)  # a NaN stays one
        return max(float(short), 0.0) / half if half > 0.0 and not math.isnan(short) else (math.nan if math.isnan(short) else 0.0)


class CyclePeaks:
    """Takes blocks in order."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._first = 0
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)

    def add(self, first: int, cycle: Floats, commanded: Floats, measured: Floats) -> list[Extremes]:
        """Samples first ..: counted cycle (-1: none), commanded and measured, (k,) each. Returns the cycles that ended, in order."""
        both, done = np.column_stack([commanded, measured]), []
        edges = [0, *(np.flatnonzero(np.diff(cycle)) + 1).tolist(), len(cycle)]
        for begin, end in pairwise(edges):
            number = int(cycle[begin])
            if self._number is not None and number != self._number:
                done.append(self._ended())
            if number >= 0 and self._number is None:
                self._number, self._first = number, first + begin
                self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)
            if number >= 0:
                self._low = np.minimum(self._low, both[begin:end].min(axis=0))
                self._high = np.maximum(self._high, both[begin:end].max(axis=0))
        return done

    def _ended(self) -> Extremes:
        assert self._number is not None
        (low, valley), (high, peak) = self._low.tolist(), self._high.tolist()
        ended, self._number = Extremes(self._number, self._first, (low, high), (valley, peak)), None
        return ended
