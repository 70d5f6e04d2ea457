"""Rows of numbers laid aside in a file without a name: a table that is read from its begin to its end, by its columns."""

from __future__ import annotations

import tempfile

import numpy as np

from rig.formats.table import Floats

ROWS = 1 << 14


class Staged:
    """Rows (N, columns), one block after the other; then `column(k)`, (N,), read where it is sliced."""

    def __init__(self, columns: int) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as its columns are asked for
        self._columns, self.rows = columns, 0

    def append(self, block: Floats) -> None:
        """The next rows (k, columns)."""
        self._file.seek(0, 2)
        self._file.write(np.ascontiguousarray(block, dtype=np.float64).data)
        self.rows += len(block)

    def column(self, number: int) -> StagedColumn:
        """By its number from 0 on."""
        return StagedColumn(self, number)

    def read(self, first: int, last: int, number: int) -> Floats:
        """Rows first .. last - 1 of a column."""
        out = np.empty(max(0, last - first))
        for at in range(first, last, ROWS):
            end = min(at + ROWS, last)
            self._file.seek(8 * self._columns * at)
            block = np.frombuffer(self._file.read(8 * self._columns * (end - at))).reshape(-1, self._columns)
            out[at - first : end - first] = block[:, number]
        return out


class StagedColumn:
    """One column (N,)."""

    def __init__(self, staged: Staged, number: int) -> None:
        self._staged, self._number = staged, number

    def __len__(self) -> int:
        return self._staged.rows

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._staged.rows)
        return self._staged.read(first, last, self._number)
