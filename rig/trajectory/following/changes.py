"""What of a trajectory can be changed while it runs: amplitude and mean, by going over to another one; frequency and speed, by its pace."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.contract import Floats, Trajectory
from rig.trajectory.following.progress import STEEPEST

SHAPED, PACED = ("amplitude", "mean"), ("frequency", "speed")
Settings = TypeVar("Settings")


def changeable(config: object) -> tuple[str, ...]:
    """Keys of a trajectory's table that can be changed while it runs: of one of constant frequency."""
    keys = {one.name for one in fields(config)} if is_dataclass(config) else set()
    if not keys & set(PACED):
        return ()
    return tuple(key for key in (*SHAPED, *PACED) if key in keys)


def changed(config: Settings, key: str, value: float) -> Settings:
    """The table with another value (SI). Raises ValueError for a value that its kind refuses."""
    return replace(config, **{key: value})  # type: ignore[type-var]


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


def fastest(old: Trajectory, new: Trajectory, seconds: float) -> float:
    """Bound of |rate| while one goes over to the other within `seconds`: that of the faster, and what the difference adds."""
    (low, high, _), (least, most, _) = old.steady().bounds(), new.steady().bounds()  # without the 0 that a soft start begins at
    return max(old.bounds()[2], new.bounds()[2]) + STEEPEST * max(abs(most - high), abs(least - low)) / seconds
