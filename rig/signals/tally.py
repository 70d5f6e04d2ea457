"""Statistics of values that come one by one, for as long as a test lasts, in memory that does not grow with it."""

from __future__ import annotations

import math
from array import array

import numpy as np

from rig.signals.summary_statistics import Statistics, statistics

EXACT = 1 << 16
"""Values that are kept one by one; of more, steps of a hundredth are counted."""
STEP = 0.01
"""Of a value: width of a step."""
LEAST, MOST = 1e-9, 1e9
"""Ends of the steps; what is beyond counts for the last one, 0 and what is below for the first."""
_STEPS = math.ceil(math.log(MOST / LEAST) / math.log1p(STEP)) + 1


class Tally:
    """Of values not below 0, each with a whole weight. Largest and number are exact, quantiles of more than EXACT to half of STEP."""

    def __init__(self) -> None:
        self._values, self._weights = array("d"), array("q")
        self._counts: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None
        self._largest = 0.0

    def add(self, value: float, weight: int = 1) -> None:
        """One more."""
        self._values.append(value)
        self._weights.append(weight)
        if len(self._values) >= EXACT:
            self._pour()

    def statistics(self, factor: float = 1.0) -> Statistics:
        """So far, of the values times `factor`."""
        if self._counts is None:
            return statistics(factor * np.array(self._values), np.array(self._weights))
        self._pour()
        there = np.flatnonzero(self._counts)
        found = statistics(factor * np.minimum(_middles(there), self._largest), self._counts[there])
        return {**found, "max": factor * self._largest}

    def _pour(self) -> None:
        """Into the steps."""
        if not self._values:
            return
        values, weights = np.array(self._values), np.array(self._weights)
        if self._counts is None:
            self._counts = np.zeros(_STEPS, dtype=np.int64)
        place = np.floor(np.log(np.clip(values, LEAST, MOST) / LEAST) / math.log1p(STEP)).astype(np.int64)
        np.add.at(self._counts, np.clip(place, 0, _STEPS - 1), weights)
        self._largest = max(self._largest, float(values.max()))
        self._values, self._weights = array("d"), array("q")


def _middles(place: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of steps; of the first one 0."""
    return np.where(place == 0, 0.0, LEAST * np.exp((place + 0.5) * math.log1p(STEP)))
