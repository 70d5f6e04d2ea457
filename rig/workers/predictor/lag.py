"""How late a prediction was, over a run of any length."""

from __future__ import annotations

import math
from array import array
from typing import TypedDict

from rig.signals.summary_statistics import Statistics
from rig.signals.tally import Tally

WINDOW = 20.0  # s over which the lag's 99th percentile is given as well
FIELDS = 5  # of `Statistics`


class LagFigures(TypedDict):
    """Over the run, and for each whole window, s."""

    lag_s: Statistics
    lag_windows_s: list[Statistics]


class Lag:
    """lag(n) = time predicted n was published - time the measured block holding n was published, not below 0.

    Nothing is kept of single blocks beyond `rig.signals.tally.EXACT`; of a window, its statistics.
    """

    def __init__(self, rate: float) -> None:
        self._length = WINDOW * rate
        self._all, self._now = Tally(), Tally()
        self._window = 0  # that goes on
        self._windows = array("d")  # of those before, values as in `Statistics`

    def add(self, first: int, lag: float, samples: int) -> None:
        """A block of `samples` from sample `first` on was published `lag` s late."""
        while self._window < int(first / self._length):
            found = self._now.statistics()
            self._windows.extend(math.nan if value is None else float(value) for value in _values(found))
            self._now, self._window = Tally(), self._window + 1
        self._all.add(lag, samples)
        self._now.add(lag, samples)

    def figures(self) -> LagFigures:
        """So far."""
        windows = [_statistics(*self._windows[k : k + FIELDS]) for k in range(0, len(self._windows), FIELDS)]
        return {"lag_s": self._all.statistics(), "lag_windows_s": windows}


def _values(found: Statistics) -> tuple[float | None, ...]:
    return found["median"], found["p99"], found["p999"], found["max"], found["n"]


def _statistics(median: float, p99: float, p999: float, most: float, n: float) -> Statistics:
    if not n:
        return {"median": None, "p99": None, "p999": None, "max": None, "n": 0}
    return {"median": median, "p99": p99, "p999": p999, "max": most, "n": int(n)}
