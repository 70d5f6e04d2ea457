"""Values that are missing, for formats whose programs know no NaN: the last one before stands there, and a channel tells where."""

from __future__ import annotations

import numpy as np

from rig.formats.table import Floats, Table

STATUS = "status"
"""Stream of the channels that are 1 where a value of the stream they are called after is missing."""


def streams(table: Table) -> list[str]:
    """In their order."""
    return list(dict.fromkeys(column.stream for column in table.columns))


def lacking(table: Table, stream: str, first: int, end: int) -> np.ndarray:
    """(k,) of rows first .. end - 1: where a value of the stream is missing."""
    wrong = [~np.isfinite(column.values[first:end]) for column in table.columns if column.stream == stream]
    return np.asarray(np.any(wrong, axis=0))


def counts(table: Table) -> dict[str, int]:
    """Stream -> rows with a missing value, of those that have some."""
    found = {stream: sum(int(np.sum(lacking(table, stream, *part))) for part in table.pieces()) for stream in streams(table)}
    return {stream: count for stream, count in found.items() if count}


def bridge(values: Floats, before: float = 0.0) -> float:
    """Put the last value before into what is missing; returns the last of all."""
    wrong = ~np.isfinite(values)
    if wrong.any():
        at = np.maximum.accumulate(np.where(wrong, -1, np.arange(len(values))))
        values[wrong] = np.where(at >= 0, values[at], before)[wrong]
    return float(values[-1])


def told(found: dict[str, int]) -> list[str]:
    """In words."""
    how = "the last ones before stand there"
    return [f"{stream}: {count} samples miss values; {how}, and {STATUS}/{stream} is 1" for stream, count in found.items()]
