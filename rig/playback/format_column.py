"""A column of a file that `rig.formats` reads, by its name; its time by the file's rate, its stamps, or a column of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.formats import reading
from rig.formats.naming import named, time_column
from rig.formats.table import Contents, Found
from rig.playback import no_such_column
from rig.playback.column import Column, checked, enough, rate_of
from rig.playback.units import agreed, not_a_time, seconds


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    with reading.opened(path) as contents:
        return _column(contents, column, unit)


def _column(contents: Contents, column: str, unit: str | None) -> Column:
    there = [named(one) for one in contents.columns]
    found = [one for one in there if column in (one.name, f"{one.name}[{one.unit}]")]
    if not found:
        raise no_such_column(column, [f"{one.name}[{one.unit}]" if one.unit else one.name for one in there])
    if len(found) > 1:
        raise ValueError(f"{len(found)} columns are called {column!r}")
    one = found[0]
    enough(one.name, len(one.values))
    return checked(one.name, np.asarray(one.values[0 : len(one.values)]), agreed(one.name, one.unit, unit), _rate(one, there))


def _rate(one: Found, there: list[Found]) -> float:
    if one.rate is not None:
        return one.rate
    if one.times is not None:
        return rate_of(np.asarray(one.times[0 : len(one.times)]))
    time = time_column([other for other in there if other is not one])
    if time is None or len(time.values) != len(one.values):
        raise ValueError(f"column {one.name!r} has neither a rate nor a column of times; write one of them into the file")
    if (by := seconds(time.unit or "s")) is None:
        raise not_a_time(f"the column of times, {time.name!r},", time.unit)
    return rate_of(np.asarray(time.values[0 : len(time.values)]) * by)
