"""Millions of samples to as many points as a picture can show, without losing an impact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rig.comparison.series import Series, pieces

Floats = NDArray[np.float64]
COLUMNS = 1600
LOOP_POINTS = 6000
LOOP_SAMPLES = 1 << 20


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


def envelopes(signals: Sequence[Series], first: int, last: int, columns: int = COLUMNS) -> tuple[Floats, list[Floats]]:
    """Return (n, [y]) of samples first .. last - 1 of every signal (N,), reduced as `envelope` does, without holding all samples."""
    count = last - first
    if count <= 4 * columns:
        return np.arange(first, max(first, last), dtype=np.float64), [signal[first : max(first, last)] for signal in signals]
    starts = first + np.linspace(0, count, columns, endpoint=False).astype(np.intp)
    low, high = (np.full((len(signals), columns), np.nan) for _ in range(2))
    for part in pieces(first, last):
        column = int(np.searchsorted(starts, part.start, side="right")) - 1
        inside = starts[(starts > part.start) & (starts < part.stop)]
        cuts, into = np.concatenate(([0], inside - part.start)), slice(column, column + 1 + len(inside))
        for row, signal in enumerate(signals):
            y = signal[part]
            finite = np.where(np.isfinite(y), y, np.nan)
            low[row, into] = np.fmin(low[row, into], np.fmin.reduceat(finite, cuts))
            high[row, into] = np.fmax(high[row, into], np.fmax.reduceat(finite, cuts))
    return np.repeat(starts, 2).astype(np.float64), [np.stack(both, axis=1).ravel() for both in zip(low, high, strict=True)]


def thinned(signals: Sequence[Series], first: int, last: int, most: int = LOOP_SAMPLES) -> list[Floats]:
    """Return samples first .. last - 1 of every signal; every second, third ... of them when there are more than `most`."""
    step = max(1, -(-(last - first) // most))
    parts = list(pieces(first, last, step * (1 << 14)))
    return [np.concatenate([np.empty(0), *(signal[part][::step] for part in parts)]) for signal in signals]


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
