"""The two cases that chen2026 measured (its figure 8), on the bench, beside what is printed: `python -m rig.report.measured_cases RUN ...`.

RUN: folder or record of a run of configs/experiments/parallel_3rrpar_measured_1.toml or _2.toml. A row is the largest and the smallest
acceleration from the second turn on; the paper says nothing of its sensors' and its filters' bands.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from rig.recorder.reading import RunData, read_run
from rig.report.table import aligned
from rig.reproduction.claims import claims
from rig.reproduction.values import numbers

PAPER, LOWPASS, ORDER = "chen2026", 100.0, 4  # Hz, there and back, as the paper's statements are computed
CASES = {"trajectory_1": ("first", "I, 0.5 mm"), "trajectory_2": ("second", "II, 0.1 mm")}
WHOSE = {"test": "printed, measured", "model": "printed, computed"}
AXES = ("ax", "ay")
Floats = NDArray[np.float64]


def table(runs: Sequence[RunData]) -> str:
    """The table of these runs. Raises ValueError for one that is neither case."""
    head = ("trajectory, m/s^2", "", *(f"{axis} {which}" for axis in AXES for which in ("largest", "smallest")))
    return aligned([head, *(row for run in runs for row in _rows(run))], 2)


def extremes(run: RunData, stream: str, lowpass: float | None) -> Floats:
    """Largest and smallest of each of AXES, (4,), m/s^2, from the second turn on, below `lowpass`, Hz."""
    later = run.channel("command", "cycle") >= 1.0
    found = []
    for axis in AXES:
        values = np.array(run.channel(stream, axis))
        if lowpass is not None:
            values = sosfiltfilt(butter(ORDER, lowpass, fs=run.rate, output="sos"), values)
        found += [values[later].max(), values[later].min()]
    return np.array(found)


def _rows(run: RunData) -> list[tuple[str, ...]]:
    path = tomllib.loads(run.experiment_text)["trajectory"].get("path", "none")
    if path not in CASES:
        raise ValueError(f"{run.path}: expected a run along {' or '.join(CASES)}, got one along {path}")
    which, title = CASES[path]
    printed = {claim.id: claim for claim in claims(PAPER)}
    rows = [(title, said, *_shown(numbers(printed[f"{whose}_{which}"].published))) for whose, said in WHOSE.items()]
    for stream, said in (("measured", "bench"), ("predicted_as_measured", "model in step")):
        rows.append((title, f"{said}, as recorded", *_shown(extremes(run, stream, None))))
        rows.append((title, f"{said}, below {LOWPASS:g} Hz", *_shown(extremes(run, stream, LOWPASS))))
    return rows


def _shown(values: Floats) -> tuple[str, ...]:
    return tuple(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    sys.stdout.write(table([read_run(Path(word)) for word in sys.argv[1:]]) + "\n")
