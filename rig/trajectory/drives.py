"""Setpoints of a mechanism's drives from the course s of a motor rig: how far it has turned (rad), or come along its path (s)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.mechanism import Mechanism
from model.paths.course import Course, Timed
from rig.trajectory.naming import TrajectorySettings

Block = NDArray[np.float64]


class Drives:
    """`names` and `units` of the drives, in the mechanism's order."""

    def __init__(self, mechanism: Mechanism, trajectory: TrajectorySettings | Timed | None) -> None:
        self._config = mechanism
        self._path = path_of(trajectory)
        self.names = tuple(name for name, _ in self._config.setpoint_channels)
        self.units = tuple(unit for _, unit in self._config.setpoint_channels)

    def evaluate(self, s: Block) -> tuple[Block, Block]:
        """(value (N, drives), its derivative by s (N, drives)) at s (N,)."""
        value, slope = self._config.setpoints(s, self._path)
        return value, slope


def path_of(trajectory: TrajectorySettings | Timed | None) -> Course | None:
    """The path that a trajectory's table names; None where it is none."""
    return trajectory.create() if isinstance(trajectory, Timed) else None
