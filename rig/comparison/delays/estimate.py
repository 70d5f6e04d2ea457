"""A delay that was found, with its standard deviation; or that there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rig.comparison.delays.coherent import coherent
from rig.comparison.delays.fits import Fits
from rig.comparison.delays.fractional_shift import shifted
from rig.comparison.series import Floats

LEAST_PART = 1e-2
"""Of the slope's power, that goes together in both sides."""
FINEST = 1e-4
"""Samples: shifting by a fraction is not righter than this, however little noise there is."""


@dataclass(frozen=True)
class Delay:
    """Delay of measured behind predicted and its standard deviation, samples, and the gain found with it.

    between: least and largest delay (samples) of parts of the record, where they differ by more than chance; `sigma` covers that.
    dof: degrees of freedom by which `sigma` is known.
    """

    samples: float
    sigma: float
    gain: float
    between: tuple[float, float] | None = None
    dof: float = math.inf


@dataclass(frozen=True)
class NoDelay:
    """That there is no answer, and why.

    contradicted: the two sides do not go together, or not all along; otherwise what was measured does not suffice to tell.
    """

    reason: str
    contradicted: bool = False


class Linearised(NamedTuple):
    """The fit at one shift, (N,) each, 0 outside the template: what it leaves, how it changes with the shift, and predicted that late; and
    its gain."""

    residual: Floats
    sensitivity: Floats
    late: Floats
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
    residual, sensitivity, there = np.zeros((3, len(w)))
    residual[w] = fits.m[w] - gain * late[w] - offset
    sensitivity[w] = slope
    there[w] = late[w] - np.mean(late[w])
    return Linearised(residual, sensitivity, there, float(gain))


def told(fits: Fits, fit: Linearised, residual: Floats | None = None) -> tuple[float, float, float]:
    """(samples by which the shift of that fit is moved, standard deviation, its degrees of freedom), by `Coherent`; residual: (N,) what is
    left, the fit's own unless given."""
    part = fits.w & (fit.sensitivity != 0.0)  # of a part of the record the rest of measured tells nothing
    inside = part & np.roll(part, 1) & np.roll(part, -1)
    measured = np.where(inside, np.gradient(fits.m), 0.0)
    left = fit.residual if residual is None else residual
    stretches = fits.stretches(left, fit.sensitivity, measured, fit.late, part.astype(np.float64))
    cut = [coherent(r, j, m, late, w != 0.0) for r, j, m, late, w, _ in stretches if w.any()]
    curvature, whole = sum(one.curvature for one in cut), float(np.dot(fit.sensitivity, fit.sensitivity))
    if curvature <= LEAST_PART * whole:  # nothing goes together: the plain sums
        return 0.0, float(np.hypot(fits.deviation(left, fit.sensitivity) / whole, FINEST)), math.inf
    deviation = float(np.hypot(sum(one.deviation for one in cut) / curvature, FINEST))
    return -sum(one.draw for one in cut) / curvature, deviation, min(one.dof for one in cut)
