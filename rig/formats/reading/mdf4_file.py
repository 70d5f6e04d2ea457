"""MDF, versions 3 and 4, by asammdf: every channel of numbers, each with the time of its group."""

from __future__ import annotations

import datetime
import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.extras import library
from rig.formats.reading import explained
from rig.formats.staging import Staged
from rig.formats.table import Contents, Floats, Found

FILE = "an MDF file"
SIGNATURES = (b"MDF     ", b"UnFinMF ")
EARLIEST = 1971


class Stored:
    """A channel (N,), or the times of its group, s: laid aside when asked for first, as the library reads all of it for every part."""

    def __init__(self, file: Any, group: int, index: int | None, length: int) -> None:
        """index: None for the times."""
        self._file, self._group, self._index, self._length = file, group, index, length
        self._laid: Staged | None = None

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._length)
        if self._laid is None:
            self._laid = Staged(1)
            with explained(FILE):
                self._laid.append(self._read()[:, None])
        return self._laid.read(first, max(first, last), 0)

    def _read(self) -> Floats:
        if self._index is None:
            return np.asarray(self._file.get_master(self._group), dtype=np.float64)
        samples, invalid = self._file.get(group=self._group, index=self._index, samples_only=True)
        values = np.asarray(samples, dtype=np.float64)
        return values if invalid is None else np.where(np.asarray(invalid, dtype=bool), np.nan, values)


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    mdf = library("asammdf", FILE)
    with path.open("rb") as begin:
        if begin.read(len(SIGNATURES[0])) not in SIGNATURES:
            raise ValueError(f"not {FILE}: it does not begin with MDF")
    with explained(FILE):
        try:
            file = mdf.MDF(str(path))
        except Exception as error:
            _let_go(error)
            raise
    yield from _read(file)


def _let_go(error: Exception) -> None:
    """What the library has made by half closes itself as it goes, and complains on standard error of what is not there yet."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        made = frame.f_locals.get("self")
        if made is not None and hasattr(made, "_closed"):
            made._closed = True


def _read(file: Any) -> Iterator[Contents]:
    try:
        with explained(FILE):
            about = _about(file)
            found, left = _channels(file, about)
            start = file.start_time
        said = [f"MDF {file.version}", *([f"left out, as they hold no numbers: {', '.join(left)}"] if left else [])]
        yield Contents(
            "mdf4", found, start if isinstance(start, datetime.datetime) and start.year >= EARLIEST else None, about, tuple(said)
        )
    finally:
        file.close()


def _channels(file: Any, about: dict[str, Json]) -> tuple[list[Found], list[str]]:
    found: list[Found] = []
    left: list[str] = []
    for number, group in enumerate(file.groups):
        length = int(group.channel_group.cycles_nr)
        master = file.masters_db.get(number)
        times = Stored(file, number, None, length) if master is not None else None
        for index, channel in enumerate(group.channels):
            if index == master or not length:
                continue
            signal = file.get(group=number, index=index, record_offset=0, record_count=1)
            if np.asarray(signal.samples).dtype.kind not in "fiub" or np.asarray(signal.samples).ndim != 1:
                left.append(channel.name)
                continue
            told = about.get("rate_hz")
            rate = float(told) if isinstance(told, (int, float)) else None
            begin = float(str(about.get("begin_s", 0.0)))
            more = _json(signal.comment)
            unit = str(signal.unit or "")
            values = Stored(file, number, index, length)
            found.append(Found(channel.name, unit, values, rate, begin, None if rate else times, more))
    return found, left


def _about(file: Any) -> dict[str, Json]:
    return _json(getattr(file.header, "description", "")) or _json(getattr(file.header, "comment", ""))


def _json(text: object) -> dict[str, Json]:
    with suppress(ValueError, TypeError):
        found = json.loads(str(text))
        if isinstance(found, dict):
            return found
    return {}
