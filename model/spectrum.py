"""Where a signal's power lies: the estimator for the torque of a mechanism that turns (wang2017, figures 10 to 14).

What the ideal mechanism would do is taken away beforehand; the first revolutions are discarded, so that what is left is steady; a Hann
window over whole revolutions; power averaged over a band, since single lines of a motion that never repeats mean nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from model.errors import ModelError
from model.floats import Floats

DISCARDED, COUNTED = 2, 5  # revolutions
SMOOTHED = 150.0  # Hz
LOWEST, HIGHEST = 300.0, 5000.0  # Hz: where the maximum is looked for


@dataclass(frozen=True)
class Spectrum:
    """One-sided: `amplitude` (the signal's unit) of each line, `power` (unit^2) averaged over the band of smoothing around it."""

    frequency: Floats  # Hz
    amplitude: Floats
    power: Floats

    def peak(self, lowest: float = LOWEST, highest: float = HIGHEST) -> float:
        """Frequency of the largest averaged power in that range, Hz."""
        inside = (self.frequency >= lowest) & (self.frequency <= highest)
        if not np.any(inside):
            raise ModelError(f"spectrum: there is no line between {lowest:g} and {highest:g} Hz")
        return float(self.frequency[inside][np.argmax(self.power[inside])])


def spectrum(values: Floats, rate: float, smoothed: float = SMOOTHED) -> Spectrum:
    """Of samples (N,) at `rate` (Hz), their mean taken away. Raises ModelError for fewer than 8, or for a value that is not finite."""
    if len(values) < 8 or not np.all(np.isfinite(values)):
        raise ModelError(f"spectrum: expected at least 8 finite samples, got {len(values)}")
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(len(values)) / len(values))
    lines = np.fft.rfft((values - np.mean(values)) * window)
    frequency: Floats = np.asarray(np.fft.rfftfreq(len(values), 1.0 / rate), dtype=np.float64)
    amplitude = 2.0 * np.abs(lines) / np.sum(window)
    width = max(1, round(smoothed / frequency[1]))
    power: Floats = np.convolve(amplitude**2, np.full(width, 1.0 / width), mode="same")
    return Spectrum(frequency, amplitude, power)


def of_revolutions(values: Floats, rate: float, speed: float, discarded: int = DISCARDED, counted: int = COUNTED) -> Spectrum:
    """Of the `counted` revolutions after the `discarded` ones; samples from t = 0 on at `rate` (Hz), speed in rad/s.

    Raises ModelError when the samples do not reach that far.
    """
    turn = rate * 2.0 * math.pi / speed
    first, last = round(discarded * turn), round((discarded + counted) * turn)
    if last > len(values):
        raise ModelError(f"spectrum: expected {discarded + counted} revolutions, {last} samples; got {len(values)}")
    return spectrum(values[first:last], rate)
