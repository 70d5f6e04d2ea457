"""mean + A tri(2 pi f t), straight flanks at 4 f A; cycle 0 begins at the rising crossing of the mean where the soft start ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named
from rig.trajectory.periodic import Periodic

Floats = NDArray[np.float64]
SLOPE = 2.0 / math.pi  # of tri, over phase


@dataclass(frozen=True)
class Config(Named):
    """A triangle; its rate is 4 f A, and turns over at once at the tips."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "half of what it runs through"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "counted cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory."""
        wave = Periodic(self.amplitude, self.frequency, self.cycles, self.mean, shape, steepest=SLOPE, sharpest=math.inf)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)


def shape(phase: Floats) -> tuple[Floats, Floats]:
    """(tri, dtri/dphase) at phase (N,): 0 at 0 and rising, 1 a quarter later."""
    turn = phase / (2.0 * np.pi) + 0.25
    part = turn - np.floor(turn)
    return 1.0 - 4.0 * np.abs(part - 0.5), np.where(part < 0.5, SLOPE, -SLOPE)
