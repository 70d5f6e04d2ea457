"""Sample clocks while they run: at a constant rate, or by the edges of a digital signal; and the merging of instants into one grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from drivers.simulated.daqmx.core.edges import Edges, Piece

Times = NDArray[np.float64]
NEVER: Times = np.empty(0)


class Timeline:
    """Clock edges at start + n / rate (bench time in s), n from 0; `ticks` of them have been."""

    def __init__(self, terminal: str, start: float, rate: float) -> None:
        self.terminal, self.start, self.rate = terminal, start, rate
        self.ticks = 0

    def time_of(self, tick: int) -> float:
        """Bench time of an edge."""
        return self.start + tick / self.rate

    def ticks_until(self, time: float) -> int:
        """How many edges there are up to and with `time`: exact, also where n / rate is rounded."""
        count = max(0, math.floor((time - self.start) * self.rate) + 1)
        while self.time_of(count) <= time:
            count += 1
        while count > 0 and self.time_of(count - 1) > time:
            count -= 1
        return count

    def times(self, first: int, end: int) -> Times:
        """Times of the edges first .. end - 1; the very numbers that `time_of` gives."""
        return self.start + np.arange(first, end) / self.rate


@dataclass(frozen=True)
class EdgeClock:
    """A sample clock that is the rising or falling edges of a digital signal."""

    terminal: str
    rising: bool = True


@dataclass
class DividedClock:
    """A sample clock of every so many edges of a timebase that comes from outside: `passed` edges have been since the start at `after`."""

    terminal: str
    rising: bool
    divisor: int
    after: float
    passed: int = 0

    def ticks(self, piece: Piece) -> Times:
        """When it ticks: at the last edge of each `divisor` ("SampClk.TimebaseDiv": edges to receive before each sample clock pulse)."""
        known: Times | None = piece.memo.get(id(self))
        if known is None:
            piece.memo[id(self)] = NEVER  # what a timebase that depends on itself sees
            edges = piece.edges(self.terminal).active(self.rising)
            edges = edges[edges > self.after]
            known = piece.memo[id(self)] = edges[self.divisor - 1 - self.passed % self.divisor :: self.divisor]
            self.passed += len(edges)
        return known


@dataclass(frozen=True)
class ChangeClock:
    """A sample clock that is every change of some lines: the rises of some, the falls of some."""

    rising: tuple[str, ...]
    falling: tuple[str, ...]

    def changes(self, edges: Callable[[str], Edges]) -> Times:
        """When any of them changes, each instant once; `edges`: the signal of a line."""
        parts = [edges(name).rises for name in self.rising] + [edges(name).falls for name in self.falling]
        return np.unique(np.concatenate(parts)) if parts else NEVER


Clock = Timeline | EdgeClock | DividedClock | ChangeClock


def merge(grids: Sequence[Times], last: float | None) -> Times:
    """Instants of all grids in order, each once; `last` is appended when it lies behind them."""
    grid = grids[0] if len(grids) == 1 else np.unique(np.concatenate(grids)) if grids else np.empty(0)
    if last is not None and (not len(grid) or last > grid[-1]):
        grid = np.append(grid, last)
    return grid


def held(before: float, updates: Times, at: Times, grid: Times) -> Times:
    """Level that holds up to each instant of `grid`, given the level before and `updates` that come out at the instants `at`.

    An update takes effect behind its instant: a sample taken at the same clock edge still sees the old level.
    """
    levels = np.concatenate(([before], updates))
    index = np.arange(len(grid)) if grid is at else np.searchsorted(at, grid, side="left")
    return levels[np.minimum(index, len(levels) - 1)]
