"""Universal file, dataset 58 in its binary form with doubles, by pyuff: a time response for each channel, one after the other.

Where values are missing stands the last one before, and a function `status/STREAM` is 1 there: programs read a NaN as 0, or not at all.

The increment of time has six digits there; the rate to the last bit stands in the fourth line of each function's description.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rig.formats.extras import library
from rig.formats.table import Column, Floats, Table
from rig.formats.writing.missing import STATUS, bridge, counts, lacking, told

LONGEST = 80
"""Characters of a line of the description."""
KINDS = {"N": 13, "m": 8, "m/s": 11, "m/s^2": 12, "Pa": 15, "N*m": 9}
"""SI unit -> specific data type of the ordinate: force, displacement, velocity, acceleration, pressure, moment (excitation force)."""
EXPONENTS = {"N": (0, 1, 0), "m": (1, 0, 0), "m/s": (1, 0, 0), "m/s^2": (1, 0, 0), "Pa": (-2, 1, 0), "N*m": (1, 1, 0)}
TIME, RESPONSE, DOUBLE = 17, 1, 4


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("pyuff", "a universal file")
    if 8 * table.samples >= 2**31:
        return f"a function of a universal file takes {2**28} samples, there are {table.samples}; cut with --from and --until, or --rate"
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    pyuff = library("pyuff", "a universal file")
    file = pyuff.UFF(str(path))
    missing = counts(table)
    status = [Column(STATUS, stream, "1", _Status(table, stream)) for stream in missing]
    for number, column in enumerate([*table.columns, *status], 1):
        file.write_sets(_function(number, column, table), "add")  # its "overwrite" loses what stands before binary values
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


def _values(column: Column, samples: int) -> Floats:
    """All of them, bridged."""
    found = np.array(column.values[0:samples], dtype=np.float64)
    bridge(found)
    return found


def _function(number: int, column: Column, table: Table) -> dict[str, Any]:
    length, force, temperature = EXPONENTS.get(column.unit, (0, 0, 0))
    digest = table.about.get("record_sha256", "")
    return {
        "type": 58, "binary": 1, "func_type": RESPONSE, "ord_data_type": DOUBLE,
        "id1": column.label[:LONGEST], "id2": f"sha256 {digest}"[:LONGEST], "id3": table.begins.isoformat()[:LONGEST],
        "id4": f"rate_hz={table.rate!r} begin_s={table.begin!r}"[:LONGEST], "id5": (_sensor(column) or "NONE")[:LONGEST],
        "ver_num": number, "load_case_id": 0, "rsp_ent_name": "NONE", "rsp_node": number, "rsp_dir": 0,
        "ref_ent_name": "NONE", "ref_node": 0, "ref_dir": 0,
        "abscissa_spacing": 1, "abscissa_min": table.begin, "abscissa_inc": 1.0 / table.rate, "z_axis_value": 0.0, "num_pts": table.samples,
        "x": table.begin + np.arange(2) / table.rate, "data": _values(column, table.samples),
        **_axis("abscissa", TIME, (0, 0, 0), "Time", "s"),
        **_axis("ordinate", KINDS.get(column.unit, 0), (length, force, temperature), column.name[:20], (column.unit or "1")[:20]),
        **_axis("orddenom", 0, (0, 0, 0), "NONE", "NONE"), **_axis("z_axis", 0, (0, 0, 0), "NONE", "NONE"),
    }  # fmt: skip


def _axis(name: str, kind: int, exponents: tuple[int, int, int], label: str, unit: str) -> dict[str, Any]:
    length, force, temperature = exponents
    return {
        f"{name}_spec_data_type": kind, f"{name}_len_unit_exp": length, f"{name}_force_unit_exp": force,
        f"{name}_temp_unit_exp": temperature, f"{name}_axis_lab": label, f"{name}_axis_units_lab": unit,
    }  # fmt: skip


def _sensor(column: Column) -> str:
    told = ((key, column.about.get(f"sensor_{key}")) for key in ("serial", "sensitivity", "offset", "calibrated"))
    return " ".join(f"{key}={value}" for key, value in told if value not in (None, ""))
