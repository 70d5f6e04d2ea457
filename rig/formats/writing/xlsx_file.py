"""XLSX by openpyxl: a sheet `data` with names and units above the numbers, and a sheet `about`. A missing value is an empty cell."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from rig.formats.extras import library
from rig.formats.table import Table

FILE = "an XLSX file"
LARGEST = 1_048_576
"""Rows of a sheet."""
ABOVE = 2
"""Rows above the numbers."""


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("openpyxl", FILE)
    if table.samples > LARGEST - ABOVE:
        return f"a sheet takes {LARGEST - ABOVE} rows of samples, there are {table.samples}; cut with --from and --until, or --rate"
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    book = library("openpyxl", FILE).Workbook(write_only=True)
    data, about = book.create_sheet("data"), book.create_sheet("about")
    try:
        _fill(data, about, table)
        with path.open("wb") as file:
            book.save(file)
    except BaseException:
        for sheet in (data, about):  # it writes to files of its own meanwhile, and complains as it goes if they are open
            with contextlib.suppress(Exception):
                sheet.close()
        raise
    return []


def _fill(data: Any, about: Any, table: Table) -> None:
    data.append(["time", *(column.label for column in table.columns)])
    data.append(["s", *(column.unit or "1" for column in table.columns)])
    for first, end in table.pieces(4096):
        block = np.column_stack([table.times(first, end), table.block(first, end)])
        for row in block.tolist():
            data.append([value if math.isfinite(value) else None for value in row])
    known = {**table.about, "start_time": table.start.isoformat(), "rate_hz": table.rate, "begin_s": table.begin}
    for key, value in known.items():
        about.append([key, value if isinstance(value, (str, int, float)) else json.dumps(value)])
    about.append([])
    for column in table.columns:
        for key, value in column.about.items():
            about.append([column.label, key, value if isinstance(value, (str, int, float)) else json.dumps(value)])
