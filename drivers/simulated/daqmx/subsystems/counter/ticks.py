"""The timebase of a counter: when its ticks come, and how many lie between two instants."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source

RISING = ni.Edge.RISING.value
HALF = 0.499
"""Just under half a tick: an edge half-way between two ticks has the earlier one, whatever the last digit of its time is."""
SIZE = 2**32
"""Counts of a counter of 32 bits."""

Ticks = NDArray[np.int64]


class Timebase:
    """Positions of instants in ticks: of a constant rate, or counted `edges` of a signal, of which a prescaler makes a tick of several."""

    def __init__(self, source: Source, rising: bool, edges: Callable[[TimeSlice], Edges], origin: float | None = None) -> None:
        """`origin` (s): an instant of a tick; None: the first instant that is asked for."""
        self.source, self.rising = source, rising
        self._edges = edges
        self._base = 0
        self._origin = origin

    @property
    def rate(self) -> float:
        """Ticks in a second (Hz) that scaling goes by; 1 where nobody needs it."""
        return (self.source.told or 1.0) / self.source.prescaler

    def positions(self, piece: TimeSlice, times: Times) -> Times:
        """Whole ticks up to and with each instant, from a fixed one on; only differences mean something.

        What is made of the same timebase is measured without the odd tick, and two intervals in a row are as many ticks as both together.
        """
        if self.source.rate is not None:
            if self._origin is None:
                if not len(times):
                    return times
                self._origin = float(times[0])
            return np.floor((times - self._origin) * self.source.rate + HALF)
        edges = self._edges(piece).active(self.rising)
        return (self._base + np.searchsorted(edges, times, side="right")).astype(float) // self.source.prescaler

    def passed(self, piece: TimeSlice) -> None:
        """The piece is through."""
        if self.source.rate is None:
            self._base += len(self._edges(piece).active(self.rising))


@dataclass
class Stretch:
    """Ticks `first` .. `last` come at origin + n / rate, or at the instants `edges`."""

    first: int
    last: int
    origin: float = 0.0
    edges: Times = field(default_factory=lambda: NEVER)


class Pacemaker:
    """Ticks from an instant `start` on that a pause holds up; `count` of them have been. `prescaler`: edges of one tick."""

    def __init__(self, start: float, rate: float | None, prescaler: int = 1) -> None:
        self.rate = rate
        self.count = 0
        self._prescaler, self._edges = prescaler, 0
        self._origin = start
        self._stretches: list[Stretch] = []

    def run(self, piece: TimeSlice, pause: Edges | None, source: Edges | None, begin: float) -> int:
        """Ticks up to the end of the piece; from `begin` on where it lies in it. A pause is high."""
        if self.rate is None:
            assert source is not None
            return self._counted(source.rises, pause, begin)
        self._stretches = []
        for start, end, held in _runs(piece, pause, begin):
            if held:
                self._origin += end - start
                continue
            last = max(self.count, _ticks_until(end, self._origin, self.rate))
            self._stretches.append(Stretch(self.count + 1, last, self._origin))
            self.count = last
        return self.count

    def _counted(self, edges: Times, pause: Edges | None, begin: float) -> int:
        edges = edges[edges > begin]
        if pause is not None:
            edges = edges[~pause.at(edges)]
        numbers = np.arange(self._edges + 1, self._edges + 1 + len(edges))
        self._edges += len(edges)
        edges = edges[numbers % self._prescaler == 0]
        self._stretches = [Stretch(self.count + 1, self.count + len(edges), edges=edges)]
        self.count += len(edges)
        return self.count

    def times(self, ticks: Ticks) -> Times:
        """When ticks of this piece come."""
        if not len(self._stretches) or not len(ticks):
            return NEVER
        if self.rate is None:
            return np.asarray(self._stretches[0].edges[ticks - self._stretches[0].first])
        which = np.searchsorted([s.last for s in self._stretches], ticks)
        origins = np.array([s.origin for s in self._stretches])
        return np.asarray(origins[np.minimum(which, len(origins) - 1)] + ticks / self.rate)


def _runs(piece: TimeSlice, pause: Edges | None, begin: float) -> list[tuple[float, float, bool]]:
    """(start, end, paused) of the stretches of a piece."""
    start = max(piece.start, begin)
    if pause is None or pause.steady:
        return [(start, piece.end, pause is not None and pause.high)]
    cuts = np.sort(np.concatenate([pause.rises, pause.falls]))
    cuts = cuts[(cuts > start) & (cuts < piece.end)]
    bounds = [start, *map(float, cuts), piece.end]
    held = pause.at(np.array(bounds[1:]))
    return [(a, b, bool(h)) for a, b, h in zip(bounds, bounds[1:], held, strict=False)]


def _ticks_until(time: float, origin: float, rate: float) -> int:
    count = max(0, math.floor((time - origin) * rate) + 1)
    while count > 0 and origin + count / rate > time:
        count -= 1
    return count
