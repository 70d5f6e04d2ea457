"""The low-pass that measured and predicted share, and what lost samples do to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import signal

SETTLING = 2.0
"""A 2-pole Butterworth has forgotten a disturbance to 0.1 % after 2 / corner seconds."""


def lowpass(x: NDArray[np.float64], rate: float, corner: float | None) -> NDArray[np.float64]:
    """Return x (N,) through a causal 2-pole Butterworth low-pass; None, or a corner the rate cannot hold, leaves it as it is.

    Causal, because the same filter must be possible while the test runs; its delay is the same on both sides of a comparison.
    The state starts as if x[0] had lasted for ever. Samples that are not finite are bridged by a straight line first.
    """
    x = bridged(x)
    if corner is None or corner >= 0.5 * rate or len(x) == 0:
        return x
    sections = signal.butter(2, corner, fs=rate, output="sos")
    filtered, _ = signal.sosfilt(sections, x, zi=signal.sosfilt_zi(sections) * x[0])
    return np.asarray(filtered, dtype=np.float64)


def bridged(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return x (N,) with samples that are not finite replaced by straight lines (all of them missing: zeros)."""
    finite = np.isfinite(x)
    if finite.all():
        return x
    if not finite.any():
        return np.zeros_like(x)
    known = np.flatnonzero(finite)
    return np.interp(np.arange(len(x)), known, x[known])


def usable(x: NDArray[np.float64], rate: float, corner: float | None) -> NDArray[np.bool_]:
    """Return (N,) true where the filtered x owes nothing to a missing sample: from `SETTLING` / corner after each on."""
    missing = ~np.isfinite(x)
    if not missing.any():
        return np.ones(len(x), dtype=np.bool_)
    memory = 0 if corner is None else int(np.ceil(SETTLING / corner * rate))
    counted = np.concatenate((np.zeros(memory + 1, dtype=np.int64), np.cumsum(missing)))
    return np.asarray(counted[memory + 1 :] == counted[: len(x)], dtype=np.bool_)
