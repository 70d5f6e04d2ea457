"""mean + A sin(2 pi f t), a whole number of cycles; cycle 0 begins at the rising zero crossing where the soft start ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config:
    """A sine; the soft start also brings the mean in, the soft stop takes it out."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "A"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "counted cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})


@dataclass(frozen=True)
class Sine:
    """The wave, t = 0 at the rising crossing of the mean."""

    amplitude: float
    frequency: float
    cycles: int
    mean: float
    counted: bool = True

    @property
    def duration(self) -> float:
        """Length of the counted cycles, s."""
        return self.cycles / self.frequency

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase)."""
        omega = 2.0 * np.pi * self.frequency
        phase = omega * t
        return self.mean + self.amplitude * np.sin(phase), omega * self.amplitude * np.cos(phase), phase

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        return self.mean - self.amplitude, self.mean + self.amplitude, 2.0 * math.pi * self.frequency * self.amplitude

    def curvature(self, before: float, after: float) -> tuple[float, float, float]:
        """The same at any time."""
        omega = 2.0 * math.pi * self.frequency
        return abs(self.mean) + self.amplitude, omega * self.amplitude, omega**2 * self.amplitude


def create(config: Config) -> Enveloped:
    """The trajectory."""
    wave = Sine(config.amplitude, config.frequency, config.cycles, config.mean)
    return Enveloped(wave, config.soft_start, config.soft_stop, config.frequency)
