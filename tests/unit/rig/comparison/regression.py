"""Plain regression beside the comparison's own fits, and the signals that both are tried on."""

from __future__ import annotations

import numpy as np

from rig.comparison.delays.fits import Fits
from rig.comparison.delays.fractional_shift import shifted

N = 2048


def smooth(seed: int, count: int = N, corner: float = 0.02) -> np.ndarray:
    """Noise, rms 1, without content above `corner` of the rate."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    spectrum[int(corner * count) :] = 0.0
    x = np.fft.irfft(spectrum, count)
    return x / np.std(x)


def inside(margin: int = 64, count: int = N) -> np.ndarray:
    w = np.zeros(count, dtype=bool)
    w[margin : count - margin] = True
    return w


def fits(measured: np.ndarray, predicted: np.ndarray, w: np.ndarray, seams=()) -> Fits:
    m = np.where(w, measured, 0.0)
    return Fits(np.where(w, m - np.mean(m[w]), 0.0), predicted - np.mean(predicted[w]), w, seams)


def regression(measured: np.ndarray, predicted: np.ndarray, w: np.ndarray, late: float) -> tuple[float, float, np.ndarray]:
    """(gain, residual sum of squares, fit without its offset) by numpy's least squares."""
    x = shifted(predicted, late)[w]
    found, left, *_ = np.linalg.lstsq(np.column_stack((x, np.ones(len(x)))), measured[w])
    return float(found[0]), float(left[0]), found[0] * (x - np.mean(x))
