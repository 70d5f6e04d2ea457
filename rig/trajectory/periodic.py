"""mean + A s(phase), a whole number of cycles of a shape s with -1 <= s <= 1; the waves of most kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Periodic:
    """Runs between mean - amplitude and mean + amplitude, for ever to both sides; the fundamental is a positive share of sin(phase)."""

    amplitude: float
    frequency: float
    cycles: int
    mean: float
    shape: Callable[[Floats], tuple[Floats, Floats]]
    """phase (N,) rad -> (s, ds/dphase)."""
    steepest: float
    """max |ds/dphase|."""
    sharpest: float
    """max |d2s/dphase2|, inf with kinks."""
    first_phase: float = 0.0

    @property
    def duration(self) -> float:
        """Length of the counted cycles, s."""
        return self.cycles / self.frequency

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase)."""
        omega = 2.0 * np.pi * self.frequency
        phase = omega * t + self.first_phase
        s, slope = self.shape(phase)
        return self.mean + self.amplitude * s, omega * self.amplitude * slope, phase

    def cycle(self, t: Floats) -> Floats:
        """Periods since the first began."""
        return np.floor(self.frequency * t + 1e-9)

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        rate = 2.0 * math.pi * self.frequency * self.amplitude * self.steepest
        return self.mean - self.amplitude, self.mean + self.amplitude, rate

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """The same at any time."""
        return *self.bounds(), (2.0 * math.pi * self.frequency) ** 2 * self.amplitude * self.sharpest


@dataclass(frozen=True)
class PeriodicSettings(Named):
    """Of a wave of constant frequency; the soft start also brings the mean in, the soft stop takes it out."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0, "doc": "half of what it runs through"})
    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    cycles: int = field(default=10, metadata={"at_least": 1, "doc": "counted cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

    def enveloped(self, shape: Callable[[Floats], tuple[Floats, Floats]], steepest: float, sharpest: float) -> Enveloped:
        """The trajectory of a shape: see `Periodic`."""
        wave = Periodic(self.amplitude, self.frequency, self.cycles, self.mean, shape, steepest, sharpest)
        return Enveloped(wave, self.soft_start, self.soft_stop, self.frequency)
