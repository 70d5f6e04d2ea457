"""What the tests of HDF5 files share: one process that reads them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import pytest

from rig.files.confined_reading import ReadingProcess
from rig.playback import hdf5_file
from rig.playback.column import Column
from tests.unit.rig.playback.hdf5_drive import Make


@pytest.fixture(scope="session")
def process() -> Iterator[ReadingProcess]:
    with ReadingProcess() as one:
        yield one


@pytest.fixture
def played(process: ReadingProcess, tmp_path: Path) -> Callable[..., Column]:
    """The column of a file that a function fills, read in one process for all tests."""

    def play(make: Make, column: str = "force", unit: str | None = None) -> Column:
        with h5py.File(tmp_path / "drive.h5", "w") as file:
            make(file)
        return process.call(hdf5_file.column, str(tmp_path / "drive.h5"), column, unit)

    return play
