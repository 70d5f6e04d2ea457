"""RPC III: numbers of 32 bits in groups of 1024, whatever is missing told by a channel `status/STREAM` that is 1 there.

Programs of that format know no NaN: where a value is missing stands the last one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rig.formats import rpc3_header
from rig.formats.table import Column, Floats, Table

POINTS = 1024
"""Of a group, which is a frame here."""
GROUPS = 64
"""In memory at a time."""
LARGEST = float(np.finfo(np.float32).max)


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    try:
        rpc3_header.packed(_parameters(table, [*_streams(table)]))
    except ValueError as error:
        return str(error)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    missing = {stream: sum(int(np.sum(_lacking(table, stream, *part))) for part in table.pieces()) for stream in _streams(table)}
    told = [stream for stream, count in missing.items() if count]
    held = np.zeros(len(table.columns) + len(told))
    with path.open("wb") as file:
        file.write(rpc3_header.packed(_parameters(table, told)))
        for block in _blocks(table, told):
            for k in range(len(table.columns)):
                held[k] = _bridge(block[:, k], held[k])
            short = -len(block) % POINTS
            groups = np.pad(block, ((0, short), (0, 0)), mode="edge").reshape(-1, POINTS, block.shape[1])
            file.write(np.ascontiguousarray(groups.swapaxes(1, 2), dtype="<f4").tobytes())
    return [
        f"{stream}: {count} samples miss values; the last ones before stand there, and status/{stream} is 1"
        for stream, count in missing.items()
        if count
    ]


def _blocks(table: Table, told: list[str]) -> Iterator[Floats]:
    for first, end in table.pieces(POINTS * GROUPS):
        status = [_lacking(table, stream, first, end).astype(np.float64) for stream in told]
        yield np.clip(np.column_stack([table.block(first, end), *status]), -LARGEST, LARGEST)


def _streams(table: Table) -> list[str]:
    return list(dict.fromkeys(column.stream for column in table.columns))


def _lacking(table: Table, stream: str, first: int, end: int) -> np.ndarray:
    """(k,) where a value of the stream is missing."""
    wrong = [~np.isfinite(column.values[first:end]) for column in table.columns if column.stream == stream]
    return np.asarray(np.any(wrong, axis=0))


def _bridge(values: Floats, before: float) -> float:
    """Put the last value before into what is missing; returns the last of all."""
    wrong = ~np.isfinite(values)
    if wrong.any():
        at = np.maximum.accumulate(np.where(wrong, -1, np.arange(len(values))))
        values[wrong] = np.where(at >= 0, values[at], before)[wrong]
    return float(values[-1])


def _parameters(table: Table, told: list[str]) -> dict[str, object]:
    channels = [*table.columns, *(_status(stream) for stream in told)]
    found: dict[str, object] = {
        "FILE_TYPE": "TIME_HISTORY", "TIME_TYPE": "RESPONSE", "DATA_TYPE": "FLOATING_POINT", "DATE": table.begins.isoformat(),
        "OPERATION": str(table.about.get("program", "")), "CHANNELS": len(channels), "DELTA_T": repr(1.0 / table.rate),
        "PTS_PER_FRAME": POINTS, "PTS_PER_GROUP": POINTS, "FRAMES": -(-table.samples // POINTS), "SAMPLES": table.samples,
        "BYPASS_FILTER": 1, "HALF_FRAMES": 0, "REPEATS": 1, "AVERAGES": 1, "INT_FULL_SCALE": 32752,
        "PARTITIONS": 1, "PART.CHAN_1": 1, "PART.NCHAN_1": len(channels),
        "RIG.RATE": repr(table.rate), "RIG.BEGIN": repr(table.begin), "RIG.START": table.start.isoformat(),
        **{f"RIG.{key.upper()}"[:rpc3_header.KEY]: value for key, value in table.about.items() if isinstance(value, (str, int, float))},
    }  # fmt: skip
    for number, column in enumerate(channels, 1):
        low, high = _range(column, table)
        found |= {
            f"DESC.CHAN_{number}": column.label, f"UNITS.CHAN_{number}": column.unit or "1", f"SCALE.CHAN_{number}": 1.0,
            f"LOWER_LIMIT.CHAN_{number}": low, f"UPPER_LIMIT.CHAN_{number}": high, f"MAP.CHAN_{number}": number,
        }  # fmt: skip
        if serial := column.about.get("sensor_serial"):
            found[f"SENSOR.CHAN_{number}"] = f"{serial} sensitivity {column.about.get('sensor_sensitivity')}"
    return found


def _status(stream: str) -> Column:
    return Column("status", stream, "1", np.empty(0))


def _range(column: Column, table: Table) -> tuple[float, float]:
    """Of its values, as 32 bits have them."""
    if not len(column.values):
        return 0.0, 1.0
    low, high = np.inf, -np.inf
    for first, end in table.pieces():
        values = np.clip(column.values[first:end], -LARGEST, LARGEST)
        low, high = np.fmin.reduce(values, initial=low), np.fmax.reduce(values, initial=high)
    return (float(np.float32(low)), float(np.float32(high))) if low <= high else (0.0, 0.0)
