"""Universal file, dataset 58 in its binary form with doubles: a time response for each channel, one after the other.

The increment of time has six digits there; the rate to the last bit stands in the fourth line of each function's description. Where values
are missing stands the last one before, and a function `status/STREAM` is 1 there: programs read a NaN as 0, or not at all.

Source: Universal Dataset Number 58, SDRC, and its binary form 58b of UC-SDRL (Cincinnati). pyuff writes the same, at 170 bytes of memory
and 2 us a sample.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import numpy as np

from rig.formats.table import Column, Floats, Table
from rig.formats.writing.missing import STATUS, bridge, counts, lacking, told

LONGEST = 80
"""Characters of a line."""
MOST_BYTES = 10**12 - 1
"""The number of bytes has twelve figures."""
KINDS = {"N": 13, "m": 8, "m/s": 11, "m/s^2": 12, "Pa": 15, "N*m": 9}
"""SI unit -> specific data type of the ordinate: force, displacement, velocity, acceleration, pressure, reaction (a moment)."""
EXPONENTS = {"N": (0, 1, 0), "m": (1, 0, 0), "m/s": (1, 0, 0), "m/s^2": (1, 0, 0), "Pa": (-2, 1, 0), "N*m": (1, 1, 0)}
TIME, RESPONSE, DOUBLE = 17, 1, 4
LITTLE, IEEE, LINES = 1, 2, 11
END = f"{-1:6d}\n"


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    most = MOST_BYTES // 8
    if table.samples > most:
        return f"a function of a universal file takes {most} samples, there are {table.samples}; cut with --from and --until, or --rate"
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    missing = counts(table)
    status = [Column(STATUS, stream, "1", _Status(table, stream)) for stream in missing]
    with path.open("wb") as file:
        for number, column in enumerate([*table.columns, *status], 1):
            file.write(_head(number, column, table).encode("ascii", errors="replace"))
            _values(file, column, table)
            file.write(f"\n{END}".encode("ascii"))
    cut = [column.label for column in table.columns if len(_sensor(column)) > LONGEST]
    return [*told(missing), *([f"{', '.join(cut)}: sensor data cut to {LONGEST} characters"] if cut else [])]


class _Status:
    """1 where a value of a stream is missing, (N,)."""

    def __init__(self, table: Table, stream: str) -> None:
        self._table, self._stream = table, stream

    def __len__(self) -> int:
        return self._table.samples

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        return lacking(self._table, self._stream, first, last).astype(np.float64)


def _values(file: BinaryIO, column: Column, table: Table) -> None:
    before = 0.0
    for first, end in table.pieces():
        block = np.array(column.values[first:end], dtype="<f8")
        before = bridge(block, before)
        file.write(block.data if sys.byteorder == "little" else block.tobytes())


def _head(number: int, column: Column, table: Table) -> str:
    """All that stands before the values, records 1 to 11."""
    description = (
        column.label, f"sha256 {table.about.get('record_sha256', '')}", table.begins.isoformat(),
        f"rate_hz={table.rate!r} begin_s={table.begin!r}", _sensor(column) or "NONE",
    )  # fmt: skip
    lines = [f"{text[:LONGEST]:{LONGEST}}" for text in description]
    lines.append(f"{RESPONSE:5d}{number:10d}{0:5d}{0:10d} {'NONE':10}{number:10d}{0:4d} {'NONE':10}{0:10d}{0:4d}")
    lines.append(f"{DOUBLE:10d}{table.samples:10d}{1:10d}{table.begin:13.5e}{1.0 / table.rate:13.5e}{0.0:13.5e}")
    lines.append(_axis(TIME, (0, 0, 0), "Time", "s"))
    lines.append(_axis(KINDS.get(column.unit, 0), EXPONENTS.get(column.unit, (0, 0, 0)), column.name, column.unit or "1"))
    lines += [_axis(0, (0, 0, 0), "NONE", "NONE")] * 2
    first = f"{58:6d}b{LITTLE:6d}{IEEE:6d}{LINES:12d}{8 * table.samples:12d}" + f"{0:6d}{0:6d}{0:12d}{0:12d}"
    return "\n".join([f"{-1:6d}", first, *lines]) + "\n"


def _axis(kind: int, exponents: tuple[int, int, int], label: str, unit: str) -> str:
    return f"{kind:10d}{''.join(f'{exponent:5d}' for exponent in exponents)} {label[:20]:20} {unit[:20]:20}"


def _sensor(column: Column) -> str:
    told_of = ((key, column.about.get(f"sensor_{key}")) for key in ("serial", "sensitivity", "offset", "calibrated"))
    return " ".join(f"{key}={value}" for key, value in told_of if value not in (None, ""))
