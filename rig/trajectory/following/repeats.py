"""Cycles of a wave that are run once more: the trajectory goes back by a period where it is periodic, so its value, rate and acceleration
have no step; phase and cycle of the command go on counting."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from rig.trajectory.contract import Floats, Trajectory
from rig.trajectory.envelope import Enveloped
from rig.trajectory.program import Program

NEAR = 1e-9  # of a period: rounding


@dataclass(frozen=True)
class Steady:
    """Counted cycles of one wave: from `begin` to `end` (s) of the trajectory, at `frequency` (Hz)."""

    begin: float
    end: float
    frequency: float


def steady_part(trajectory: Trajectory, t: float) -> Steady | None:
    """Where the trajectory repeats one period around its time t (s); None in soft starts and stops, ramps, and what has no frequency."""
    start = 0.0
    while isinstance(trajectory, Program):
        trajectory, begins = trajectory.segment(t - start)
        start += begins
    if not isinstance(trajectory, Enveloped) or trajectory.frequency is None:
        return None
    begin = start + trajectory.soft_start
    part = Steady(begin, begin + trajectory.wave.duration, trajectory.frequency)
    return part if part.begin <= t < part.end else None


class Repeats:
    """Counts in samples. `way` is how far the trajectory would have come without a repeat; they are put in in order."""

    def __init__(self) -> None:
        self._ways: list[float] = []
        self._back: list[float] = [0.0]  # by how much in all, before the first, behind the first, ...
        self._from: list[float] = []  # sample of the trajectory that each goes back to

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._ways)

    def insert(self, way: float, period: float) -> None:
        """One period (samples) more, from `way` on."""
        self._from.append(way - self._back[-1] - period)
        self._ways.append(way)
        self._back.append(self._back[-1] + period)

    def come(self, way: Floats) -> tuple[Floats, Floats]:
        """(sample of the trajectory, repeats before) at each of `way` (k,), which rises."""
        if not self._ways or not len(way):
            return way, np.zeros_like(way)
        low, high = bisect_right(self._ways, float(way[0])), bisect_right(self._ways, float(way[-1]))
        number = low + np.searchsorted(np.array(self._ways[low:high]), way, side="right")
        return way - np.array(self._back[low : high + 1])[number - low], number.astype(np.float64)

    def way(self, come: float) -> float:
        """Way on which the trajectory is at its sample `come` for the last time."""
        for k in range(len(self._ways) - 1, -1, -1):
            if self._from[k] <= come:
                return come + self._back[k + 1]
        return come
