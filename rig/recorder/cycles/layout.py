"""One row of the table of cycles, in the layout of today and in that of older records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FIGURES = ("min", "max", "mean")
WHOLE = "whole"
"""Column: 1 where a cycle was run from its begin to its end and the stream has every sample of it, else 0. Older records do not have it."""
Block = NDArray[np.float64]
Rows = NDArray[np.void]


def row_type(channels: Sequence[str], whole: bool = True) -> np.dtype[np.void]:
    """One row of the table of a stream: `cycle` from 0 on, `first_sample`, `count` of samples, `whole`, then three figures a channel.

    whole: False for the layout without that column.
    """
    numbers = [("cycle", "<i8"), ("first_sample", "<i8"), ("count", "<i8"), *([(WHOLE, "u1")] if whole else [])]
    return np.dtype([*numbers, *((f"{name}_{figure}", "<f8") for name in channels for figure in FIGURES)])


def row_units(units: Sequence[str], whole: bool = True) -> list[str]:
    """Units of the columns of `row_type`."""
    return [*(["1"] * (4 if whole else 3)), *(unit for unit in units for _ in FIGURES)]


def in_layout(rows: Rows, kind: np.dtype[np.void]) -> Rows:
    """Rows (k,) with the columns of `kind` alone. Raises ValueError for one that they do not have."""
    if rows.dtype == kind:
        return rows
    names = kind.names or ()
    if missing := [name for name in names if name not in (rows.dtype.names or ())]:
        raise ValueError(f"rows of a table of cycles without {missing[0]!r}, which the table has")
    made = np.zeros(len(rows), kind)
    for name in names:
        made[name] = rows[name]
    return made
