"""The values of a function of a universal file: text or binary, single or double, even or not. As many as its header says, and no other."""

from __future__ import annotations

import re
import warnings

import numpy as np

from rig.formats.file_bytes import FileBytes
from rig.formats.table import Floats
from rig.formats.uff_file import Dataset
from rig.formats.uff_header import Function

SINGLE, DOUBLE = 2, 4
ORDERS = {1: "<", 2: ">"}
ENDIAN = {1: "little endian", 2: "big endian"}
USUAL = (1e-30, 1e30)
"""Sizes of what is measured, in any unit; a number whose bytes are turned round seldom has one."""
IEEE = 2
BLOCK = 1 << 22  # bytes of text
SHOWN = 60  # characters
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([ED][+-]?\d+)?|[+-]?(nan|inf)", re.ASCII | re.IGNORECASE)


def values(data: FileBytes, dataset: Dataset, found: Function) -> tuple[Floats | None, Floats]:
    """(abscissa (N,) or None where it is even, ordinate (N,)), as they stand there. Raises ValueError."""
    if not dataset.closed:
        raise ValueError("breaks off: the file ends before the line -1 that ends it")
    if dataset.binary is not None:
        return _binary(data, dataset, found)
    numbers = _text(data, dataset, found)
    return (None, numbers) if found.even else (numbers[::2], np.ascontiguousarray(numbers[1::2]))


def _text(data: FileBytes, dataset: Dataset, found: Function) -> Floats:
    expected = found.points * (1 if found.even else 2)
    if expected > dataset.end - dataset.begin:
        raise ValueError(_short(found, dataset.end - dataset.begin, "bytes"))
    numbers, count, at = np.empty(expected), 0, dataset.begin
    while at < dataset.end:
        to = _line_end(data, at + BLOCK, dataset.end)
        part = _numbers(data[at:to])
        if count + len(part) > expected:
            raise ValueError(f"has more values than its header says ({found.points})")
        numbers[count : count + len(part)] = part
        count, at = count + len(part), to
    if count < expected:
        raise ValueError(_short(found, count // (1 if found.even else 2), "values"))
    return numbers


def _line_end(data: FileBytes, at: int, end: int) -> int:
    found = min((n for n in (data.find(b"\n", at, end), data.find(b"\r", at, end)) if n >= 0), default=end)
    return min(found + 1, end)


def _numbers(text: bytes) -> Floats:
    """The numbers of a text, with E or D before their exponents. Raises ValueError for what is none, and for two that touch."""
    words = text.split()
    plain = text.decode("latin-1").replace("D", "E").replace("d", "e")
    with warnings.catch_warnings(action="error"):
        try:
            found = np.fromstring(plain, sep=" ") if words else np.empty(0)
        except (ValueError, DeprecationWarning):
            found = np.empty(0)
    if len(found) != len(words):
        raise ValueError(f"holds {_first_wrong(words)!r}, which is not a number")
    return found


def _first_wrong(words: list[bytes]) -> str:
    for word in words:
        text = word.decode("latin-1")
        if not NUMBER.fullmatch(text[:SHOWN]):
            return text[:SHOWN]
    return words[0].decode("latin-1")[:SHOWN]


def _binary(data: FileBytes, dataset: Dataset, found: Function) -> tuple[Floats | None, Floats]:
    order, form, _, said = dataset.binary or (0, 0, 0, -1)
    if form != IEEE or order not in ORDERS:
        raise ValueError(
            f"is binary with byte order {order} and number format {form}; expected 1 or 2 (little, big endian) and 2 (IEEE 754)"
        )
    y = np.dtype(f"{ORDERS[order]}f{found.ordinate_type * 2}")
    layouts = [y] if found.even else [np.dtype([("x", f"{ORDERS[order]}f4"), ("y", y)]), np.dtype([("x", y), ("y", y)])]
    size = dataset.end - dataset.begin
    layout = next((one for one in layouts if one.itemsize * found.points == size), None)
    if layout is None:
        wanted = [one.itemsize * found.points for one in layouts]
        if said not in (-1, size, *wanted):
            raise ValueError(
                f"says in its first line that it has {said} bytes of values, but the {found.points} values of its record 7 take "
                f"{' or '.join(map(str, wanted))}; correct the one that is wrong"
            )
        if size < layouts[0].itemsize * found.points:
            raise ValueError(_short(found, size // layouts[0].itemsize, "values"))
        raise ValueError(f"has {size} bytes of values, expected {layouts[0].itemsize * found.points} for the {found.points} of its header")
    table = np.frombuffer(data[dataset.begin : dataset.end], dtype=layout)
    _refuse_turned(table if found.even else table["y"], order)
    if found.even:
        return None, table.astype(np.float64)
    return table["x"].astype(np.float64), table["y"].astype(np.float64)


def _refuse_turned(values: np.ndarray, order: int) -> None:
    """Raises ValueError where the bytes are numbers in the other order only: some programs write the one and say the other."""

    def usual(found: np.ndarray) -> bool:
        size = np.abs(found.astype(np.float64))
        return bool(np.all((size == 0.0) | ((size > USUAL[0]) & (size < USUAL[1]))))

    with np.errstate(invalid="ignore"):
        if not usual(values) and usual(values.byteswap()):
            raise ValueError(
                f"has values in the other byte order than its header says ({order}, {ENDIAN[order]}); correct that to {3 - order}"
            )


def _short(found: Function, count: int, what: str) -> str:
    return f"breaks off: {count} {what}, its header says {found.points}{' values' if what != 'values' else ''}"
