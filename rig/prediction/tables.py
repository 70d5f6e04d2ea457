"""Tables of simulated samples as CSV or HDF5. A file is there when it is complete, or not at all."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.errors import RigError
from rig.files import output_files
from rig.prediction.simulation import Simulated

Floats = NDArray[np.float64]

SUFFIXES = (".csv", ".h5")
ROWS = 10_000  # written at a time
NUMBER = "%.12g"


def check_path(path: Path) -> None:
    """Raise ConfigError for a name that cannot become a table, before anything is computed."""
    output_files.checked("--out", path, SUFFIXES)


def columns(simulated: Simulated) -> tuple[list[tuple[str, str]], Floats]:
    """Names with units, and values (N, columns): the command, the channels, the largest |value| since the row before of some, the band."""
    peaks = [i for i, (name, _) in enumerate(simulated.channels) if name in simulated.extremes]
    names = [*simulated.channels, *((f"{simulated.channels[i][0]}_max", simulated.channels[i][1]) for i in peaks)]
    largest = np.maximum(np.abs(simulated.low[:, peaks]), np.abs(simulated.high[:, peaks]))
    if simulated.ensemble is not None:
        for kind, values in simulated.ensemble.band._asdict().items():
            names += [(f"{name}_{kind}", unit) for name, unit in simulated.channels]
            largest = np.column_stack([largest, values])
    if simulated.command is None:
        return names, np.column_stack([simulated.values, largest])
    return [("command", "N"), *names], np.column_stack([simulated.command, simulated.values, largest])


def write(path: Path, simulated: Simulated, experiment_text: str) -> None:
    """Write the table. Raises RigError when a value is not a number, ConfigError when the file cannot be written."""
    names, values = columns(simulated)
    if not np.all(np.isfinite(values)):
        raise RigError(f"{path}: not written: a value of {names[int(np.argmin(np.isfinite(values).all(axis=0)))][0]} is not a number")
    with output_files.whole("--out", path) as temporary:
        if path.suffix == ".csv":
            _write_csv(temporary, simulated, names, values)
        else:
            _write_h5(temporary, simulated, names, values, experiment_text)


def _write_csv(path: Path, simulated: Simulated, names: list[tuple[str, str]], values: Floats) -> None:
    table = np.column_stack([simulated.time, values])
    row = ",".join([NUMBER] * table.shape[1]) + "\n"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(["time[s]", *(f"{name}[{unit}]" for name, unit in names)]) + "\n")
        for first in range(0, len(table), ROWS):
            block = table[first : first + ROWS]
            file.write((row * len(block)) % tuple(block.ravel().tolist()))


def _write_h5(path: Path, simulated: Simulated, names: list[tuple[str, str]], values: Floats, experiment_text: str) -> None:
    """Laid out as a record: /entry/time, /entry/command/value, /entry/predicted/<channel>, /entry/events, /entry/config/experiment."""
    with h5py.File(path, "w", libver="earliest") as file:
        entry = file.create_group("entry")
        entry["time"] = simulated.time
        entry["time"].attrs["units"] = "s"
        for column, (name, unit) in enumerate(names):
            place = "command/value" if name == "command" else f"predicted/{name}"
            entry[place] = values[:, column]
            entry[place].attrs.update({"units": unit, "first_sample": 0, "rate": simulated.rate})
        kind = h5py.string_dtype()
        rows = [(e["time_s"], e["kind"], e["where"], e["approach_speed"] or 0.0) for e in simulated.events]
        fields = [("time", "f8"), ("kind", kind), ("where", kind), ("approach_speed", "f8")]
        entry["events"] = np.array(rows, dtype=np.dtype(fields))
        entry["config/experiment"] = experiment_text
