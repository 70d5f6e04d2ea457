"""What of a trajectory can be changed while it runs: amplitude and mean, by going over to another one; frequency and speed, by its pace. Of
a program it is one block that changes, in all its repeats: as if the file had said so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from model.paths.course import Timed
from rig.trajectory import create, ramp
from rig.trajectory.contract import Floats, Trajectory
from rig.trajectory.following.program_blocks import block_of, exchanged, leaves, path_of
from rig.trajectory.following.progress import STEEPEST
from rig.trajectory.naming import TrajectorySettings

SHAPED, PACED = ("amplitude", "mean"), ("frequency", "speed")
Settings = TypeVar("Settings", bound=TrajectorySettings | Timed | None)


def changeable(config: object) -> tuple[str, ...]:
    """Keys of a trajectory's table that can be changed while it runs: of one of constant frequency."""
    keys = {one.name for one in fields(config)} if is_dataclass(config) else set()
    if not keys & set(PACED):
        return ()
    return tuple(key for key in (*SHAPED, *PACED) if key in keys)


def changed(config: Settings, changes: Mapping[str, float]) -> Settings:
    """The table with other values (SI) of its keys, or of those of its blocks, as `segments.1.amplitude`.

    Raises ValueError for a value that its kind refuses.
    """
    of_block: dict[str, dict[str, float]] = defaultdict(dict)
    for key, value in changes.items():
        block, _, name = key.rpartition(".")
        of_block[block][name] = value  # together: a square wave refuses some amplitudes at some frequencies
    for block, values in of_block.items():
        if isinstance(config, TrajectorySettings):
            path = path_of(block)
            config = exchanged(config, path, replace(block_of(config, path), **values))  # type: ignore[arg-type, assignment, type-var]
        else:
            config = replace(config, **values)  # type: ignore[type-var]
    return config


class Exchange:
    """Goes from one trajectory over to another of the same times, phases and cycles: f (1 - S) + g S, S(x) = 3 x^2 - 2 x^3."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._from = self._to = trajectory
        self._first, self._length = 0, 0.0

    @property
    def settled(self) -> float:
        """Sample from which on it is the new one."""
        return self._first + self._length

    def begin(self, trajectory: Trajectory, first: int, length: float) -> None:
        """Within `length` samples from sample `first` on, by when the one before must have been done."""
        self._from, self._to = self._to, trajectory
        self._first, self._length = first, length

    def evaluate(self, n: NDArray[np.int64], t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) of samples n (k,) at the trajectory's times t (k,), s."""
        value, phase, cycle = self._to.evaluate(t)
        if not len(n) or n[0] >= self.settled:
            return value, phase, cycle
        x = np.clip((n - self._first) / self._length, 0.0, 1.0)
        share = x * x * (3.0 - 2.0 * x)
        return self._from.evaluate(t)[0] * (1.0 - share) + value * share, phase, cycle


def differing(old: TrajectorySettings, new: TrajectorySettings) -> list[tuple[TrajectorySettings, TrajectorySettings]]:
    """(before, after) of each block that a change has changed; of what is no program that is all of it."""
    return [(one, other) for (_, one), (_, other) in zip(leaves(old), leaves(new), strict=True) if one != other]


def fastest(old: TrajectorySettings, new: TrajectorySettings, seconds: float) -> float:
    """Bound of |rate| while one goes over to the other within `seconds`: that of the faster, and what the difference adds. No programs."""
    before, after = create(old), create(new)
    if isinstance(old, ramp.Config) and isinstance(new, ramp.Config):
        apart = max(abs(new.start - old.start), abs(new.end - old.end))
    else:  # without the 0 that a soft start begins at
        (low, high, _), (least, most, _) = before.steady().bounds(), after.steady().bounds()
        apart = max(abs(most - high), abs(least - low))
    return max(before.bounds()[2], after.bounds()[2]) + STEEPEST * apart / seconds
