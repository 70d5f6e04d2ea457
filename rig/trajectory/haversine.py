"""A sine that begins at rest: at its valley, mean - A cos(2 pi f t), or at its peak.

Without a mean it runs from 0 to 2 A (from a peak: to -2 A) and back, and needs neither soft start nor soft stop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named
from rig.trajectory.periodic import Periodic

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(Named):
    """A haversine; counted cycles run from valley to valley (from peak to peak)."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "half of what it runs through"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(default=10, metadata={"at_least": 1})
    begins: str = field(default="valley", metadata={"choices": ("valley", "peak"), "doc": "peak: a load in compression, below 0"})
    mean: float | None = field(default=None, metadata={"unit": "[mode]", "doc": "none: such that it begins at 0"})
    soft_start: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory."""
        side = -1.0 if self.begins == "valley" else 1.0
        mean = -side * self.amplitude if self.mean is None else self.mean
        first = side * 0.5 * math.pi  # so that phase is that of mean + A sin(phase)
        shape = Cosine(side)
        wave = Periodic(self.amplitude, self.frequency, self.cycles, mean, shape, steepest=1.0, sharpest=1.0, first_phase=first)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)


@dataclass(frozen=True)
class Cosine:
    """sin(phase), written as the cosine from the first phase on, which is exact at the ends of every cycle."""

    side: float

    def __call__(self, phase: Floats) -> tuple[Floats, Floats]:
        """(s, ds/dphase)."""
        since = phase - self.side * 0.5 * np.pi
        return self.side * np.cos(since), -self.side * np.sin(since)
