"""Butterworth filters over samples as they come: the design by the bilinear transform, and a cascade that goes on where it was.

Every process of a test filters, and most do nothing else that scipy.signal is for: docs/decisions/0018.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dtbsv

Floats = NDArray[np.float64]
Sections = NDArray[np.float64]
"""(k, 5): numerator b0, b1, b2 and denominator a1, a2 (a0 = 1) of each section, as in scipy's `sos` without its a0."""
PIECE = 1 << 15  # samples
_TWO_POLES = complex(-math.sqrt(0.5), math.sqrt(0.5))  # the upper one of the prototype's, rad/s


def lowpass(poles: int, corner: float, rate: float) -> Sections:
    """One or two poles, half power at `corner` (Hz). Raises ValueError where `rate` (Hz) does not hold it."""
    k = _warped(corner, rate)
    if poles == 1:
        return np.array([[k, k, 0.0, k - 1.0, 0.0]]) / (1.0 + k)
    if poles != 2:
        raise ValueError(f"poles of a low-pass: expected 1 or 2, got {poles}")
    whole = 1.0 + math.sqrt(2.0) * k + k * k
    return np.array([[k * k, 2.0 * k * k, k * k, 2.0 * (k * k - 1.0), 1.0 - math.sqrt(2.0) * k + k * k]]) / whole


def highpass(corner: float, rate: float) -> Sections:
    """One pole, half power at `corner` (Hz). Raises ValueError where `rate` (Hz) does not hold it."""
    k = _warped(corner, rate)
    return np.array([[1.0, -1.0, 0.0, k - 1.0, 0.0]]) / (1.0 + k)


def bandpass(band: tuple[float, float], rate: float) -> Sections:
    """Two poles at each edge (Hz) of `band`, half power there. Raises ValueError where `rate` (Hz) does not hold them, or they cross."""
    low, high = (_warped(corner, rate) for corner in band)
    if not low < high:
        raise ValueError(f"band: expected the lower edge first, got {band[0]:g} to {band[1]:g} Hz")
    middle = _TWO_POLES * (high - low) / 2.0
    root = np.sqrt(middle * middle - low * high)
    poles = [(1.0 + s) / (1.0 - s) for s in (middle + root, middle - root)]  # each with its conjugate is a section
    sections = np.array([[1.0, 0.0, -1.0, -2.0 * z.real, abs(z) ** 2] for z in poles])
    centre = complex(1.0, math.sqrt(low * high)) / complex(1.0, -math.sqrt(low * high))
    sections[:, :3] /= math.sqrt(abs(response(sections, centre)))
    return sections


def response(sections: Sections, z: complex) -> complex:
    """The transfer function at `z`."""
    back = 1.0 / z
    return complex(np.prod([(b0 + b1 * back + b2 * back**2) / (1.0 + a1 * back + a2 * back**2) for b0, b1, b2, a1, a2 in sections]))


def _warped(corner: float, rate: float) -> float:
    """tan(w T / 2): the analogue corner, in units of twice the rate, that becomes `corner`."""
    if not 0.0 < corner < 0.5 * rate:
        raise ValueError(f"corner: expected over 0 and below half the rate, {0.5 * rate:g} Hz; got {corner:g} Hz")
    return math.tan(math.pi * corner / rate)


class Cascade:
    """Sections one behind the other, over blocks; at rest at the first sample that it sees."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._past: Floats | None = None  # (k + 1, 2): the last two samples before, between and behind the sections

    def apply(self, block: Floats) -> Floats:
        """The next samples (k,), filtered; the same bits however they are cut into blocks."""
        if not len(block):
            return block
        if len(block) > PIECE:  # what is worked in is three times as large as a piece
            return np.concatenate([self.apply(block[k : k + PIECE]) for k in range(0, len(block), PIECE)])
        if self._past is None:
            gains = [response(section[None], 1.0).real for section in self._sections]
            self._past = np.repeat(block[0] * np.cumprod([1.0, *gains])[:, None], 2, axis=1)
        for place, (b0, b1, b2, a1, a2) in enumerate(self._sections):
            x = np.concatenate((self._past[place], block))
            self._past[place] = x[-2:]
            # y[n] + a1 y[n-1] + a2 y[n-2] = b0 x[n] + ...: a banded system, forward from the two last y, which are rows of their own.
            bands = np.empty((3, len(x)), order="F")
            bands[0], bands[1], bands[2] = 1.0, a1, a2
            bands[1, 0] = 0.0
            y = np.empty(len(x))
            y[:2] = self._past[place + 1]
            y[2:] = b0 * x[2:] + b1 * x[1:-1] + b2 * x[:-2]
            block = dtbsv(2, bands, y, lower=1, diag=1, overwrite_x=1)[2:]
        self._past[-1] = np.concatenate((self._past[-1], block))[-2:]
        return block


def both_ways(sections: Sections, x: Floats, reach: int) -> Floats:
    """x (n,) filtered forward and backward, which leaves no phase. At either end it goes on for `reach` samples, below n, mirrored at its
    last sample, and before these at rest."""
    begin = 2.0 * x[0] - x[reach:0:-1] if reach else x[:0]
    end = 2.0 * x[-1] - x[-2 : -reach - 2 : -1] if reach else x[:0]
    forward = Cascade(sections).apply(np.concatenate((begin, x, end)))
    return Cascade(sections).apply(forward[::-1])[::-1][reach : reach + len(x)]
