"""Sample clocks while they run: at a constant rate, or by the edges of a digital signal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.timeline import Timeline


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

    def ticks(self, piece: TimeSlice) -> Times:
        """When it ticks: at the last edge of each `divisor` ("SampClk.TimebaseDiv": edges to receive before each sample clock pulse)."""
        known = piece.ticks.get(id(self))
        if known is None:
            piece.ticks[id(self)] = NEVER  # what a timebase that depends on itself sees
            edges = piece.edges(self.terminal).active(self.rising)
            edges = edges[edges > self.after]
            known = piece.ticks[id(self)] = edges[self.divisor - 1 - self.passed % self.divisor :: self.divisor]
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
