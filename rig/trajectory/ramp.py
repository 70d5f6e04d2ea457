"""From one value to another: at constant rate, or as a raised cosine. Not counted as a cycle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(Named):
    """A ramp. Alone it needs a soft stop to come back to 0; in a program the next segment takes over where it ends."""

    end: float = field(metadata={"unit": "[mode]"})
    duration: float = field(metadata={"unit": "s", "over": 0.0})
    start: float = field(default=0.0, metadata={"unit": "[mode]"})
    shape: str = field(default="linear", metadata={"choices": ("linear", "smooth")})
    soft_start: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})

    def create(self) -> Enveloped:
        """The trajectory."""
        return Enveloped(Ramp(self), self.soft_start, self.soft_stop)


@dataclass(frozen=True)
class Ramp:
    """The wave; it stands still before and after."""

    config: Config
    cycles: int = 0

    @property
    def duration(self) -> float:
        """Length, s."""
        return self.config.duration

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase 0)."""
        c = self.config
        share = np.clip(t / c.duration, 0.0, 1.0)
        slope = np.where((t >= 0.0) & (t <= c.duration), 1.0 / c.duration, 0.0)
        if c.shape == "smooth":
            slope = slope * 0.5 * np.pi * np.sin(np.pi * share)
            share = 0.5 * (1.0 - np.cos(np.pi * share))
        return c.start * (1.0 - share) + c.end * share, (c.end - c.start) * slope, np.zeros_like(share)

    def cycle(self, t: Floats) -> Floats:
        """Not counted."""
        return np.full_like(t, -1.0)

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        c = self.config
        speed = abs(c.end - c.start) / c.duration
        return min(c.start, c.end), max(c.start, c.end), speed if c.shape == "linear" else 0.5 * math.pi * speed

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """It stands still there."""
        return *self.bounds()[:2], 0.0, 0.0
