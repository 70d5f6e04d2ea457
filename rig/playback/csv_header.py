"""What the first lines of a CSV file say: separator, names and units of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rig.formats.text_lines import rows
from rig.playback.units import factor, not_a_time, plain, seconds

SEPARATORS = {";": "semicolon", ",": "comma", "\t": "tab"}
ASKED = re.compile(r"sep=(.)", re.IGNORECASE)  # Excel's own line above the header
LONGEST = 200  # characters of a name with its unit
WITHIN = re.compile(r'"[^"]{0,200}"|\[[^\]]{0,200}\]|\([^)]{0,200}\)')
HEAD = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<unit>[^\[\]]*)\]|\((?P<round>[^()]*)\))")


@dataclass(frozen=True)
class Header:
    """heads: (name, unit) of each column, the time first; unit "" where there is none."""

    separator: str
    heads: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        """Of the columns beside time, as they are chosen."""
        return [f"{name}[{unit}]" if unit else name for name, unit in self.heads[1:]]

    def find(self, column: str) -> list[int]:
        """Which columns are called so, with their unit or without."""
        wanted = plain(column).replace(" ", "")
        return [i for i, (name, unit) in enumerate(self.heads) if i and wanted in _called(name, unit)]

    def to_seconds(self) -> float:
        """Factor of the time column. Raises ValueError."""
        name, unit = self.heads[0]
        if (by := seconds(unit)) is None:
            raise ValueError(f"{not_a_time(f'the first column, {name[:60]!r},', unit, 'time[s] in the header')}{self._elsewhere()}")
        return by

    def _elsewhere(self) -> str:
        """What is to be done where the time stands in another column, or something else above the header."""
        for number, (name, unit) in enumerate(self.heads[1:], 2):
            if seconds(unit) is not None:
                return f"; column {number}, {name[:60]!r}, is a time: put it first"
        return "" if any(unit for _, unit in self.heads) else "; where this line is no header, take it out"


def header(lines: Sequence[str], first: int) -> tuple[Header, int]:
    """(header, how many of the lines it takes), units below the names included. Raises ValueError."""
    told = [(n, line) for n, line in enumerate(lines[:100]) if line.strip()]
    if not told:
        raise ValueError("the file is empty; expected a header time[s],name[unit],...")
    separator = ""
    if asked := ASKED.fullmatch(told[0][1].strip("\r ").strip('"')):
        separator = asked[1]
        told = told[1:]
        if separator not in SEPARATORS or not told:
            raise ValueError(f"the line sep={separator} names another separator than comma, semicolon and tab, or no header follows it")
    at, line = told[0]
    separator = separator or next((sign for sign in WITHIN.sub("", line) if sign in SEPARATORS), "")
    if not separator:
        raise ValueError(f"line {first + at}, {line.strip()[:60]!r}, has no comma, semicolon or tab; expected time[s],name[unit],...")
    texts = _cells(line, separator, first + at)
    while texts and not texts[-1]:
        texts.pop()
    found = Header(separator, tuple(_split(text) for text in texts))
    if len(told) > 1 and (below := _units(found, _cells(told[1][1], separator, first + told[1][0]))):
        return below, told[1][0] + 1
    return found, at + 1


def _called(name: str, unit: str) -> tuple[str, ...]:
    return tuple(plain(text).replace(" ", "") for text in (name, f"{name}[{unit}]", f"{name}({unit})"))


def _cells(line: str, separator: str, number: int) -> list[str]:
    return [text.strip() for _, texts in rows([line], separator, number) for text in texts]


def _split(text: str) -> tuple[str, str]:
    found = HEAD.fullmatch(text) if len(text) <= LONGEST else None
    return (found["name"], (found["unit"] if found["unit"] is not None else found["round"]).strip()) if found else (text, "")


def _units(header: Header, row: Sequence[str]) -> Header | None:
    """The header with the units of a row below it; None where the row is none of units. Raises ValueError for two that differ."""
    units = [text[1:-1].strip() if text[:1] + text[-1:] in ("[]", "()") else text for text in row]
    if not units or seconds(units[0]) is None:
        return None
    heads = []
    for (name, unit), below in zip(header.heads, [*units, *[""] * len(header.heads)], strict=False):
        if unit and below and (factor(unit) or seconds(unit) or plain(unit)) != (factor(below) or seconds(below) or plain(below)):
            raise ValueError(f"column {name!r} is in {unit!r} in the header, but in {below!r} in the line of units below it")
        heads.append((name, unit or below))
    return replace(header, heads=tuple(heads))
