"""A square wave whose flanks take their time: mean - A and mean + A, joined by flanks that never move faster than `rate`.

Straight flanks are a triangle that is cut off: clip(r/(4 f A) tri). Smooth ones are the sine of such a flank, fastest in its middle.
The slowest flank fills the half cycle: the wave is a triangle then, or a sine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory import triangle
from rig.trajectory.envelope import Enveloped
from rig.trajectory.periodic import PeriodicSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(PeriodicSettings):
    """A square wave; cycle 0 begins in the middle of a rising flank."""

    rate: float = field(kw_only=True, metadata={"unit": "[mode]/s", "over": 0.0, "doc": "of the flanks, at their steepest"})
    shape: str = field(default="smooth", metadata={"choices": ("linear", "smooth")})

    def __post_init__(self) -> None:
        if self.rate < self.slowest * (1.0 - 1e-12):
            half = f"the half cycle of {0.5 / self.frequency:.6g} s is too short for a {self.shape} flank at {self.rate:.6g}"
            raise ValueError(f"rate: {half}; expected at least {self.slowest:.6g} (SI unit of the mode, a second)")

    @property
    def slowest(self) -> float:
        """Rate at which a flank fills the half cycle."""
        return (4.0 if self.shape == "linear" else 2.0 * math.pi) * self.frequency * self.amplitude

    def create(self) -> Enveloped:
        """The trajectory."""
        steepness = max(self.rate / self.slowest, 1.0)
        steepest = steepness * (triangle.SLOPE if self.shape == "linear" else 1.0)
        return self.enveloped(Flanks(steepness, self.shape == "smooth"), steepest, sharpest=math.inf)


@dataclass(frozen=True)
class Flanks:
    """The shape over phase. steepness: rate / slowest rate, >= 1."""

    steepness: float
    smooth: bool

    def __call__(self, phase: Floats) -> tuple[Floats, Floats]:
        """(s, ds/dphase)."""
        value, slope = triangle.shape(phase)
        cut = np.clip(self.steepness * value, -1.0, 1.0)
        slope = np.where(np.abs(cut) < 1.0, self.steepness * slope, 0.0)
        if not self.smooth:
            return cut, slope
        return np.sin(0.5 * np.pi * cut), 0.5 * np.pi * np.cos(0.5 * np.pi * cut) * slope
