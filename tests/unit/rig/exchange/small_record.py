"""What the tests of exchange share: a small record, with a gap and a channel that misses a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rig.recorder.description import LOST, Gap, StreamShape
from rig.recorder.reading import RunData, read_run
from rig.recorder.record import Record
from tests.unit.rig.recorder.recorder_rig import NAMES, UNITS, description

RATE = 51203.27700972862
SAMPLES = 12_000
FREQUENCY = 30.0
GAP = Gap("measured", 5000, 20, LOST)
ALONE = 7000  # sample that one channel has no value at


def column(stream: str, name: str) -> np.ndarray:
    """(SAMPLES,): sines with a little of what has no pattern, the phase and cycle of a command."""
    t = np.arange(SAMPLES) / RATE
    phase = 2.0 * np.pi * FREQUENCY * t
    if name == "phase":
        return phase
    if name == "cycle":
        return np.floor(phase / (2.0 * np.pi))
    seed = list(NAMES).index(stream) * 10 + NAMES[stream].index(name)
    size = {"m": 1e-4, "m/s^2": 50.0}.get(UNITS.get(name, ""), 1e4)
    return size * (np.sin(phase) + 1e-3 * np.random.default_rng(seed).normal(size=SAMPLES))


def make(folder: Path, gaps: bool = True, **changes: Any) -> RunData:
    """The record in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    record = Record(folder / "run.h5", description(started="2026-03-01T10:30:15.250+01:00", **changes))
    for stream, names in NAMES.items():
        units = tuple(UNITS.get(name, {"value": "N", "phase": "rad"}.get(name, "1")) for name in names)
        record.stream(StreamShape(stream, names, units, RATE))
        block = np.column_stack([column(stream, name) for name in names])
        if gaps and stream == "measured":
            block[ALONE, 1] = np.nan
            record.append(stream, 0, block[: GAP.first])
            record.gap(GAP)
            record.append(stream, GAP.first + GAP.count, block[GAP.first + GAP.count :])
        else:
            record.append(stream, 0, block)
    record.close()
    return read_run(folder / "run.h5")
