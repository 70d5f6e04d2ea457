"""What a test that nobody runs any more has left as its last: sample, cycle, value of each channel, events.

From the record where it was closed, else from the newest part that was, or the newest journal. Nothing is locked: who reads here keeps
nobody from writing.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import ConfigError
from rig.recorder import journal
from rig.recorder.description import Event
from rig.recorder.folders import RECORD
from rig.recorder.parts import journal_file, numbers, part_file
from rig.recorder.reading import CALCULATED, events_of

INSTRUMENTS = "instruments"
STREAMS = ("command", "measured", "predicted_as_measured", *CALCULATED, INSTRUMENTS)
LARGEST = 2**29  # bytes of a journal that is read for its events
BACK = 2**20  # samples at a time, on the way back to the last one of a counted cycle
UNREADABLE = (OSError, LookupError, ValueError, RuntimeError, TypeError, AttributeError)
Shown = dict[str, tuple[str, float | None]]
"""Channel as limits name it -> (unit, value)."""


@dataclass(frozen=True)
class Last:
    """SI; what is unknown is None, or not there."""

    sample: int | None = None
    rate: float | None = None
    cycle: int | None = None
    values: Shown = field(default_factory=dict)
    events: tuple[dict[str, Json], ...] = ()
    file: str | None = None
    """Where the values stand, relative to the run's folder."""


def called(stream: str, name: str) -> str:
    """A channel as limits name it."""
    if stream == "command":
        return stream if name == "value" else f"{stream}.{name}"
    return f"predicted.{name}" if stream == "predicted_as_measured" else name


def is_shown(stream: str, name: str) -> bool:
    """Whether a column is a channel: of what is read from instruments the first one says at which sample."""
    return stream != INSTRUMENTS or name != "sample"


def rows_of(stream: str) -> int:
    """So many of the newest rows hold the newest values: a row of the instruments is the reading of one of them, NaN for the others."""
    return 1000 if stream == INSTRUMENTS else 1


def newest(column: NDArray[np.float64]) -> float | None:
    """The last value of a column that is a number; None where none is."""
    known = column[np.isfinite(column)]
    return float(known[-1]) if len(known) else None


def last_of(folder: Path) -> Last:
    """Of the run in a folder."""
    for file in closed_files(folder):
        with contextlib.suppress(*UNREADABLE), _opened(file) as record:
            found = replace(_last(record["entry"]), file=file.relative_to(folder).as_posix())
            return found if file.name == RECORD else replace(found, events=_told(folder))
    return Last(events=_told(folder))


def closed_files(folder: Path) -> Iterator[Path]:
    """The record, where it was closed and holds samples; else its closed parts, the newest first."""
    whole = folder / RECORD
    if is_closed(whole):
        yield whole
    yield from (folder / part_file(number) for number in reversed(numbers(folder, ".h5")) if is_closed(folder / part_file(number)))


def is_closed(file: Path) -> bool:
    """Whether a record was closed with samples in it."""
    with contextlib.suppress(*UNREADABLE), _opened(file) as record:
        return bool(record["entry"].attrs["complete"]) and "measured" in record["entry"]
    return False


def _opened(file: Path) -> h5py.File:
    return h5py.File(file, "r", locking=False)


def _last(entry: h5py.Group) -> Last:
    values: Shown = {}
    end, rate = 0, None
    for stream in STREAMS:
        for name, data in sorted(entry.get(stream, {}).items(), key=lambda one: int(one[1].attrs.get("column", 0))):
            if not len(data):
                continue
            if is_shown(stream, name):
                values[called(stream, name)] = str(data.attrs["units"]), newest(data[-rows_of(stream) :])
            if stream == "measured":
                end, rate = int(data.attrs["first_sample"]) + len(data), float(data.attrs["rate"])
    events = tuple(_plain(one) for one in events_of(entry))
    return Last(end - 1 if end else None, rate, _cycle(entry), values, events)


def _cycle(entry: h5py.Group) -> int | None:
    """The last one that was counted."""
    data = entry.get("command/cycle")
    for end in range(0 if data is None else len(data), 0, -BACK):
        part = data[max(0, end - BACK) : end]
        if len(counted := part[np.nan_to_num(part, nan=-1.0) >= 0.0]):
            return int(counted[-1])
    return None


def _told(folder: Path) -> tuple[dict[str, Json], ...]:
    """Events of the newest journal."""
    found: list[dict[str, Json]] = []
    with contextlib.suppress(ConfigError, *UNREADABLE):
        path = folder / journal_file(max(numbers(folder, ".bin"), default=1))
        if path.stat().st_size <= LARGEST:
            frames = (frame for frame in journal.read(path) if isinstance(frame, journal.Frame) and frame.kind == journal.EVENT)
            found = [_plain(Event(**json.loads(frame.payload))) for frame in frames]
    return tuple(found)


def _plain(event: Event) -> dict[str, Json]:
    return {"sample": event.sample, "time_s": event.time, "source": event.source, "kind": event.kind, "text": event.text}
