"""When the samples of a device that runs on by itself are taken, by the clock of this computer, from when its blocks have come.

A block comes late, never early: by milliseconds where the computer is busy. So the block with the least delay tells the most, and what it
tells holds for as long as the two clocks do not come apart. A device that stood still takes every sample later from then on. That shows in
blocks that were waited for: their last sample was the newest that there was, and it came late, all of them for a while.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections import deque

import numpy as np
from numpy.typing import NDArray

MEMORY = 3.0
"""Time (s) to look back on: longer than a computer is busy, while two clocks come apart by less than they can be told to (150 us, where
they differ by 50 ppm)."""
PIECES = 30
"""Into which that time is cut; each is forgotten as a whole."""
WHILE = 0.1
"""Time (s) for which every block that was waited for must have come late before the device counts as having stood still."""
STOOD = 5e-3
"""Least delay (s) of those blocks from which it does; a computer that is only busy gets one of them sooner."""

Floats = NDArray[np.float64]


class SampleTimes:
    """Of samples at `rate` (Hz). Times are those of the clock that `came` is told by, s."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._pieces: deque[tuple[int, float]] = deque()  # last sample of each, and the time of sample 0 by its best block
        self._waited: deque[tuple[int, float]] = deque()  # the same of single blocks that were waited for, of the last WHILE
        self._begin = math.inf  # s, of sample 0, as far as is known now
        self._first = 0  # sample at which the last piece begins
        self._ends, self._begins = array("d"), array("d")  # of the pieces before, for who looks back

    def took(self, samples: int, came: float, waited: bool = True) -> None:
        """So many samples in all had come at `came` (s); `waited`: the last of them was the newest that the device had."""
        begin = came - samples / self._rate
        if waited:
            self._waited.append((samples, begin))
            while len(self._waited) > 1 and self._waited[1][0] <= samples - WHILE * self._rate:
                self._waited.popleft()
            if self._stood():
                begin = min(later for _, later in self._waited)
                self._put_away(len(self._pieces))
        if not self._pieces or samples - self._first > MEMORY / PIECES * self._rate:
            self._first = self._pieces[-1][0] if self._pieces else samples
            self._put_away(max(0, len(self._pieces) + 1 - PIECES))
        else:
            begin = min(begin, self._pieces.pop()[1])
        self._pieces.append((samples, begin))
        self._begin = min(earlier for _, earlier in self._pieces)

    def instant(self, sample: int) -> float | None:
        """Time (s) of a sample; None before anything has come."""
        return self._begin + sample / self._rate if self._pieces else None

    def samples_at(self, moments: Floats) -> Floats:
        """Samples (N,), with fractions, that were taken at moments (N,) in s; at least one block has come.

        What came within `MEMORY` after a moment counts for it as well: who looks back knows more than who looked on, and an estimate that
        becomes better from block to block is a drift to whoever compares clocks.
        """
        later = self._from_here_on()
        ends = np.array([*self._ends, *(end for end, _ in self._pieces)])
        begins = np.array([*self._begins, *later])
        passed = np.maximum.accumulate(ends / self._rate + begins)
        begin = begins[np.minimum(np.searchsorted(passed, moments), len(begins) - 1)]
        return np.asarray((moments - begin) * self._rate)

    def _from_here_on(self) -> list[float]:
        """Of each piece the best of itself and those after it."""
        backwards = itertools.accumulate((begin for _, begin in reversed(self._pieces)), min)
        return list(backwards)[::-1]

    def _put_away(self, count: int) -> None:
        """The oldest pieces; equal neighbours as one, so that a week is no more than an hour."""
        for begin in self._from_here_on()[:count]:
            end, _ = self._pieces.popleft()
            if self._begins and self._begins[-1] == begin:
                self._ends[-1] = end
            else:
                self._ends.append(end)
                self._begins.append(begin)

    def _stood(self) -> bool:
        """Whether every block for a while says that the samples are taken later than was thought."""
        if self._waited[-1][0] - self._waited[0][0] < WHILE * self._rate:
            return False
        return min(begin for _, begin in self._waited) > self._begin + STOOD
