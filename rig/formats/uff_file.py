"""The datasets of a universal file: where each begins and ends, in text and in the binary form 58b of UC-SDRL (Cincinnati)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass

from rig.formats.file_bytes import FileBytes

FUNCTION, UNITS = 58, 164
RECORDS = 11  # lines of a function before its values
MOST, MOST_SIGNS = 20_000, 2_000_000  # datasets, and what looks like the mark between them
SIGN = b"    -1"
MARK = re.compile(rb" {4}-1[ \t]*(?=[\r\n]|\Z)")
CLOSING = re.compile(rb"[\r\n]{0,2} {4}-1[ \t]*(?=[\r\n]|\Z)")
KIND = re.compile(rb" *(\d{1,6})(b?)(.*)")
ENDS = (b"\n", b"\r")
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
    binary = _binary(kind[3].decode("ascii"))
    end = after + max(0, binary[3])
    if not CLOSING.match(data[end : end + LINE]):
        end = _mark(data, after, in_binary=True)
    return Dataset(number, binary, lines, after, end, end < len(data))


def _binary(text: str) -> tuple[int, ...]:
    """The first four numbers behind 58b, 2I6,2I12; programs that do not keep to the columns leave blanks between them. -1: none."""
    columns = [text[:6], text[6:12], text[12:24], text[24:36]]
    fields = columns if all(one.strip().isdigit() for one in columns) else text.split()[:4]
    found = [int(field) if field.strip().isdigit() else -1 for field in fields]
    return (*found, *[-1] * (4 - len(found)))


def _mark(data: FileBytes, at: int, in_binary: bool = False) -> int:
    """Where the next line is that is nothing but -1 in its first six columns; the end of the file where there is none.

    in_binary: it need not begin a line, as it stands directly behind binary values.
    """
    for _ in range(MOST_SIGNS):
        at = data.find(SIGN, at)
        if at < 0:
            return len(data)
        if (in_binary or _begins_line(data, at)) and MARK.match(data[at : at + LINE]):
            return at
        at += 1
    raise ValueError("holds too many lines with -1 for a file of functions; cut out what is to be played")


def _begins_line(data: FileBytes, at: int) -> bool:
    """Behind the end of another, or at the begin of the file, with or without the mark of UTF-8."""
    if at in (0, len(BOM_UTF8)):
        return data[0:at] in (b"", BOM_UTF8) or data[at - 1 : at] in ENDS
    return data[at - 1 : at] in ENDS


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
