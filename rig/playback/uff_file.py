"""The datasets of a universal file: where each begins and ends, and the header of a function at a nodal degree of freedom (58).

Source: Universal Dataset Number 58, SDRC, 30-Jun-1999, with the binary form 58b of UC-SDRL (University of Cincinnati).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rig.playback.file_bytes import FileBytes

FUNCTION, UNITS = 58, 164
RECORDS = 11  # lines of a function before its values
MOST, MOST_SIGNS = 20_000, 2_000_000  # datasets, and what looks like the mark between them
SIGN = b"    -1"
MARK = re.compile(rb" {4}-1[ \t]*(?=[\r\n]|\Z)")
CLOSING = re.compile(rb"[\r\n]{0,2} {4}-1[ \t]*(?=[\r\n]|\Z)")
WHOLE = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)
KIND = re.compile(rb" *(\d{1,6})(b?)(.*)")
LINE = 400  # bytes of a line of a header, which has 80; some fill it up


@dataclass(frozen=True)
class Dataset:
    """One dataset: its number, its header lines with where what follows them begins and ends. closed: its end is marked."""

    kind: int
    binary: tuple[int, ...] | None  # byte order, format of numbers, lines of text, bytes; None for text
    lines: tuple[str, ...]
    begin: int
    end: int
    closed: bool

    @property
    def name(self) -> str:
        """The first identification line of a function."""
        return self.lines[0].strip() if self.lines else ""


@dataclass(frozen=True)
class Axis:
    """Records 8 to 11: what is along an axis. label: "" where the file says NONE."""

    kind: int
    exponents: tuple[int, int, int]  # of length, force and temperature
    label: str


@dataclass(frozen=True)
class Function:
    """The header of dataset 58, as far as it tells how to read the values. direction: 1 to 3 translation, 4 to 6 rotation, 0 scalar."""

    kind: int
    direction: int
    ordinate_type: int
    points: int
    even: bool
    increment: float
    abscissa: Axis
    ordinate: Axis
    denominator: Axis


def datasets(data: FileBytes) -> Iterator[Dataset]:
    """One after the other; what is between them is passed over. Raises ValueError for more than are looked at."""
    at = 0
    for _ in range(MOST):
        at = _mark(data, at)
        if at >= len(data):
            return
        found = _dataset(data, at + len(SIGN))
        yield found
        at = found.end + len(SIGN)
    raise ValueError(f"has more than {MOST} datasets; cut out what is to be played")


def _dataset(data: FileBytes, at: int) -> Dataset:
    (first,), begin = _lines(data, at, 1, skip=1)
    kind = KIND.fullmatch(first.encode("ascii", errors="replace"))
    number = int(kind[1]) if kind else 0
    if not kind or number not in (FUNCTION, UNITS):
        return Dataset(number, None, (), begin, _mark(data, begin), True)
    lines, after = _lines(data, begin, RECORDS if number == FUNCTION else 3)
    if not kind[2]:
        end = _mark(data, begin)
        return Dataset(number, None, lines, min(after, end), end, end < len(data))
    fields = [int(field) if field.isdigit() else -1 for field in kind[3].split()[:4]]
    binary = (*fields, *[-1] * (4 - len(fields)))
    end = after + max(0, binary[3])
    if not CLOSING.match(data[end : end + LINE]):
        end = _mark(data, after, in_binary=True)
    return Dataset(number, binary, lines, after, end, end < len(data))


def _mark(data: FileBytes, at: int, in_binary: bool = False) -> int:
    """Where the next line is that is nothing but -1 in its first six columns; the end of the file where there is none.

    in_binary: it need not begin a line, as it stands directly behind binary values.
    """
    for _ in range(MOST_SIGNS):
        at = data.find(SIGN, at)
        if at < 0:
            return len(data)
        if (in_binary or at == 0 or data[at - 1 : at] in (b"\n", b"\r")) and MARK.match(data[at : at + LINE]):
            return at
        at += 1
    raise ValueError("holds too many lines with -1 for a file of functions; cut out what is to be played")


def _lines(data: FileBytes, at: int, count: int, skip: int = 0) -> tuple[tuple[str, ...], int]:
    """(lines, where the next begins), from `at` on; a line is at most LINE bytes, what is missing at the end of the file is empty."""
    found = []
    for _ in range(count + skip):
        part = data[at : at + LINE]
        end = min((n for n in (part.find(b"\n"), part.find(b"\r")) if n >= 0), default=len(part))
        found.append(_text(part[:end]))
        at += end + (2 if part[end : end + 2] == b"\r\n" else 1 if end < len(part) else 0)
    return tuple(found[skip:]), at


def _text(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def function(dataset: Dataset) -> Function:
    """The header of a function. Raises ValueError for a record that is not in its format."""
    if len(dataset.lines) < RECORDS or dataset.begin > dataset.end:
        raise ValueError("its header breaks off")
    whose = _fixed(dataset.lines[5], 6, (5, 10, 5, 10, 11, 10, 4))
    form = _form(dataset.lines[6])
    return Function(
        kind=_whole(whose[0], 6),
        direction=_whole(whose[6], 6),
        ordinate_type=_whole(form[0], 7),
        points=_whole(form[1], 7),
        even=_even(form[2]),
        increment=_real(form[4], 7),
        abscissa=_axis(dataset.lines[7], 8),
        ordinate=_axis(dataset.lines[8], 9),
        denominator=_axis(dataset.lines[9], 10),
    )


def _fixed(line: str, record: int, widths: Sequence[int]) -> list[str]:
    """Fields of a record. Raises ValueError where a number reaches from one field into the next."""
    fields, at = [], 0
    for width in widths:
        fields.append(line[at : at + width])
        at += width
        if line[at - 1 : at].isdigit() and line[at : at + 1].isdigit():
            raise ValueError(f"record {record} is not in the columns of its format: {line.rstrip()!r}")
    return fields


def _form(line: str) -> list[str]:
    """The six fields of record 7, 3I10,3E13.5; programs that do not keep to the columns leave blanks between them."""
    apart = line.split()
    return apart if len(apart) == 6 else _fixed(line, 7, (10, 10, 10, 13, 13, 13))


def _even(text: str) -> bool:
    if (spacing := _whole(text, 7)) not in (0, 1):
        raise ValueError(f"record 7 says abscissa spacing {spacing}, expected 0 (uneven) or 1 (even)")
    return spacing == 1


def _axis(line: str, record: int) -> Axis:
    kind, length, force, temperature, gap, _, between, label = _fixed(line, record, (10, 5, 5, 5, 1, 20, 1, 20))
    if gap.strip() or between.strip() or line[67:].strip():
        raise ValueError(f"record {record} is not in the columns of its format, I10,3I5,2(1X,20A1): {line.rstrip()!r}")
    exponents = (_whole(length, record), _whole(force, record), _whole(temperature, record))
    text = label.strip()
    return Axis(_whole(kind, record), exponents, "" if text.upper() == "NONE" else text)


def _whole(text: str, record: int) -> int:
    """An integer; blank is 0, as in Fortran."""
    if text.strip() and not WHOLE.fullmatch(text):
        raise ValueError(f"record {record} holds {text.strip()!r}, expected a whole number")
    return int(text) if text.strip() else 0


def _real(text: str, record: int) -> float:
    try:
        number = float(text.upper().replace("D", "E"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"record {record} holds {text.strip()!r}, expected a number")
    return number
