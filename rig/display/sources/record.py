"""A record as a source: samples are read from the file when they are asked for, long spans from pyramids built meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import h5py
import numpy as np

from rig.display.levels import Level
from rig.display.sources import instruments
from rig.display.sources.axes import LATELY, drives_of, spoken
from rig.display.sources.instruments import readings
from rig.display.sources.pyramid import Pyramid
from rig.display.sources.reduction import bounds
from rig.display.sources.source import DIFFERENCE, MOST, Axis, Floats, Trace
from rig.host import clock
from rig.recorder.opening import open_record
from rig.recorder.reading import CALCULATED, RunData, Samples, explained, plausible

BAND = "predicted_band"  # that an experiment may ask for; it is no signal that others compare or export
WITHOUT_CURVE = "predicted"  # no long span of it is drawn
AT_ONCE = 2**18  # samples that may be read for one curve of one picture


class RecordSource:
    """The traces of a record; `measured_delay` (s) as for a running test. Raises ConfigError when the file cannot be opened."""

    def __init__(self, run: RunData, traces: Sequence[Trace], measured_delay: float = 0.0) -> None:
        self.rate, self.samples_recorded = run.rate, run.samples
        self._run, self._shift = run, round(measured_delay * run.rate)
        self._file = open_record(run.path)
        self._band = tuple(self._file.get(f"entry/{BAND}", ()))
        self._datasets: dict[tuple[str, str], h5py.Dataset] = {}
        self._pyramids: dict[Trace, Pyramid] = {}
        self._asked = (0, 0)
        self._calculated = {name: stream for stream in CALCULATED for name in run.streams.get(stream, ())}
        self._samples: dict[str, Floats] = {}  # of the rows of streams that have their own
        self.watch(traces)

    def watch(self, traces: Sequence[Trace]) -> None:
        self._pyramids = {
            trace: self._pyramids.get(trace) or Pyramid(self._length(trace))
            for trace in traces
            if trace.stream != WITHOUT_CURVE and self._there(trace)
        }

    @property
    def progress(self) -> float:
        pieces = sum(len(pyramid.done) for pyramid in self._pyramids.values())
        return sum(int(pyramid.done.sum()) for pyramid in self._pyramids.values()) / pieces if pieces else 1.0

    def poll(self) -> None:
        """Nothing comes any more."""

    def advance(self, until: float) -> bool:
        """Work on the pyramids until clock.now() is `until`, what is asked for first; False when all are complete."""
        while (found := self._next()) is not None:
            trace, first = found
            pyramid = self._pyramids[trace]
            pyramid.put(first, self._read(trace, first, min(first + pyramid.piece, pyramid.length)))
            if clock.now() >= until:
                return True
        return False

    def look_through(self) -> bool:
        """Work on the pyramids until what was asked for last is there, however long it takes; False when it was there."""
        found = False
        for trace, pyramid in self._pyramids.items():
            while (first := pyramid.missing(*self._asked)) is not None:
                pyramid.put(first, self._read(trace, first, min(first + pyramid.piece, pyramid.length)))
                found = True
        return found

    def end(self, trace: Trace) -> int | None:
        return self._length(trace) or None if self._there(trace) else None

    def unbroken(self, trace: Trace) -> int:
        return 0

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        if not self._there(trace):
            return first, np.empty(0)
        last = min(last, self._length(trace))
        first = max(0, first, last - MOST)
        return first, self._read(trace, first, max(first, last), np.float64)

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        if trace not in self._pyramids:
            return first, step, np.empty(0), np.empty(0)
        pyramid = self._pyramids[trace]
        self._asked = (first, last)
        if last - first > AT_ONCE or (step >= pyramid.bin and pyramid.missing(first, last) is None):
            return pyramid.bounds(first, last, step)
        begin = max(0, first) // step * step
        return (begin, step, *bounds(self._read(trace, begin, max(begin, min(last, self._length(trace)))), step))

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], Floats]:
        names = tuple(self._run.streams.get("measured", ()))
        last = min(last, self._run.samples)
        columns = [self._samples_of("measured", name, max(0, last - count), last) for name in names]
        shortest = min((len(column) for column in columns), default=0)
        return names, np.stack([column[:shortest] for column in columns], axis=1) if names else np.empty((0, 0))

    def rows(self, stream: str, first: float, last: float) -> tuple[tuple[str, ...], Floats]:
        return self._rows(stream, self._behind(stream, np.nextafter(first, -np.inf)), self._behind(stream, last))

    def axes(self, now: int) -> tuple[Axis, ...]:
        columns, rows = self._before("axes", now, LATELY)
        return spoken(drives_of(tuple(self._run.streams.get("command", ()))), columns, rows) if columns else ()

    def instruments(self, now: int) -> Mapping[str, Level]:
        found = dict(readings(*self._before("instruments", now, instruments.LATELY)))
        last = min(max(now, 0), self._run.samples)
        for name, stream in self._calculated.items():
            column = self._samples_of(stream, name, max(0, last - instruments.LATELY), last)
            found |= readings((name,), column[:, None])
        return found

    def _before(self, stream: str, now: int, count: int) -> tuple[tuple[str, ...], Floats]:
        """(columns, (k, columns)): the last `count` rows up to sample `now` of a stream with samples of its own; no column without it."""
        behind = self._behind(stream, now)
        return self._rows(stream, max(0, behind - count), behind)

    def _behind(self, stream: str, sample: float) -> int:
        """How many of its rows are of samples up to this one."""
        with explained(self._run.path, stream):
            there = self._file.get(f"entry/{stream}")
            if there is None or "sample" not in there:
                return 0
            if stream not in self._samples:
                self._samples[stream] = there["sample"][:]
            return int(np.searchsorted(self._samples[stream], sample, side="right"))

    def _rows(self, stream: str, first: int, behind: int) -> tuple[tuple[str, ...], Floats]:
        with explained(self._run.path, stream):
            there = self._file.get(f"entry/{stream}")
            if there is None or "sample" not in there:
                return (), np.empty((0, 0))
            columns = tuple(there)
            rows = [plausible(there[name][first:behind], self._run.path, f"{stream}/{name}", first) for name in columns]
            return columns, np.stack(rows, axis=1)

    def close(self) -> None:
        self._datasets.clear()
        self._file.close()

    def _next(self) -> tuple[Trace, int] | None:
        for asked in (self._asked, (0, self._run.samples)):
            for trace, pyramid in self._pyramids.items():
                if (first := pyramid.missing(*asked)) is not None:
                    return trace, first
        return None

    def _there(self, trace: Trace) -> bool:
        streams = ("measured", "predicted_as_measured") if trace.stream == DIFFERENCE else (self._stream(trace),)
        return all(trace.channel in (self._band if stream == BAND else self._run.streams.get(stream, ())) for stream in streams)

    def _stream(self, trace: Trace) -> str:
        """Where a channel stands: a calculated one is shown where measured ones are."""
        if trace.stream == "measured" and trace.channel not in self._run.streams.get("measured", ()):
            return self._calculated.get(trace.channel, trace.stream)
        return trace.stream

    def _length(self, trace: Trace) -> int:
        return max(0, self._run.samples - (self._shift if trace.stream in ("measured", DIFFERENCE) else 0))

    def _read(self, trace: Trace, first: int, last: int, kind: type[np.floating] = np.float32) -> Floats:
        """Samples first .. last - 1, which are all within the record, as `kind`; NaN where the file ends early."""
        if trace.stream == DIFFERENCE:
            pair = (Trace("measured", trace.channel), Trace("predicted_as_measured", trace.channel))
            measured, predicted = (self._read(one, first, last, kind) for one in pair)
            return predicted - measured
        shift = self._shift if trace.stream == "measured" else 0
        there = self._samples_of(self._stream(trace), trace.channel, first + shift, last + shift)
        values = np.full(last - first, np.nan, dtype=kind)
        values[: len(there)] = there
        return values

    def _samples_of(self, stream: str, channel: str, first: int, last: int) -> Samples:
        """Samples as they are in the file. Raises ConfigError for damaged ones."""
        with explained(self._run.path, f"{stream}/{channel}"):
            return plausible(self._dataset(stream, channel)[first:last], self._run.path, f"{stream}/{channel}", first)

    def _dataset(self, stream: str, channel: str) -> h5py.Dataset:
        if (stream, channel) not in self._datasets:
            self._datasets[stream, channel] = self._file[f"entry/{stream}/{channel}"]
        return self._datasets[stream, channel]
