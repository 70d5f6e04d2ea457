"""The rings of a running test as a source: the newest samples only, and a loss is a gap in the picture and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rig.display.history import History
from rig.display.source import DIFFERENCE, Floats, Trace
from rig.errors import StaleStream
from rig.ring import RingReader

SAMPLES = 2**19  # kept of each channel one by one: 10 s at 51.2 kS/s, 4 MB
BINS = 2**17  # of history.BIN samples: 160 s at 51.2 kS/s, 2 MB


class Feed:
    """One stream: its ring, once there is one, and what is remembered of the channels that are shown."""

    def __init__(self, path: Path, channels: Sequence[str], shift: int) -> None:
        self.path, self.shift = path, shift
        self.channels = tuple(channels)
        self.rate = 0.0
        self.history: History | None = None
        self._reader: RingReader | None = None
        self._columns: list[int] = []

    def poll(self) -> None:
        """Copy what the ring has that is newer than what is here."""
        if self._reader is None and not self._open():
            return
        assert self._reader is not None
        assert self.history is not None
        seen = self._reader.first_sample if self.history.empty else self.history.end + self.shift
        new = self._reader.head - seen
        if new > 0:
            first, block = self._reader.latest(new)
            self.history.append(first - self.shift, block[:, self._columns])

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _open(self) -> bool:
        try:
            self._reader = RingReader.open(self.path, timeout_s=0.0)
        except StaleStream:
            return False  # its writer has not got so far
        self.channels = tuple(name for name in self.channels if name in self._reader.names)
        self._columns = [self._reader.names.index(name) for name in self.channels]
        self.history = History(len(self.channels), SAMPLES, BINS)
        self.rate = self._reader.rate
        return True


class LiveSource:
    """The traces that the window shows, out of the rings of a run."""

    def __init__(self, rings: Mapping[str, Path], traces: Sequence[Trace], measured_delay: float = 0.0, rate: float = 0.0) -> None:
        """`measured_delay` (s) is the known delay of the measured channels; they are shown, and compared, without it."""
        streams = {trace.stream for trace in traces if trace.stream != DIFFERENCE}
        self._differences = [trace.channel for trace in traces if trace.stream == DIFFERENCE]
        if self._differences:
            streams |= {"measured", "predicted_as_measured"}
        self._feeds = {name: Feed(rings[name], self._channels(name, traces), 0) for name in sorted(streams)}
        self._feeds["measured"].shift = round(measured_delay * rate)
        self._difference = History(max(1, len(self._differences)), SAMPLES, BINS)

    def _channels(self, stream: str, traces: Sequence[Trace]) -> list[str]:
        wanted = [trace.channel for trace in traces if trace.stream == stream]
        if stream in ("measured", "predicted_as_measured"):
            wanted += self._differences
        return list(dict.fromkeys(wanted))

    @property
    def rate(self) -> float:
        return max(feed.rate for feed in self._feeds.values())

    def poll(self) -> None:
        for feed in self._feeds.values():
            feed.poll()
        self._subtract()

    def end(self, trace: Trace) -> int | None:
        found = self._find(trace)
        return None if found is None or found[0].empty else found[0].end

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        found = self._find(trace)
        return (first, np.empty(0)) if found is None else found[0].samples(found[1], first, last)

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        found = self._find(trace)
        return (first, step, np.empty(0), np.empty(0)) if found is None else found[0].bounds(found[1], first, last, step)

    def close(self) -> None:
        for feed in self._feeds.values():
            feed.close()

    def _find(self, trace: Trace) -> tuple[History, int] | None:
        if trace.stream == DIFFERENCE:
            return self._difference, self._differences.index(trace.channel)
        feed = self._feeds[trace.stream]
        if feed.history is None or trace.channel not in feed.channels:
            return None
        return feed.history, feed.channels.index(trace.channel)

    def _subtract(self) -> None:
        """measured - predicted_as_measured over what both have and the difference has not."""
        pairs = [(Trace("measured", name), Trace("predicted_as_measured", name)) for name in self._differences]
        ends = [self.end(trace) for pair in pairs for trace in pair]
        last = min((end for end in ends if end is not None), default=0)
        if not ends or None in ends or last <= self._difference.end:
            return
        columns = []
        first = self._difference.end
        for pair in pairs:
            (a, measured), (b, predicted) = (self.samples(trace, first, last) for trace in pair)
            first = max(a, b)
            columns.append(measured[first - a :] - predicted[first - b :])
        shortest = min(len(column) for column in columns)
        self._difference.append(first, np.stack([column[len(column) - shortest :] for column in columns], axis=1))
