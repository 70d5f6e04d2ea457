"""What a frame of a journal may say. Its CRC tells that it is as it was written, not by whom: a record is made of it, and HDF5 trusts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.recorder.cycles.layout import row_type
from rig.recorder.description import Description, Event, Gap, StreamShape
from rig.streaming.streams import RECORDED

T = TypeVar("T")
MOST_CHANNELS = 4096
LONGEST_NAME = 256
HIGHEST_RATE = 1e9  # Hz
SLACK = 2**23
"""Samples that a journal may have lost, beside as many as it has room for."""


MOST_SPARSE = 2**36
"""Samples of a test of which snapshots are kept: 15 days at 51.2 kHz."""


def data(payload: bytes) -> dict[str, Json]:
    """The table that a frame holds. Raises ValueError."""
    try:
        found = json.loads(payload)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a table, got {type(found).__name__}")
    return found


def description(payload: bytes) -> Description:
    """Raises ValueError."""
    made = _construct(Description, data(payload))
    for key in ("run", "title", "started", "experiment_text", "bench_text", "rig_version", "compression", "shown", "samples"):
        _need_text(key, getattr(made, key))
    if not all(isinstance(one, int) and one >= 0 for one in (made.part, made.part_first, made.cycles, made.whole)):
        raise ValueError(f"expected the number of a part and its first sample, got {made.part!r} and {made.part_first!r}")
    if not isinstance(made.writer, int) or not _is_number(made.writer_started):
        raise ValueError(f"expected the number of a process and its start, got {made.writer!r} and {made.writer_started!r}")
    tables = made.sensors.values() if isinstance(made.sensors, dict) else [made.sensors]
    for table in tables:
        if not isinstance(table, dict) or not all(isinstance(value, (str, int, float, bool)) for value in table.values()):
            raise ValueError("sensors: expected tables of numbers and texts")
        for key, value in table.items():
            _need_text(f"sensors.{key}", value if isinstance(value, str) else key)
        if not all(_is_number(table.get(key)) for key in ("sensitivity", "offset")):
            raise ValueError("sensors: expected numbers as sensitivity and offset")
    for name in made.sensors:
        _need_name(name)
    return made


def shape(payload: bytes) -> StreamShape:
    """Raises ValueError."""
    said = data(payload)
    made = _construct(StreamShape, {**said, "channels": _listed(said, "channels"), "units": _listed(said, "units")})
    if made.name not in RECORDED:
        raise ValueError(f"expected a stream {', '.join(RECORDED)}; got {str(made.name)[:80]!r}")
    for name in made.channels:
        _need_name(name)
    for unit in made.units:
        _need_text("units", unit)
    if len({*made.channels}) < len(made.channels) or not made.channels or len(made.units) != len(made.channels):
        raise ValueError(f"{made.name}: expected channels with different names, and a unit for each")
    if not _is_number(made.rate) or not 0.0 < made.rate <= HIGHEST_RATE:
        raise ValueError(f"{made.name}: expected a rate above 0 Hz, at most {HIGHEST_RATE:g} Hz; got {made.rate!r}")
    return made


def _listed(said: Mapping[str, Json], key: str) -> tuple[Json, ...]:
    found = said.get(key)
    if not isinstance(found, list) or len(found) > MOST_CHANNELS:
        raise ValueError(f"{key}: expected a list of at most {MOST_CHANNELS}, got {str(found)[:80]}")
    return tuple(found)


def event(payload: bytes) -> Event:
    """Raises ValueError."""
    made = _construct(Event, data(payload))
    for key in ("source", "kind", "text"):
        _need_text(key, getattr(made, key))
    whole = made.sample is None or (isinstance(made.sample, int) and abs(made.sample) < 2**63)
    if not whole or not (made.time is None or _is_number(made.time)):
        raise ValueError(f"expected a sample and a time, or null; got {made.sample!r} and {made.time!r}")
    return made


def gap(payload: bytes) -> Gap:
    """Raises ValueError."""
    made = _construct(Gap, data(payload))
    for key in ("stream", "reason"):
        _need_text(key, getattr(made, key))
    if not all(isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in (made.first, made.count)):
        raise ValueError(f"expected the first sample of a gap and their number, got {made.first!r} and {made.count!r}")
    return made


def cycles(payload: bytes, rows: int, of: StreamShape) -> NDArray[np.void]:
    """Rows of a table of cycles, in the layout that their size tells. Raises ValueError."""
    today, before = row_type(of.channels), row_type(of.channels, whole=False)
    kind = before if len(payload) == rows * before.itemsize else today
    if not rows or len(payload) != rows * kind.itemsize:
        raise ValueError(f"{of.name}: expected {rows} rows of {kind.itemsize} bytes, got {len(payload)} bytes")
    return np.frombuffer(payload, kind)


def need_room(stream: str, end: int, size: int, sparse: bool = False) -> None:
    """Raises ValueError for a stream that would be longer than a journal of `size` bytes can account for; sparse: most is left out."""
    most = MOST_SPARSE if sparse else size // 8 + SLACK
    if end > most:
        raise ValueError(f"{stream}: it goes to sample {end}; a journal of {size} bytes accounts for at most {most}")


def _construct(cls: type[T], said: Mapping[str, Json]) -> T:
    try:
        return cls(**said)
    except TypeError as error:
        raise ValueError(str(error).replace(f"{cls.__name__}.__init__() ", "")) from None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300 and math.isfinite(value)


def _need_name(name: str) -> None:
    """One that HDF5 can give to an object."""
    _need_text("a name", name)
    if name in ("", ".", "..") or "/" in name or len(name) > LONGEST_NAME:
        raise ValueError(f"{name[:80]!r} cannot be the name of a channel")


def _need_text(key: str, text: object) -> None:
    if not isinstance(text, str) or "\0" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)):
        raise ValueError(f"{key}: expected a text that a record can hold, got {str(text)[:80]!r}")
