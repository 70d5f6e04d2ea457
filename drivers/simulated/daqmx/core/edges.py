"""Digital signals as edges over a piece of bench time, asked for lazily and kept for the piece.

Everything digital is a signal by the name of its terminal (`dev1/pfi0`, `dev1/port0/line3`, `dev1/ai/sampleclock`): clocks, triggers,
gates, lines, counter outputs. A signal may depend on others, so it is worked out when somebody asks. One that depends on itself shows
no edge to itself in this piece: what it does comes to itself in the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.timeline import Timeline

PULSE = 100e-9
"""Width (s) of the pulse that an event is on a terminal."""
RUN = 500
"""What one run of a retriggerable task costs, in edges: each is worked out by itself."""


@dataclass(frozen=True)
class Edges:
    """A signal over a piece: the level before it (`high`), and when it rises and falls; rises and falls alternate."""

    high: bool = False
    rises: Times = field(default_factory=lambda: NEVER)
    falls: Times = field(default_factory=lambda: NEVER)

    @property
    def steady(self) -> bool:
        return not len(self.rises) and not len(self.falls)

    @property
    def after(self) -> bool:
        """Level behind the piece."""
        return bool(self.high) ^ bool((len(self.rises) + len(self.falls)) % 2)

    def active(self, rising: bool) -> Times:
        """The rising or the falling edges."""
        return self.rises if rising else self.falls

    def at(self, times: Times, behind: bool = False) -> NDArray[np.bool_]:
        """Level up to each instant, so that a sample taken at the very edge still sees the old level; with `behind` the new one."""
        side: Literal["left", "right"] = "right" if behind else "left"
        up = np.searchsorted(self.rises, times, side) - np.searchsorted(self.falls, times, side)
        return np.asarray(up + int(self.high) > 0)

    def inverted(self) -> Edges:
        """The opposite of the signal."""
        return Edges(not self.high, self.falls, self.rises)


LOW, HIGH = Edges(False), Edges(True)


def stepped(high: bool, values: NDArray[np.bool_], at: Times) -> Edges:
    """A signal that is `high` before and takes the `values` at the instants `at`."""
    before = np.concatenate(([high], values[:-1])).astype(bool)
    values = values.astype(bool)
    return Edges(bool(high), at[values & ~before], at[before & ~values])


def pulses(piece: TimeSlice, rises: Times, width: float, last: float | None) -> Edges:
    """Pulses of `width` (s) that begin at `rises` in the piece; `last`: beginning of the last one before it."""
    begins = rises if last is None else np.concatenate(([last], rises))
    falls = begins + width
    if len(begins) > 1:
        # A pulse ends at the latest half-way to the next one.
        falls[:-1] = np.minimum(falls[:-1], 0.5 * (begins[:-1] + begins[1:]))
    high = last is not None and falls[0] > piece.start
    falls = falls[0 if high or last is None else 1 :]
    return Edges(bool(high), rises, falls[falls <= piece.end])


class TimeSlice:
    """Bench time from `start` to `end`. `point`: no time passes, somebody's action takes effect at once; clocks of a rate stand still.

    `injected`: signals that are what they are by this action. `levels`: (terminal, values, instants) of the analogue outputs that
    change. `latest`: their last values. `states`: (line, states, instants) of the lines that tasks put out. `lines`: levels
    of output lines behind the piece.
    """

    def __init__(
        self,
        start: float,
        end: float,
        resolve: Callable[[TimeSlice, str], Edges],
        injected: Mapping[str, Edges] | None = None,
        point: bool = False,
    ) -> None:
        self.start, self.end, self.point = start, end, point
        self.injected = dict(injected or {})
        self.levels: list[tuple[str, NDArray[np.float64], Times]] = []
        self.latest: dict[str, float] = {}
        self.states: list[tuple[str, NDArray[np.bool_], Times]] = []
        self.lines: dict[str, bool] = {}
        self.instants: dict[object, Times] = {}
        self.fired: dict[tuple[object, str], Times] = {}
        self.late: dict[str, float] = {}
        """Triggers that were found on samples of this piece, by terminal: they are given at its end."""
        self.spans: dict[int, tuple[Timeline, Times]] = {}
        self.drivers: tuple[dict[str, Drive], set[str]] | None = None
        """Signals that running tasks make, and the output lines that somebody drives, once they were asked for."""
        self.ticks: dict[int, Times] = {}
        """Ticks of a clock that counts edges, by its identity."""
        self.filtered: dict[object, Edges] = {}
        """A signal behind a filter."""
        self.generated: dict[object, dict[str, Edges]] = {}
        """What a task puts out in digital form, by line or counter."""
        self.count = 0
        """Edges that somebody has asked for, and what else there was to do, in edges."""
        self.played = False
        """Whether the plant has gone through the piece: the edges that it makes are known from then on."""
        self._resolve = resolve
        self._edges: dict[str, Edges] = {}
        self._asked: set[str] = set()

    def edges(self, terminal: str) -> Edges:
        """The signal at a terminal over this piece."""
        if terminal in self.injected:
            return self.injected[terminal]
        known = self._edges.get(terminal)
        if known is None:
            if terminal in self._asked:
                return LOW
            self._asked.add(terminal)
            known = self._edges[terminal] = self._resolve(self, terminal)
            self.count += len(known.rises) + len(known.falls)
        return known

    def play(self) -> None:
        """The plant has gone through the piece; who asked before has seen none of its edges, who asks from now on does."""
        self.played = True
        self._edges.clear()
        self._asked.clear()

    def span(self, line: Timeline) -> Times:
        """Edges of a constant-rate clock in this piece: those that have not been yet."""
        known = self.spans.get(id(line))
        if known is None:
            end = line.ticks if self.point else max(line.ticks, line.ticks_until(self.end))
            known = self.spans[id(line)] = (line, line.times(line.ticks, end))
        return known[1]


Drive = Callable[[TimeSlice], Edges]
"""What makes a signal: its edges over a piece of time."""
