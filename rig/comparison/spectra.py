"""Measured and predicted by frequency: densities, measured over predicted as H1 and H2, and their coherence.

With the cross spectrum S_pm of predicted and measured, and the spectra S_pp, S_mm of each,

    H1 = S_pm / S_pp,   H2 = S_mm / conj(S_pm),   coherence = |S_pm|^2 / (S_pp S_mm)

H1 is right where noise is in measured alone, H2 where it is in predicted alone; |H1| <= |H2|, and the truth lies between where noise is in
both (Bendat and Piersol, Random Data, 4th ed., 6.1.4). A perfect model has 1 everywhere. A gain or zero that is off changes H at all
frequencies alike, a delay turns its phase in proportion to the frequency, and what the model leaves out lowers the coherence.

Segments overlap by a half, each without its mean, behind a Hann window. They lie where every sample counts and is there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.comparison.series import Floats, Marks, Series

CYCLES = (4, 8)
"""Least and most in a segment: a Hann window keeps neighbouring harmonics apart from four on."""
SEGMENTS = 8
"""That are wanted, before a segment has more than the least cycles."""
CHANCE = 1e-3
"""Probability with which what has nothing in common seems to have."""
MOST = 64
"""Segments that are looked at, evenly spread: of more the deviation says no more than what the model is wrong in."""
OVERLAP = 2.0 / 36.0
"""Twice the squared correlation of neighbouring Hann windows that overlap by a half (Welch, IEEE Trans. AU-15 (1967) 70)."""
LEAST = 2
LONGEST = 1 << 18
"""Samples of a segment."""


@dataclass(frozen=True, eq=False)
class Spectra:
    """At frequency (K,) Hz, rising, without 0: densities (K,) in unit^2/Hz of measured, predicted and measured - predicted; H1 and H2 (K,),
    measured over predicted; coherence (K,). averages: independent ones."""

    frequency: Floats
    measured: Floats
    predicted: Floats
    difference: Floats
    h1: NDArray[np.complex128]
    h2: NDArray[np.complex128]
    coherence: Floats
    averages: float

    @property
    def deviation(self) -> Floats:
        """Standard deviation of |H1| as a share of it, (K,): sqrt((1 - coherence) / (2 averages coherence)) (Bendat and Piersol, 9.2)."""
        known = np.maximum(self.coherence, 1e-12)
        return np.asarray(np.sqrt((1.0 - self.coherence) / (2.0 * self.averages * known)))

    @property
    def together(self) -> NDArray[np.bool_]:
        """(K,) where the two have something in common: with nothing, a coherence is beyond 1 - p^(1 / (averages - 1)) with the
        probability p alone (Carter, Knapp and Nuttall, IEEE Trans. AU-21 (1973) 337)."""
        return np.asarray(self.coherence > 1.0 - CHANCE ** (1.0 / max(self.averages - 1.0, 1e-9)))


def segment(rate: float, period: float | None, counted: int) -> int:
    """Samples of a segment of `counted` ones: four to eight whole periods (s), as many as leave SEGMENTS; a second without a period."""
    if not period:
        return max(16, min(round(rate), LONGEST, 2 * counted // (LEAST + 1)))
    cycles = min(max(CYCLES[0], int(2 * counted / ((SEGMENTS + 1) * rate * period))), CYCLES[1])
    return max(16, min(round(rate * cycles * period), LONGEST))


def spectra(measured: Series, predicted: Series, rate: float, counts: Marks, extent: range, length: int) -> Spectra | None:
    """Of measured and predicted (N,) at `rate` Hz where `counts` (N,), in segments of `length` samples within `extent`; None where fewer
    than LEAST have all their samples."""
    starts = np.arange(extent.start, extent.stop - length + 1, math.ceil(length / 2))
    if len(starts) < LEAST:
        return None
    chosen = starts[np.unique(np.linspace(0, len(starts) - 1, min(MOST, len(starts))).astype(np.intp))]
    window = scipy.signal.get_window("hann", length)
    own, cross, used = np.zeros((3, length // 2 + 1)), np.zeros(length // 2 + 1, np.complex128), 0
    for start in chosen.tolist():
        part = slice(start, start + length)
        pair = [np.asarray(x[part], dtype=np.float64) for x in (measured, predicted)]
        if not (np.all(counts[part]) and np.isfinite(pair).all()):
            continue
        m, p = (scipy.fft.rfft((x - np.mean(x)) * window) for x in pair)
        own += np.square(np.abs((m, p, m - p)))
        cross += np.conj(p) * m
        used += 1
    if used < LEAST:
        return None
    scale = 2.0 / (rate * float(np.dot(window, window)) * used)
    inside = slice(1, (length + 1) // 2)  # without 0 and half the rate, which a one-sided density has once
    (s_mm, s_pp, s_dd), s_pm = own[:, inside] * scale, cross[inside] * scale
    tiny = np.finfo(np.float64).tiny
    coherence = np.minimum(1.0, np.square(np.abs(s_pm)) / np.maximum(s_mm * s_pp, tiny))
    h1, h2 = s_pm / np.maximum(s_pp, tiny), s_mm * s_pm / np.maximum(np.square(np.abs(s_pm)), tiny)
    frequency = np.arange(inside.start, inside.stop) * rate / length
    overlap = OVERLAP * (1.0 - 1.0 / used) if len(chosen) == len(starts) else 0.0
    return Spectra(frequency, s_mm, s_pp, s_dd, h1, h2, coherence, used / (1.0 + overlap))


def grouped(frequency: Floats, *values: Floats, most: int = 600) -> tuple[Floats, ...]:
    """(frequency, values ...) for a picture over a logarithmic axis: lines as they are below, means of more and more of them above."""
    if len(frequency) <= most:
        return (frequency, *values)
    edges = np.unique(np.round(np.geomspace(1, len(frequency) + 1, most)).astype(np.intp)) - 1
    counts = np.diff(edges)
    return tuple(np.add.reduceat(x, edges[:-1])[: len(counts)] / counts for x in (frequency, *values))
