"""Whether a delay is the same all through a record: two clocks that drift, or samples that one side has lost, make it another one later on.

The template is cut into PARTS of as many samples each, and each tells its own delay d_k, near the one of the whole, with its own gain
and offset. Its standard deviation s_k is the larger of two: by what the fit leaves in the part, and by what is left in the whole record
when every part has its own delay, and all have one gain and offset; a short part alone knows its noise badly. With weights 1 / s_k^2,

    ratio^2 = sum over k of ((d_k - mean) / s_k)^2 / (number of parts - 1)
    trend   = sum over k of (k - mean) (d_k - mean) / s_k^2,   as a multiple of its own standard deviation

tell whether they differ. Both thresholds lie where a normal distribution has less than 1e-4, so that 1 false alarm in 1000 is left for
s_k being an estimate itself. What a model is wrong in makes delays differ, too (a phase error is another delay at another frequency);
so differing alone only makes the standard deviation larger. None is told where the delays differ by very much more than s_k and by
more than a sample: then what differs is the delay, and hardly anything else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rig.comparison.delays.estimate import Delay, Linearised, NoDelay, linearised, told
from rig.comparison.delays.fits import Fits
from rig.comparison.delays.fractional_shift import REACH, shifted
from rig.comparison.delays.profile import Profile
from rig.comparison.series import Floats

PARTS = 8
LEAST_SAMPLES = 256
"""Of a part; a shorter template is cut into fewer."""
CHANCE, TREND, DRIFT = 3.0, 4.0, 10.0
"""Ratio and trend that chance does not reach, and the ratio that no one delay has."""
FARTHEST = 1.0
"""Samples that a delay may wander and still be told as one."""
LEAST_VARIATION = 1e-6
"""Of predicted in a part, as a share of its variance in the whole; a part with less tells nothing."""
LIKE = 2.0
"""Ratio of a part's gain to that of the whole beyond which it shows something else than the rest does."""
DRIFTS = (
    "the delay drifts from {first:.2f} to {last:.2f} samples along the record: do both sides run by one clock, "
    "and does the specimen stay as it is (play that grows makes it late)?"
)
DIFFERS = (
    "the delay is not one along the record, but between {least:.2f} and {most:.2f} samples: are samples missing on "
    "one side, or does the specimen change, as one whose play grows?"
)


class Part(NamedTuple):
    """What a part of the template tells: its delay (samples), and the fit there, (N,) of the whole record, 0 outside the part."""

    samples: float
    own: float
    fit: Linearised


def considered(fits: Fits, found: Delay, reach: int) -> Delay | NoDelay:
    """The delay as it was found; with a standard deviation that covers how it differs along the record; or that it is none."""
    parts = _parts(fits, found, reach)
    if len(parts) < 2:
        return found
    rest = _left(fits, parts)
    delays = np.array([part.samples for part in parts])
    sigma = np.array([max(part.own, told(fits, part.fit, rest)[1]) for part in parts])
    least, most = float(np.min(delays)), float(np.max(delays))
    ratio, trend, spread = _differing(delays, sigma)
    if trend <= TREND and (ratio <= CHANCE or len(parts) == 2):  # two parts have but a trend
        return found
    if ratio > DRIFT and most - least > FARTHEST:
        steady = bool(np.all(np.diff(delays) > 0.0) or np.all(np.diff(delays) < 0.0))
        text = DRIFTS if steady else DIFFERS
        return NoDelay(text.format(first=delays[0], last=delays[-1], least=least, most=most), contradicted=True)
    return replace(found, sigma=float(np.hypot(found.sigma, spread)), between=(least, most))


def _differing(delays: Floats, sigma: Floats) -> tuple[float, float, float]:
    """(ratio, trend, standard deviation in samples) of delays (K,) with these standard deviations."""
    weights = sigma**-2.0
    apart = delays - np.average(delays, weights=weights)
    along = np.arange(len(delays)) - np.average(np.arange(len(delays)), weights=weights)
    ratio = np.sqrt(np.sum(weights * apart**2) / (len(delays) - 1))
    trend = abs(np.sum(weights * along * apart)) / np.sqrt(np.sum(weights * along**2))
    return float(ratio), float(trend), float(np.sqrt(np.average(apart**2, weights=weights)))


def _parts(fits: Fits, found: Delay, reach: int) -> list[Part]:
    """Those parts, in order, that show what the whole does."""
    there = np.flatnonzero(fits.w)
    count = min(PARTS, len(there) // LEAST_SAMPLES)
    cut = np.array_split(there, count) if count > 1 else []
    parts = (_part(fits, inside, found, reach) for inside in cut)
    return [part for part in parts if part is not None]


def _part(fits: Fits, inside: np.ndarray[tuple[int], np.dtype[np.intp]], found: Delay, reach: int) -> Part | None:
    margin = reach + REACH + 2
    low, high = max(0, int(inside[0]) - margin), min(len(fits.m), int(inside[-1]) + margin + 1)
    w = np.zeros(high - low, dtype=np.bool_)
    w[inside - low] = True
    m, p = fits.m[low:high], fits.p[low:high]
    if np.var(p[w]) <= LEAST_VARIATION * np.var(fits.p):
        return None
    own = Fits(np.where(w, m - np.mean(m[w]), 0.0), p - np.mean(p[w]), w)
    samples = _near(own, found.samples, reach)
    fit = None if samples is None else linearised(own, samples)
    if samples is None or fit is None or not 1.0 / LIKE < fit.gain / found.gain < LIKE:
        return None
    residual, sensitivity, late = np.zeros((3, len(fits.m)))
    residual[low:high], sensitivity[low:high] = fit.residual, fit.sensitivity
    late[inside] = shifted(p, samples)[w]
    moved, sigma, _ = told(own, fit)
    return Part(samples + moved, sigma, Linearised(residual, sensitivity, late, fit.gain))


def _left(fits: Fits, parts: list[Part]) -> Floats:
    """(N,) what is left of measured when each part has its own delay, and all have one gain and offset."""
    there = np.any([part.fit.sensitivity != 0.0 for part in parts], axis=0)
    late = np.sum([part.fit.late for part in parts], axis=0)[there]
    basis = np.stack((late, np.ones(len(late))))
    left = np.zeros(len(fits.m))
    left[there] = fits.m[there] - np.linalg.solve(basis @ basis.T, basis @ fits.m[there]) @ basis
    return left


def _near(own: Fits, samples: float, reach: int) -> float | None:
    """The minimum that lies downhill from a shift; None where that leads out of the range."""
    rss = Profile.from_fits(own, reach).along
    at = round(samples) + reach
    while 0 < at < len(rss) - 1 and min(rss[at - 1], rss[at + 1]) < rss[at]:
        at += -1 if rss[at - 1] < rss[at + 1] else 1
    return own.refined(at - reach) if 0 < at < len(rss) - 1 and np.isfinite(rss[at - 1 : at + 2]).all() else None
