"""The lines of a text file as other programs save one: its encoding, its line ends, block by block, and no line without an end."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

HEAD = 1 << 16  # bytes by which the encoding is told
BLOCK = 1 << 20  # characters
LONGEST = (1 << 17) - 1  # characters of a line; as many as a cell has at most in the reader of the standard library
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding(path: Path) -> str:
    """By its mark, or UTF-8, or what Windows takes for Latin-1: numbers and micro signs are the same in all its kind. Raises ValueError."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    for mark, name in MARKS:
        if head.startswith(mark):
            return name
    if b"\0" in head:
        raise ValueError("no text file: it holds zero bytes; save it as text in UTF-8")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # which may end in the middle of a sign
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def blocks(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(number of its first line from 1 on, lines) without their ends: CR, LF or both. Raises ValueError."""
    number, rest = 1, ""
    with path.open(encoding=encoding(path), errors="replace", newline=None) as file:
        while text := file.read(BLOCK):
            *lines, rest = (rest + text).split("\n")
            if len(rest) > LONGEST:
                raise ValueError(f"line {number + len(lines)} has more than {LONGEST} characters; expected a table, a line for each sample")
            if lines:
                yield number, lines
            number += len(lines)
    if rest:
        yield number, [rest]


def rows(lines: Sequence[str], separator: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """(number of the line, its cells without quotes) of lines from this number on. Raises ValueError for a quote that does not end, and
    for a cell without one."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    for number in range(first, first + len(lines)):
        try:
            found = next(reader)
        except csv.Error:
            found = []
        if (not found and lines[number - first]) or reader.line_num != number - first + 1:
            if any(len(cell) > LONGEST for cell in lines[number - first].split(separator)):
                raise ValueError(f"line {number}: a cell has more than {LONGEST} characters; expected a number")
            raise ValueError(f"line {number}: a quote that does not end where its cell ends")
        yield number, found
