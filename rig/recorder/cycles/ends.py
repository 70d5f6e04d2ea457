"""Whether a cycle was run to its end, by cycle and phase of the command.

It was where a cycle of a higher number is counted behind it. The last one of a test has none behind it. It was run to its end where the
phase goes on behind it, as in a soft stop; a stop in mid-cycle holds the phase. Where it does not, the next sample must have been behind
the end: a full turn behind the begin. The begin lies between the first sample of the cycle and the one before. Each cycle before it, whose
begin was whole turns earlier, says so too, which makes it narrower. What is in doubt by less than a sample is no whole cycle.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from rig.recorder.cycles.layout import Block

TURN = 2.0 * math.pi
NEAR = 1e-3  # of the phase's step: rounding


@dataclass(frozen=True)
class Ended:
    """A cycle that began at sample `first`, has `count` samples, the next one begins at `behind`; and whether it was run to its end."""

    first: int
    behind: int
    count: int
    whole: bool


@dataclass
class _Begin:
    """Phase (rad) between which a cycle begins: it is above `low`, at most `high`."""

    cycle: int
    low: float
    high: float

    def next(self, cycle: int, before: float, first: float) -> _Begin:
        """Of another cycle, by the samples on both sides of its begin; what earlier ones have said counts where it does not contradict."""
        turns = TURN * (cycle - self.cycle)
        low, high = max(self.low + turns, before), min(self.high + turns, first)
        fits = low <= high + NEAR * abs(first - before)
        return _Begin(cycle, low, high) if fits else _Begin(cycle, min(before, first), first)


@dataclass
class _Open:
    """The cycle that is counted now."""

    cycle: int
    first: int
    count: int = 0
    lost: bool = False
    start: float | None = None
    """Phase (rad) of its first sample."""
    newest: list[float] = field(default_factory=list)
    """Of its newest two."""
    behind: float | None = None
    """Of the first sample that is not counted behind it."""

    def take(self, count: int, phases: Block | None) -> None:
        """Some more samples of it."""
        self.count, self.behind = self.count + count, None
        if phases is not None:
            self.start = float(phases[0]) if self.start is None else self.start
            self.newest = [*self.newest, *phases[-2:].tolist()][-2:]


class CycleEnds:
    """Takes the command in order."""

    def __init__(self) -> None:
        self._ended: deque[Ended] = deque()
        self._open: _Open | None = None
        self._begin: _Begin | None = None
        self._last: float | None = None  # phase of the newest sample; None where that is lost or unknown

    def lose(self) -> None:
        """Samples are missing here: what is cut by that is no whole cycle."""
        if self._open is not None and self._open.behind is None:
            self._open.lost = True
        self._last = None

    def take(self, first: int, cycle: int, count: int, phases: Block | None) -> None:
        """Samples first .. (count of them), all of one cycle, or of none (negative)."""
        one = self._open
        if cycle < 0:
            if one is not None and one.behind is None and phases is not None:
                one.behind = float(phases[0])
        else:
            if one is None or cycle != one.cycle:
                self._turn(first, cycle, phases)
            assert self._open is not None
            self._open.take(count, phases)
        self._last = None if phases is None else float(phases[-1])

    def whole(self, first: int, count: int) -> bool:
        """Whether the cycle that began at a sample was run to its end, and has so many samples."""
        for ended in reversed(self._ended):
            if ended.first == first:
                return ended.whole and ended.count == count
        one = self._open
        return one is not None and one.first == first and one.count == count and not one.lost and self._has_turned(one)

    def forget(self, before: float) -> None:
        """Cycles that ended before a sample."""
        while self._ended and self._ended[0].behind < before:
            self._ended.popleft()

    def _turn(self, first: int, cycle: int, phases: Block | None) -> None:
        """Another cycle begins."""
        if self._open is not None:
            was = self._open
            self._ended.append(Ended(was.first, first, was.count, not was.lost and cycle > was.cycle))
        torn = first > 0 and self._last is None and phases is not None
        self._open = _Open(cycle, first, lost=torn)
        if phases is None:
            return
        at = float(phases[0])
        before = at if self._last is None else self._last
        self._begin = _Begin(cycle, min(before, at), at) if self._begin is None else self._begin.next(cycle, before, at)

    def _has_turned(self, one: _Open) -> bool:
        """Whether the cycle that is counted last has come to its end."""
        if self._begin is None or one.start is None or len(one.newest) < 2:
            return False
        before, last = one.newest
        step = max(last - before, (last - one.start) / (one.count - 1))
        goes_on = one.behind is not None and one.behind > last + NEAR * step
        end, reached = (self._begin.low, one.behind or 0.0) if goes_on else (self._begin.high, last + step)
        return reached >= end + TURN - NEAR * step
