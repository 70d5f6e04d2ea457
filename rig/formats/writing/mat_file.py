"""MAT, version 5, by scipy: a variable for each channel, `time`, and a struct `about`.

`measured_stroke` is measured/stroke. Variables are written one after the other, so one channel is in memory at a time.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io.matlab._mio5 import MatFile5Writer

from rig.formats.table import Column, Table

LARGEST = 2**31 - 4096
"""Bytes of a variable."""
LONGEST = 63
"""Characters of a name."""


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    if 8 * table.samples > LARGEST:
        most = LARGEST // 8
        return (
            f"a variable of a MAT file of version 5 takes {most} samples, there are {table.samples}; cut with --from and --until, or --rate"
        )
    return ""


def names(columns: list[Column]) -> dict[str, Column]:
    """Name of its variable -> column; no two are alike."""
    found: dict[str, Column] = {}
    for column in columns:
        plain = re.sub(r"\W", "_", f"{column.stream}_{column.name}", flags=re.ASCII)
        plain = (plain if plain[:1].isalpha() else f"x{plain}")[:LONGEST]
        name, number = plain, 2
        while name in found or name in ("time", "about"):
            name, number = f"{plain[: LONGEST - 4]}_{number}", number + 1
        found[name] = column
    return found


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    variables = names(list(table.columns))
    with path.open("wb") as file:
        writer = MatFile5Writer(file, oned_as="column", long_field_names=True)
        writer.put_variables({"time": table.times(0, table.samples)})
        for name, column in variables.items():
            writer.put_variables({name: np.asarray(column.values[0 : table.samples])}, write_header=False)
        about: dict[str, Any] = {"about": _about(variables, table)}
        writer.put_variables(about, write_header=False)
    return []


def _about(variables: dict[str, Column], table: Table) -> dict[str, object]:
    """A struct: rate, start, units and labels by variable, and all else as JSON."""
    return {
        "rate_hz": table.rate,
        "start_time": table.start.isoformat(),
        "begin_s": table.begin,
        "units": {name: column.unit for name, column in variables.items()},
        "labels": {name: column.label for name, column in variables.items()},
        "json": json.dumps({**table.about, "columns": {column.label: dict(column.about) for column in table.columns}}),
    }
