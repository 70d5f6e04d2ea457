"""How well the actuator follows: delay and amplitude by the frequency evaluation index, errors, and where the energy goes.

Guo, Chen, Xu, Sanchez: A frequency response analysis approach for quantitative assessment of actuator tracking for real-time hybrid
simulation, Smart Mater. Struct. 23 (2014) 045042: the response O/I of every frequency, weighted by |I|^l; l = 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tracking:
    """delay_s: positive where the actuator is late. nrmse, peak_error: shares of the target's rms and peak. amplitude_index: 1 where it
    comes as far as it shall. None where the target does not move."""

    delay_s: float | None
    nrmse: float | None
    peak_error: float | None
    amplitude_index: float | None


def tracking(target: Floats, measured: Floats, rate: float) -> Tracking:
    """Of displacements (N,), m, at `rate`, Hz."""
    if not np.any(target):
        return Tracking(None, None, None, None)
    amplitude, delay = frequency_evaluation(target, measured, rate)
    error = measured - target
    return Tracking(delay, float(rms(error) / rms(target)), float(np.max(np.abs(error)) / np.max(np.abs(target))), amplitude)


def frequency_evaluation(target: Floats, measured: Floats, rate: float) -> tuple[float, float]:
    """(amplitude, delay in s) of the frequency evaluation index, l = 2."""
    given, came = np.fft.rfft(target), np.fft.rfft(measured)
    frequencies = np.fft.rfftfreq(len(target), 1.0 / rate)
    weights = np.abs(given) ** 2
    total = np.sum(weights)
    index = np.sum(came * np.conj(given)) / total  # O/I |I|^2
    equivalent = np.sum(weights * frequencies) / total
    return float(np.abs(index)), float(-np.angle(index) / (2.0 * np.pi * equivalent))


def rms(values: Floats) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(values * values)))
