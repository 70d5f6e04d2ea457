"""Names of columns: the unit that stands in one, and the column of the times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rig.formats.table import Found
from rig.formats.table_head import BRACKETS

TIMES = (
    "time", "t", "zeit", "x_value", "x-value", "timestamp", "timestamps", "time stamp", "elapsed time", "elapsed", "seconds", "abscissa",
         "zeitstempel", "date/time", "datetime", "datum", "temps", "tiempo")  # fmt: skip


def time_column(columns: Sequence[Found]) -> Found | None:
    """The first that is called a time."""
    return next((column for column in columns if is_time(column)), None)


def is_time(column: Found) -> bool:
    """By its name."""
    return column.name.strip().lower() in TIMES


def named(column: Found) -> Found:
    """With the unit out of its name, where it stands there as stroke[mm]."""
    found = BRACKETS.fullmatch(column.name)
    if not found or not found["name"]:
        return column
    unit = next((found[key] for key in ("square", "round", "angle") if found[key] is not None), "")
    if column.unit and unit != column.unit and unit != (column.unit or "1"):
        return column
    return replace(column, name=found["name"], unit=column.unit or unit.strip())
