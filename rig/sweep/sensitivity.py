"""What a figure depends on: Sobol indices with intervals where the design gives them, and how far each key alone moves the mean.

Indices by SALib (Jansen's estimators, Saltelli et al. 2010), intervals of 95 % from resampled blocks. A block whose k + 2 tasks did not all
give a figure is left out whole.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.sweep.design import problem

Floats = NDArray[np.float64]

RESAMPLED = 1000
COVERAGE = 0.95
FEWEST = 16  # blocks for indices, tasks for a mean that moves
BINS = 10  # of equally many tasks, over which a key's own part is a mean


@dataclass(frozen=True)
class Indices:
    """Of one figure and one key: S1 and ST, each with its interval."""

    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float

    def to_json(self) -> dict[str, Json]:
        """By these names."""
        return asdict(self)


@dataclass(frozen=True)
class Moved:
    """Mean of a figure where a key is small, and where it is large: over the tasks of its first and its last bin."""

    small: float
    large: float
    at: tuple[float, ...]
    """Mean of the key in each bin."""
    mean: tuple[float, ...]
    """Mean of the figure in each."""

    @property
    def range(self) -> float:
        """How far the mean moves over all bins."""
        return max(self.mean) - min(self.mean)


def sobol_indices(figure: Floats, names: list[str], seed: int) -> dict[str, Indices] | None:
    """By key; figure: of the tasks of a Saltelli scheme, in order, NaN where a task has none. None: too few blocks, or it never changes."""
    from SALib.analyze import sobol

    blocks = figure.reshape(-1, len(names) + 2)
    blocks = blocks[np.isfinite(blocks).all(axis=1)]
    if len(blocks) < FEWEST or np.ptp(blocks) == 0.0:
        return None
    found = sobol.analyze(
        problem(names),
        blocks.ravel(),
        calc_second_order=False,
        num_resamples=RESAMPLED,
        conf_level=COVERAGE,
        seed=seed,
        print_to_console=False,
    )
    columns = (found["S1"], found["S1_conf"], found["ST"], found["ST_conf"])
    rows = zip(names, *(np.asarray(column, dtype=np.float64).tolist() for column in columns), strict=True)
    return {name: Indices(s1, s1 - d1, s1 + d1, st, st - dt, st + dt) for name, s1, d1, st, dt in rows}


def moved(key: Floats, figure: Floats) -> Moved | None:
    """None where too few tasks have the figure, or the key never changes."""
    there = np.isfinite(figure)
    key, figure = key[there], figure[there]
    if len(key) < 2 or np.ptp(key) == 0.0:
        return None
    bins = _bins(key)
    at, mean = tuple(float(key[one].mean()) for one in bins), tuple(float(figure[one].mean()) for one in bins)
    return Moved(mean[0], mean[-1], at, mean)


def _bins(key: Floats) -> list[NDArray[np.intp]]:
    """Tasks by the key: one bin a value where there are few, else bins of equally many."""
    values, place = np.unique(key, return_inverse=True)
    if len(values) <= 2 * BINS:
        return [np.flatnonzero(place == k) for k in range(len(values))]
    return [part for part in np.array_split(np.argsort(key, kind="stable"), min(BINS, max(2, len(key) // FEWEST))) if len(part)]
