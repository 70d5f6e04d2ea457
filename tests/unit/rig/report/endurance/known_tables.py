"""A record with tables of cycles that are known in closed form, for the tests of what is made of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import h5py
import numpy as np

from rig.recorder.cycles.layout import row_type, row_units
from rig.recorder.description import Event

LENGTH = 1000
"""Samples of a cycle."""
RATE = 3000.0
UNITS = {"transmitted_force": "N", "stroke": "m"}


def amplitude(cycle: np.ndarray) -> np.ndarray:
    """Of the stroke, m: 1 nm more with each cycle."""
    return 5e-4 + 1e-9 * cycle


def tables(
    path: Path,
    cycles: Sequence[int] | np.ndarray,
    counts: np.ndarray | None = None,
    error: float = 100.0,
    whole: Mapping[str, np.ndarray] | None = None,
) -> Path:
    """Forces of 10 kN, predicted `error` N less; a table of as many rows as there are cycles, in blocks. whole: by stream, which cycles
    are whole; None: in the layout of older records, which do not tell it."""
    cycle = np.asarray(cycles)
    count = np.full(len(cycle), LENGTH) if counts is None else counts
    with h5py.File(path, "w") as file:
        entry = file.create_group("entry")
        for stream, off in (("measured", 0.0), ("predicted_as_measured", error)):
            rows = np.zeros(len(cycle), row_type(tuple(UNITS), whole is not None))
            rows["cycle"], rows["count"] = cycle, count
            if whole is not None:
                rows["whole"] = whole[stream]
            rows["first_sample"] = np.concatenate(([0], np.cumsum(count)[:-1]))
            for name, half in (("transmitted_force", np.full(len(cycle), 1e4 - off)), ("stroke", amplitude(cycle))):
                rows[f"{name}_min"], rows[f"{name}_max"] = -half, half
            table = entry.create_dataset(f"cycles/{stream}", data=rows, chunks=(256,), maxshape=(None,))
            table.attrs["units"] = row_units(tuple(UNITS.values()), whole is not None)
    return path


def state(sample: int, text: str, kind: str = "state") -> Event:
    """Of the bench."""
    return Event(sample, sample / RATE, "bench", kind, text)
