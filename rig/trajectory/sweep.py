"""mean + A sin(phase) with a frequency that runs from one value to another, linearly or by a constant ratio a second.

phase(t) = 2 pi (f1 t + (f2 - f1) t^2 / 2T)                  linear
phase(t) = 2 pi f1 T / ln k (k^(t/T) - 1), k = f2/f1         logarithmic

In the soft start the frequency stays at f1, in the soft stop at f2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]
ALMOST_ONE = 1e-9  # ln k below which a logarithmic sweep is a sine


@dataclass(frozen=True)
class Config(Named):
    """A swept sine."""

    amplitude: float = field(metadata={"unit": "[mode]", "over": 0.0})
    first_frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    last_frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    duration: float = field(metadata={"unit": "s", "over": 0.0, "doc": "of the sweep; soft start and stop come on top"})
    spacing: str = field(default="logarithmic", metadata={"choices": ("linear", "logarithmic")})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory."""
        return Enveloped(Sweep(self), self.soft_start, self.soft_stop)


@dataclass(frozen=True)
class Sweep:
    """The wave; t = 0 at the rising crossing of the mean."""

    config: Config

    @property
    def duration(self) -> float:
        """Length of the sweep, s."""
        return self.config.duration

    @property
    def cycles(self) -> int:
        """Periods begun."""
        return math.ceil(float(self._phase(np.array([self.duration]))[0][0]) / (2.0 * math.pi) - 1e-9)

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase)."""
        phase, omega = self._phase(t)
        amplitude = self.config.amplitude
        return self.config.mean + amplitude * np.sin(phase), amplitude * omega * np.cos(phase), phase

    def bounds(self) -> tuple[float, float, float]:
        """Values attained when a whole period is run through, the rate when a crossing lies where the frequency is highest."""
        mean, amplitude = self.config.mean, self.config.amplitude
        return mean - amplitude, mean + amplitude, amplitude * self._fastest()

    def cycle(self, t: Floats) -> Floats:
        """Periods since the first began."""
        return np.floor(self._phase(t)[0] / (2.0 * np.pi) + 1e-9)

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """|A sin|'' <= A omega^2: the frequency stands still there."""
        return *self.bounds(), self.config.amplitude * self._fastest() ** 2

    def _fastest(self) -> float:
        return 2.0 * math.pi * max(self.config.first_frequency, self.config.last_frequency)

    def _log_ratio(self) -> float:
        return math.log(self.config.last_frequency / self.config.first_frequency)

    def _phase(self, t: Floats) -> tuple[Floats, Floats]:
        """(phase, angular frequency)."""
        c = self.config
        share = np.clip(t / c.duration, 0.0, 1.0)
        ratio = self._log_ratio()
        if c.spacing == "linear" or abs(ratio) < ALMOST_ONE:
            frequency = c.first_frequency + (c.last_frequency - c.first_frequency) * share
            turns = c.duration * share * 0.5 * (c.first_frequency + frequency)
        else:
            frequency = c.first_frequency * np.exp(ratio * share)
            turns = c.duration * c.first_frequency * np.expm1(ratio * share) / ratio
        turns = turns + frequency * (t - c.duration * share)  # before and after: at the frequency of that end
        return 2.0 * np.pi * turns, 2.0 * np.pi * frequency
