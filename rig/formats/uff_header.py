"""The header of a function at a nodal degree of freedom (dataset 58) of a universal file.

Source: Universal Dataset Number 58, SDRC, 30-Jun-1999.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rig.formats.uff_file import RECORDS, Dataset

UNWRITTEN = 21 * "\0"  # longer than any field that a program fills up with them
WHOLE = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)


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
    begin: float
    increment: float
    abscissa: Axis
    ordinate: Axis
    denominator: Axis


def function(dataset: Dataset) -> Function:
    """The header of a function. Raises ValueError for a record that is not in its format."""
    if len(dataset.lines) < RECORDS or dataset.begin > dataset.end:
        raise ValueError("its header breaks off")
    if any(UNWRITTEN in line for line in dataset.lines):
        raise ValueError("its header holds zero bytes: it was never written to its end, or is no text")
    whose = _fixed(dataset.lines[5], 6, (5, 10, 5, 10, 11, 10, 4))
    form = _form(dataset.lines[6])
    return Function(
        kind=_whole(whose[0], 6),
        direction=_whole(whose[6], 6),
        ordinate_type=_whole(form[0], 7),
        points=_whole(form[1], 7),
        even=_even(form[2]),
        begin=_real(form[3], 7) if form[3].strip() else 0.0,
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
    text = label.strip(" \t\0")  # some programs fill up with zero bytes
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
