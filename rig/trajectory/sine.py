"""mean + A sin(2 pi f t), a whole number of cycles; cycle 0 begins at the rising zero crossing where the soft start ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.periodic import PeriodicSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(PeriodicSettings):
    """A sine."""

    def create(self) -> Enveloped:
        """The trajectory."""
        return self.enveloped(_shape, steepest=1.0, sharpest=1.0)


def _shape(phase: Floats) -> tuple[Floats, Floats]:
    return np.sin(phase), np.cos(phase)
