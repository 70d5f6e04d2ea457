"""What counters time: intervals between edges, in ticks of a timebase. Each measurement is (when it is complete, first, second number).

"X Series User Manual", Counters: period, pulse-width, semi-period, pulse and two-signal edge-separation measurement; frequency with one
counter, with two counters over a time (high frequency), and of a divided signal (large range). "NI-9361 Getting Started", Incremental
Encoder Measurements: velocities by the time between counts, over a number of counts or a time, whichever is over first; Measurement
Method: dynamic averaging does so with periods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.subsystems.counter.counts import decoded
from drivers.simulated.daqmx.subsystems.counter.ticks import Timebase

Numbers = NDArray[np.float64]
_NONE = np.empty(0)


@dataclass(frozen=True)
class Measured:
    """Measurements that a piece completes."""

    times: Times
    first: Numbers
    second: Numbers


NOTHING = Measured(NEVER, _NONE, _NONE)


class Meter(Protocol):
    """One kind of interval."""

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """Measurements of a piece from the signals of its inputs; edges up to `after` are before the start."""


def _since(times: Times, after: float | None) -> Times:
    return times if after is None else times[times > after]


class Periods:
    """Ticks of `divisor` periods, and how many periods that is."""

    def __init__(self, rising: bool, divisor: int = 1) -> None:
        self._rising, self._divisor = rising, divisor
        self._times, self._ticks = NEVER, _NONE

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        fresh = _since(signals[0].active(self._rising), after)
        times = np.concatenate([self._times, fresh])
        ticks = np.concatenate([self._ticks, base.positions(piece, fresh)])
        count = max(0, (len(times) - 1) // self._divisor)
        marks = np.arange(count + 1) * self._divisor
        self._times, self._ticks = times[marks[-1] :], ticks[marks[-1] :]
        if not count:
            return NOTHING
        return Measured(times[marks[1:]], np.rint(np.diff(ticks[marks])), np.full(count, float(self._divisor)))


class Edged:
    """Base of what is measured between edges of one signal that rise and fall in turn."""

    def __init__(self, rising: bool) -> None:
        self._rising = rising
        self._times, self._ticks, self._up = NEVER, _NONE, np.empty(0, dtype=bool)

    def _marks(self, piece: TimeSlice, base: Timebase, signal: Edges, after: float | None) -> tuple[Times, Numbers, NDArray[np.bool_]]:
        """All edges since the last one that is kept, from the first edge of the wanted direction on."""
        fresh = np.concatenate([_since(signal.rises, after), _since(signal.falls, after)])
        up = np.arange(len(fresh)) < len(fresh) - len(_since(signal.falls, after))
        order = np.argsort(fresh, kind="stable")
        fresh, up = fresh[order], up[order]
        times, ups = np.concatenate([self._times, fresh]), np.concatenate([self._up, up])
        ticks = np.concatenate([self._ticks, base.positions(piece, fresh)])
        if not len(times):
            return times, ticks, ups
        # A signal that was connected meanwhile may seem to rise twice.
        keep = np.concatenate(([True], ups[1:] != ups[:-1]))
        times, ticks, ups = times[keep], ticks[keep], ups[keep]
        first = 0 if ups[0] == self._rising else 1
        return times[first:], ticks[first:], ups[first:]

    def _keep(self, times: Times, ticks: Numbers, ups: NDArray[np.bool_], first: int) -> None:
        self._times, self._ticks, self._up = times[first:], ticks[first:], ups[first:]


class Widths(Edged):
    """Ticks of each pulse that begins with the starting edge."""

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        times, ticks, ups = self._marks(piece, base, signals[0], after)
        count = len(times) // 2
        self._keep(times, ticks, ups, 2 * count)
        widths = np.rint(ticks[1 : 2 * count : 2] - ticks[0 : 2 * count : 2])
        return Measured(times[1 : 2 * count : 2], widths, np.zeros(count))


class Pulses(Edged):
    """Ticks of high and low of each pulse that begins with the starting edge."""

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        times, ticks, ups = self._marks(piece, base, signals[0], after)
        count = max(0, (len(times) - 1) // 2)
        self._keep(times, ticks, ups, 2 * count)
        lengths = np.rint(np.diff(ticks[: 2 * count + 1]))
        one, other = lengths[0::2], lengths[1::2]
        return Measured(times[2 : 2 * count + 1 : 2], *((one, other) if self._rising else (other, one)))


class SemiPeriods(Edged):
    """Ticks of every high and every low phase, beginning with the starting edge."""

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        times, ticks, ups = self._marks(piece, base, signals[0], after)
        count = max(0, len(times) - 1)
        self._keep(times, ticks, ups, count)
        if count and len(self._up):
            self._rising = bool(self._up[0])
        return Measured(times[1:], np.rint(np.diff(ticks)), np.zeros(count)) if count else NOTHING


class Separations:
    """Ticks from an edge of the first signal to the next edge of the second one."""

    def __init__(self, first_rising: bool, second_rising: bool) -> None:
        self._directions = (first_rising, second_rising)
        self._begun: float | None = None

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        first, second = (_since(s.active(d), after) for s, d in zip(signals, self._directions, strict=True))
        ticks, others = base.positions(piece, first), base.positions(piece, second)
        ends = np.searchsorted(second, first, "right")  # the second edge that comes after each first one
        if np.isin(first, second, assume_unique=True).any():
            marks, begun = self._one_by_one(first, second, ends)
        else:
            # Of all first edges before a second one the earliest counts; where a measurement has begun before, none up to its end.
            marks, begun = np.unique(ends, return_index=True)
            if self._begun is not None:
                marks, begun = np.concatenate(([0], marks[marks > 0])), np.concatenate(([-1], begun[marks > 0]))
        starts = np.where(begun < 0, self._begun or 0.0, ticks[begun] if len(ticks) else 0.0)
        ended = marks < len(second)
        if len(marks):
            self._begun = None if ended[-1] else float(starts[-1])
        marks, starts = marks[ended], starts[ended]
        return Measured(second[marks], np.rint(others[marks] - starts), np.zeros(len(marks))) if len(marks) else NOTHING

    def _one_by_one(self, first: Times, second: Times, ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where an edge of the one may come at the very instant of the other: one that ends a measurement begins none.

        Second edges that end a measurement (len(second): none yet), and first edges that began it (-1: one of a piece before).
        """
        marks, begun = ([], []) if self._begun is None else ([0], [-1])
        while not marks or marks[-1] < len(second):
            at = int(np.searchsorted(first, second[marks[-1]] if marks else -np.inf, "right"))
            if at == len(first):
                break
            marks.append(int(ends[at]))
            begun.append(at)
        return np.array(marks, dtype=np.int64), np.array(begun, dtype=np.int64)


class Windows:
    """Edges in consecutive windows of time (s): what two counters measure of high frequencies."""

    def __init__(self, rising: bool, time: float) -> None:
        self._rising, self._time = rising, time
        self._start: float | None = None
        self._next = 1
        self._count = 0

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        if self._start is None:
            self._start = piece.start if after is None else after
        edges = _since(signals[0].active(self._rising), after)
        ends = self._start + self._time * np.arange(self._next, max(self._next, self._last(piece.end) + 1))
        sums = self._count + np.searchsorted(edges, ends, "right")
        self._next += len(ends)
        if len(ends):
            self._count = self._count + len(edges) - int(sums[-1])
            return Measured(np.asarray(ends), np.diff(np.concatenate(([0], sums))).astype(float), np.zeros(len(ends)))
        self._count += len(edges)
        return NOTHING

    def _last(self, time: float) -> int:
        assert self._start is not None
        count = int((time - self._start) / self._time) + 1
        while count > 0 and self._start + self._time * count > time:
            count -= 1
        return count


class Averaged:
    """Base of what is averaged over `divisor` steps, or over those that fit into `time` (s) where that is over first."""

    def __init__(self, divisor: int, time: float) -> None:
        self._divisor, self._time = divisor, time
        self._steps: list[tuple[float, float, int]] = []
        """(when, ticks, sign) since the last measurement; the first one is where it began."""

    def _over(self, times: Times, ticks: Numbers, signs: NDArray[np.int64]) -> Measured:
        """Ticks and steps with their sign of each measurement."""
        done: list[tuple[float, float, float]] = []
        for when, tick, sign in zip(times, ticks, signs, strict=True):
            if len(self._steps) > 1 and when - self._steps[0][0] > self._time:
                done.append(self._close())
            self._steps.append((float(when), float(tick), int(sign)))
            if len(self._steps) > self._divisor:
                done.append(self._close())
        return Measured(*np.array(done).T) if done else NOTHING

    def _close(self) -> tuple[float, float, float]:
        first, last = self._steps[0], self._steps[-1]
        counted = sum(sign for _, _, sign in self._steps[1:])
        self._steps = [last]
        return last[0], round(last[1] - first[1]), counted


class Dynamic(Averaged):
    """Ticks and periods of a signal."""

    def __init__(self, rising: bool, divisor: int, time: float) -> None:
        super().__init__(divisor, time)
        self._rising = rising

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        times = _since(signals[0].active(self._rising), after)
        return self._over(times, base.positions(piece, times), np.ones(len(times), dtype=np.int64))


class Speeds(Averaged):
    """Ticks and counts of an encoder."""

    def __init__(self, decoding: int, divisor: int, time: float) -> None:
        super().__init__(divisor, time)
        self._decoding = decoding

    def take(self, piece: TimeSlice, base: Timebase, signals: list[Edges], after: float | None) -> Measured:
        """See `Meter`."""
        passing = decoded(self._decoding, signals[0], signals[1], after)
        return self._over(passing.times, base.positions(piece, passing.times), passing.signs)
