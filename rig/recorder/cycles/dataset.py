"""The table of cycles of one stream in a record."""

from __future__ import annotations

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.host import clock
from rig.recorder.cycles.layout import in_layout, row_type, row_units
from rig.recorder.description import StreamShape

CHUNK = 256  # rows


class CycleTable:
    """/entry/cycles/<stream>. Rows wait in memory until `put`."""

    def __init__(self, group: h5py.Group, shape: StreamShape, whole: bool) -> None:
        """whole: with the column of that name; a record that is made of an older journal is without."""
        group.attrs["NX_class"] = "NXcollection"
        self.kind = row_type(shape.channels, whole)
        self._table = group.create_dataset(shape.name, (0,), self.kind, maxshape=(None,), chunks=(CHUNK,))
        self._table.attrs["units"] = row_units(shape.units, whole)
        self._waiting: list[NDArray[np.void]] = []
        self.rows = 0  # in the file
        self.waiting_since = 0.0  # clock.now() at which the oldest row that waits came

    @property
    def pending(self) -> int:
        """Rows that are not in the file yet."""
        return sum(len(rows) for rows in self._waiting)

    def append(self, rows: NDArray[np.void]) -> None:
        """Raises ValueError for rows without a column of the table."""
        if not self._waiting:
            self.waiting_since = clock.now()
        self._waiting.append(in_layout(rows, self.kind))

    def put(self) -> None:
        """Write what waits; HDF5's own buffers are the caller's to flush."""
        if not self.pending:
            return
        rows = np.concatenate(self._waiting)
        self._waiting.clear()
        self._table.resize((self.rows + len(rows),))
        self._table[-len(rows) :] = rows
        self.rows += len(rows)
