"""How late a prediction was, over a run of any length."""

from __future__ import annotations

from array import array
from typing import TypedDict

import numpy as np

from rig.signals.summary_statistics import Statistics, statistics

WINDOW = 20.0  # s over which the lag's 99th percentile is given as well


class LagFigures(TypedDict):
    """Over the run, and for each whole window, s."""

    lag_s: Statistics
    lag_windows_s: list[Statistics]


class Lag:
    """lag(n) = time predicted n was published - time the measured block holding n was published, not below 0.

    24 bytes a block are kept: quantiles of a whole run are exact, and a day at 100 blocks a second takes 0.2 GB.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._first = array("q")
        self._lag = array("d")
        self._samples = array("q")

    def add(self, first: int, lag: float, samples: int) -> None:
        """A block of `samples` from sample `first` on was published `lag` s late."""
        self._first.append(first)
        self._lag.append(lag)
        self._samples.append(samples)

    def figures(self) -> LagFigures:
        """So far."""
        first, lag, samples = np.array(self._first), np.array(self._lag), np.array(self._samples)
        window = (first / (WINDOW * self._rate)).astype(int)
        whole = range(int(window.max()) if len(window) else 0)
        windows = [statistics(lag[window == w], samples[window == w]) for w in whole]
        return {"lag_s": statistics(lag, samples), "lag_windows_s": windows}
