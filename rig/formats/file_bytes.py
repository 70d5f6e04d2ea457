"""The bytes of a file by their places, as a mapping of it would give them, but never more of it in memory than is looked at."""

from __future__ import annotations

from typing import BinaryIO

BLOCK = 1 << 20
OVERLAP = 64  # bytes of the next block that each brings along: what is looked for is shorter


class FileBytes:
    """data[a:b], len(data) and data.find of an open file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._length = file.seek(0, 2)
        self._start, self._block = -1, b""

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, which: slice) -> bytes:
        start, stop, _ = which.indices(self._length)
        if self._start <= start and stop <= self._start + len(self._block) and self._block:
            return self._block[start - self._start : stop - self._start]
        return self._read(start, stop - start)

    def find(self, what: bytes, at: int, end: int | None = None) -> int:
        """Where `what`, of up to 64 bytes, begins first from `at` on and before `end`; -1 where it does not."""
        end = self._length if end is None else min(end, self._length)
        while at < end:
            self._look_at(at - at % BLOCK)
            found = self._block.find(what, at - self._start, end - self._start)
            if found >= 0:
                return self._start + found
            at = self._start + BLOCK
        return -1

    def _look_at(self, start: int) -> None:
        if start != self._start:
            self._start, self._block = start, self._read(start, BLOCK + OVERLAP)

    def _read(self, start: int, count: int) -> bytes:
        self._file.seek(start)
        return self._file.read(max(0, count))
