"""What is judged once a cycle: where cycles end, whether a limit is armed there, what is said (pure functions of arrays and state)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.calculated.rows import Rows
from rig.checks.limits import Bound, Debounce, Moment, Passed

Floats = NDArray[np.float64]
Judged = tuple[str, float, float]
"""What the value is, the value, and the most that it may be."""


class PerCycle(Bound, Protocol):
    """What a limit on the value of each cycle says (`rig.config.experiment.Limit`)."""

    @property
    def per_cycle(self) -> str: ...
    @property
    def learn(self) -> int: ...
    @property
    def settle(self) -> int: ...
    @property
    def debounce_cycles(self) -> int: ...


class CycleWatch:
    """Takes blocks in order; what a limit looks at is `_value`."""

    def __init__(self, limit: PerCycle) -> None:
        self._limit = limit
        self._turns = Turns()
        self._debounced = Debounce(limit.debounce_cycles)
        self._indicated = False

    def check(self, first: int, series: Floats, begun: int | None, rows: Rows, moment: Moment) -> Iterator[Passed]:
        """series (k,): the value of the last whole cycle at each sample."""
        armed = moment.armed(self._limit, first, len(rows))
        for at in self._turns.found(rows.cycle):
            if begun is None or first + at < begun or not armed[at]:
                continue
            if (judged := self._value(float(series[at]))) is not None:
                yield from self._judge(first + at, *judged)

    def memory(self) -> list[float]:
        """What was learned, for another session of the test."""
        return []

    def recall(self, memory: Sequence[float]) -> None:
        """Go on with it."""

    def _value(self, value: float) -> Judged | None:
        """Of the next cycle; None while there is nothing to judge it by."""
        raise NotImplementedError

    def _judge(self, sample: int, what: str, value: float, most: float) -> Iterator[Passed]:
        outside = bool(self._debounced.hits(np.array([not abs(value) <= most]))[0])
        if outside and not (self._limit.action == "indicate" and self._indicated):
            yield Passed(sample, self._limit.channel, self._limit.action, what, value, most)
        self._indicated = outside


class Turns:
    """Where a counted cycle is followed by the next one."""

    def __init__(self) -> None:
        self._last = -1.0

    def found(self, cycle: Floats) -> list[int]:
        """cycle (k,) of the next samples."""
        before = np.concatenate([[self._last], cycle[:-1]])
        self._last = float(cycle[-1]) if len(cycle) else self._last
        return np.flatnonzero((before >= 0.0) & (cycle == before + 1.0)).tolist()


class Learned:
    """Mean and standard deviation of the values of `learn` cycles, behind `settle` others."""

    def __init__(self, settle: int, learn: int) -> None:
        self._skip, self._learn = settle, learn
        self._sum = self._squares = self._first = 0.0
        self._count = 0
        self.deviation = 0.0

    def memory(self) -> list[float]:
        """So far."""
        return [float(self._skip), self._sum, self._squares, self._first, float(self._count), self.deviation]

    def recall(self, memory: Sequence[float]) -> None:
        """Go on with it."""
        skip, self._sum, self._squares, self._first, count, self.deviation = memory
        self._skip, self._count = int(skip), int(count)

    def mean(self, value: float) -> float | None:
        """What the next value is judged by; None while it is being learned. A NaN is not learned: it is judged."""
        if self._count == self._learn:
            return self._sum / self._count
        if math.isnan(value):
            return math.nan
        if self._skip > 0:
            self._skip -= 1
            return None
        if not self._count:
            self._first = value  # squares of differences from it: those of the values would lose their last digits
        self._sum, self._squares, self._count = self._sum + value, self._squares + (value - self._first) ** 2, self._count + 1
        if self._count == self._learn > 1:
            off = self._sum / self._count - self._first
            self.deviation = math.sqrt(max(self._squares - self._count * off * off, 0.0) / (self._count - 1))
        return None
