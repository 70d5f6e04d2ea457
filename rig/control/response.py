"""Frequency response of the closed loop, command to what is measured: H1 estimate with coherence and its own uncertainty.

H1 = S_uy / S_uu, coherence = |S_uy|^2 / (S_uu S_yy), from Hann-windowed segments that overlap by a half, each without its mean. With n
independent averages the standard deviation of H1 is |H1| sqrt((1 - coherence) / (2 n coherence)) (Bendat and Piersol, Random Data, 9.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

OVERLAP_WORTH = 0.95  # independent averages that one of the half-overlapping Hann segments is worth, about
Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Response:
    """At frequency (K,) Hz, rising: value (K,), coherence (K,), from `averages` independent ones."""

    frequency: Floats
    value: Complex
    coherence: Floats
    averages: float

    @property
    def deviation(self) -> Floats:
        """Standard deviation of |value| as a share of it, (K,)."""
        poor = np.maximum(self.coherence, 1e-12)
        return np.sqrt((1.0 - self.coherence) / (2.0 * self.averages * poor))

    def at(self, frequency: Floats) -> Complex:
        """Between the lines along magnitude and phase; beyond the highest one as there, below the lowest with a phase that goes to 0."""
        size = np.interp(frequency, self.frequency, np.abs(self.value))
        turns = np.unwrap(np.angle(self.value))
        phase = np.interp(frequency, np.concatenate([[0.0], self.frequency]), np.concatenate([[0.0], turns]))
        return np.asarray(size * np.exp(1j * phase))

    def coherence_at(self, frequency: Floats) -> Floats:
        """Between the lines; beyond both ends as at them."""
        return np.asarray(np.interp(frequency, self.frequency, self.coherence))


def identify(command: Floats, measured: Floats, rate: float, segment: float, highest: float) -> Response:
    """Response between 1/segment and `highest` Hz from command and measured (N,) at `rate` Hz, cut into segments of `segment` s.

    Raises ValueError for less than two segments, samples that are missing, or a command that stands still.
    """
    count = round(segment * rate)
    if len(command) < 1.5 * count - 2:
        raise ValueError(f"identification: expected at least two half-overlapping segments of {segment:g} s, got {len(command) / rate:g} s")
    if not (np.all(np.isfinite(command)) and np.all(np.isfinite(measured))):
        raise ValueError("identification: samples are missing")
    frequency, cross = scipy.signal.csd(command, measured, rate, nperseg=count, detrend="constant")
    own, other = (scipy.signal.welch(x, rate, nperseg=count, detrend="constant")[1] for x in (command, measured))
    kept = (frequency > 0.0) & (frequency <= highest)
    if not np.all(own[kept] > 0.0):
        raise ValueError("identification: the command stands still")
    averages = OVERLAP_WORTH * (2 * len(command) // count - 1)
    coherence = np.abs(cross[kept]) ** 2 / np.maximum(own[kept] * other[kept], 1e-300)
    value = np.asarray(cross[kept] / own[kept], dtype=np.complex128)
    return Response(frequency[kept], value, np.minimum(coherence, 1.0), max(averages, 1.0))
