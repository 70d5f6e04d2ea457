"""Shifts by a fraction of a sample, exact for signals that are well oversampled.

A polynomial of degree 8 through 9 samples is used: up to a tenth of the sampling rate it is right to 1e-4 of the amplitude at
half a sample, up to a twentieth to 1e-6. Everything compared here has passed a low-pass far below that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.comparison.series import Floats, Series, ends

REACH = 4
TAPS = np.arange(-REACH, REACH + 1)


def weights(fraction: float) -> NDArray[np.float64]:
    """Return w (9,) such that x(n - fraction) = sum over k of w[k] x(n - TAPS[k]); Lagrange, |fraction| <= 1 or so."""
    w = np.ones(len(TAPS))
    for i, node in enumerate(TAPS):
        others = np.delete(TAPS, i)
        w[i] = np.prod((fraction - others) / (node - others))
    return w


class Shifted:
    """x(n - samples), (N,): later for positive `samples`; beyond the ends the end values are held."""

    def __init__(self, x: Series, samples: float) -> None:
        self._x, self._whole = x, round(samples)
        fraction = samples - self._whole
        self._weights = None if fraction == 0.0 else weights(fraction)

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, len(self))
        if first == last:
            return np.empty(0)
        if self._weights is None:
            return self._around(first - self._whole, last - self._whole)
        near = self._around(first - self._whole - REACH, last - self._whole + REACH)
        out = np.zeros(last - first)
        for tap, weight in zip(TAPS, self._weights, strict=True):
            out += weight * near[REACH - tap : REACH - tap + len(out)]
        return out

    def _around(self, first: int, last: int) -> Floats:
        """Samples first .. last - 1, which may lie beyond the ends."""
        end = len(self) - 1
        there = np.asarray(self._x[min(max(first, 0), end) : max(min(last - 1, end), 0) + 1], dtype=np.float64)
        before, behind = max(0, min(0, last - 1) - first), max(0, last - 1 - max(end, first))
        return np.concatenate((np.full(before, there[0]), there, np.full(behind, there[-1]))) if before or behind else there


def shifted(x: NDArray[np.float64], samples: float) -> NDArray[np.float64]:
    """Return x (N,) as `Shifted` has it, as a whole."""
    return Shifted(x, samples)[:]
