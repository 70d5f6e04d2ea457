"""Played files of every kind, changed at random, and what becomes of them: a column, or one line, in bounded time and memory."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import psutil

from rig.errors import ConfigError
from rig.files.confined_reading import ReadingProcess, Unreadable
from rig.playback import hdf5_file, read
from rig.playback.column import LARGEST, Column
from tests.unit.rig.playback.file_changes import changed
from tests.unit.rig.playback.universal_file import axis, binary, text, units

COUNT = 60
VALUES = [round(1e3 * math.sin(0.7 * n), 3) for n in range(COUNT)]
TIMES = [0.01 * n for n in range(COUNT)]
SECONDS, MEGABYTES = 10.0, 500


def _csv(path: Path) -> None:
    path.write_text("time[s],force[kN],note\n" + "".join(f'{t:.2f},{v:.3f},"of {v}"\n' for t, v in zip(TIMES, VALUES, strict=True)))


def _german(path: Path) -> None:
    rows = "".join(f"{t:.2f};{v:.3f}\n" for t, v in zip(TIMES, VALUES, strict=True)).replace(".", ",")
    path.write_text("Zeit;Kraft\ns;kN\n" + rows)


def _uff(path: Path) -> None:
    path.write_text(units(10, 1e3, 1.0) + text(VALUES, ordinate=axis(13, "N")) + text(VALUES, TIMES, ordinate=axis(8)))


def _uff_binary(path: Path) -> None:
    path.write_bytes(binary(VALUES) + binary(VALUES, TIMES, order=">"))


def _hdf5(path: Path) -> None:
    with h5py.File(path, "w", libver=("earliest" if path.stem == "old" else "latest")) as file:
        group = file.create_group("entry")
        group["force"], group["time"] = VALUES, TIMES
        group["force"].attrs.update({"units": "kN", "rate": np.array([100.0])})
        group["time"].attrs["units"] = "s"
        group.create_dataset("packed", data=np.arange(COUNT, dtype="i2"), chunks=(16,), compression="gzip")
        group["packed"].attrs.update({"units": np.array(["mm"], dtype=h5py.string_dtype()), "scale_factor": 0.5})
        group["link"] = h5py.SoftLink("/entry/packed")


@dataclass(frozen=True)
class Kind:
    """How a file is made, its ending, and the columns that are asked for in turn."""

    make: Callable[[Path], None]
    suffix: str
    columns: tuple[str, ...]


KINDS = {
    "csv": Kind(_csv, ".csv", ("force",)),
    "german csv": Kind(_german, ".csv", ("Kraft",)),
    "uff": Kind(_uff, ".uff", ("1", "2")),
    "uff binary": Kind(_uff_binary, ".uff", ("1", "2")),
    "hdf5": Kind(_hdf5, ".h5", ("entry/force", "entry/packed", "entry/link", "nosuch")),
    "old hdf5": Kind(_hdf5, ".h5", ("entry/force", "entry/packed", "entry/link", "nosuch")),
}


class Playback:
    """Reads changed files of one kind, and checks each outcome; a process for the library of HDF5 is begun again when it has died."""

    def __init__(self, kind: str, folder: Path) -> None:
        self._kind, self._path = KINDS[kind], folder / f"{kind.split()[0]}{KINDS[kind].suffix}"
        self._kind.make(self._path)
        self._whole = self._path.read_bytes()
        self._process: ReadingProcess | None = None
        self.outcomes = {"played": 0, "refused": 0, "died": 0}
        self.slowest, self.largest = 0.0, 0.0
        for column in self._kind.columns[:-1] if self._kind.suffix == ".h5" else self._kind.columns:
            assert self._read(column) == "played"  # what is changed can be read

    def try_change(self, seed: int) -> None:
        """Raises what no user should see, and AssertionError for what took too long."""
        self._path.write_bytes(changed(self._whole, seed))
        begun = time.process_time() if self._kind.suffix != ".h5" else time.monotonic()
        outcome = self._read(self._kind.columns[seed % len(self._kind.columns)])
        took = (time.process_time() if self._kind.suffix != ".h5" else time.monotonic()) - begun
        self.outcomes[outcome] += 1
        self.slowest = max(self.slowest, took)
        reading = self._process.largest if self._process else 0
        self.largest = max(self.largest, psutil.Process().memory_info().rss / 1e6, reading / 1e6)
        assert took < SECONDS, f"seed {seed} took {took:.1f} s"

    def _read(self, column: str) -> str:
        try:
            found = self._in_process(column) if self._kind.suffix == ".h5" else read(str(self._path), column)
        except Unreadable as error:
            assert str(error).isprintable()
            return "refused" if self._process and self._process.alive else "died"
        except (ConfigError, ValueError, OSError) as error:
            assert isinstance(error, ConfigError) or self._kind.suffix == ".h5", repr(error)
            assert "\n" not in str(error)
            return "refused"
        assert 2 <= len(found.values) <= LARGEST and np.isfinite(found.values).all() and found.rate > 0.0
        return "played"

    def _in_process(self, column: str) -> Column:
        if self._process is None or not self._process.alive:
            self.close()
            self._process = ReadingProcess()
        return self._process.call(hdf5_file.column, str(self._path), column, None)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.__exit__()
