"""A function of a universal file (dataset 58, text or binary): chosen by its number from 1 on, or by its first identification line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyuff

from rig.playback import no_such_column
from rig.playback.column import Column, checked, nominal, rate_of

FUNCTION = 58
TIME = 17  # specific data type of the abscissa
EVEN = 1
COMPLEX = (5, 6)
HEADER_DIGITS = 5e-6  # the increment stands there with six digits
LOADER_UNITS = {8: "m", 9: "N", 13: "N"}  # displacement, reaction force, excitation force: where no axis label says it, SI


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    file = pyuff.UFF(str(path))
    numbers = [i for i, kind in enumerate(file.get_set_types()) if kind == FUNCTION]
    heads = [_set(file, i, header_only=True) for i in numbers]
    there = [f"{n + 1} ({head['id1'].strip()})" for n, head in enumerate(heads)]
    found = [n for n, head in enumerate(heads) if column in (str(n + 1), head["id1"].strip())]
    if not found:
        raise no_such_column(column, there)
    if len(found) > 1:
        raise ValueError(f"{len(found)} functions are called {column!r}; their numbers tell them apart: {', '.join(there)}")
    head = heads[found[0]]
    if head["abscissa_spec_data_type"] != TIME:
        raise ValueError(f"function {column!r} is not over time (abscissa of type {head['abscissa_spec_data_type']}, expected {TIME})")
    if head["ord_data_type"] in COMPLEX:
        raise ValueError(f"function {column!r} is complex, expected a real time history")
    whole = _set(file, numbers[found[0]])
    points = int(head["num_pts"])
    values = np.asarray(whole["data"], dtype=np.float64)
    if len(values) < points:
        raise ValueError(f"function {column!r} breaks off: {len(values)} values, its header says {points}")
    label = head["ordinate_axis_units_lab"].strip()
    said = "" if label.upper() == "NONE" else label
    given = said or unit or LOADER_UNITS.get(head["ordinate_spec_data_type"], "")
    return checked(head["id1"].strip(), values[:points], given, _rate(whole, points))


def _rate(whole: Any, points: int) -> float:
    if whole["abscissa_spacing"] != EVEN:
        return rate_of(np.asarray(whole["x"], dtype=np.float64)[:points])
    if not whole["abscissa_inc"] > 0.0:
        raise ValueError(f"the increment of its time is {whole['abscissa_inc']:g} s, expected more than 0")
    return nominal(1.0 / whole["abscissa_inc"], HEADER_DIGITS)


def _set(file: Any, number: int, header_only: bool = False) -> Any:
    try:
        return file.read_sets(number, header_only=header_only)
    except Exception as error:  # the library raises nothing more particular, whatever is wrong in the file
        raise ValueError(f"dataset {number + 1} of this universal file cannot be read: {error}") from None
