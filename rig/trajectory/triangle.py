"""mean + A tri(2 pi f t), straight flanks at 4 f A; cycle 0 begins at the rising crossing of the mean where the soft start ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.periodic import PeriodicSettings

Floats = NDArray[np.float64]
SLOPE = 2.0 / math.pi  # of tri, over phase


@dataclass(frozen=True)
class Config(PeriodicSettings):
    """A triangle; its rate is 4 f A, and turns over at once at the tips."""

    def create(self) -> Enveloped:
        """The trajectory."""
        return self.enveloped(shape, steepest=SLOPE, sharpest=math.inf)


def shape(phase: Floats) -> tuple[Floats, Floats]:
    """(tri, dtri/dphase) at phase (N,): 0 at 0 and rising, 1 a quarter later."""
    turn = phase / (2.0 * np.pi) + 0.25
    part = turn - np.floor(turn)
    return 1.0 - 4.0 * np.abs(part - 0.5), np.where(part < 0.5, SLOPE, -SLOPE)
