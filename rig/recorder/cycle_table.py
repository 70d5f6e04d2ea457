"""The table of cycles of one stream in a record."""

from __future__ import annotations

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.recorder.cycles import row_type, row_units
from rig.recorder.description import StreamShape

CHUNK = 256  # rows


class CycleTable:
    """/entry/cycles/<stream>. Rows wait in memory until `put`."""

    def __init__(self, group: h5py.Group, shape: StreamShape) -> None:
        group.attrs["NX_class"] = "NXcollection"
        self.kind = row_type(shape.channels)
        self._table = group.create_dataset(shape.name, (0,), self.kind, maxshape=(None,), chunks=(CHUNK,))
        self._table.attrs["units"] = row_units(shape.units)
        self._waiting: list[NDArray[np.void]] = []

    def append(self, rows: NDArray[np.void]) -> None:
        self._waiting.append(rows)

    def put(self) -> int:
        """Write what waits; returns the number of rows in the file."""
        if self._waiting:
            rows = np.concatenate(self._waiting)
            self._waiting.clear()
            self._table.resize((len(self._table) + len(rows),))
            self._table[-len(rows) :] = rows
        return len(self._table)
