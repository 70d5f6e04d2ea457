"""The rings of a running test as a source: the newest samples only, and a loss is a gap in the picture and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rig.display.levels import Level
from rig.display.preparing import SECONDS, Prepared
from rig.display.sources import instruments
from rig.display.sources.axes import LATELY, drives_of, spoken
from rig.display.sources.history import History
from rig.display.sources.instruments import readings
from rig.display.sources.source import DIFFERENCE, MOST, Axis, Floats, Trace
from rig.errors import StaleStream
from rig.recorder.reading import CALCULATED
from rig.streaming.ring import RingReader

BINS = 2**17  # of history.BIN samples: 160 s at 51.2 kS/s, 2 MB
NOWHERE = Path("none")  # of a test without axes or instruments
MEASURED, PREDICTED, RAW = "measured", "predicted_as_measured", "predicted"
NO_ROWS: tuple[tuple[str, ...], Floats] = (), np.empty((0, 0))


class Feed:
    """One stream: its ring, once there is one, and what is remembered of the channels that are shown."""

    def __init__(self, path: Path, shift: int = 0) -> None:
        self.path, self.shift = path, shift
        self.rate = 0.0
        self.reader: RingReader | None = None
        self.histories: dict[str, History] = {}
        self._wanted: tuple[str, ...] = ()

    def watch(self, channels: Iterable[str]) -> None:
        """Remember these channels; a new one begins with what the ring still has."""
        self._wanted = tuple(dict.fromkeys(channels))
        self.histories = {name: history for name, history in self.histories.items() if name in self._wanted}

    def poll(self) -> None:
        """Copy what the ring has that is newer than what is here."""
        reader = self.open()
        if reader is None:
            return
        names = [name for name in self._wanted if name in reader.names]
        fresh = [name for name in names if name not in self.histories]
        self.histories |= {name: History(1, MOST, BINS) for name in fresh}
        self._take(reader, [name for name in names if name not in fresh])
        for name in fresh:
            self._take(reader, [name])

    def _take(self, reader: RingReader, names: Sequence[str]) -> None:
        """What is new of channels that have all come equally far."""
        if not names:
            return
        history = self.histories[names[0]]
        first, block = reader.since(
            reader.first_sample if history.empty else history.end + self.shift, [reader.names.index(name) for name in names]
        )
        if not len(block):
            return
        for column, name in enumerate(names):
            self.histories[name].append(first - self.shift, block[:, column : column + 1])

    def close(self) -> None:
        if self.reader is not None:
            self.reader.close()
            self.reader = None

    def open(self) -> RingReader | None:
        """Its reader, as soon as there is a ring."""
        if self.reader is not None:
            return self.reader
        try:
            self.reader = RingReader.open(self.path, timeout_s=0.0)
        except StaleStream:
            return None  # its writer has not got so far
        self.rate = self.reader.rate
        return self.reader


class LiveSource:
    """The traces that the window shows, out of the rings of a run."""

    progress = 1.0

    def __init__(
        self, rings: Mapping[str, Path], traces: Sequence[Trace], measured_delay: float = 0.0, rate: float = 0.0, first_sample: int = 0
    ) -> None:
        """`measured_delay` (s) is the known delay of the measured channels; they are shown, and compared, without it.

        first_sample: of the record, at the begin of this session: streams with rows of their own count from there.
        """
        self._feeds = {name: Feed(rings[name]) for name in ("command", MEASURED, PREDICTED)}
        self._feeds |= {name: Feed(rings.get(name, NOWHERE)) for name in (RAW, "predicted_band")}
        self._motion, self._first = Feed(rings.get("motion", NOWHERE)), first_sample
        self._kept = NO_ROWS  # of it, when the rings are gone
        self._axes, self._instruments = (Feed(rings.get(stream, NOWHERE)) for stream in ("axes", "instruments"))
        self._calculated = tuple(Feed(rings.get(stream, NOWHERE)) for stream in CALCULATED)
        self._preparation = Feed(rings.get("preparation", NOWHERE))
        for feed in (self._feeds[MEASURED], *self._calculated):
            feed.shift = round(measured_delay * rate)
        self._differences: dict[str, History] = {}
        self.watch(traces)

    def watch(self, traces: Sequence[Trace]) -> None:
        wanted = [trace.channel for trace in traces if trace.stream == DIFFERENCE]
        self._differences = {name: self._differences.get(name) or History(1, MOST, BINS) for name in wanted}
        for stream, feed in self._feeds.items():
            of_both = wanted if stream in (MEASURED, PREDICTED) else []
            feed.watch([trace.channel for trace in traces if trace.stream == stream] + of_both)
        for feed in self._calculated:  # shown where measured channels are
            feed.watch([trace.channel for trace in traces if trace.stream == MEASURED])

    @property
    def rate(self) -> float:
        return max(feed.rate for feed in self._feeds.values())

    def poll(self) -> None:
        for feed in (*self._feeds.values(), *self._calculated):
            feed.poll()
        for name, difference in self._differences.items():
            self._subtract(name, difference)

    def end(self, trace: Trace) -> int | None:
        history = self._find(trace)
        return None if history is None or history.empty else history.end

    def unbroken(self, trace: Trace) -> int:
        history = self._find(trace)
        return 0 if history is None else history.unbroken

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        history = self._find(trace)
        return (first, np.empty(0)) if history is None else history.samples(0, first, last)

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        history = self._find(trace)
        return (first, step, np.empty(0), np.empty(0)) if history is None else history.bounds(0, first, last, step)

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], Floats]:
        """The newest there are: a table of limits shows what is, also while the picture is paused."""
        reader = self._feeds[MEASURED].reader
        return ((), np.empty((0, 0))) if reader is None else (reader.names, reader.latest(count)[1])

    def rows(self, stream: str, first: float, last: float) -> tuple[tuple[str, ...], Floats]:
        """What the ring still has of the one that is drawn so, `motion`."""
        names, rows = self._moved() if stream == "motion" else NO_ROWS
        if not names:
            return NO_ROWS
        return names, rows[np.searchsorted(rows[:, 0], first) : np.searchsorted(rows[:, 0], last, side="right")]

    def _moved(self) -> tuple[tuple[str, ...], Floats]:
        said = self._motion.open()
        if said is None:
            return self._kept
        rows = said.latest(said.capacity)[1]
        rows[:, 0] -= self._first
        return said.names, rows

    def axes(self, now: int) -> tuple[Axis, ...]:
        """The newest there are, as the levels."""
        said, command = self._axes.open(), self._feeds["command"].reader
        if said is None or command is None:
            return ()
        return spoken(drives_of(command.names), said.names, said.latest(LATELY)[1])

    def instruments(self, now: int) -> Mapping[str, Level]:
        """The newest there are, as the levels: of instruments, and of calculated channels."""
        found: dict[str, Level] = {}
        for feed in (self._instruments, *self._calculated):
            said = feed.open()
            if said is not None:
                found |= readings(said.names, said.latest(instruments.LATELY)[1])
        return found

    def prepared(self) -> Prepared | None:
        """The newest samples of what goes before the test; None where there are none."""
        said = self._preparation.open()
        if said is None or not said.head:
            return None
        return Prepared(said.names, said.latest(min(said.head, round(SECONDS * said.rate)))[1], said.rate, said.head)

    def freeze(self) -> None:
        """Take in what is there, and no more: the rings may go, and what is remembered stays."""
        self.poll()
        self._kept = self._moved()
        self.close()
        for feed in self._all:
            feed.path = NOWHERE

    @property
    def _all(self) -> tuple[Feed, ...]:
        return (*self._feeds.values(), self._axes, self._instruments, *self._calculated, self._preparation, self._motion)

    def close(self) -> None:
        for feed in self._all:
            feed.close()

    def _find(self, trace: Trace) -> History | None:
        if trace.stream == DIFFERENCE:
            return self._differences.get(trace.channel)
        feeds = (self._feeds[trace.stream], *(self._calculated if trace.stream == MEASURED else ()))
        return next((feed.histories[trace.channel] for feed in feeds if trace.channel in feed.histories), None)

    def _subtract(self, name: str, difference: History) -> None:
        """predicted_as_measured - measured over what both have and the difference has not."""
        pair = (Trace(MEASURED, name), Trace(PREDICTED, name))
        ends = [end for trace in pair if (end := self.end(trace)) is not None]
        if len(ends) < 2 or min(ends) <= difference.end:
            return
        (a, measured), (b, predicted) = (self.samples(trace, difference.end, min(ends)) for trace in pair)
        first, last = max(a, b), min(a + len(measured), b + len(predicted))
        if last > first:
            difference.append(first, (predicted[first - b : last - b] - measured[first - a : last - a])[:, None])
