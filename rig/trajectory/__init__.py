"""Setpoints as functions of time, bounded in value and rate by construction; pure functions of arrays.

A trajectory file holds a frozen `Config` and `create(config) -> Trajectory`. All values are in the unit of the command's mode: N or m of a
loader, rad of what turns, s along a path.
"""

from __future__ import annotations

import sys
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from model.paths.course import Timed
from rig.trajectory import along_path

Floats = NDArray[np.float64]
REVERSED = 1e-9  # share of the largest value that counts as one of the other sign


class Trajectory(Protocol):
    """A whole setpoint, soft start and stop included. What a loader runs begins and ends at 0; a segment of a program need not."""

    @property
    def duration(self) -> float:
        """Length in s, soft start and stop included."""

    @property
    def frequency(self) -> float | None:
        """Frequency in Hz where one period is repeated all through: sine, triangle, square, haversine. Else None."""

    @property
    def cycles(self) -> int:
        """Number of counted cycles."""

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase in rad, cycle) at t (N,) in s. Cycle is the counted cycle as a float, -1 where nothing is counted:
        in soft start and stop, in ramps and holds, and after `duration`, where value and phase keep their last ones. Phase is
        that of the fundamental, 0 at its rising zero; it stands still where no wave turns. Each t by itself: no call depends on another."""

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|) of the whole trajectory, never passed at any t."""

    def steady(self) -> Trajectory:
        """The same without soft start and stop."""


def create(config: Any) -> Trajectory:
    """The trajectory of any kind's `Config`: that kind's own factory, found beside it. A path's is the way along it."""
    if isinstance(config, Timed):
        return along_path.create(config.create())
    trajectory: Trajectory = sys.modules[type(config).__module__].create(config)
    return trajectory


def reverses(trajectory: Trajectory) -> bool:
    """Whether the setpoint passes through 0, so that a specimen with play is unloaded and loaded the other way round."""
    low, high, _ = trajectory.bounds()
    nothing = REVERSED * max(-low, high)
    return low < -nothing and high > nothing
