"""The record of a run as one HDF5 file; the layout is NeXus, so that silx and h5web open the overlay by themselves.

/entry/{command,measured,predicted,predicted_as_measured}/<channel>   float64 (N,): units, first_sample, rate, long_name;
                                 measured also volts_scale, volts_offset: value = volts_scale * volts + volts_offset,
                                 and tare: the value is net, value + tare is gross
/entry/time                      float64 (N,), n / rate
/entry/config/{experiment,bench} the texts as run: TOML that parses to the values that ran
/entry/sensors/<channel>         the sensor's record as attributes; `expired` where the calibration had run out, `tare` as taken off
/entry/events                    table: sample (-1: none), time, source, kind, text
/entry/gaps                      table: stream, first, count, reason
/entry/preparation/<channel>     what went before the test; its rows have an index of their own, sample 0 is where the preparation began
/entry/cycles/<stream>           table, where asked for: cycle, first_sample, count, whole, then min, max, mean of every channel; `units` by
                                 column. Records of older versions are without `whole`
/entry/overlay                   default NXdata: measured, predicted (as measured) and time, linked

Row n is sample n in every dataset. At the end all streams of the test are as long as the longest: what was lost, and what a process that
died never published, is NaN and listed in /entry/gaps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import RigError
from rig.host import clock
from rig.recorder.columns import Columns, TimeColumn
from rig.recorder.cycles.dataset import CycleTable
from rig.recorder.description import NOT_PUBLISHED, Description, Event, Gap, StreamShape
from rig.recorder.parts import link
from rig.streaming.streams import APART

CHUNK_CACHE = 2**17  # bytes a dataset, some chunks: what is written is not read again
METADATA_CACHE = 2**19  # bytes: where the next chunks go; left to itself HDF5 keeps the whole index of chunks, which grows with the record
_TEXT = h5py.string_dtype()
EVENT_TYPE = np.dtype([("sample", "<i8"), ("time", "<f8"), ("source", _TEXT), ("kind", _TEXT), ("text", _TEXT)])
GAP_TYPE = np.dtype([("stream", _TEXT), ("first", "<i8"), ("count", "<i8"), ("reason", _TEXT)])


class Record:
    """A record being written, or one part of it. Everything raises RigError when the disk does not take it."""

    def __init__(self, path: Path, description: Description) -> None:
        self._path, self._description = path, description
        self._origins: dict[str, int] = {}
        self._cycles: dict[str, CycleTable] = {}
        with self._writing():
            # "earliest": a file that a kill leaves behind opens without repair. Locks are refused on some network disks.
            self._file = h5py.File(path, "x", libver="earliest", locking="best-effort", rdcc_nbytes=CHUNK_CACHE)
            _bound_metadata(self._file)
            self._begin()

    def _begin(self) -> None:
        self._entry = _group(self._file, "entry", "NXentry")
        self._columns: dict[str, Columns] = {}
        self._time: TimeColumn | None = None
        self._describe()
        self._events = self._entry.create_dataset("events", (0,), EVENT_TYPE, maxshape=(None,), chunks=(64,))
        self._gaps = self._entry.create_dataset("gaps", (0,), GAP_TYPE, maxshape=(None,), chunks=(64,))
        self._flushed_rows, self._tables_changed, self.flushed_at = 0, True, clock.now()
        self._file.flush()

    @property
    def path(self) -> Path:
        return self._path

    @property
    def ends(self) -> dict[str, int]:
        """Stream -> n behind its last sample."""
        return {name: self._origins[name] + columns.end for name, columns in self._columns.items()}

    def stream(self, shape: StreamShape, origin: int | None = None) -> None:
        """Make the datasets of a stream. origin: sample of row 0, other than that of the part (0 of a whole record)."""
        scaling = {name: _scaling(table) for name, table in self._description.sensors.items()} if shape.name == "measured" else {}
        group = _group(self._entry, shape.name, "NXcollection")
        first = self._description.part_first
        self._origins[shape.name] = first if origin is None else origin
        self._columns[shape.name] = Columns(group, shape, scaling, self._description.compression, self._origins[shape.name])
        if self._time is None:
            self._time = TimeColumn(self._entry, shape.rate, first, sparse=self._description.samples != "all")
        if self._description.cycles and shape.name not in APART:
            self._cycles[shape.name] = CycleTable(self._entry.require_group("cycles"), shape, self._description.whole)
        self._tables_changed = True

    def append(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .. of a stream, block (k, channels)."""
        with self._writing():
            self._columns[stream].append(first - self._origins[stream], block)
            if self._time is not None and stream not in APART:
                self._time.cover(first - self._origins[stream], len(block))

    def gap(self, gap: Gap) -> None:
        """Enter a gap; rows up to its end exist and are NaN."""
        self.enter((), (gap,))

    def cycles(self, stream: str, rows: NDArray[np.void]) -> None:
        """Rows of the table of cycles. Raises ValueError for rows without a column that it has."""
        self._cycles[stream].append(rows)

    def event(self, event: Event) -> None:
        self.enter((event,), ())

    def enter(self, events: Sequence[Event], gaps: Sequence[Gap]) -> None:
        """As `event` and `gap` for each, in their order; of a long record there are thousands."""
        for gap in gaps:
            if gap.stream in self._columns:  # it is not of a record that has its samples in parts
                self._columns[gap.stream].skip(gap.first + gap.count - self._origins[gap.stream])
        self._add_rows(self._events, [_event_row(one) for one in events])
        self._add_rows(self._gaps, [(one.stream, one.first, one.count, one.reason) for one in gaps])

    def flush(self, waited: float = 0.0) -> None:
        """Bring whole chunks, and what has waited for `waited` s or longer, to the operating system: it survives a kill then."""
        old = clock.now() - waited
        with self._writing():
            written: tuple[Columns | CycleTable, ...] = (*self._columns.values(), *self._cycles.values())
            for one in written:
                if one.pending and one.waiting_since <= old:
                    one.put()
            rows = sum(one.rows for one in written)
            if rows != self._flushed_rows or self._tables_changed:
                self._extend_time()
                self._file.flush()
                self._flushed_rows, self._tables_changed, self.flushed_at = rows, False, clock.now()

    def _extend_time(self) -> None:
        if self._time is not None:
            self._time.extend(max((columns.rows for name, columns in self._columns.items() if name not in APART), default=0))

    def close(self, until: int = 0, **attributes: object) -> list[Gap]:
        """Make all streams equally long, add the overlay, mark the record as complete; returns the gaps that had to be filled.

        until: n behind the last sample of a part that another one follows.
        """
        if not self._file:
            return []
        ends = {name: end for name, end in self.ends.items() if name not in APART}
        last = max([until, *ends.values()])
        filled = [Gap(name, end, last - end, NOT_PUBLISHED) for name, end in ends.items() if end < last]
        for gap in filled:
            self.gap(gap)
        self.flush()
        with self._writing():
            self._add_overlay()
            self._entry.attrs.update({**attributes, "complete": True})
            self._file.close()
        return filled

    def link(self, folder: Path, parts: Sequence[str], end: int | None = None) -> None:
        """Show the samples of a record that has them in parts; these are closed. end: see `parts.link`."""
        with self._writing():
            link(self._entry, folder, parts, end)

    def abandon(self) -> None:
        """Close the file as it is."""
        with contextlib.suppress(OSError, RuntimeError):  # the fault that led here has been told already
            self._file.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, RuntimeError) as error:  # h5py raises either, depending on the call
            raise RigError(f"recorder: {self._path} cannot be written: {error}") from error

    def _add_rows(self, table: h5py.Dataset, rows: Sequence[tuple[object, ...]]) -> None:
        if not rows:
            return
        with self._writing():
            table.resize((len(table) + len(rows),))
            table[-len(rows) :] = np.array(rows, table.dtype)
        self._tables_changed = True

    def _describe(self) -> None:
        description, entry = self._description, self._entry
        self._file.attrs.update({"NX_class": "NXroot", "default": "entry"})
        entry.attrs.update({"default": "overlay", "run": description.run, "started": description.started, "complete": False})
        entry.attrs.update({"rig_version": description.rig_version, "compression": description.compression})
        if description.samples != "all":
            entry.attrs["samples"] = description.samples
        if description.part:
            entry.attrs.update({"part": description.part, "first_sample": description.part_first})
        entry["title"] = description.title
        config = _group(entry, "config", "NXcollection")
        config["experiment"], config["bench"] = description.experiment_text, description.bench_text
        sensors = _group(entry, "sensors", "NXcollection")
        sensors.attrs["expired"] = ", ".join(name for name, table in description.sensors.items() if table.get("expired"))
        for name, table in description.sensors.items():
            _group(sensors, name, "NXsensor").attrs.update(table)

    def _add_overlay(self) -> None:
        """The default plot: the channel to be shown, else the first that was both measured and predicted, else the first measured one."""
        measured = self._channels("measured")
        if not measured:
            return
        both = [name for name in self._channels("predicted_as_measured") if name in measured]
        name = self._description.shown if self._description.shown in both else (both or measured)[0]
        overlay = _group(self._entry, "overlay", "NXdata")
        overlay.attrs.update({"signal": "measured", "axes": ["time"], "title": f"{self._description.title}: {name}"})
        overlay["time"], overlay["measured"] = self._entry["time"], self._entry["measured"][name]
        if both:
            overlay["predicted"] = self._entry["predicted_as_measured"][name]
            overlay.attrs["auxiliary_signals"] = ["predicted"]

    def _channels(self, stream: str) -> tuple[str, ...]:
        """In their order; none of a stream that is not there."""
        group = self._entry.get(stream, {})
        return tuple(sorted(group, key=lambda name: int(group[name].attrs["column"])))


def _bound_metadata(file: h5py.File) -> None:
    cache = file.id.get_mdc_config()
    cache.set_initial_size = True
    cache.initial_size = cache.min_size = cache.max_size = METADATA_CACHE
    file.id.set_mdc_config(cache)


def _event_row(event: Event) -> tuple[object, ...]:
    sample = -1 if event.sample is None else event.sample
    return sample, np.nan if event.time is None else event.time, event.source, event.kind, event.text


def _scaling(sensor: Mapping[str, Json]) -> dict[str, float]:
    sensitivity, offset, tare = sensor["sensitivity"], sensor["offset"], sensor.get("tare", 0.0)  # absent in journals of older versions
    assert isinstance(sensitivity, (int, float)) and isinstance(offset, (int, float)) and isinstance(tare, (int, float))
    return {"volts_scale": sensitivity, "volts_offset": offset - tare, "tare": tare}


def _group(parent: h5py.Group, name: str, nx_class: str) -> h5py.Group:
    group = parent.create_group(name)
    group.attrs["NX_class"] = nx_class
    return group
