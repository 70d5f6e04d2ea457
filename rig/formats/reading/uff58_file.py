"""Universal file by pyuff: every time response (dataset 58, text or binary), read whole when it is asked for."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.extras import library
from rig.formats.reading import explained
from rig.formats.table import Contents, Floats, Found

FILE = "a universal file"
TIME_RESPONSES = (0, 1)
UNITS = {8: "m", 9: "N", 11: "m/s", 12: "m/s^2", 13: "N", 15: "Pa"}
"""Specific data type of an axis -> its SI unit, where the axis has no label of its own and no dataset 164 says another system."""
OWN = re.compile(r"rate_hz=(?P<rate>[-+.\deE]+) begin_s=(?P<begin>[-+.\deE]+)")
SAME = 1e-5
"""Relative: the increment has six digits."""


class Functions:
    """The functions of a file; the last that was asked for is kept."""

    def __init__(self, file: Any) -> None:
        self._file, self._kept = file, (-1, np.empty(0), np.empty(0))

    def values(self, number: int) -> tuple[Floats, Floats]:
        """(abscissa, ordinate)."""
        if self._kept[0] != number:
            with explained(FILE):
                one = self._file.read_sets(number)
            self._kept = number, np.asarray(one["x"], dtype=np.float64), np.asarray(one["data"], dtype=np.float64)
        return self._kept[1], self._kept[2]


class Stored:
    """One of a function's axes (N,)."""

    def __init__(self, functions: Functions, number: int, axis: int, length: int) -> None:
        self._functions, self._number, self._axis, self._length = functions, number, axis, length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        return self._functions.values(self._number)[self._axis][part]


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    pyuff = library("pyuff", FILE)
    with explained(FILE):
        file = pyuff.UFF(str(path))
        kinds = [int(kind) for kind in file.get_set_types()]
    if 58 not in kinds:
        raise ValueError(f"holds no function (dataset 58); there are the datasets {', '.join(map(str, sorted(set(kinds)))) or 'none'}")
    functions, found, left, starts = Functions(file), [], [], []
    for number, kind in enumerate(kinds):
        if kind != 58:
            continue
        with explained(FILE):
            one = file.read_sets(number)
        name = str(one["id1"]).strip() or f"function_{number + 1}"
        if int(one["func_type"]) not in TIME_RESPONSES or np.iscomplexobj(one["data"]):
            left.append(f"{name} (function type {int(one['func_type'])})")
            continue
        found.append(_found(functions, number, name, one))
        with contextlib.suppress(ValueError):
            starts.append(datetime.datetime.fromisoformat(str(one["id3"]).strip()))
    said = [f"left out, as they are no time responses: {', '.join(left)}"] if left else []
    begin = min((one.begin for one in found), default=0.0)
    start = starts[0] - datetime.timedelta(seconds=begin) if starts else None
    yield Contents("uff58", found, start, {}, tuple(said))


def _found(functions: Functions, number: int, name: str, one: dict[str, Any]) -> Found:
    unit = str(one.get("ordinate_axis_units_lab", "")).strip()
    unit = UNITS.get(int(one.get("ordinate_spec_data_type", 0)), "") if unit.upper() in ("", "NONE") else unit
    about: dict[str, Json] = {"id": [str(one[f"id{k}"]).strip() for k in range(1, 6)]}
    length = len(one["data"])
    values = Stored(functions, number, 1, length)
    if not int(one["abscissa_spacing"]):
        return Found(name, unit, values, times=Stored(functions, number, 0, length), about=about)
    step, begin = float(one["abscissa_inc"]), float(one["abscissa_min"])
    rate = _nominal(1.0 / step) if step > 0.0 else None
    own = OWN.match(str(one["id4"]).strip())
    if own and rate and abs(float(own["rate"]) / rate - 1.0) < SAME:
        rate, begin = float(own["rate"]), float(own["begin"])
    return Found(name, unit, values, rate, begin, about=about)


def _nominal(rate: float) -> float:
    """The shortest number that its six digits may mean."""
    return next((short for digits in range(1, 16) if abs((short := float(f"{rate:.{digits}g}")) - rate) <= 5e-6 * rate), rate)
