"""Analogue channels at the end of their range: overloaded for a moment, or stuck there because their circuit is open (pure functions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STUCK = 0.05
"""s at the end of its range after which a channel counts as stuck there: longer than an impact, shorter than a turn."""
MARGIN = 1e-3
"""Share of the range from its end that still is the end: offset and gain of an input are not exact."""


@dataclass(frozen=True)
class Overload:
    """Channel `column` is at an end of its range, `end` in its unit, from sample `sample` on; stuck: for `STUCK` s without a break."""

    sample: int
    column: int
    end: float
    stuck: bool


class OverloadCheck:
    """Takes blocks in order. ends: (lowest, highest) that each channel can show, in its unit; rate in Hz.

    A channel is told of once as overloaded and once as stuck.
    """

    def __init__(self, ends: Sequence[tuple[float, float]], rate: float) -> None:
        low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
        finite = np.isfinite(high - low)
        margin = MARGIN * np.where(finite, high - low, 0.0)
        self._low, self._high, self._ends = low + margin, high - margin, (low, high)
        self._longest = max(1, round(STUCK * rate))
        self._since = np.full((2, len(low)), -1, np.int64)  # by end: sample from which it has been there; -1: it is not
        self._told: set[tuple[int, bool]] = set()

    def check(self, first: int, block: NDArray[np.float64]) -> list[Overload]:
        """What is new in block (k, channels) whose first sample is `first`."""
        found = []
        for side, there in enumerate((block <= self._low, block >= self._high)):
            for column in np.flatnonzero(there.any(axis=0) | (self._since[side] >= 0)):
                found += self._looked(side, int(column), first, there[:, column])
        return found

    def _looked(self, side: int, column: int, first: int, there: NDArray[np.bool_]) -> list[Overload]:
        """One channel at one end, there (k,): whether each sample is at it."""
        begun = self._since[side, column]
        edges = np.flatnonzero(np.diff(np.concatenate([[begun >= 0], there, [False]]).astype(np.int8)))
        starts = [*([] if begun < 0 else [begun]), *(first + edges[(1 if begun >= 0 else 0) :: 2])]
        stops = first + edges[(0 if begun >= 0 else 1) :: 2]
        self._since[side, column] = starts[-1] if len(there) and there[-1] else -1
        end, found = float(self._ends[side][column]), []
        for start, stop in zip(starts, stops, strict=True):
            for stuck in (False, True):
                if (column, stuck) not in self._told and (not stuck or stop - start >= self._longest):
                    self._told.add((column, stuck))
                    found.append(Overload(int(start), column, end, stuck))
        return found
