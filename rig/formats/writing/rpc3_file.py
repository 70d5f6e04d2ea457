"""RPC III: numbers of 32 bits in groups of 1024, whatever is missing told by a channel `status/STREAM` that is 1 there.

Programs of that format know no NaN: where a value is missing stands the last one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rig.formats import rpc3_header
from rig.formats.table import Column, Floats, Table
from rig.formats.writing.missing import STATUS, bridge, counts, lacking, streams, told

POINTS = 1024
"""Of a group, which is a frame here."""
GROUPS = 64
"""In memory at a time."""
LARGEST = float(np.finfo(np.float32).max)


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    try:
        rpc3_header.packed(_parameters(table, streams(table)))
    except ValueError as error:
        return str(error)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    missing = counts(table)
    told_of = [*missing]
    held = np.zeros(len(table.columns) + len(told_of))
    with path.open("wb") as file:
        file.write(rpc3_header.packed(_parameters(table, told_of)))
        for block in _blocks(table, told_of):
            for k in range(len(table.columns)):
                held[k] = bridge(block[:, k], held[k])
            short = -len(block) % POINTS
            groups = np.pad(block, ((0, short), (0, 0)), mode="edge").reshape(-1, POINTS, block.shape[1])
            file.write(np.ascontiguousarray(groups.swapaxes(1, 2), dtype="<f4").tobytes())
    return told(missing)


def _blocks(table: Table, streams_told: list[str]) -> Iterator[Floats]:
    for first, end in table.pieces(POINTS * GROUPS):
        status = [lacking(table, stream, first, end).astype(np.float64) for stream in streams_told]
        yield np.clip(np.column_stack([table.block(first, end), *status]), -LARGEST, LARGEST)


def _parameters(table: Table, streams_told: list[str]) -> dict[str, object]:
    channels = [*table.columns, *(_status(stream) for stream in streams_told)]
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
    return Column(STATUS, stream, "1", np.empty(0))


def _range(column: Column, table: Table) -> tuple[float, float]:
    """Of its values, as 32 bits have them."""
    if not len(column.values):
        return 0.0, 1.0
    low, high = np.inf, -np.inf
    for first, end in table.pieces():
        values = np.clip(column.values[first:end], -LARGEST, LARGEST)
        low, high = np.fmin.reduce(values, initial=low), np.fmax.reduce(values, initial=high)
    return (float(np.float32(low)), float(np.float32(high))) if low <= high else (0.0, 0.0)
