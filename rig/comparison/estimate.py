"""A delay that was found, with its standard deviation; or that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rig.comparison.fits import Fits
from rig.comparison.fractional_shift import shifted
from rig.comparison.series import Floats

FINEST = 1e-4
"""Samples: shifting by a fraction is not righter than this, however little noise there is."""


@dataclass(frozen=True)
class Delay:
    """Delay of measured behind predicted and its standard deviation, samples, and the gain found with it.

    between: least and largest delay (samples) of parts of the record, where they differ by more than chance; `sigma` covers that.
    """

    samples: float
    sigma: float
    gain: float
    between: tuple[float, float] | None = None


@dataclass(frozen=True)
class NoDelay:
    """That there is no answer, and why."""

    reason: str


class Linearised(NamedTuple):
    """The fit at one shift, (N,) each, 0 outside the template: what it leaves, and how it changes with the shift; and its gain."""

    residual: Floats
    sensitivity: Floats
    gain: float


def linearised(fits: Fits, samples: float) -> Linearised | None:
    """The fit with predicted that much later, gain and offset at their best; None where nothing changes with the shift."""
    w = fits.w
    late = shifted(fits.p, samples)
    basis = np.stack((late[w], np.ones(np.count_nonzero(w))))
    gram = basis @ basis.T
    gain, offset = np.linalg.solve(gram, basis @ fits.m[w])
    slope = gain * np.gradient(late)[w]
    slope = slope - np.linalg.solve(gram, basis @ slope) @ basis
    if not float(np.dot(slope, slope)) > 0.0:
        return None
    residual, sensitivity = np.zeros((2, len(w)))
    residual[w] = fits.m[w] - gain * late[w] - offset
    sensitivity[w] = slope
    return Linearised(residual, sensitivity, float(gain))


def deviation(fits: Fits, residual: Floats, sensitivity: Floats) -> float:
    """Standard deviation (samples) of the shift where this is left, (N,), and where that tells it."""
    sigma = fits.deviation(residual, sensitivity) / float(np.dot(sensitivity, sensitivity))
    return float(np.hypot(sigma, FINEST))
