"""The table of cycles of a record, as a data set for each stream."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import h5py
import numpy as np

from rig.recorder.cycles.layout import WHOLE, Rows
from rig.recorder.opening import open_record
from rig.recorder.reading import RunData, explained

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xarray import Dataset

CYCLES, CYCLE = "cycles", "cycle"
AT_ONCE = ("first_sample", "count", WHOLE)
"""Columns of numbers that say which cycle it was; all others are read where they are used."""


def cycle_tables(run: RunData) -> dict[str, Dataset]:
    """Stream -> its table over `cycle`; none for a record without one. Raises ConfigError for one that cannot be read."""
    with open_record(run.path) as file, explained(run.path, CYCLES):
        tables = file["entry"].get(CYCLES, {})
        return {stream: _data_set(run, stream, tables[stream]) for stream in tables}


def _data_set(run: RunData, stream: str, table: h5py.Dataset) -> Dataset:
    from xarray import Dataset, Variable

    from rig.library.lazy import channel

    names = list(table.dtype.names)
    units = dict(zip(names, table.attrs["units"], strict=True))
    leading: Rows = table.fields([name for name in (CYCLE, *AT_ONCE) if name in names])[:]
    told = {name: (CYCLE, _told(leading, name)) for name in AT_ONCE if name in names}
    figures = {
        name: Variable((CYCLE,), channel(partial(_read, run, stream, name), len(table)), {"units": str(units[name])})
        for name in names
        if name not in (CYCLE, *AT_ONCE)
    }
    return Dataset({**told, **figures}, {CYCLE: leading[CYCLE]})


def _told(rows: Rows, name: str) -> NDArray[np.int64] | NDArray[np.bool_]:
    return rows[name].astype(bool) if name == WHOLE else rows[name]


def _read(run: RunData, stream: str, name: str, first: int, count: int) -> NDArray[np.float64]:
    with open_record(run.path) as file, explained(run.path, f"{CYCLES}/{stream}"):
        found: NDArray[np.float64] = file[f"entry/{CYCLES}/{stream}"].fields(name)[first : first + count]
    return found
