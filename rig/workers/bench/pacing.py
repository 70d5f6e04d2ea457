"""Null pacing: a cycle that has not reached its peaks is run once more; after it the test goes slower, waits at each peak, or is held.

It looks at what came back, so it acts on cycles that begin `command.ahead` and more behind the one that it has found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from rig.config.experiment import Pacing
from rig.control.peaks import CyclePeaks, Extremes
from rig.trajectory.following.passages import turn
from rig.trajectory.following.repeats import Steady, steady_part
from rig.workers.bench.setpoints.setpoint import Setpoint

STEPS = (0.5, 0.9)
"""Least and most of the pace that is left after one step; between them it goes down by the share that was missing."""
FASTER = 1.0 / STEPS[1]
DOUBLED = 2
"""Times as many cycles are waited for after each time that going faster was too fast."""
MOST = 1_000_000  # of them
STANDS = 0.1  # of a period: in it the command comes to its stand at a peak, where it hardly moves
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Note:
    """What is to be told of a cycle that begins at `sample`; hold: the test is to be held for it."""

    sample: int
    text: str
    hold: bool = False


class Figures(TypedDict):
    """Of a test: counted cycles that were run, that reached their peaks, that did not; of these how many were run once more. Paces are
    shares of the asked one, waits are s."""

    action: Literal["slower", "wait", "hold"]
    run: int
    reached: int
    missed: int
    repeated: int
    pace: float
    slowest: float
    waits: int
    longest_wait_s: float


@dataclass
class _Wait:
    """The command stands from sample `settled` on at a peak (side 1) or valley (-1)."""

    settled: int
    side: float
    within: float


class NullPacing:
    """Blocks are taken in order. `base`: pace that is asked for by other means, `change`: s in which another one comes in; rate in Hz."""

    def __init__(self, settings: Pacing, setpoint: Setpoint, rate: float, unit: str, change: float) -> None:
        self._settings, self._setpoint, self._rate, self._unit, self._change = settings, setpoint, rate, unit, change
        self._peaks = CyclePeaks()
        self._base = self._pace = self._slowest = 1.0
        self._run = self._reached = self._missed = self._waits = 0
        self._in_row = self._good = 0
        self._recover = settings.recover
        self._since = 0  # cycles that begin earlier went at another pace, in part
        self._tried = self._waiting = False
        self._wait: _Wait | None = None
        self._longest = 0.0

    @property
    def pace(self) -> float:
        """Share of the asked pace at which it goes."""
        return self._pace

    def ask(self, base: float) -> None:
        """Another pace is asked for, and it goes at its share of that."""
        self._base = base

    def interrupt(self) -> None:
        """The test is held, or goes on again."""
        self._wait = None

    def take(self, first: int, columns: tuple[Column, Column, Column], measured: Column, running: bool) -> list[Note]:
        """Samples first ..: (commanded, cycle, value that went out) and measured, (k,) each; running: nothing else has its hand on it."""
        commanded, cycle, value = columns
        notes = [note for ended in self._peaks.add(first, cycle, commanded, measured) for note in self._judge(ended, running)]
        if running and self._waiting and not any(note.hold for note in notes):
            notes += self._stand(first, value, measured)
        return notes

    def figures(self) -> Figures:
        """So far."""
        return {
            "action": self._settings.action,  # type: ignore[typeddict-item]
            "run": self._run, "reached": self._reached, "missed": self._missed, "repeated": self._setpoint.repeated,
            "pace": self._pace, "slowest": self._slowest, "waits": self._waits, "longest_wait_s": self._longest,
        }  # fmt: skip

    # -- one cycle -----------------------------------------------------------------------------------------------------------------

    def _judge(self, one: Extremes, running: bool) -> Iterator[Note]:
        self._run += 1
        if one.missing <= self._settings.share:
            self._reached += 1
            self._in_row = 0
            yield from self._recovered(one, running)
            return
        self._missed += 1
        self._good = 0
        again = "run again" if self._setpoint.repeat() else "not run again: what it belongs to has come to its end"
        missed = f"{self._words(one)}; {again}"
        if one.first < self._since:  # it went at another pace in part
            yield Note(one.first, missed)
            return
        self._in_row += 1
        if self._in_row < self._settings.missed or not running:
            yield Note(one.first, missed)
            return
        self._in_row = 0
        yield self._act(one, missed)

    def _act(self, one: Extremes, missed: str) -> Note:
        if self._settings.action == "hold":
            return Note(one.first, missed, hold=True)
        if self._tried:
            self._tried, self._recover = False, min(DOUBLED * self._recover, MOST)
        if self._settings.action == "wait":
            if self._waiting:
                return Note(one.first, f"{missed}, though it stood at each peak", hold=True)
            self._waiting = True
            return Note(one.first, f"{missed}; from here on it stands at each peak and valley until they are reached")
        if self._pace <= self._settings.slowest:
            return Note(one.first, f"{missed}; it goes at {self._pace:.3g} of its pace, and not slower (pacing.slowest)", hold=True)
        left = 1.0 - one.missing if one.missing == one.missing else 0.0
        self._go(max(self._settings.slowest, self._pace * min(max(left, STEPS[0]), STEPS[1])))
        return Note(one.first, f"{missed}; from here on at {self._pace:.3g} of its pace")

    def _recovered(self, one: Extremes, running: bool) -> Iterator[Note]:
        slowed = self._pace < 1.0 or self._waiting
        self._good = self._good + 1 if slowed and one.first >= self._since else 0
        if not slowed or not running or self._good < self._recover or self._wait is not None:
            return
        self._tried, good, self._good = True, self._good, 0
        if self._waiting:
            self._waiting = False
            yield Note(one.first, f"{good} cycles reached: it waits no more")
            return
        pace = min(1.0, self._pace * FASTER)
        try:
            self._setpoint.change_pace(self._base * pace, self._change)
        except ValueError as error:  # of a correction that was learned at the slower pace
            yield Note(one.first, f"{good} cycles reached, but not faster: {error}")
            return
        self._gone(pace)
        yield Note(one.first, f"{good} cycles reached: from here on at {pace:.3g} of its pace")

    def _go(self, pace: float) -> None:
        self._setpoint.change_pace(self._base * pace, self._change)
        self._gone(pace)

    def _gone(self, pace: float) -> None:
        self._pace, self._slowest = pace, min(self._slowest, pace)
        self._since = self._setpoint.settled

    def _words(self, one: Extremes) -> str:
        (low, high), (valley, peak) = one.commanded, one.measured
        reached = f"{valley:.6g}..{peak:.6g} {self._unit} of {low:.6g}..{high:.6g} {self._unit}"
        return f"cycle {one.number}: reached {reached}, {one.missing:.1%} of the amplitude missing"

    # -- standing at peaks ---------------------------------------------------------------------------------------------------------

    def _stand(self, first: int, value: Column, measured: Column) -> Iterator[Note]:
        """Come to a stand at the next peak or valley; go on from there once it is reached."""
        if self._wait is None:
            part = steady_part(self._setpoint.trajectory, self._setpoint.time)
            if part is not None and self._setpoint.position >= self._setpoint.settled:
                self._plan(part)
            return
        from_here = max(self._wait.settled - first, 0)
        if from_here >= len(value):
            return
        short = self._wait.side * (value[from_here:] - measured[from_here:])
        waited = (first + len(value) - self._wait.settled) / self._rate
        if not short.min() <= self._wait.within and waited <= self._settings.patience:
            return
        self._waits, self._longest = self._waits + 1, max(self._longest, waited)
        if not short.min() <= self._wait.within:
            what = "peak" if self._wait.side > 0.0 else "valley"
            text = f"it stands at a {what} of {value[-1]:.6g} {self._unit} and {measured[-1]:.6g} {self._unit} is reached"
            yield Note(self._wait.settled, f"{text} after {self._settings.patience:g} s (pacing.patience)", hold=True)
        else:
            self._setpoint.resume(self._length(steady_part(self._setpoint.trajectory, self._setpoint.time)))
        self._wait = None

    def _plan(self, part: Steady) -> None:
        trajectory, length, period = self._setpoint.trajectory, self._length(part), 1.0 / part.frequency
        begin = self._setpoint.time + 0.5 * self._setpoint.pace * length + 2.0 * self._setpoint.pace / self._rate
        at = turn(trajectory, begin, min(begin + 1.25 * period, part.end), self._rate)
        if at is None:
            return
        level = trajectory.evaluate(np.array([at, at + 0.5 * period]))[0]
        half = 0.5 * abs(float(level[0] - level[1]))
        self._setpoint.hold(length, at)
        self._wait = _Wait(self._setpoint.settled, float(np.sign(level[0] - level[1])), self._settings.share * half)

    def _length(self, part: Steady | None) -> float:
        """s in which it comes to its stand, and goes on."""
        return STANDS / (part.frequency * self._setpoint.pace) if part is not None else STANDS
