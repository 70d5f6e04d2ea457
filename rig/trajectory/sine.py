"""mean + A sin(2 pi f t), a whole number of cycles; cycle 0 begins at the rising zero crossing where the soft start ends."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named
from rig.trajectory.periodic import Periodic

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(Named):
    """A sine; the soft start also brings the mean in, the soft stop takes it out."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "A"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "counted cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory."""
        wave = Periodic(self.amplitude, self.frequency, self.cycles, self.mean, _shape, steepest=1.0, sharpest=1.0)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)


def _shape(phase: Floats) -> tuple[Floats, Floats]:
    return np.sin(phase), np.cos(phase)
