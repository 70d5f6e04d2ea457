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
from rig.trajectory.naming import Named
from rig.trajectory.periodic import Periodic

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(Named):
    """A square wave; cycle 0 begins in the middle of a rising flank."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "half of what it runs through"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    rate: float = field(metadata={"unit": "[mode]/s", "over": 0.0, "doc": "of the flanks, at their steepest"})
    shape: str = field(default="smooth", metadata={"choices": ("linear", "smooth")})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "counted cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

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
        flanks = Flanks(steepness, self.shape == "smooth")
        wave = Periodic(self.amplitude, self.frequency, self.cycles, self.mean, flanks, steepest=steepest, sharpest=math.inf)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)


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
