"""A function of a universal file (dataset 58, text or binary): chosen by its number from 1 on, or by its first identification line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rig.formats.file_bytes import FileBytes
from rig.formats.uff_file import FUNCTION, UNITS, Dataset, datasets
from rig.formats.uff_header import Function, function
from rig.formats.uff_values import DOUBLE, SINGLE, values
from rig.playback import no_such_column
from rig.playback.column import Column, checked, enough, nominal, rate_of
from rig.playback.uff_units import Said, system, to_seconds, unit_of

GENERAL, TIME_RESPONSE = 0, 1
FUNCTIONS = {2: "an auto spectrum", 3: "a cross spectrum", 4: "a frequency response", 6: "a coherence", 7: "an auto correlation"} | {
    8: "a cross correlation", 9: "a power spectral density", 12: "a spectrum", 17: "an orbit", 24: "a shock response spectrum"
}  # fmt: skip
COMPLEX = (5, 6)
VERBS = ("is ", "has ", "holds ", "breaks ", "says ")  # what is said of the function itself begins with
HEADER_DIGITS = 5e-6  # the increment stands there with six digits


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    with path.open("rb") as file:
        data = FileBytes(file)
        sets = list(datasets(data))
        chosen = _choose(column, [one for one in sets if one.kind == FUNCTION])
        try:
            return _column(data, chosen, _units(sets, chosen), unit)
        except ValueError as error:
            raise ValueError(f"function {column!r}{' ' if str(error).startswith(VERBS) else ': '}{error}") from None


def _choose(column: str, functions: Sequence[Dataset]) -> Dataset:
    there = [f"{n} ({one.name})" for n, one in enumerate(functions, 1)]
    found = [one for n, one in enumerate(functions, 1) if column in (str(n), one.name)]
    if not found:
        none = "" if there else "; expected a dataset 58 between two lines -1, as ASCII or UTF-8"
        raise ValueError(f"{no_such_column(column, there)}{none}")
    if len(found) > 1:
        raise ValueError(f"{len(found)} functions are called {column!r}; their numbers tell them apart: {', '.join(there[:40])}")
    return found[0]


def _units(sets: Sequence[Dataset], chosen: Dataset) -> Said:
    """What datasets 164 say of the function: those in front of it, the last of which applies; and those that stand behind it."""
    at = sets.index(chosen)
    last = next((n for n in range(at - 1, -1, -1) if sets[n].kind == UNITS), None)
    behind = [system(one) for one in sets[at:] if one.kind == UNITS] if last is None else []
    if last is None:
        return Said(None, (), behind[0] if behind else None)
    first = last
    while first > 0 and sets[first - 1].kind == UNITS:
        first -= 1
    return Said(system(sets[last]), tuple(system(one) for one in sets[first:last]), None)


def _column(data: FileBytes, chosen: Dataset, units: Said, unit: str | None) -> Column:
    head = function(chosen)
    if head.ordinate_type in COMPLEX:
        raise ValueError("is complex, expected a real time history")
    if head.ordinate_type not in (SINGLE, DOUBLE):
        raise ValueError(f"has the ordinate data type {head.ordinate_type}, expected 2 or 4 (real, single or double)")
    by = to_seconds(head.abscissa)
    if head.kind not in (GENERAL, TIME_RESPONSE):
        raise ValueError(f"is {FUNCTIONS.get(head.kind, f'of function type {head.kind}')}, expected a time response")
    if enough(chosen.name, head.points) < 2:
        raise ValueError(f"has {head.points} values by its header, expected at least two")
    given, times = unit_of(chosen.name, head, units, unit)
    time, found = values(data, chosen, head)
    return checked(chosen.name, found, given, _rate(head, by, time), times)


def _rate(head: Function, by: float, time: np.ndarray | None) -> float:
    if time is not None:
        return rate_of(time * by)
    if not (head.increment > 0.0 and np.isfinite(1.0 / (head.increment * by))):
        raise ValueError(f"the increment of its time is {head.increment:g}, expected more than 0")
    return nominal(1.0 / (head.increment * by), HEADER_DIGITS)
