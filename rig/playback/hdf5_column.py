"""A dataset of an HDF5 file: attribute `units`, and its time from attribute `rate` (as in run.h5) or from a dataset of times with it.

The library does what a file says, up to crashing or taking all memory; so it is called in a process of its own, with limits.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from rig.files.confined_reading import confined
from rig.playback import hdf5_file
from rig.playback.column import Column

SIGNATURE = b"\x89HDF\r\n\x1a\n"
PLACES = (0, *(512 << n for n in range(12)))  # where it may stand, behind a block of the user's


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    with path.open("rb") as file:
        if not any(_at(file, place) for place in PLACES):
            raise ValueError("not an HDF5 file")
    return confined(hdf5_file.column, str(path), column, unit)


def _at(file: BinaryIO, place: int) -> bool:
    file.seek(place)
    return file.read(len(SIGNATURE)) == SIGNATURE
