"""Text tables: CSV as programs export them. Separator, decimal sign, names, units and the begin of the numbers are found out, and told."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.staging import Staged
from rig.formats.table import Contents, Floats, Found
from rig.formats.table_head import MISSING, NUMBER, STAMP, Head, head, is_row, stamp
from rig.formats.text_lines import blocks, encoding

SEPARATORS = {";": "semicolons", "\t": "tabs", ",": "commas", " ": "blanks"}
ABOUT = ".about.json"
"""Ending of what `rig export` writes beside it."""
LOOKED_AT = 400
"""Lines that the form is told by."""
LARGEST_ABOUT = 1 << 24
POINT = str.maketrans({",": ".", ".": "!"})


class _Rows:
    """Numbers out of lines, in the form that was found out."""

    def __init__(self, separator: str, comma: bool, names: Sequence[str], stamped: Sequence[int]) -> None:
        self.separator, self.comma, self.names, self.stamped = separator, comma, names, set(stamped)
        self.origin: datetime.datetime | None = None
        self.empty = 0

    def block(self, first: int, lines: list[str]) -> Floats:
        """(k, columns) of lines, the first of which has this number. Raises ValueError with the line."""
        if not self.stamped and (found := self._quickly(lines)) is not None:
            return found
        rows = [self._row(first + k, line) for k, line in enumerate(lines) if line.strip()]
        return np.array(rows, dtype=np.float64).reshape(-1, len(self.names))

    def _quickly(self, lines: list[str]) -> Floats | None:
        if any(line.count(self.separator) != len(self.names) - 1 or '"' in line for line in lines) or self.separator == " ":
            return None
        texts = [line.translate(POINT) for line in lines] if self.comma else lines
        with suppress(ValueError):
            found = np.loadtxt(texts, delimiter=self.separator, comments=None, ndmin=2)
            if len(found) == len(lines):
                return found
        return None

    def _row(self, number: int, line: str) -> list[float]:
        cells = cells_of(line, self.separator)
        while len(cells) > len(self.names) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(self.names):
            raise ValueError(
                f"line {number} has {len(cells)} cells (separated by {SEPARATORS[self.separator]}), expected {len(self.names)}"
            )
        return [self._number(number, k, cell.strip()) for k, cell in enumerate(cells)]

    def _number(self, number: int, column: int, text: str) -> float:
        if text.lower() in MISSING:
            self.empty += 1
            return np.nan
        if column in self.stamped and STAMP.fullmatch(text):
            return self._seconds(text)
        plain = text.translate(POINT) if self.comma else text
        try:
            if not NUMBER.fullmatch(text):
                raise ValueError
            return float(plain.replace("D", "E").replace("d", "e"))
        except ValueError:
            behind = f"; decimals stand behind a {'comma' if self.comma else 'point'} in this file" if NUMBER.fullmatch(text) else ""
            raise ValueError(f"line {number}: column {self.names[column]!r} is {text[:40]!r}, which is not a number{behind}") from None

    def _seconds(self, text: str) -> float:
        at = stamp(text)
        if self.origin is None:
            self.origin = at
        return (at - self.origin).total_seconds()


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    text = blocks(path)
    first, lines = next(text, (1, []))
    separator, comma, rows = form(lines[:LOOKED_AT])
    found = head(rows)
    stamped = [k for k, cell in enumerate(rows[found.rows][: len(found.names)]) if STAMP.fullmatch(cell.strip())]
    parser = _Rows(separator, comma, found.names, stamped)
    staged = Staged(len(found.names))
    staged.append(parser.block(first + found.rows, lines[found.rows :]))
    for first, lines in text:
        staged.append(parser.block(first, lines))
    units = ["s" if k in stamped else unit for k, unit in enumerate(found.units)]
    about = _about(path)
    columns = [Found(name, unit, staged.column(k)) for k, (name, unit) in enumerate(zip(found.names, units, strict=True))]
    if (rate := about.get("rate_hz")) and isinstance(rate, (int, float)):
        begin = float(str(about.get("begin_s", 0.0)))
        columns = [Found(one.name, one.unit, one.values, float(rate), begin, about=_of(about, one.name)) for one in columns]
    yield Contents("csv", columns, parser.origin or found.start, about, _said(path, separator, comma, found, parser))


def form(lines: Sequence[str]) -> tuple[str, bool, list[list[str]]]:
    """(separator, whether decimals stand behind a comma, cells of the lines). Raises ValueError for what is no table."""
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        lines = ["", *lines[1:]]
    best: tuple[int, str, list[list[str]]] = (0, "", [])
    for separator in SEPARATORS:
        rows = [cells_of(line, separator) for line in lines]
        widths = [len(cells) for cells in rows if is_row(cells)]
        usual = max(set(widths), key=widths.count, default=0)
        score = widths.count(usual) * min(usual, 2) if usual > 1 or len(widths) > len(lines) // 2 else 0
        if score > best[0]:
            best = (score, separator, rows)
    if not best[0]:
        raise ValueError("holds no table of numbers that are separated by semicolons, tabs, commas or blanks")
    _, separator, rows = best
    numbers = [cell for cells in rows if is_row(cells) for cell in cells if not STAMP.fullmatch(cell.strip())]
    comma = separator != "," and any("," in cell for cell in numbers)
    if comma and (both := next((cell for cell in numbers if "." in cell), "")):
        raise ValueError(f"decimals stand behind a comma in some cells and behind a point in others ({both.strip()!r}): export it with one")
    return separator, comma, rows


def cells_of(line: str, separator: str) -> list[str]:
    """Of a line, without quotes."""
    if separator == " ":
        return line.split()
    if '"' not in line:
        return line.split(separator)
    import csv

    return next(csv.reader([line], delimiter=separator), [])


def _said(path: Path, separator: str, comma: bool, found: Head, parser: _Rows) -> tuple[str, ...]:
    said = [f"{encoding(path)}, cells separated by {SEPARATORS[separator]}, decimals behind a {'comma' if comma else 'point'}"]
    said.append(
        f"numbers from line {found.rows + 1} on{', a line of units above' if found.unit_row else ''}{'' if found.named else ', no names'}"
    )
    if parser.empty:
        said.append(f"{parser.empty} cells are empty, or tell that there is no value")
    return tuple(said)


def _about(path: Path) -> dict[str, Json]:
    """What this program wrote beside it."""
    beside = path.with_name(path.name + ABOUT)
    with suppress(OSError, ValueError):
        if beside.stat().st_size <= LARGEST_ABOUT:
            found = json.loads(beside.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return found
    return {}


def _of(about: dict[str, Json], name: str) -> dict[str, Json]:
    columns = about.get("columns")
    found = columns.get(name, {}) if isinstance(columns, dict) else {}
    return found if isinstance(found, dict) else {}
