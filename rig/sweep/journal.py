"""The journal of a campaign: a line for each task that has ended, on the disk before anybody counts on it.

What was broken off in the middle of a line is cut off when the campaign goes on; that task is computed again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig.errors import ConfigError, RigError
from rig.sweep.rows import Row


class Journal:
    """Appended to by one process at a time."""

    def __init__(self, path: Path) -> None:
        """Opened, or made; what is torn at its end goes. Raises ConfigError."""
        self.path = path
        try:
            self._file = path.open("ab", buffering=0)
            self._end = _sound(path)[1]
            self._file.truncate(self._end)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written: {error.strerror or error}") from None

    def append(self, rows: Sequence[Row]) -> None:
        """All of them, on the disk, or none. Raises RigError for a disk that takes nothing."""
        content = b"".join(map(_line, rows))
        try:
            left = content
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(self._end)  # what was half written
            raise RigError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        self._end += len(content)

    def close(self) -> None:
        """Nothing is kept back."""
        self._file.close()


def rows(path: Path) -> Iterator[Row]:
    """What a journal holds; nothing where there is none."""
    if path.exists():
        yield from _sound(path)[0]


def _sound(path: Path) -> tuple[list[Row], int]:
    """(rows, bytes up to the end of the last line that is whole)."""
    found, end = [], 0
    with path.open("rb") as file:
        for line in file:
            if (row := _read(line)) is None:
                break
            found.append(row)
            end += len(line)
    return found, end


def _line(row: Row) -> bytes:
    text = json.dumps(row, allow_nan=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _read(line: bytes) -> Row | None:
    checksum, _, text = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(text):
        return None
    index, state, figures, wall, cpu, reason = json.loads(text)
    return Row(index, state, tuple(figures), wall, cpu, reason)
