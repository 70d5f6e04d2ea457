"""Delay of measured behind predicted, to a small part of a sample, by least squares over a fixed template.

    minimise over d, g, b:   sum over n in W of (measured(n) - g predicted(n - d) - b)^2,     g > 0

W, the template, is a set of samples of the measured signal that does not change with d, and predicted is known for all of W
shifted by every d tried: so no d sees less signal than another. A plain correlation, whose overlap shrinks as |d| grows, is
drawn towards 0. First every whole d through block FFTs; then around the best one exactly, with predicted shifted by a
polynomial through 9 samples (predicted, because it carries no noise: interpolating a noisy signal would draw the minimum to
half samples).

Uncertainty: with J = g d(predicted)/dn, made orthogonal to predicted and 1, and r the residual, d moves by sum(J r)/sum(J^2).
The variance of sum(J r) is sum over k of R_r(k) C_J(k), with r's autocovariance as found: correlated residuals (impacts that
the model puts elsewhere, filtered noise) count for as few independent samples as they are. Of several stretches of a record
the deviations are added, not the variances: what a model is wrong in comes again in every one. It does not contain what a model
is wrong in as a whole: a phase error of the model and a delay are the same thing on a pure sine, where besides d is known up
to whole periods only.

What the search finds is an answer only where it stands out: see `rig.comparison.delays.certainty`; and where it is the same from the
beginning of the record to its end: see `rig.comparison.delays.drift`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rig.comparison.delays.certainty import doubt
from rig.comparison.delays.drift import considered
from rig.comparison.delays.estimate import Delay, NoDelay, linearised, told
from rig.comparison.delays.fits import Fits
from rig.comparison.delays.fractional_shift import REACH
from rig.comparison.delays.profile import Profile
from rig.comparison.filtering import bridged
from rig.comparison.series import Floats

__all__ = ["Delay", "NoDelay", "delay"]

LEAST_SAMPLES = 64
LEAST_VARIATION = 1e-12


def delay(measured: Floats, predicted: Floats, window: NDArray[np.bool_], reach: int, seams: Sequence[int] = ()) -> Delay | NoDelay:
    """Return the delay within +-`reach` samples, using measured (N,) where `window` (N,) is true, or the reason why none can be told.

    seams: samples at which another stretch of the record begins; no window lies within reach + REACH + 2 of them.
    """
    template, reach = _template(measured, predicted, window, reach)
    if (count := np.count_nonzero(template)) < LEAST_SAMPLES:
        return NoDelay(f"too few samples: {count} of measured with predicted known around them, expected at least {LEAST_SAMPLES}")
    inside = np.flatnonzero(template)
    low, high = int(inside[0]) - reach - REACH - 2, int(inside[-1]) + reach + REACH + 3
    low, high = max(low, 0), min(high, len(measured))
    w = template[low:high]
    m = np.where(w, measured[low:high], 0.0)
    m = np.where(w, m - np.mean(m[w]), 0.0)
    p = bridged(predicted[low:high])
    sides = (("measured", m[w], measured[low:high][w]), ("predicted", p[w], p[w]))
    if still := [name for name, x, raw in sides if np.var(x) <= LEAST_VARIATION * max(float(np.mean(np.square(raw))), 1e-300)]:
        return NoDelay(f"{still[0]} does not vary", contradicted=len(still) == 1)
    fits = Fits(m, p - np.mean(p[w]), w, [seam - low for seam in seams if low < seam < high])
    return _searched(fits, reach)


def _searched(fits: Fits, reach: int) -> Delay | NoDelay:
    """The best shift there is, if it stands out, and is the same all through the record."""
    profile = Profile.from_fits(fits, reach)
    best = _best_whole(profile.along)
    samples = None if best is None else fits.refined(best - reach)
    there = None if samples is None else linearised(fits, samples)
    found = None
    if samples is not None and there is not None:
        moved, sigma, dof = told(fits, there)
        found = Delay(samples + moved, sigma, there.gain, dof=dof)
    none = doubt(fits, profile.along, profile.against, None if found is None else (found.samples, found.sigma))
    if none is not None or found is None:
        return none or NoDelay("no sample tells it")
    return considered(fits, found, reach)


def _best_whole(rss: Floats) -> int | None:
    best = int(np.argmin(rss))
    return best if np.isfinite(rss[best]) and 0 < best < len(rss) - 1 else None


def _template(measured: Floats, predicted: Floats, window: NDArray[np.bool_], reach: int) -> tuple[NDArray[np.bool_], int]:
    """Samples of the window with a known predicted counterpart for every d; the range is halved while that costs half of them."""
    wanted = window & np.isfinite(measured)
    missing = np.concatenate(([0], np.cumsum(~np.isfinite(predicted))))
    count, n = len(measured), np.arange(len(measured))
    while True:
        margin = reach + REACH + 2
        near = missing[np.minimum(n + margin + 1, count)] - missing[np.maximum(n - margin, 0)]
        template = wanted & (near == 0) & (n >= margin) & (n < count - margin)
        if reach <= REACH or 2 * np.count_nonzero(template) >= np.count_nonzero(wanted):
            return template, reach
        reach //= 2
