"""From many samples to about two points a pixel, nothing that sticks out lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def bounds(values: Floats, step: int) -> tuple[Floats, Floats]:
    """Smallest and largest of each `step` values (N,) -> (ceil(N/step),) each; the last bin may be short.

    NaN (no sample) counts only where a bin holds nothing else.
    """
    return merge(values, values, step)


def merge(low: Floats, high: Floats, step: int) -> tuple[Floats, Floats]:
    """Bounds of bins made of `step` bins each."""
    return _binned(np.fmin, low, step), _binned(np.fmax, high, step)


def _binned(pick: np.ufunc, values: Floats, step: int) -> Floats:
    whole = len(values) // step * step
    chosen = pick.reduce(values[:whole].reshape(-1, step), axis=1)
    return chosen if whole == len(values) else np.append(chosen, pick.reduce(values[whole:]))


def zigzag(low: Floats, high: Floats) -> Floats:
    """(M,), (M,) -> (2 M,): low, high, low, high ... as one line, drawn with both points of a bin at the same place.

    Every other bin is turned round, so that the line between two bins is short and a slow signal stays a thin line.
    """
    line = np.empty(2 * len(low), dtype=low.dtype)
    line[0::2], line[1::2] = low, high
    line[2::4], line[3::4] = high[1::2], low[1::2]
    return line


def loop(x: Floats, y: Floats, step: int) -> tuple[Floats, Floats]:
    """x(t), y(t) (N,) with, of each `step` samples, only those where x or y is smallest or largest, in order of time.

    A loop drawn through them touches the same pixels as one through all samples when `step` samples cover a few pixels.
    NaN is taken out first.
    """
    there = np.isfinite(x) & np.isfinite(y)
    x, y = (x, y) if there.all() else (x[there], y[there])
    whole = len(x) // step * step
    if step <= 4 or whole == 0:
        return x, y
    bins = [values[:whole].reshape(-1, step) for values in (x, y)]
    picks = np.stack([pick(values, axis=1) for values in bins for pick in (np.argmin, np.argmax)], axis=1)
    picks = np.sort(picks, axis=1) + np.arange(0, whole, step)[:, None]
    index = np.append(picks.ravel(), len(x) - 1)
    return x[index], y[index]
