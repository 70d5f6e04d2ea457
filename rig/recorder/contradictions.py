"""What a record says twice is said alike: rates, first samples, lengths, the time axis, units, scales, places of events and gaps.

The recorder writes all of these from one description, so where two of them differ one was changed, and nobody can say which.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import SupportsFloat

import h5py
import numpy as np

from rig.recorder.columns import chunk_rows

SAME = 1e-9
"""Relative difference of two numbers that are the same."""
LOOKS = 64
"""Places of the time axis that are looked at, evenly spread, the ends among them."""


def need_none(entry: h5py.Group, streams: Sequence[str], rate: float, origin: int = 0) -> None:
    """Raises ValueError naming the first contradiction in /entry.

    streams: those that share the rows of /entry/time; rate: of that, Hz; origin: sample of row 0, of a part of a record.
    """
    complete = bool(entry.attrs["complete"])
    for name in streams:
        for data in entry[name].values():
            _need_grid(data, rate, origin)
        _need_columns(entry[name])
    lengths = {data.name.removeprefix("/entry/"): len(data) for name in streams for data in entry[name].values()}
    longest = max(lengths.values(), default=0)
    if complete and (short := [name for name, length in lengths.items() if length != longest]):
        raise ValueError(f"{short[0]} has {lengths[short[0]]} samples, other channels have {longest}, and the record is complete")
    _need_time(entry["time"], rate, longest, complete, origin, sparse=entry.attrs.get("samples", "all") != "all")
    _need_units(entry)
    _need_scales(entry)
    if complete:
        _need_places(entry, lengths, longest, rate, origin)


def _need_grid(data: h5py.Dataset, rate: float, origin: int) -> None:
    """One rate, and row n is sample n."""
    told = data.attrs.get("rate", rate)
    if not _same(told, rate):
        raise ValueError(f"{_short(data)}: rate is {_number(told)} Hz, that of the record's time is {rate:.10g} Hz")
    first = data.attrs.get("first_sample", 0)
    if not _same(first, origin):
        row = "n" if origin == 0 else f"n - {origin}"
        raise ValueError(f"{_short(data)}: first_sample is {_number(first)}, expected {origin}: row {row} of every channel is sample n")


def _need_columns(stream: h5py.Group) -> None:
    """Each channel has a place of its own in the order of its stream."""
    places: dict[int, str] = {}
    for name, data in stream.items():
        if (other := places.setdefault(int(data.attrs["column"]), name)) != name:
            raise ValueError(f"{_short(data)}: column is {int(data.attrs['column'])}, as that of {other}")


def _need_time(time: h5py.Dataset, rate: float, longest: int, complete: bool, origin: int, sparse: bool) -> None:
    """Row n of /entry/time is n / rate (s), for all that there are samples of; sparse: NaN where none was kept."""
    if complete and len(time) != longest:
        raise ValueError(f"/entry/time has {len(time)} rows, the channels have {longest}, and the record is complete")
    if time.attrs.get("units", "s") != "s":
        raise ValueError(f"/entry/time: units is {time.attrs['units']!r}, expected 's'")
    _need_grid(time, rate, origin)
    for n in sorted({int(n) for n in np.linspace(0, len(time) - 1, LOOKS)} if len(time) else ()):
        due = (origin + n) / rate
        if sparse and math.isnan(float(time[n])):
            continue
        if not math.isclose(float(time[n]), due, rel_tol=SAME, abs_tol=SAME / rate):
            raise ValueError(f"/entry/time is {float(time[n]):.10g} s at sample {origin + n}, at {rate:.10g} Hz that is {due:.10g} s")


def _need_units(entry: h5py.Group) -> None:
    """A channel has one unit: in what was measured, in its prediction, and in the record of its sensor."""
    told: dict[str, tuple[str, str]] = {}
    for where, channel, unit in _units(entry):
        place, other = told.setdefault(channel, (where, unit))
        if unit != other:
            raise ValueError(f"{place} is in {other!r}, {where} in {unit!r}: which of them is it?")


def _units(entry: h5py.Group) -> Iterator[tuple[str, str, str]]:
    """(where, channel, unit) of all that say one."""
    for name, sensor in entry["sensors"].items():
        if isinstance(unit := sensor.attrs.get("unit"), str) and unit:
            yield f"sensors/{name}", name, unit
    for stream in ("measured", "predicted_as_measured", "predicted"):
        for name, data in entry.get(stream, {}).items():
            yield f"{stream}/{name}", name, str(data.attrs["units"])


def _need_scales(entry: h5py.Group) -> None:
    """Volts become the channel's unit as the record of its sensor says."""
    for name, data in entry.get("measured", {}).items():
        sensor = entry["sensors"][name].attrs if name in entry["sensors"] else {}
        for key, of_sensor in (("volts_scale", "sensitivity"), ("tare", "tare")):
            if key in data.attrs and of_sensor in sensor and not _same(data.attrs[key], sensor[of_sensor]):
                told, other = _number(data.attrs[key]), _number(sensor[of_sensor])
                raise ValueError(f"{_short(data)}: {key} is {told}, {of_sensor} of sensors/{name} is {other}")


def _need_places(entry: h5py.Group, lengths: dict[str, int], longest: int, rate: float, origin: int) -> None:
    """Events and gaps of a complete record lie within it; what stopped the test may have come with the samples behind the last ones.

    The events of a part are those that came while it was the newest one, wherever they lie.
    """
    longest += origin
    last = longest + chunk_rows(rate)
    for row in entry["events"][()]:
        sample = int(row["sample"])
        if "part" not in entry.attrs and not -1 <= sample <= last:
            text = row["text"].decode(errors="replace")[:60]
            raise ValueError(f"an event ({text!r}) is at sample {sample}, the record ends at {longest}")
    for row in entry["gaps"][()]:
        stream, first, count = row["stream"].decode(errors="replace"), int(row["first"]), int(row["count"])
        if any(name.startswith(f"{stream}/") for name in lengths) and not origin <= first <= first + count <= longest:
            raise ValueError(f"a gap of {stream} goes from sample {first} to {first + count}, the record ends at {longest}")


def _same(told: object, other: object) -> bool:
    try:
        first, second = (float(one) for one in (told, other) if isinstance(one, (SupportsFloat, str, bytes)))
    except (TypeError, ValueError):
        return False
    return math.isclose(first, second, rel_tol=SAME)


def _number(told: object) -> str:
    return f"{float(told):.10g}" if isinstance(told, (int, float, np.number)) else repr(told)


def _short(data: h5py.Dataset) -> str:
    return str(data.name).removeprefix("/entry/")
