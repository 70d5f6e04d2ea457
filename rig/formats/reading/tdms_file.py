"""TDMS by npTDMS: every channel of numbers, its waveform properties, or stamps of time beside it."""

from __future__ import annotations

import datetime
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.extras import library
from rig.formats.reading import explained
from rig.formats.table import Contents, Floats, Found

FILE = "a TDMS file"
SIGNATURE = b"TDSm"
EARLIEST = 1971
"""Years before are how the format says that it knows none."""


class Stored:
    """A channel (N,)."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def __len__(self) -> int:
        return len(self._channel)

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        if first >= last:
            return np.empty(0)
        with explained(FILE):
            return np.asarray(self._channel.read_data(first, last - first), dtype=np.float64)


class Stamps(Stored):
    """Times, s after the first of them."""

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        if first >= last:
            return np.empty(0)
        origin = self._channel.read_data(0, 1)[0]
        return np.asarray((self._channel.read_data(first, last - first) - origin) / np.timedelta64(1, "ns") * 1e-9, dtype=np.float64)


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    tdms = library("nptdms", FILE)
    with path.open("rb") as begin:
        if begin.read(len(SIGNATURE)) != SIGNATURE:
            raise ValueError(f"not {FILE}: it does not begin with TDSm")
    tdms.log.log_manager.set_level(logging.ERROR)  # what it warns of is told below
    with explained(FILE):
        file = tdms.TdmsFile.open(str(path))
    with file:
        with explained(FILE):
            channels = [channel for group in file.groups() for channel in group.channels() if len(channel)]
            several = len({channel.group_name for channel in channels}) > 1
            found, left = [], []
            for channel in channels:
                made = _found(channel, several)
                (found.append(made) if made is not None else left.append(channel.name))
            starts = [start for channel in channels if (start := _start(channel.properties.get("wf_start_time")))]
            about = _about(file.properties)
        said = [f"left out, as they hold no numbers: {', '.join(left)}"] if left else []
        if getattr(getattr(file, "file_status", None), "incomplete_final_segment", False):
            said.append("it breaks off: its last segment is not whole")
        yield Contents("tdms", found, min(starts, default=None), about, tuple(said))


def _found(channel: Any, several: bool) -> Found | None:
    kind = np.dtype(channel.dtype).kind
    name = f"{channel.group_name}/{channel.name}" if several else channel.name
    known = channel.properties
    unit = str(known.get("unit_string", "") or known.get("NI_UnitDescription", "") or known.get("Unit", ""))
    if kind == "M":
        return Found(name, "s", Stamps(channel))
    if kind not in "fiub":
        return None
    step = float(known.get("wf_increment", 0.0) or 0.0)
    rate = float(known.get("rate_hz", 0.0) or 0.0) or (1.0 / step if step > 0.0 else None)
    about = {key: value for key, value in known.items() if isinstance(value, (str, int, float)) and not key.startswith("wf_")}
    return Found(name, unit, Stored(channel), rate, float(known.get("wf_start_offset", 0.0) or 0.0), about=about)


def _start(given: object) -> datetime.datetime | None:
    """A time of the format, which is in UTC."""
    if not isinstance(given, np.datetime64) or np.isnat(given):
        return None
    found = given.astype("datetime64[us]").astype(datetime.datetime)
    return found.replace(tzinfo=datetime.UTC) if found.year >= EARLIEST else None


def _about(known: Any) -> dict[str, Json]:
    with suppress(ValueError, TypeError):
        found = json.loads(known.get("about", ""))
        if isinstance(found, dict):
            return {**found, "rate_hz": known.get("rate_hz"), "start_time": known.get("start_time")}
    return {}
