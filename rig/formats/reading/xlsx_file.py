"""XLSX by openpyxl: the first sheet with a table of numbers, its head found out as that of a CSV file."""

from __future__ import annotations

import datetime
import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.extras import library
from rig.formats.reading import explained
from rig.formats.staging import Staged
from rig.formats.table import Contents, Found
from rig.formats.table_head import MISSING, Head, head

FILE = "an XLSX file"
LOOKED_AT = 250
ROWS = 4096


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    books = library("openpyxl", FILE)
    with explained(FILE):
        book = books.load_workbook(path, read_only=True, data_only=True)
    try:
        sheet, found = _table(book)
        staged, origin = _numbers(sheet, found)
        about = _about(book)
    finally:
        book.close()
    rate = about.get("rate_hz")
    told = float(rate) if isinstance(rate, (int, float)) else None
    begin = float(str(about.get("begin_s", 0.0)))
    stamps = [origin is not None and k == 0 for k in range(len(found.names))]
    columns = [
        Found(name, "s" if stamped else unit, staged.column(k), told, begin)
        for k, (name, unit, stamped) in enumerate(zip(found.names, found.units, stamps, strict=True))
    ]
    said = f"sheet {sheet.title!r}, numbers from row {found.rows + 1} on{', a row of units above' if found.unit_row else ''}"
    yield Contents("xlsx", columns, origin or found.start, about, (said,))


def _table(book: Any) -> tuple[Any, Head]:
    for sheet in book.worksheets:
        rows = [[_text(cell) for cell in row] for row in itertools.islice(sheet.iter_rows(values_only=True), LOOKED_AT)]
        with suppress(ValueError):
            return sheet, head(rows)
    raise ValueError("holds no sheet with a table of numbers")


def _text(cell: object) -> str:
    return "" if cell is None else str(cell)


def _numbers(sheet: Any, found: Head) -> tuple[Staged, datetime.datetime | None]:
    staged, block = Staged(len(found.names)), []
    origin: datetime.datetime | None = None
    for number, row in enumerate(sheet.iter_rows(min_row=found.rows + 1, values_only=True), found.rows + 1):
        if not any(cell is not None for cell in row):
            continue
        if isinstance(row[0], datetime.datetime) and origin is None:
            origin = row[0]
        block.append([_number(number, found.names[k], cell, origin) for k, cell in enumerate(_cells(row, len(found.names)))])
        if len(block) == ROWS:
            staged.append(np.array(block))
            block = []
    staged.append(np.array(block, dtype=np.float64).reshape(-1, len(found.names)))
    return staged, origin


def _cells(row: Sequence[object], width: int) -> list[object]:
    return [*row[:width], *[None] * (width - len(row))]


def _number(row: int, name: str, cell: object, origin: datetime.datetime | None) -> float:
    if isinstance(cell, (int, float)):
        return float(cell)
    if isinstance(cell, datetime.datetime) and origin is not None:
        return (cell - origin).total_seconds()
    if _text(cell).strip().lower() in MISSING:
        return np.nan
    with suppress(ValueError):
        return float(_text(cell))
    raise ValueError(f"row {row}: column {name!r} is {_text(cell)[:40]!r}, which is not a number")


def _about(book: Any) -> dict[str, Json]:
    """What this program wrote in the sheet `about`."""
    found: dict[str, Json] = {}
    if "about" not in book.sheetnames:
        return found
    for row in itertools.islice(book["about"].iter_rows(values_only=True), ROWS):
        if len(row) < 2 or not isinstance(row[0], str) or (len(row) > 2 and row[2] is not None):
            continue
        found[row[0]] = row[1] if isinstance(row[1], (int, float, str)) else None
        with suppress(ValueError, TypeError):
            if isinstance(row[1], str) and row[1][:1] in "[{":
                found[row[0]] = json.loads(row[1])
    return found if "rate_hz" in found and "program" in found else {}
