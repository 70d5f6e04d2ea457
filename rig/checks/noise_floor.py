"""Channels whose noise is gone: a wire off, a sensor without supply, a converter or conditioner that repeats its last value.

What a sensor that lives adds from sample to sample is there at rest as well as in motion, which only adds to it. So its floor is the least
of the first blocks of a test, and a block in which less than a share of it is left has no sensor behind it. Pure functions of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEARNED = 0.1
"""s at the beginning of a test, at rest, from which the floor is learned."""
GONE = 0.05
"""s without it, after which it is gone."""
RESOLVED = 0.35
"""Share of samples that equal the one before, above which a converter does not show the noise. It is 0.37 for 0.7 steps rms; with less
noise what comes out depends on where between two steps the signal stands: at their border it is half, however small it is."""


@dataclass(frozen=True)
class Silent:
    """Channel `column` has shown noise of `rms` (its unit) since `sample`, and `floor` before."""

    sample: int
    column: int
    rms: float
    floor: float


class NoiseFloorCheck:
    """Takes blocks in order; columns: those that are looked at; share: of the floor, less of which is none; rate in Hz. Told once each."""

    def __init__(self, columns: Sequence[int], share: float, rate: float) -> None:
        self._columns, self._share, self._rate = list(columns), share, rate
        self._last: NDArray[np.float64] | None = None
        self._least = np.full(len(columns), np.inf)
        self._same = np.zeros(len(columns))
        self._learned = 0
        self._floor: NDArray[np.float64] | None = None
        self._since = np.full(len(columns), -1, np.int64)
        self._told = np.zeros(len(columns), np.bool_)

    def check(self, first: int, block: NDArray[np.float64]) -> list[Silent]:
        """Block (k, channels) from sample `first` on."""
        if not self._columns or len(block) < 2:
            return []
        looked = block[:, self._columns]
        steps = np.diff(looked, axis=0)
        rms = np.sqrt(0.5 * np.mean(steps * steps, axis=0))  # of white noise, twice whose power is in a difference
        if self._floor is None:
            self._learn(rms, steps)
            return []
        silent = rms < self._share * self._floor
        self._since = np.where(silent, np.where(self._since < 0, first, self._since), -1)
        found = silent & (first + len(block) - self._since >= GONE * self._rate) & ~self._told
        self._told |= found
        return [Silent(int(self._since[k]), self._columns[k], float(rms[k]), float(self._floor[k])) for k in np.flatnonzero(found)]

    def _learn(self, rms: NDArray[np.float64], steps: NDArray[np.float64]) -> None:
        count = len(steps) + 1
        self._least = np.minimum(self._least, rms)
        self._same += count * np.mean(steps == 0.0, axis=0)
        self._learned += count
        if self._learned >= LEARNED * self._rate:
            resolved = self._same < RESOLVED * self._learned
            self._floor = np.where(resolved, self._least, 0.0)
