"""What is judged once a cycle: where cycles end, whether a limit is armed there, what is said (pure functions of arrays and state)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.calculated.rows import Rows
from rig.checks.learned_state import LearnedState
from rig.checks.limits import Bound, Debounce, Moment, Passed

Floats = NDArray[np.float64]
Judged = tuple[str, float, float]
"""What the value is, the value, and the most that it may be."""
UNDER_WAY = 1
"""Cycle that is left out besides those of `settle` where a limit learns anew: the one in which that was asked for."""


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


class CycleWatch(ABC):
    """Takes blocks in order; what a limit looks at is `_value`."""

    def __init__(self, limit: PerCycle) -> None:
        self._limit = limit
        self._turns = Turns()
        self._debounced = Debounce(limit.debounce_cycles)
        self._indicated = False
        self._from = 0  # sample before which nothing is learned or judged, where it learns anew
        self._since: int | None = None  # cycle that is the first one to be judged
        self._seen: tuple[int, float, Judged | None] | None = None  # last cycle, its value, how it was judged
        self._armed = False

    def check(self, first: int, series: Floats, begun: int | None, rows: Rows, moment: Moment) -> Iterator[Passed]:
        """series (k,): the value of the last whole cycle at each sample."""
        armed = moment.armed(self._limit, first, len(rows))
        self._armed = bool(armed[-1]) if len(armed) else self._armed
        for at in self._turns.found(rows.cycle):
            if begun is None or first + at < max(begun, self._from) or not armed[at]:
                continue
            cycle, value = int(rows.cycle[at]) - 1, float(series[at])
            judged = self._value(value)
            if self._since is None and self._ready:
                self._since = cycle if judged is not None else cycle + 1
            self._seen = cycle, value, judged
            if judged is not None:
                yield from self._judge(first + at, *judged)

    @abstractmethod
    def memory(self) -> list[float]:
        """What was learned, for another session of the test."""

    @abstractmethod
    def recall(self, memory: Sequence[float]) -> None:
        """Go on with it."""

    def learn_anew(self, sample: int) -> None:
        """From the cycles that begin at that sample or behind it, as at the beginning; none is judged until then."""
        self._from, self._since, self._seen = sample, None, None
        self._debounced, self._indicated = Debounce(self._limit.debounce_cycles), False

    def state(self) -> LearnedState:
        """Where it stands."""
        what, (settling, learned, learn), (baseline, low, high) = self._what_it_is, self._progress, self._band
        value = cycle = None
        outside = False
        if self._seen is not None:
            cycle, value = self._seen[0], self._shown(self._seen[1], self._seen[2])
            outside = self._indicated
        armed = self._armed and self._since is not None
        return LearnedState(what, learned, learn, settling, self._since, armed, baseline, low, high, value, cycle, outside)

    @property
    @abstractmethod
    def _what_it_is(self) -> str:
        """In words."""

    @property
    @abstractmethod
    def _progress(self) -> tuple[int, int, int]:
        """Cycles that are still left out, learned so far, to be learned."""

    @property
    @abstractmethod
    def _band(self) -> tuple[float | None, float | None, float | None]:
        """(baseline, lowest, highest) of what `_shown` gives; None while it is learned."""

    def _shown(self, value: float, judged: Judged | None) -> float | None:
        """Of a cycle, to be held against the band; None where it is no number."""
        return value if math.isfinite(value) else None

    @property
    def _ready(self) -> bool:
        """Whether the next cycle is judged."""
        settling, learned, learn = self._progress
        return settling == 0 and learned >= learn

    @abstractmethod
    def _value(self, value: float) -> Judged | None:
        """Of the next cycle; None while there is nothing to judge it by."""

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

    @property
    def progress(self) -> tuple[int, int, int]:
        """Values that are still left out, learned so far, to be learned."""
        return self._skip, self._count, self._learn

    @property
    def known(self) -> float | None:
        """The mean; None while it is being learned."""
        return self._sum / self._count if self._count == self._learn else None

    def mean(self, value: float) -> float | None:
        """What the next value is judged by; None while it is being learned. A NaN is not learned: it is judged."""
        if (known := self.known) is not None:
            return known
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
