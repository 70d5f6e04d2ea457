"""An encoder's counts as an angle that can be differentiated: a symmetric low-pass, sample by sample, without lag in phase."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
REACH = 2.0
"""Samples to either side, in periods of the corner: a Hamming window of that length falls from pass to stop within 0.8 of the corner."""


class Smoothing:
    """Low-pass at `corner` (Hz) of samples at `rate` (Hz), `lookahead` samples behind its input.

    A straight line passes unchanged. Before the first sample the input stood still at it.
    """

    def __init__(self, corner: float, rate: float) -> None:
        self.lookahead = max(1, round(REACH * rate / corner))
        self._weights = _lowpass(self.lookahead, corner, rate)
        self._held: Floats | None = None

    def take(self, samples: Floats) -> Floats:
        """The next smoothed samples, one for each of `samples` (k,) but for the first `lookahead` in all."""
        if not len(samples):
            return samples
        if self._held is None:
            self._held = np.full(self.lookahead, samples[0])
        longer = np.concatenate([self._held, samples])
        span = len(self._weights)
        self._held = longer[-(span - 1) :] if len(longer) >= span else longer
        if len(longer) < span:
            return np.empty(0)
        middle = longer[0]  # counts grow without end, and so would the rounding of a sum of them
        # A sum of products for each: for the few samples that a predictor takes at a time it is a twentieth of the time of a convolution by
        # Fourier transform, which pays from some thousand on.
        return np.asarray(np.convolve(longer - middle, self._weights, mode="valid") + middle)

    def amplitude(self, hz: Floats, rate: float) -> Floats:
        """What is left of sines of hz (N,) sampled at `rate` (Hz)."""
        after = np.arange(1, self.lookahead + 1)
        sides = 2.0 * np.cos(2.0 * np.pi * np.outer(hz, after) / rate) @ self._weights[self.lookahead + 1 :]
        return np.asarray(np.abs(self._weights[self.lookahead] + sides))


def _lowpass(lookahead: int, corner: float, rate: float) -> Floats:
    """(2 lookahead + 1,) weights, whose sum is 1: a sinc in a Hamming window, half amplitude at `corner` (Hz).

    Rounded as by scipy.signal.firwin, which made them before: what is recorded keeps its bits.
    """
    n, share = np.arange(-lookahead, lookahead + 1), corner / (0.5 * rate)
    window = 0.54 + (1.0 - 0.54) * np.cos(np.linspace(-np.pi, np.pi, len(n)))
    weights = share * np.sinc(share * n) * window
    return np.asarray(weights / np.sum(weights))
