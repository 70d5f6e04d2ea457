"""Millions of samples to as many points as a picture can show, without losing an impact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COLUMNS = 1600
LOOP_POINTS = 6000


def envelope(x: Floats, y: Floats, columns: int = COLUMNS) -> tuple[Floats, Floats]:
    """Return (x, y) reduced to the smallest and the largest y of each of `columns` equal parts; short curves stay as they are.

    Samples that are not finite are left out; a part without any leaves a hole.
    """
    if len(y) <= 4 * columns:
        return x, y
    starts = np.linspace(0, len(y), columns, endpoint=False).astype(np.intp)
    finite = np.where(np.isfinite(y), y, np.nan)
    low, high = np.fmin.reduceat(finite, starts), np.fmax.reduceat(finite, starts)
    return np.repeat(x[starts], 2), np.stack((low, high), axis=1).ravel()


def along(x: Floats, y: Floats, points: int = LOOP_POINTS) -> NDArray[np.intp]:
    """Return indices of about `points` samples, evenly spaced along the curve (x, y) in the picture."""
    if len(x) <= points:
        return np.arange(len(x))
    steps = np.hypot(np.diff(x) / (np.ptp(x) or 1.0), np.diff(y) / (np.ptp(y) or 1.0))
    length = np.concatenate(([0.0], np.cumsum(steps)))
    if not length[-1] > 0.0:
        return np.array([0, len(x) - 1])
    chosen = np.searchsorted(length, np.linspace(0.0, length[-1], points))
    return np.unique(np.minimum(chosen, len(x) - 1))
