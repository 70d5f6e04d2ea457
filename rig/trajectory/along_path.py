"""The way along a path of `model.paths`, as a trajectory: the value is the path's own time, which stands still before and after."""

from __future__ import annotations

from typing import Protocol

from rig.trajectory.uniform import Uniform

SOFT_STOP = 0.5
"""s in which the path's time comes to rest after its last cycle."""


class Path(Protocol):
    """A path that goes on beyond its duration."""

    @property
    def period(self) -> float:
        """s."""

    @property
    def cycles(self) -> int:
        """How often it is gone through after the blend."""

    @property
    def blend(self) -> float:
        """s in which it is begun from rest."""


def create(path: Path) -> Uniform:
    """The trajectory, in s: it runs at 1 s/s from the start, since the path itself begins at rest."""
    return Uniform(1.0, path.period, path.cycles, 0.0, SOFT_STOP, first=path.blend)
