"""Read a record: texts and tables at once, samples when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import ConfigError
from rig.recorder.contradictions import need_none
from rig.recorder.cycles.layout import WHOLE
from rig.recorder.description import BROKEN_OFF, NOT_KEPT, NOT_YET, Event, Gap
from rig.recorder.folders import find_record, remedy
from rig.recorder.opening import in_words, open_record
from rig.recorder.parts import need_parts
from rig.streaming.interruptions import Told, held_samples

CALCULATED = ("calculated", "calculated_predicted", "estimated")
COMPARED = ("command", "measured", "predicted", "predicted_as_measured")
STREAMS = (*COMPARED, *CALCULATED)
BAND = "predicted_band"
"""Of an ensemble, sample by sample as the others; it is no signal that is compared or exported by itself."""

Samples = NDArray[np.float64]
LOWEST_RATE, HIGHEST_RATE = 0.1, 2.5e6  # Hz; the fastest devices sample at 2 MHz
LARGEST = 1e30
"""Of a sample: greater ones come from damage. Those that are drawn are float32, which ends at 3.4e38."""


class Channels(Mapping[str, Samples]):
    """Channel name -> (N,) samples of one stream; read from the file at the first use, then kept."""

    def __init__(self, path: Path, stream: str, names: tuple[str, ...], length: int) -> None:
        self._path, self._stream, self._names, self._length = path, stream, names, length
        self._loaded: dict[str, Samples] = {}

    def __getitem__(self, name: str) -> Samples:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = self.slice(name, 0, self._length)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names  # a mapping's own would read the whole channel to find out

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def slice(self, name: str, first: int, count: int) -> Samples:
        """Samples first .. first + count - 1 only; NaN behind the end of a stream that an interrupted record left shorter."""
        out = np.full(max(min(count, self._length - first), 0), np.nan)
        if not len(out):
            return out
        with open_record(self._path) as file, explained(self._path, f"{self._stream}/{name}"):
            there = file[f"entry/{self._stream}/{name}"][first : first + len(out)]
        out[: len(there)] = plausible(there, self._path, f"{self._stream}/{name}", first)
        return out


class Column:
    """One channel of a record, (N,), read afresh wherever it is sliced; NaN behind the end of a stream that was left shorter.

    The file stays open as long as this object lives, for whoever goes through a long record piece by piece. The last slice is kept
    for the next one who asks for it, so it must not be written to.
    """

    def __init__(self, path: Path, stream: str, name: str, length: int) -> None:
        self._path, self._name = path, f"{stream}/{name}"
        self._dataset, self._length = open_record(path, rdcc_nbytes=0)[f"entry/{stream}/{name}"], length  # whole chunks need no cache
        self._range, self._samples = (0, 0), np.empty(0)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Samples:
        """A slice with step 1."""
        first, last, _ = part.indices(self._length)
        if (first, last) != self._range:
            self._range, self._samples = (first, last), self._read(first, max(last - first, 0))
        return self._samples

    @property
    def recorded(self) -> int:
        """n behind the last sample in the file."""
        return len(self._dataset)

    def _read(self, first: int, count: int) -> Samples:
        if not count:
            return np.empty(0)  # HDF5 raises where nothing is asked of a dataset over more than 50 parts
        with explained(self._path, self._name):
            out: Samples = plausible(self._dataset[first : first + count], self._path, self._name, first)
        if len(out) < count:
            out = np.concatenate((out, np.full(count - len(out), np.nan)))
        out.flags.writeable = False
        return out


@contextmanager
def _part(name: str) -> Iterator[None]:
    """What h5py raises about a part of a record that is missing, or another thing than is recorded, as ValueError in words."""
    try:
        yield
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{name}: {in_words(error)}") from error


@contextmanager
def explained(path: Path, name: str) -> Iterator[None]:
    """What HDF5 raises about samples, as ConfigError."""
    try:
        yield
    except (OSError, LookupError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path}: {name} cannot be read ({in_words(error)}); {remedy(path.parent)}") from error


def plausible(samples: Samples, path: Path, name: str, first: int) -> Samples:
    """The samples. Raises ConfigError for one that no instrument gave."""
    with np.errstate(invalid="ignore"):
        wrong = np.abs(samples) > LARGEST
    if wrong.any():
        n = int(np.argmax(wrong))
        raise ConfigError(f"{path}: {name} is {samples[n]:g} at sample {first + n}: the record is damaged there; {remedy(path.parent)}")
    return samples


@dataclass(frozen=True)
class RunData:
    """A record. All streams have the same number of samples; row n is sample first_sample + n; missing ones are NaN."""

    path: Path
    streams: Mapping[str, Channels]
    units: Mapping[str, Mapping[str, str]]
    rate: float
    first_sample: int
    samples: int
    experiment_text: str
    bench_text: str
    sensors: Mapping[str, Mapping[str, Json]]
    events: list[Event]
    gaps: list[Gap]
    attributes: Mapping[str, Json]
    complete: bool
    last_cycle: int | None = None
    """By the table of cycles; None without one."""
    cut_cycle: int | None = None
    """The cycle that the test ended in, where the table of cycles says that it was not run to its end."""
    title: str = ""
    """Of the experiment."""
    band: tuple[str, ...] = ()
    """Columns of the band of an ensemble; none where none was recorded."""

    @property
    def held(self) -> list[tuple[int, int | None]]:
        """Rows (first, behind the last) of each time in which the command was not at its full pace; None: to the end."""
        told = held_samples(Told(event.time, event.kind, event.text, event.sample) for event in self.events)
        return [(first - self.first_sample, None if behind is None else behind - self.first_sample) for first, behind in told]

    @property
    def absent(self) -> list[tuple[int, int, bool]]:
        """Rows (first, behind the last) that a stream that is compared does not have, as they were not kept, or as the test was broken off
        and went on, which the third tells. Of a record that is shown so far the last one, too: its cycle goes on."""
        found = (gap for gap in self.gaps if gap.stream in COMPARED and gap.reason in (NOT_KEPT, BROKEN_OFF, NOT_YET))
        at = ((gap.first - self.first_sample, gap.count, gap.reason == BROKEN_OFF) for gap in found)
        return [
            (max(first, 0), min(first + count, self.samples), off) for first, count, off in at if first < self.samples and first + count > 0
        ]

    def column(self, stream: str, name: str) -> Column:
        """One channel, read where it is sliced. Raises KeyError for one that is not there."""
        if name not in self.streams.get(stream, {}):
            raise KeyError(name)
        return Column(self.path, stream, name, self.samples)

    def band_column(self, name: str) -> Column:
        """One column of the band, read where it is sliced; NaN behind its end, where members could not keep up. Raises KeyError."""
        if name not in self.band:
            raise KeyError(name)
        return Column(self.path, BAND, name, self.samples)

    def channel(self, stream: str, name: str, first: int = 0, count: int | None = None) -> Samples:
        """A part of one channel, read afresh and not kept. Raises ConfigError for a stream or channel that is not there."""
        if name not in self.streams.get(stream, {}):
            raise ConfigError(f"{self.path}: no channel {name!r} in stream {stream!r}; there are {self._channel_names()}")
        return self.streams[stream].slice(name, first, self.samples if count is None else count)

    def apart(self, stream: str) -> dict[str, Samples]:
        """All columns of a stream that has rows of its own, as `axes`; none for one that is not there."""
        with open_record(self.path) as file, explained(self.path, stream):
            return {name: values[...] for name, values in file.get(f"entry/{stream}", {}).items()}

    def _channel_names(self) -> str:
        return "; ".join(f"{stream}: {', '.join(channels)}" for stream, channels in self.streams.items())


def read_run(path: Path) -> RunData:
    """Read a record, given as file or as run folder. Raises ConfigError when it is missing, in use, damaged or not one of ours.

    A file that comes from anywhere is to be looked through first (`rig.recorder.examination`).
    """
    record = find_record(path)
    with open_record(record) as file:
        try:
            return contents(record, file["entry"])
        except (LookupError, ValueError, OSError, RuntimeError, TypeError, AttributeError) as error:
            raise ConfigError(f"{record}: not a readable record ({in_words(error)}); {remedy(record.parent)}") from error


def contents(record: Path, entry: h5py.Group) -> RunData:
    """What stands in /entry. Raises ValueError for what no record holds, or whatever h5py raises."""
    if entry.attrs.get("compression", "none") != "none":
        import hdf5plugin  # noqa: F401  # registers the filters that HDF5 itself has not got
    with _part("/entry"):
        need_parts(record, int(entry.attrs.get("parts", 0)))
        origin = int(entry.attrs.get("first_sample", 0))
        present = [name for name in STREAMS if name in entry and len(entry[name])]
        for name in present:
            for data in entry[name].values():
                _need_samples(data)
        length = max((len(data) for name in present for data in entry[name].values()), default=0)
        complete = bool(entry.attrs["complete"])
        order = {name: _in_order(entry[name]) for name in present}
        if present:
            need_none(entry, present, _rate(entry), origin)
        units = {name: {channel: _text(entry[name][channel].attrs["units"], "units") for channel in order[name]} for name in present}
    return RunData(
        path=record,
        streams={name: Channels(record, name, order[name], length) for name in present},
        units=units,
        rate=_rate(entry) if present else float("nan"),
        first_sample=origin,
        samples=length,
        experiment_text=_stored_text(entry, "config/experiment"),
        bench_text=_stored_text(entry, "config/bench"),
        sensors=_sensors(entry),
        events=events_of(entry),
        gaps=gaps_of(entry),
        attributes=_plain(entry.attrs),
        complete=complete,
        last_cycle=_last_cycle(entry),
        cut_cycle=_cut_cycle(entry),
        title=_stored_text(entry, "title") if "title" in entry else "",
        band=tuple(sorted(entry[BAND])) if BAND in entry and present else (),
    )


def _last_cycle(entry: h5py.Group) -> int | None:
    with _part("/entry/cycles"):
        table = entry.get("cycles", {}).get("command")
        return None if table is None or not len(table) else int(table[-1]["cycle"])


def _cut_cycle(entry: h5py.Group) -> int | None:
    with _part("/entry/cycles"):
        table = entry.get("cycles", {}).get("command")
        told = table is not None and len(table) and WHOLE in table.dtype.names
        return int(table[-1]["cycle"]) if told and not table[-1][WHOLE] else None


def _stored_text(entry: h5py.Group, name: str) -> str:
    with _part(f"/entry/{name}"):
        return str(entry[name].asstr()[()])


def _sensors(entry: h5py.Group) -> dict[str, dict[str, Json]]:
    with _part("/entry/sensors"):
        return {name: _plain(group.attrs) for name, group in entry["sensors"].items()}


def tables_of(part: Path) -> tuple[list[Event], list[Gap]]:
    """Events and gaps of a part, and nothing else of it. Raises ConfigError for one that is damaged."""
    with open_record(part) as file:
        try:
            return events_of(file["entry"]), gaps_of(file["entry"])
        except (LookupError, ValueError, OSError, RuntimeError, TypeError, AttributeError) as error:
            raise ConfigError(f"{part}: not a readable part of a record ({in_words(error)})") from error


def events_of(entry: h5py.Group) -> list[Event]:
    """The table of events. Raises ValueError."""
    with _part("/entry/events"):
        return [_event(row) for row in entry["events"][()]]


def gaps_of(entry: h5py.Group) -> list[Gap]:
    """The table of gaps. Raises ValueError."""
    with _part("/entry/gaps"):
        rows = entry["gaps"][()]
        return [Gap(row["stream"].decode(), int(row["first"]), int(row["count"]), row["reason"].decode()) for row in rows]


def _need_samples(data: h5py.HLObject) -> None:
    if not isinstance(data, h5py.Dataset) or data.ndim != 1 or data.dtype.kind != "f":
        what = f"{data.dtype} {data.shape}" if isinstance(data, h5py.Dataset) else "a group"
        raise ValueError(f"{data.name}: expected samples, float64 (N,); got {what}")


def _rate(entry: h5py.Group) -> float:
    with _part("/entry/time"):
        rate = float(entry["time"].attrs["rate"])
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise ValueError(f"/entry/time: rate is {rate:g} Hz, expected one from {LOWEST_RATE:g} to {HIGHEST_RATE:g} Hz")
    return rate


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what}: expected a text, got {type(value).__name__}")
    return value


def _in_order(group: h5py.Group) -> tuple[str, ...]:
    """Channel names in the order of the stream; HDF5 itself sorts them by name."""
    return tuple(sorted(group, key=lambda name: int(group[name].attrs["column"])))


def _event(row: np.void) -> Event:
    sample, time = int(row["sample"]), float(row["time"])
    texts = [row[name].decode() for name in ("source", "kind", "text")]
    return Event(None if sample < 0 else sample, None if np.isnan(time) else time, *texts)


def _plain(attributes: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in attributes.items()}
