"""What shakes the structure: a record of the user's, the benchmark's chirp, or noise as of a ground, made here."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy  # its parts when they are used: a second of a core, in each process that only knows of this
from numpy.typing import NDArray

from rig import playback
from rig.hybrid.ground import Ground
from rig.hybrid.realtime.sampling import straight

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chirp:
    """A linear one; frequencies and duration are the package's (F1_input_file.m), which scales an amplitude of 1 m/s^2."""

    amplitude: float = field(default=0.4, metadata={"unit": "m/s^2", "over": 0.0})
    begin: float = field(default=0.1, metadata={"unit": "Hz", "over": 0.0})
    end: float = field(default=40.0, metadata={"unit": "Hz", "over": 0.0})
    duration: float = field(default=90.0, metadata={"unit": "s", "over": 0.0})

    def acceleration(self, rate: float) -> Floats:
        """(N + 1,) m/s^2 at `rate`, Hz."""
        times = np.arange(round(self.duration * rate) + 1) / rate
        return np.asarray(self.amplitude * scipy.signal.chirp(times, self.begin, self.duration, self.end, phi=-90.0))


@dataclass(frozen=True)
class GroundNoise:
    """White noise through soft ground, which begins and dies away; no earthquake that was. All values are our own.

    Kanai's and Tajimi's filter: x'' + 2 z w x' + w^2 x = -noise, of which the ground's acceleration is -(2 z w x' + w^2 x).
    """

    peak: float = field(default=1.25, metadata={"unit": "m/s^2", "over": 0.0, "doc": "the largest acceleration"})
    frequency: float = field(default=2.5, metadata={"unit": "Hz", "over": 0.0, "doc": "of the ground"})
    damping: float = field(default=0.6, metadata={"unit": "1", "over": 0.0, "doc": "of the ground"})
    rise: float = field(default=2.0, metadata={"unit": "s", "over": 0.0})
    fade: float = field(default=8.0, metadata={"unit": "s", "over": 0.0, "doc": "time constant, from half the duration on"})
    duration: float = field(default=40.0, metadata={"unit": "s", "over": 0.0})
    seed: int = field(default=1, metadata={"at_least": 0})

    def acceleration(self, rate: float) -> Floats:
        """(N + 1,) m/s^2 at `rate`, Hz."""
        n = round(self.duration * rate) + 1
        coarse = np.arange(0.0, self.duration + 0.01, 0.01)  # the same ground whatever the rate
        noise = np.random.default_rng(self.seed).standard_normal(len(coarse))
        w = 2.0 * np.pi * self.frequency
        a, before, after = straight(np.array([[0.0, 1.0], [-w * w, -2.0 * self.damping * w]]), np.array([0.0, -1.0]), 0.01)
        state, soil = np.zeros(2), np.zeros(len(coarse))
        for k in range(len(coarse) - 1):
            soil[k] = -(w * w * state[0] + 2.0 * self.damping * w * state[1])
            state = a @ state + before * noise[k] + after * noise[k + 1]
        half = 0.5 * self.duration
        envelope = np.minimum(coarse / self.rise, 1.0) ** 2 * np.exp(-np.maximum(coarse - half, 0.0) / self.fade)
        shaped = soil * envelope
        return np.asarray(np.interp(np.arange(n) / rate, coarse, self.peak * shaped / np.max(np.abs(shaped))))


def recorded(ground: Ground, rate: float) -> Floats:
    """(N + 1,) m/s^2 at `rate`, Hz, of a record as long as it is. Raises ConfigError."""
    column = playback.read(ground.file, ground.column, ground.unit, ground.sha256)
    return ground.acceleration(np.arange(round((len(column.values) - 1) / column.rate * rate) + 1) / rate)
