"""Band-limited random: cosines at the whole multiples of 1/duration in a band, their amplitudes given, their phases drawn from the seed.

w(t) = sum over k of a_k cos(2 pi k t / T + phi_k),   a_k = sqrt(2 S(k/T) / T),   f_low <= k/T <= f_high

Periodic in T = duration and an exact number of lines, so that a drive file made of it can be iterated line by line. The sum is laid
out on a grid of `FINE` points a period of the highest line and is cubic in between (4e-6 of that line's amplitude off), which
makes it as cheap to evaluate as a sine, and its bounds exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.trajectory.cubic import PeriodicCubic
from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]
FINE = 32
MOST_LINES = 131_072  # highest line: 64 MB of grid


@dataclass(frozen=True)
class Point:
    """A breakpoint of a spectral density; straight between two in the doubly logarithmic picture."""

    frequency: float = field(metadata={"unit": "Hz", "over": 0.0})
    density: float = field(metadata={"unit": "[mode]^2/Hz", "over": 0.0, "doc": "one-sided"})


@dataclass(frozen=True)
class Config(Named):
    """Random noise of a band, flat or with a given spectral density; its level is `rms`, `peak`, or what the density says."""

    duration: float = field(metadata={"unit": "s", "over": 0.0, "doc": "one period, T"})
    lowest_frequency: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "needed without psd"})
    highest_frequency: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "needed without psd"})
    rms: float | None = field(default=None, metadata={"unit": "[mode]", "over": 0.0, "doc": "about the mean"})
    peak: float | None = field(default=None, metadata={"unit": "[mode]", "over": 0.0, "doc": "largest distance from the mean"})
    psd: tuple[Point, ...] = ()
    seed: int = field(default=1, metadata={"at_least": 0})
    cycles: int = field(default=1, metadata={"at_least": 1, "doc": "periods, counted as cycles; soft start and stop come on top"})
    mean: float = field(default=0.0, metadata={"unit": "[mode]"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})

    def __post_init__(self) -> None:
        if self.rms is not None and self.peak is not None:
            raise ValueError("rms: expected rms or peak, got both")
        if self.rms is None and self.peak is None and not self.psd:
            raise ValueError("rms: missing; expected rms or peak (in the unit of the mode), or a table psd")
        if len(self.psd) == 1:
            raise ValueError("psd: expected at least two breakpoints, got one")
        if any(b.frequency <= a.frequency for a, b in zip(self.psd, self.psd[1:], strict=False)):
            raise ValueError("psd: expected breakpoints of rising frequency")
        for key in ("lowest_frequency", "highest_frequency"):
            if getattr(self, key) is None and not self.psd:
                raise ValueError(f"{key}: missing; expected the edge of the band, in Hz")
        low, high = self.band
        if high * self.duration > MOST_LINES:
            most = f"{MOST_LINES / self.duration:.6g} Hz for {self.duration:g} s"
            raise ValueError(f"highest_frequency: expected at most {MOST_LINES} / duration ({most}), got {high:g} Hz")
        if not len(self.lines):
            between = f"between {low:g} and {high:g} Hz"
            raise ValueError(f"lowest_frequency: no whole multiple of 1/duration = {1.0 / self.duration:.6g} Hz lies {between}")

    @property
    def band(self) -> tuple[float, float]:
        """Edges, Hz."""
        low, high = (self.psd[0].frequency, self.psd[-1].frequency) if self.psd else (0.0, math.inf)
        return max(low, self.lowest_frequency or low), min(high, self.highest_frequency or high)

    @property
    def lines(self) -> NDArray[np.int64]:
        """Numbers k of the lines (K,)."""
        low, high = self.band
        return np.arange(max(1, math.ceil(low * self.duration - 1e-9)), math.floor(high * self.duration + 1e-9) + 1)

    def create(self) -> Enveloped:
        """The trajectory."""
        curve = _curve(self.lines, amplitudes(self), self.duration, self.seed)
        if self.peak is not None:
            low, high, _ = curve.extremes
            scale = self.peak / max(-low, high)
            curve = PeriodicCubic(curve.values * scale, curve.slopes * scale, curve.period)
        return Enveloped(Random(curve, self.cycles, self.mean), self.soft_start, self.soft_stop)


@dataclass(frozen=True, eq=False)
class Random:
    """The wave: mean + the periodic curve."""

    curve: PeriodicCubic
    cycles: int
    mean: float

    @property
    def duration(self) -> float:
        """Length of the counted periods, s."""
        return self.cycles * self.curve.period

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase 0: no single wave turns)."""
        value, rate = self.curve.evaluate(t)
        return self.mean + value, rate, np.zeros_like(value)

    def cycle(self, t: Floats) -> Floats:
        """Period."""
        return np.floor(t / self.curve.period + 1e-9)

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        low, high, rate = self.curve.extremes
        return self.mean + low, self.mean + high, rate

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """The same at any time."""
        return *self.bounds(), self.curve.sharpest


def amplitudes(config: Config) -> Floats:
    """a_k (K,) of the lines; with `peak` up to a factor."""
    frequency = config.lines / config.duration
    density = np.ones(len(frequency))
    if config.psd:
        known = np.log([[point.frequency, point.density] for point in config.psd])
        density = np.exp(np.interp(np.log(frequency), known[:, 0], known[:, 1]))
    a: Floats = np.sqrt(2.0 * density / config.duration)
    return a if config.rms is None else a * (config.rms / math.sqrt(0.5 * float(a @ a)))


def _curve(lines: NDArray[np.int64], a: Floats, period: float, seed: int) -> PeriodicCubic:
    # Raw bits and not a distribution: only these are promised to stay the same from one numpy to the next.
    turns = np.random.PCG64(seed).random_raw(len(lines)).astype(np.float64) / 2.0**64
    points = scipy.fft.next_fast_len(FINE * int(lines[-1]), real=True)
    spectrum = np.zeros(points // 2 + 1, dtype=np.complex128)
    spectrum[lines] = 0.5 * points * a * np.exp(2j * np.pi * turns)
    rates = spectrum * (2j * np.pi / period * np.arange(len(spectrum)))
    return PeriodicCubic(np.asarray(scipy.fft.irfft(spectrum, points)), np.asarray(scipy.fft.irfft(rates, points)), period)
