"""Limits on where the value of a cycle goes: the slope of a line through the last cycles, and a lasting change, however small.

The lasting change is found by two cumulative sums (Page 1954) of the value against the mean of the cycles learned from:

    up' = max(0, up + (x - mean)/s - k)      down' = max(0, down - (x - mean)/s - k)      alarm above h

With a change d worth finding, k = d / (2 s). h gives the mean number of clean cycles between two false alarms, A, by Siegmund's
approximation for one side (Siegmund, Sequential Analysis, 1985; Montgomery, Introduction to Statistical Quality Control):

    2 A = (exp(2 k b) - 2 k b - 1) / (2 k^2)      b = h + 1.166

Mean and scatter s are estimates from `learn` cycles. Each is allowed three of its standard errors to the safe side, so A holds for 99 tests
of 100: s is widened by 3/sqrt(2 (learn - 1)), k by 3/sqrt(learn). A holds for scatter that is independent from cycle to cycle.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rig.checks.cycle_watch import UNDER_WAY, CycleWatch, Judged, Learned, PerCycle

PER = 1000.0  # cycles that a slope is told for
ERRORS = 3.0  # standard errors of what is learned
OVERSHOOT = 1.166  # 2 * 0.583, of both ends of a random walk
STEEPEST = 700.0  # of an exponent: the end of what a float holds


class Trend(PerCycle, Protocol):
    """What such a limit says (`rig.config.experiment.Limit`)."""

    @property
    def slope(self) -> float | None: ...
    @property
    def over(self) -> int: ...
    @property
    def drift(self) -> float | None: ...
    @property
    def false_alarm(self) -> float: ...


class Slope(CycleWatch):
    """Of a line through the values of the last `over` cycles, by least squares, for 1000 cycles."""

    def __init__(self, limit: Trend) -> None:
        super().__init__(limit)
        assert limit.slope is not None
        self.limit = limit
        self._most, self._skip, self._settle = limit.slope, limit.settle, limit.settle
        self._values: deque[float] = deque(maxlen=limit.over)
        n = np.arange(limit.over) - 0.5 * (limit.over - 1)
        self._weights = n / np.sum(n * n)
        self._what = f"slope of {limit.per_cycle} over {limit.over} cycles"

    def memory(self) -> list[float]:
        return [float(self._skip), *(value for value in self._values if math.isfinite(value))]

    def recall(self, memory: Sequence[float]) -> None:
        skip, *values = memory
        self._skip = int(skip)
        self._values.extend(values)

    def learn_anew(self, sample: int) -> None:
        super().learn_anew(sample)
        self._skip = self._settle + UNDER_WAY
        self._values.clear()

    @property
    def _what_it_is(self) -> str:
        return self._what

    @property
    def _progress(self) -> tuple[int, int, int]:
        # The last one that is missing is judged as soon as it is there.
        return self._skip, len(self._values), len(self._weights)

    @property
    def _band(self) -> tuple[float | None, float | None, float | None]:
        return None, -self._most, self._most

    def _shown(self, value: float, judged: Judged | None) -> float | None:
        return judged[1] if judged is not None and math.isfinite(judged[1]) else None

    def _value(self, value: float) -> Judged | None:
        if self._skip > 0 and not math.isnan(value):
            self._skip -= 1
            return None
        self._values.append(value)
        if len(self._values) < len(self._weights) and not math.isnan(value):
            return None
        # Not a dot product, which a linear algebra library may sum up in another order elsewhere.
        values = np.array(self._values)
        slope = math.nan if math.isnan(value) else float(np.sum(self._weights * (values - values[0])))
        return self._what, PER * slope, self._most


class Drift(CycleWatch):
    """A lasting change of the value of a cycle."""

    def __init__(self, limit: Trend) -> None:
        super().__init__(limit)
        assert limit.drift is not None
        self.limit = limit
        self._drift, self._between, self._cycles, self._settle = limit.drift, limit.false_alarm, limit.learn, limit.settle
        self._learned = Learned(limit.settle, limit.learn)
        self._up = self._down = 0.0
        self._bounds: tuple[float, float, float] | None = None
        self._what = f"drift of {limit.per_cycle}"

    def memory(self) -> list[float]:
        return [self._up, self._down, *self._learned.memory(), -1.0 if self._since is None else float(self._since)]

    def recall(self, memory: Sequence[float]) -> None:
        self._up, self._down, *learned = memory
        self._learned.recall(learned[:6])
        since = [*learned[6:], -1.0][0]
        self._since = int(since) if since >= 0.0 else None

    def learn_anew(self, sample: int) -> None:
        super().learn_anew(sample)
        self._up = self._down = 0.0
        self._bounds = None
        self._learned = Learned(self._settle + UNDER_WAY, self._cycles)

    @property
    def _what_it_is(self) -> str:
        return f"{self._what}, summed up"

    @property
    def _progress(self) -> tuple[int, int, int]:
        return self._learned.progress

    @property
    def _band(self) -> tuple[float | None, float | None, float | None]:
        most = None if self._bounds is None else self._bounds[0] * self._bounds[2]
        return self._learned.known, None if most is None else -most, most

    def _shown(self, value: float, judged: Judged | None) -> float | None:
        return judged[1] if judged is not None and math.isfinite(judged[1]) else None

    def _value(self, value: float) -> Judged | None:
        if (mean := self._learned.mean(value)) is None:
            return None
        if math.isnan(value - mean):
            return self._what, math.nan, self._drift
        if self._bounds is None:
            self._bounds = bounds(self._drift, self._learned.deviation, self._cycles, self._between)
        scatter, k, h = self._bounds
        self._up = max(0.0, self._up + (value - mean) / scatter - k)
        self._down = max(0.0, self._down - (value - mean) / scatter - k)
        # Told in the unit of the channel: how far the sum is, of what it may be.
        side = self._up if self._up >= self._down else -self._down
        return f"{self._what} from {mean:.6g}, summed up,", side * scatter, h * scatter


def bounds(drift: float, deviation: float, learned: int, between: float) -> tuple[float, float, float]:
    """(scatter in the unit of the channel, k, h in scatters) for a change of `drift` worth finding, a standard `deviation` of that many
    cycles learned from, and so many clean cycles `between` two false alarms."""
    scatter = deviation * (1.0 + ERRORS / math.sqrt(2.0 * (learned - 1)))
    scatter = max(scatter, 1e-6 * drift)  # values that do not scatter at all
    k = 0.5 * drift / scatter + ERRORS / math.sqrt(learned)
    return scatter, k, threshold(k, between)


def threshold(k: float, between: float) -> float:
    """h of two-sided sums with so many cycles in the mean between two false alarms; above 0. See the head of this file."""
    low, high = 0.0, STEEPEST / (2.0 * k)
    for _ in range(100):
        middle = 0.5 * (low + high)
        reach = 2.0 * k * middle
        low, high = (middle, high) if (math.exp(reach) - reach - 1.0) / (2.0 * k * k) < 2.0 * between else (low, middle)
    return max(high - OVERSHOOT, 1.0)
