"""Segments one after the other, the whole list repeated. A segment may itself be a program: a block, which repeats a part of the list.

Each segment brings its own soft start and stop; it begins where the one before ends. Counted cycles go on through the program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rig.trajectory import Trajectory
from rig.trajectory import create as create_segment
from rig.trajectory.naming import Named, TrajectorySettings

Floats = NDArray[np.float64]
SAME = 1e-9  # of the largest value: what two values at a joint may differ by in floating point
ROUNDING = 1e-14  # of the duration: a sample this near to a joint belongs to the segment that begins there


@dataclass(frozen=True)
class Config(Named):
    """A list of segments of any kind."""

    segments: tuple[TrajectorySettings, ...] = field(metadata={"kinds": "rig.trajectory"})
    repeats: int = field(default=1, metadata={"at_least": 1})

    def __post_init__(self) -> None:
        if not self.segments:
            raise ValueError("segments: expected at least one [[trajectory.segments]]")

    def create(self) -> Program:
        """The trajectory."""
        return Program(tuple(create_segment(segment) for segment in self.segments), self.repeats)


@dataclass(frozen=True)
class Program:
    """The trajectory."""

    segments: tuple[Trajectory, ...]
    repeats: int
    frequency: float | None = None

    @cached_property
    def duration(self) -> float:
        """Length in s."""
        return float(self._starts[-1]) * self.repeats

    @cached_property
    def cycles(self) -> int:
        """Counted cycles of all segments and repeats."""
        return self.repeats * int(self._cycles_before[-1])

    @cached_property
    def _starts(self) -> Floats:
        """Begin of every segment in the list, and the end of the last: (segments + 1,)."""
        return np.concatenate([[0.0], np.cumsum([segment.duration for segment in self.segments])])

    @cached_property
    def _cycles_before(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum([float(segment.cycles) for segment in self.segments])])

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) at t (N,)."""
        t = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        tiny = ROUNDING * self.duration
        repeat = np.clip(np.floor((t + tiny) / self._starts[-1]), 0.0, self.repeats - 1.0)
        within = t - repeat * self._starts[-1]
        where = np.clip(np.searchsorted(self._starts, within + tiny, side="right") - 1, 0, len(self.segments) - 1)
        value, phase, cycle = np.empty_like(t), np.empty_like(t), np.empty_like(t)
        for index in np.unique(where):
            at = where == index
            before = repeat[at] * self._cycles_before[-1] + self._cycles_before[index]
            v, p, c = self.segments[index].evaluate(np.maximum(within[at] - self._starts[index], 0.0))
            value[at], phase[at], cycle[at] = v, p + 2.0 * np.pi * before, np.where(c >= 0.0, c + before, -1.0)
        return value, phase, cycle

    def segment(self, t: float) -> tuple[Trajectory, float]:
        """(segment that has its turn at time t (s), time at which it began)."""
        number, begun = self.turn(t)
        return self.segments[number], begun

    def turn(self, t: float) -> tuple[int, float]:
        """(number of the segment that has its turn at time t (s), time at which it began)."""
        tiny = ROUNDING * self.duration
        within = t - self.repeat(t) * float(self._starts[-1])
        number = min(max(int(np.searchsorted(self._starts, within + tiny, side="right")) - 1, 0), len(self.segments) - 1)
        return number, self.begin(self.repeat(t), number)

    def repeat(self, t: float) -> int:
        """Which repeat runs at time t (s), from 0 on."""
        return min(max(math.floor((t + ROUNDING * self.duration) / float(self._starts[-1])), 0), self.repeats - 1)

    def begin(self, repeat: int, number: int) -> float:
        """Time (s) at which a segment begins."""
        return repeat * float(self._starts[-1]) + float(self._starts[number])

    def bounds(self) -> tuple[float, float, float]:
        """The widest of the segments'."""
        lows, highs, rates = zip(*(segment.bounds() for segment in self.segments), strict=True)
        return min(lows), max(highs), max(rates)

    def steady(self) -> Program:
        """The program itself: its soft starts are part of what its segments do."""
        return self


def steps(config: Config, program: Program) -> Iterator[tuple[int, str]]:
    """(number from 0 on, what is wrong) of every segment that does not begin where the one before it ends."""
    ends = [_ends(segment) for segment in program.segments]
    low, high, _ = program.bounds()
    follow = [*range(1, len(ends)), *([0] if config.repeats > 1 else [])]
    for at in follow:
        before, begin = ends[at - 1][1], ends[at][0]
        if abs(begin - before) > SAME * max(-low, high):
            text = f"begins at {begin:.6g}, but the segment before it ends at {before:.6g} (SI unit of the mode)"
            yield at, f"{text}; put a ramp between, or give a soft start or stop"


def _ends(trajectory: Trajectory) -> tuple[float, float]:
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    return float(begin), float(end)
