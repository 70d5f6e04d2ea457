"""Segments one after the other, the whole list repeated. A segment may itself be a program, which repeats a part of the list.

Each segment brings its own soft start and stop; it begins where the one before ends. Counted cycles go on through the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.trajectory import Trajectory
from rig.trajectory import create as create_segment

Floats = NDArray[np.float64]
SAME = 1e-9  # of the largest value: what two values at a joint may differ by in floating point


@dataclass(frozen=True)
class Config:
    """A list of segments of any kind."""

    segments: tuple[Any, ...] = field(metadata={"kinds": "rig.trajectory"})
    repeats: int = field(default=1, metadata={"at_least": 1})

    def __post_init__(self) -> None:
        if not self.segments:
            raise ValueError("segments: expected at least one [[trajectory.segments]]")
        ends = [_ends(create_segment(segment)) for segment in self.segments]
        largest = max(max(abs(begin), abs(end)) for begin, end in ends)
        follow = [*range(1, len(ends)), *([0] if self.repeats > 1 else [])]
        for at in follow:
            before, begin = ends[at - 1][1], ends[at][0]
            if abs(begin - before) > SAME * largest:
                where = f"segments.{at}: begins at {begin:.6g}, but the segment before it ends at {before:.6g}"
                raise ValueError(f"{where} (SI unit of the mode); put a ramp between, or give a soft start or stop")


@dataclass(frozen=True)
class Program:
    """The trajectory."""

    segments: tuple[Trajectory, ...]
    repeats: int
    frequency: float | None = None

    @cached_property
    def duration(self) -> float:
        """Length in s."""
        return float(self._starts[-1])

    @cached_property
    def cycles(self) -> int:
        """Counted cycles of all segments and repeats."""
        return self.repeats * sum(segment.cycles for segment in self.segments)

    @cached_property
    def _starts(self) -> Floats:
        """Begin of every segment of every repeat, and the end of the last: (repeats * segments + 1,)."""
        return np.concatenate([[0.0], np.cumsum(np.tile([segment.duration for segment in self.segments], self.repeats))])

    @cached_property
    def _cycles_before(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(np.tile([float(segment.cycles) for segment in self.segments], self.repeats))])

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) at t (N,)."""
        t = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        value, phase, cycle = np.empty_like(t), np.empty_like(t), np.empty_like(t)
        where = np.clip(np.searchsorted(self._starts, t, side="right") - 1, 0, len(self._starts) - 2)
        for index in np.unique(where):
            at = where == index
            before = float(self._cycles_before[index])
            v, p, c = self.segments[index % len(self.segments)].evaluate(t[at] - self._starts[index])
            value[at], phase[at], cycle[at] = v, p + 2.0 * np.pi * before, np.where(c >= 0.0, c + before, -1.0)
        return value, phase, cycle

    def bounds(self) -> tuple[float, float, float]:
        """The widest of the segments'."""
        lows, highs, rates = zip(*(segment.bounds() for segment in self.segments), strict=True)
        return min(lows), max(highs), max(rates)

    def steady(self) -> Program:
        """The program itself: its soft starts are part of what its segments do."""
        return self


def _ends(trajectory: Trajectory) -> tuple[float, float]:
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    return float(begin), float(end)


def create(config: Config) -> Program:
    """The trajectory."""
    return Program(tuple(create_segment(segment) for segment in config.segments), config.repeats)
