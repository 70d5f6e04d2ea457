"""The timebase of a counter: when its ticks come, and how many lie between two instants."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.timeline import NEVER, Times

if TYPE_CHECKING:
    from drivers.simulated.daqmx.channels import CounterChannel
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.signals import Edges, Piece

RISING = 10280
SIZE = 2**32
"""Counts of a counter of 32 bits."""
SLOW = "100kHzTimebase"

Ticks = NDArray[np.int64]


def source_of(engine: Engine, channel: CounterChannel, family: str, longest: float = 0.0) -> tuple[str, float | None]:
    """Terminal and frequency (Hz, None of a signal from outside) of a channel's timebase.

    Unless another was chosen the driver takes a slower one for intervals that are too `longest` (s) for the fastest.
    """
    name = f"{family}_CTR_TIMEBASE_SRC"
    source = str(channel.attributes[name])
    terminal = engine.routes.canonical(source, channel.device)
    rate = engine.routes.frequency(terminal)
    counting = engine.devices[channel.device].counting
    assert counting is not None
    if rate == counting.timebase and longest * rate >= SIZE:
        terminal = engine.routes.canonical(f"/{channel.device}/{SLOW}")
        rate = engine.routes.frequency(terminal)
    return terminal, rate


class Timebase:
    """Positions of instants in ticks: of a constant `rate` (Hz), or counted edges of a signal."""

    def __init__(self, terminal: str, rate: float | None, rising: bool = True) -> None:
        self.terminal, self.rate, self.rising = terminal, rate, rising
        self._base = 0

    def positions(self, piece: Piece, times: Times) -> Times:
        """Ticks up to and with each instant, from a fixed one on; only differences mean something, rounded."""
        if self.rate is not None:
            return times * self.rate
        edges = piece.edges(self.terminal).active(self.rising)
        return (self._base + np.searchsorted(edges, times, side="right")).astype(float)

    def passed(self, piece: Piece) -> None:
        """The piece is through."""
        if self.rate is None:
            self._base += len(piece.edges(self.terminal).active(self.rising))


@dataclass
class Stretch:
    """Ticks `first` .. `last` come at origin + n / rate, or at the instants `edges`."""

    first: int
    last: int
    origin: float = 0.0
    edges: Times = field(default_factory=lambda: NEVER)


class Pacemaker:
    """Ticks from an instant `start` on that a pause holds up; `count` of them have been."""

    def __init__(self, start: float, rate: float | None) -> None:
        self.rate = rate
        self.count = 0
        self._origin = start
        self._stretches: list[Stretch] = []

    def run(self, piece: Piece, pause: Edges | None, source: Edges | None, begin: float) -> int:
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


def _runs(piece: Piece, pause: Edges | None, begin: float) -> list[tuple[float, float, bool]]:
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
