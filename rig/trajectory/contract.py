"""What a trajectory is."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
