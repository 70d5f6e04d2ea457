"""From one value to another: at constant rate, or as a raised cosine. Not counted as a cycle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.envelope import Enveloped

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config:
    """A ramp. Alone it needs a soft stop to come back to 0; in a program the next segment takes over where it ends."""

    end: float = field(metadata={"unit": "[mode]"})
    duration: float = field(metadata={"unit": "s", "over": 0.0})
    start: float = field(default=0.0, metadata={"unit": "[mode]"})
    shape: str = field(default="linear", metadata={"choices": ("linear", "smooth")})
    soft_start: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})


@dataclass(frozen=True)
class Ramp:
    """The wave; it stands still before and after."""

    config: Config
    counted: bool = False
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

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        c = self.config
        return min(c.start, c.end), max(c.start, c.end), self.curvature(0.0, 0.0)[1]

    def curvature(self, before: float, after: float) -> tuple[float, float, float]:
        """Of the raised cosine; a straight line has none."""
        c = self.config
        largest, speed = max(abs(c.start), abs(c.end)), abs(c.end - c.start) / c.duration
        if c.shape == "linear":
            return largest, speed, 0.0
        return largest, 0.5 * math.pi * speed, 0.5 * math.pi**2 * speed / c.duration


def create(config: Config) -> Enveloped:
    """The trajectory."""
    return Enveloped(Ramp(config), config.soft_start, config.soft_stop)
