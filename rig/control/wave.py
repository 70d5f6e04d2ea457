"""What one cycle of a periodic setpoint asks for, and how far it may go when its mean and fundamental are changed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rig.control.cycles import Gatherer
from rig.trajectory import Trajectory

FINE = 4096  # samples of one cycle


@dataclass(frozen=True)
class Offset:
    """What is added to a setpoint: mean + Im(fundamental exp(i phase))."""

    mean: float = 0.0
    fundamental: complex = 0j

    def towards(self, other: Offset, share: float) -> Offset:
        """From this one (share 0) to another (share 1)."""
        rest = 1.0 - share
        return Offset(self.mean * rest + other.mean * share, self.fundamental * rest + other.fundamental * share)

    def of(self, wave: Wave, other: Wave) -> Offset:
        """What does to `other` what this one does to `wave`: as many times its fundamental, as much beside its mean."""
        return Offset(self.mean, self.fundamental * other.fundamental / wave.fundamental)


@dataclass(frozen=True)
class Wave:
    """Mean, fundamental, frequency (Hz), and what the harmonics add to value and rate at the most."""

    mean: float
    fundamental: complex
    frequency: float
    rest_value: float = 0.0
    rest_rate: float = 0.0

    @classmethod
    def from_trajectory(cls, trajectory: Trajectory) -> Wave:
        """The first counted cycle of a periodic trajectory. Raises ValueError for one that states no frequency."""
        if trajectory.frequency is None:
            raise ValueError("expected a trajectory of one frequency")
        frequency = trajectory.frequency
        t = (np.arange(FINE, dtype=np.float64) + 0.5) / (FINE * frequency)
        value, phase, _ = trajectory.steady().evaluate(t)
        [cycle] = Gatherer(1).add(0, np.append(np.zeros(FINE), -1.0), np.append(phase, 0.0), np.append(value, 0.0)[:, None])
        assert cycle.fundamental is not None
        mean, fundamental = cycle.mean[0], cycle.fundamental[0]
        mean = mean if abs(mean) > 1e-9 * abs(fundamental) else 0.0  # rounding
        rest = value - mean - np.imag(fundamental * np.exp(1j * phase))
        rate = float(np.abs(np.diff(np.append(rest, rest[0]))).max()) * FINE * frequency
        if rate <= 1e-9 * FINE * frequency * abs(fundamental):
            return cls(mean, fundamental, frequency)
        between = rate / (FINE * frequency)  # what two samples may have between them
        return cls(mean, fundamental, frequency, float(np.abs(rest).max()) + between, rate)

    def at_pace(self, pace: float) -> Wave:
        """The same, so many times as fast."""
        return replace(self, frequency=self.frequency * pace, rest_rate=self.rest_rate * pace)

    def extent(self, offset: Offset) -> tuple[float, float]:
        """Bounds of the value with `offset` added; attained by a sine."""
        middle, reach = self.mean + offset.mean, abs(self.fundamental + offset.fundamental) + self.rest_value
        return middle - reach, middle + reach

    def fastest(self, offset: Offset, soft_stop: float) -> float:
        """Bound of |rate| with `offset` added, also under a raised-cosine envelope that takes the whole to 0 in `soft_stop` s.

        E r + |E'| v with E = (1 + cos s)/2, |E'| = pi/(2 soft_stop) sin s is at most r/2 + sqrt(r^2/4 + (pi v/(2 soft_stop))^2).
        """
        rate = 2.0 * math.pi * self.frequency * abs(self.fundamental + offset.fundamental) + self.rest_rate
        return 0.5 * rate + math.hypot(0.5 * rate, 0.5 * math.pi * max(map(abs, self.extent(offset))) / soft_stop)
