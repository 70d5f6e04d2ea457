"""A column of a CSV file: one header line `time[s],name[unit],...`, then numbers."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np

from rig.playback import no_such_column
from rig.playback.column import Column, checked, rate_of

HEADER = re.compile(r"\s*(?P<name>[^\[\]]*?)\s*(\[(?P<unit>[^\]]*)\])?\s*")
TIME = ("time", "s")


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    with path.open(encoding="utf-8-sig") as file:
        try:
            heads = [_split(text) for text in file.readline().strip().split(",")]
        except UnicodeDecodeError as error:
            raise ValueError(f"not a text file in UTF-8 (byte {error.start})") from None
    if heads == [("", "")]:
        raise ValueError("the file is empty; expected a header time[s],name[unit],...")
    if heads[0] != TIME:
        name, of = heads[0]
        raise ValueError(f"the first column is {name}[{of}], expected time[s]; headers read name[unit]")
    there = [f"{name}[{of}]" for name, of in heads[1:]]
    found = [i for i, (name, of) in enumerate(heads) if i > 0 and column in (name, f"{name}[{of}]")]
    if not found:
        raise no_such_column(column, there)
    if len(found) > 1:
        raise ValueError(f"{len(found)} columns are called {column!r}; there are {', '.join(there)}")
    with warnings.catch_warnings(action="ignore"):  # of a table without rows, which is said below
        try:
            table = np.loadtxt(path, delimiter=",", skiprows=1, usecols=(0, found[0]), ndmin=2, encoding="utf-8-sig")
        except ValueError as error:
            raise ValueError(f"not a table of numbers: {error}") from None
    if not table.size:
        raise ValueError(f"column {column!r} is empty: there is no row below the header")
    name, of = heads[found[0]]
    return checked(name, table[:, 1], of or unit or "", rate_of(table[:, 0]))


def _split(text: str) -> tuple[str, str]:
    match = HEADER.fullmatch(text)
    return (match["name"], match["unit"] or "") if match else (text.strip(), "")
