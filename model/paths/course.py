"""A curve that is gone through again and again: where, how fast, and how it is begun.

The curve is a function of a phase, which turns at omega = 2 pi frequency. Begun from rest the phase's rate is omega S(t/T) with
S(x) = 6 x^5 - 15 x^4 + 10 x^3, so that the point is always on the curve, never faster than later, and its motion has three continuous
derivatives. From T on the phase is omega t - lag: a curve whose times are given has lag 0, and begins omega T/2 further along; another
begins where its phase is 0. Without a blend the phase is omega t from the start, and the velocity is there from the start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from model.floats import Floats

Derivatives = tuple[Floats, Floats, Floats, Floats]
Curve = Callable[[Floats], Derivatives]
"""Phase (N,) in rad -> position and its first three derivatives by the phase, (N, 3) in m."""


@dataclass(frozen=True, kw_only=True)
class Timed:
    """What the `Config` of every path has."""

    frequency: float = field(default=1.5, metadata={"unit": "Hz", "over": 0.0, "doc": "how often it is gone through"})
    cycles: int = field(default=3, metadata={"at_least": 1, "doc": "gone through after the blend, where nothing else says how long"})
    blend: str = field(default="on", metadata={"choices": ("on", "off"), "doc": "on: from rest; off: with the path's velocity"})
    blend_time: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "T; assumed"})

    def __post_init__(self) -> None:
        for name, unit in (("frequency", "Hz"), ("blend_time", "s")):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        if self.cycles < 1:
            raise ValueError(f"cycles: expected at least 1, got {self.cycles}")
        if self.blend not in ("on", "off"):
            raise ValueError(f"blend: expected on or off, got {self.blend!r}")

    def create(self) -> Course:
        """The path as a function of time. Raises ModelError for one that cannot be."""
        raise NotImplementedError


@dataclass(frozen=True)
class Point:
    """A place, m."""

    x: float = field(metadata={"unit": "m"})
    y: float = field(metadata={"unit": "m"})
    z: float = field(metadata={"unit": "m"})

    def __post_init__(self) -> None:
        for name in ("x", "y", "z"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name}: expected a finite number of metres, got {getattr(self, name):g}")

    @property
    def place(self) -> Floats:
        """(3,)."""
        return np.array([self.x, self.y, self.z])


@dataclass(frozen=True)
class Course:
    """A curve in time. blend: T in s, 0 for none; lag: how much the phase stays behind omega t, rad."""

    curve: Curve
    frequency: float
    cycles: int
    blend: float
    lag: float

    @property
    def period(self) -> float:
        """s."""
        return 1.0 / self.frequency

    @property
    def duration(self) -> float:
        """Blend and cycles, s."""
        return self.blend + self.cycles * self.period

    def steady(self) -> Course:
        """The same with phase omega t from the start."""
        return Course(self.curve, self.frequency, self.cycles, 0.0, 0.0)

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """Position, velocity, acceleration, (N, 3) each in m and s, at t (N,) in s; before 0 and beyond the duration it goes on."""
        phase, first, second, _ = self.phase(t)
        p, d1, d2, _ = self.curve(phase)
        first, second = first[:, None], second[:, None]
        return p, d1 * first, d2 * first**2 + d1 * second

    def jerk(self, t: Floats) -> Floats:
        """Third derivative, (N, 3), m/s^3."""
        phase, first, second, third = (value[:, None] for value in self.phase(t))
        _, d1, d2, d3 = self.curve(phase[:, 0])
        return np.asarray(d3 * first**3 + 3.0 * d2 * first * second + d1 * third)

    def phase(self, t: Floats) -> Derivatives:
        """The phase and its first three derivatives, (N,)."""
        omega = 2.0 * math.pi * self.frequency
        t = np.asarray(t, dtype=np.float64)
        if self.blend == 0.0:
            still = np.zeros_like(t)
            return omega * t - self.lag, still + omega, still, still
        x = np.clip(t / self.blend, 0.0, 1.0)
        gone = x**4 * (x * (x - 3.0) + 2.5)  # integral of S, 1/2 at its end
        rate = x**3 * (x * (6.0 * x - 15.0) + 10.0)
        change = 30.0 * (x * (1.0 - x)) ** 2 / self.blend
        bend = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / self.blend**2
        begin = 0.5 * omega * self.blend - self.lag
        phase = begin + omega * (self.blend * gone + np.maximum(t - self.blend, 0.0))
        return phase, omega * rate, omega * change, omega * bend


def course(config: Timed, curve: Curve, timed: bool = False) -> Course:
    """Of a curve and its `Config`; timed: from the blend on the phase is omega t, whatever the blend."""
    blend = config.blend_time if config.blend == "on" else 0.0
    lag = 0.0 if timed else math.pi * config.frequency * blend
    return Course(curve, config.frequency, config.cycles, blend, lag)


def there_and_back(curve: Curve) -> Curve:
    """A curve of 0..1 run through and back, at rest at both ends, in one turn: its parameter is (1 - cos phase)/2."""

    def turned(phase: Floats) -> Derivatives:
        cosine, sine = 0.5 * np.cos(phase), 0.5 * np.sin(phase)
        p, d1, d2, d3 = curve(0.5 - cosine)
        first, second = sine[:, None], cosine[:, None]  # the third derivative is minus the first
        return p, d1 * first, d2 * first**2 + d1 * second, d3 * first**3 + 3.0 * d2 * first * second - d1 * first

    return turned
