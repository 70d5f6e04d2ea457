"""The clock that the devices of a run sample by, for what its programs send and stamp while they do: that of this computer.

A virtual bench stands still while its host does not work (`drivers.simulated.clock`), and so do its samples. What is sent by the wall's
clock would run ahead of them, so the bench shows how far it has stood still, in a small mapped file beside the rings of the run.
"""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

_SHOWN = struct.Struct("dd")


class Face:
    """What a virtual bench shows, in a file of its own in `folder`."""

    def __init__(self, folder: Path) -> None:
        path = _path(folder)
        path.write_bytes(bytes(_SHOWN.size))
        self._map = _mapped(path)

    def show(self, slipped: float, stands: float) -> None:
        """How far (s) it has stood still in all, and the time (time.monotonic(), s) from which it stands unless somebody looks before."""
        self._map[:] = _SHOWN.pack(slipped, stands)  # pack_into would show zeros meanwhile

    def close(self) -> None:
        """Nothing is shown any more."""
        self._map.close()


class DeviceClock:
    """`folder`: of the rings; without a bench that shows its clock there it is that of this computer."""

    def __init__(self, folder: Path | None = None) -> None:
        self._map = None if folder is None or not _path(folder).exists() else _mapped(_path(folder))

    @property
    def shown(self) -> bool:
        """Whether a virtual bench shows it; its samples are taken by it then, exactly."""
        return self._map is not None

    @property
    def stood_still(self) -> float | None:
        """How long (s) the bench has stood still in all; None where none shows its clock."""
        return None if self._map is None else self._shown()[0]

    def __call__(self) -> float:
        """The present, s; time.monotonic() less what the devices have stood still."""
        return self.at(time.monotonic())

    def at(self, wall: float) -> float:
        """The same for a moment (time.monotonic(), s) since which they have not stood still."""
        if self._map is None:
            return wall
        slipped, stands = self._shown()
        return (min(wall, stands) if stands else wall) - slipped

    def _shown(self) -> tuple[float, float]:
        """Both of one look: the other process may be writing."""
        assert self._map is not None
        read = _SHOWN.unpack_from(self._map)
        while (again := _SHOWN.unpack_from(self._map)) != read:
            read = again
        return float(read[0]), float(read[1])


def _path(folder: Path) -> Path:
    return folder / "clock"


def _mapped(path: Path) -> mmap.mmap:
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)
