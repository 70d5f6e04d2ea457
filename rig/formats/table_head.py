"""What stands above the numbers of a table as other programs write one: names, units, and when it was recorded."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eEdD][+-]?\d+)?", re.ASCII)
MISSING = ("", "nan", "-nan", "na", "n/a", "#n/a", "null", "none", "inf", "-inf", "nan(ind)", "1.#qnan", "-1.#ind")
"""Cells that stand for a value that is not there, in small letters."""
STAMP = re.compile(
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}[ T]\d{1,2}:\d{2}(:\d{2}([.,]\d*)?)?.*|\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d{2}(:\d{2}([.,]\d*)?)?", re.ASCII
)
BRACKETS = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<square>[^\[\]]*)\]|\((?P<round>[^()]*)\)|<(?P<angle>[^<>]*)>)\s*")
PLAIN_UNIT = re.compile(r"[\[(<]?\s*(?:-|1|[%°µμΩ\w/^*.·²³⁻ -]{1,14})\s*[\])>]?")
COMMON = {
    "%", "1/min", "a", "bar", "c", "cm", "deg", "degc", "g", "h", "hz", "k", "kg", "khz", "kn", "kn/mm", "kpa", "m",
    "m/s", "m/s2", "m/s^2", "m/s²", "ma", "min", "mm", "mn", "mpa", "ms", "mv", "n", "n*m", "nm", "n·m", "pa", "rad",
    "rpm", "s", "sec", "um", "um/m", "us", "v", "°", "°c", "µm", "µm/m", "µs",
}  # fmt: skip
"""One of these among the units at least makes a line of them: two lines of names look alike otherwise."""
TOLD = re.compile(r"dat(e|um)|time|zeit|start|begin|record|created|aufnahme|erstellt", re.IGNORECASE)
DATE = re.compile(r"(?<!\d)(?:(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})|(?P<dd>\d{1,2})\.(?P<mm>\d{1,2})\.(?P<yy>\d{4}))(?!\d)")
CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?(?![\d:])")
NO_HEAD = 200
"""Rows above the numbers, at most."""


@dataclass(frozen=True)
class Head:
    """rows: those above the numbers; names and units, one for each column of numbers. start: without a zone where none stands there."""

    rows: int
    names: tuple[str, ...]
    units: tuple[str, ...]
    start: datetime.datetime | None
    named: bool
    unit_row: bool


def is_value(cell: str) -> bool:
    """Whether a cell is a number, a missing one, or a date with a time."""
    cell = cell.strip()
    return cell.lower() in MISSING or bool(NUMBER.fullmatch(cell)) or bool(STAMP.fullmatch(cell))


def is_row(cells: Sequence[str]) -> bool:
    """Whether it is one of numbers: at least one, and nothing else."""
    return any(cell.strip() and is_value(cell) for cell in cells) and all(is_value(cell) for cell in cells)


def head(rows: Sequence[Sequence[str]]) -> Head:
    """Of the first rows of a table. Raises ValueError for one without numbers."""
    widths = [len(_trimmed(cells)) for cells in rows if is_row(cells)]
    usual = max(set(widths), key=widths.count, default=0)
    first = next((n for n, cells in enumerate(rows[:NO_HEAD]) if is_row(cells) and len(_trimmed(cells)) == usual), None)
    if first is None:
        raise ValueError("holds no table of numbers, or one that begins behind its first 200 lines")
    width = len(_trimmed(rows[first]))
    above = [n for n in range(first) if any(cell.strip() for cell in rows[n])]
    units, unit_row = [""] * width, False
    if (
        len(above) > 1
        and _are_units(rows[above[-1]], width)
        and len(_trimmed(rows[above[-2]])) >= min(width, len(_trimmed(rows[above[-1]])))
    ):
        units, unit_row = [_plain(cell) for cell in _padded(rows[above[-1]], width)], True
        above = above[:-1]
    named = bool(above) and len(_trimmed(rows[above[-1]])) >= max(1, width - 1) and not is_row(rows[above[-1]])
    names = [cell.strip().lstrip("#").strip() for cell in _padded(rows[above[-1]], width)] if named else [""] * width
    told = above[:-1] if named else above
    for k, name in enumerate(names):
        if found := BRACKETS.fullmatch(name):
            unit = found["square"] if found["square"] is not None else found["round"] if found["round"] is not None else found["angle"]
            names[k], units[k] = found["name"] or name, units[k] or unit.strip()
    names = [name or f"column_{k}" for k, name in enumerate(names, 1)]
    return Head(first, tuple(names), tuple(units), _start([" ".join(rows[n]) for n in told]), named, unit_row)


def _trimmed(cells: Sequence[str]) -> list[str]:
    kept = list(cells)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells[:width], *[""] * (width - len(cells))]


def _are_units(cells: Sequence[str], width: int) -> bool:
    texts = [cell.strip() for cell in cells if cell.strip()]
    plain = {_plain(text).lower() for text in texts}
    return bool(texts) and len(texts) <= width and all(PLAIN_UNIT.fullmatch(text) for text in texts) and bool(plain & COMMON)


def _plain(cell: str) -> str:
    text = cell.strip().strip("[]()<>").strip()
    return "1" if text == "-" else text


def _start(lines: Sequence[str]) -> datetime.datetime | None:
    """Date and time of day, in one line or in two that say what they are."""
    day: datetime.date | None = None
    clock: tuple[int, int, int, int, str] | None = None
    for line in lines:
        if not TOLD.search(line):
            continue
        if day is None and (found := DATE.search(line)):
            with contextlib.suppress(ValueError):
                day = datetime.date(*(int(found[a] or found[b]) for a, b in (("y", "yy"), ("m", "mm"), ("d", "dd"))))
        if clock is None and (time := CLOCK.search(line)):
            clock = int(time[1]), int(time[2]), int(time[3] or 0), int((time[4] or "0").ljust(6, "0")[:6]), time[5] or ""
    if day is None or clock is None:
        return None
    hour, minute, second, micro, zone = clock
    with contextlib.suppress(ValueError):
        return datetime.datetime.fromisoformat(
            f"{day.isoformat()}T{hour:02}:{minute:02}:{second:02}.{micro:06}{zone.replace('Z', '+00:00')}"
        )
    return None


def stamp(cell: str) -> datetime.datetime:
    """A date with a time, as STAMP has it. Raises ValueError."""
    text = cell.strip().replace("/", "-").replace(",", ".")
    with contextlib.suppress(ValueError):
        return datetime.datetime.fromisoformat(text)
    date, _, clock = text.replace("T", " ").partition(" ")
    parts = [int(part) for part in re.split(r"[-.]", date)]
    year, month, day = parts if "-" in date else parts[::-1]
    hours, minutes, *more = clock.split(":")
    seconds = float(more[0]) if more else 0.0
    return datetime.datetime(year, month, day, int(hours), int(minutes)) + datetime.timedelta(seconds=seconds)
