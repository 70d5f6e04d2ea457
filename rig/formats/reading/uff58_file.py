"""Universal file: every time response (dataset 58, text or binary), read whole when it is asked for.

Read by a parser of our own: pyuff takes what is no number for 0.
"""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.file_bytes import FileBytes
from rig.formats.staging import Staged
from rig.formats.table import Contents, Floats, Found
from rig.formats.uff_file import FUNCTION, UNITS, Dataset, datasets
from rig.formats.uff_header import Function, function
from rig.formats.uff_values import DOUBLE, SINGLE, values

TIME_RESPONSES = (0, 1)
SI = {8: "m", 9: "N", 11: "m/s", 12: "m/s^2", 13: "N", 15: "Pa"}
"""Specific data type of an axis -> its SI unit, where the axis has no label of its own and no dataset 164 says another system."""
OWN = re.compile(r"rate_hz=(?P<rate>[-+.\deE]+) begin_s=(?P<begin>[-+.\deE]+)")
SAME = 1e-5
"""Relative: the increment has six digits."""


class Functions:
    """The functions of a file; each is laid aside when it is asked for first."""

    def __init__(self, data: FileBytes) -> None:
        self._data = data
        self._laid: dict[int, Staged] = {}

    def read(self, dataset: Dataset, head: Function, axis: int, first: int, last: int) -> Floats:
        """Numbers first .. last - 1 of its abscissa (0; of an even one there are none) or ordinate (1). Raises ValueError."""
        if dataset.begin not in self._laid:
            times, found = values(self._data, dataset, head)
            laid = Staged(2 if times is not None else 1)
            laid.append(found[:, None] if times is None else np.column_stack([found, times]))
            self._laid[dataset.begin] = laid
        return self._laid[dataset.begin].read(first, last, 1 - axis)


class Stored:
    """One of a function's axes (N,)."""

    def __init__(self, functions: Functions, dataset: Dataset, head: Function, axis: int) -> None:
        self._functions, self._dataset, self._head, self._axis = functions, dataset, head, axis

    def __len__(self) -> int:
        return self._head.points

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        return self._functions.read(self._dataset, self._head, self._axis, first, max(first, last))


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    with path.open("rb") as file:
        data = FileBytes(file)
        sets = list(datasets(data))
        if not any(one.kind == FUNCTION for one in sets):
            kinds = ", ".join(str(kind) for kind in sorted({one.kind for one in sets}))
            raise ValueError(f"holds no function (dataset 58); it has the datasets {kinds or 'of no kind'}")
        functions, left = Functions(data), []
        found, starts = [], []
        labelled = not any(one.kind == UNITS for one in sets)
        for number, one in enumerate((one for one in sets if one.kind == FUNCTION), 1):
            head, name = _head(one, number)
            if head.kind not in TIME_RESPONSES or head.ordinate_type not in (SINGLE, DOUBLE):
                left.append(f"{name} (function type {head.kind}, data type {head.ordinate_type})")
                continue
            found.append(_found(functions, one, head, name, labelled))
            starts += _start(one.lines[2].strip())
        said = [f"left out, as they are no real time responses: {', '.join(left)}"] if left else []
        begin = min((one.begin for one in found), default=0.0)
        start = starts[0] - datetime.timedelta(seconds=begin) if starts else None
        own = {"program": "clearance-rig"} if found and found[0].about.get("own") else {}
        yield Contents("uff58", found, start, own, tuple(said))


def _start(text: str) -> list[datetime.datetime]:
    """The third line of its description, where it is a date with a time; the standard has 01-MAR-26 10:30:15."""
    with contextlib.suppress(ValueError):
        return [datetime.datetime.fromisoformat(text)]
    for form in ("%d-%b-%y %H:%M:%S", "%d-%b-%Y %H:%M:%S"):
        with contextlib.suppress(ValueError):
            return [datetime.datetime.strptime(text, form)]
    return []


def _head(one: Dataset, number: int) -> tuple[Function, str]:
    name = one.name if one.name and one.name.upper() != "NONE" else f"function_{number}"
    try:
        return function(one), name
    except ValueError as error:
        raise ValueError(f"function {number} ({name}): {error}") from None


def _found(functions: Functions, one: Dataset, head: Function, name: str, labelled: bool) -> Found:
    unit = head.ordinate.label or (SI.get(head.ordinate.kind, "") if labelled else "")
    stored = Stored(functions, one, head, 1)
    if not head.even:
        return Found(name, unit, stored, times=Stored(functions, one, head, 0))
    rate = _nominal(1.0 / head.increment) if head.increment > 0.0 else None
    own = OWN.match(one.lines[3].strip())
    about: dict[str, Json] = {"own": bool(own)}
    if own and rate and abs(float(own["rate"]) / rate - 1.0) < SAME:
        return Found(name, unit, stored, float(own["rate"]), float(own["begin"]), about=about)
    return Found(name, unit, stored, rate, head.begin, about=about)


def _nominal(rate: float) -> float:
    """The shortest number that its six digits may mean."""
    return next((short for digits in range(1, 16) if abs((short := float(f"{rate:.{digits}g}")) - rate) <= 5e-6 * rate), rate)
