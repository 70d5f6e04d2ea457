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
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.comparison.filtering import bridged
from rig.comparison.shifting import REACH, TAPS, shifted, weights

BLOCK = 1 << 15
LEAST_SAMPLES = 64
LEAST_VARIATION = 1e-12
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Delay:
    """Delay of measured behind predicted and its standard deviation, samples, and the gain found with it."""

    samples: float
    sigma: float
    gain: float


def delay(measured: Floats, predicted: Floats, window: NDArray[np.bool_], reach: int, seams: Sequence[int] = ()) -> Delay | None:
    """Return the delay within +-`reach` samples, using measured (N,) where `window` (N,) is true.

    seams: samples at which another stretch of the record begins; no window lies within reach + REACH + 2 of them.
    None when there is no answer: too little signal, or the best d is at the end of the range.
    """
    template, reach = _template(measured, predicted, window, reach)
    if np.count_nonzero(template) < LEAST_SAMPLES:
        return None
    inside = np.flatnonzero(template)
    low, high = int(inside[0]) - reach - REACH - 2, int(inside[-1]) + reach + REACH + 3
    low, high = max(low, 0), min(high, len(measured))
    w = template[low:high]
    m = np.where(w, measured[low:high], 0.0)
    m = np.where(w, m - np.mean(m[w]), 0.0)
    p = bridged(predicted[low:high])
    p = p - np.mean(p[w])
    if min(np.var(m[w]), np.var(p[w])) <= LEAST_VARIATION * max(float(np.mean(np.square(measured[low:high][w]))), 1e-300):
        return None
    best = _best_whole(_residuals(m, p, w, reach))
    if best is None:
        return None
    samples = _refined(m, p, w, best - reach)
    if samples is None:
        return None
    return _with_sigma(m, p, w, samples, [seam - low for seam in seams if low < seam < high])


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


def _residuals(m: Floats, p: Floats, w: NDArray[np.bool_], reach: int) -> Floats:
    """Residual sum of squares (2 reach + 1,) for d = -reach .. reach; inf where the gain would be negative."""
    mp, wp, wpp = _sums(m, p, w, reach)
    count = float(np.count_nonzero(w))
    covariance = mp  # m has no mean over w
    variance = wpp - wp**2 / count
    total = float(np.dot(m, m))
    with np.errstate(divide="ignore", invalid="ignore"):
        rss = total - covariance**2 / variance
    return np.where((covariance > 0.0) & (variance > 0.0), rss, np.inf)


def _sums(m: Floats, p: Floats, w: NDArray[np.bool_], reach: int) -> tuple[Floats, Floats, Floats]:
    """Sums over n of m(n) p(n-d), w(n) p(n-d), w(n) p(n-d)^2 for d = -reach .. reach, block by block."""
    block = max(BLOCK, 1 << (4 * reach).bit_length())
    size = scipy.fft.next_fast_len(block + 2 * reach, real=True)
    padded = np.concatenate((np.zeros(reach), p, np.zeros(reach)))
    spectra = np.zeros((3, size // 2 + 1), dtype=np.complex128)
    for start in range(0, len(m), block):
        context = padded[start : start + block + 2 * reach]
        values, squares = scipy.fft.rfft(context, size), scipy.fft.rfft(context**2, size)
        template = np.conj(scipy.fft.rfft(w[start : start + block].astype(np.float64), size))
        spectra[0] += np.conj(scipy.fft.rfft(m[start : start + block], size)) * values
        spectra[1] += template * values
        spectra[2] += template * squares
    lags = scipy.fft.irfft(spectra, size, axis=1)[:, : 2 * reach + 1]
    mp, wp, wpp = lags[:, ::-1]  # entry j of `lags` is p(n - reach + j)
    return mp, wp, wpp


def _best_whole(rss: Floats) -> int | None:
    best = int(np.argmin(rss))
    return best if np.isfinite(rss[best]) and 0 < best < len(rss) - 1 else None


def _refined(m: Floats, p: Floats, w: NDArray[np.bool_], whole: int) -> float | None:
    """The minimum near `whole`, from the exact sums over 9 neighbouring shifts."""
    for _ in range(4):
        gram = _gram(m, p, w, whole)
        found = scipy.optimize.minimize_scalar(_residual_at, bounds=(-1.0, 1.0), args=(gram,), method="bounded", options={"xatol": 1e-6})
        fraction = float(found.x)
        if abs(fraction) < 0.75:
            return whole + fraction
        whole += int(np.sign(fraction))
    return None


def _gram(m: Floats, p: Floats, w: NDArray[np.bool_], whole: int) -> Floats:
    """Sums of products (11, 11) of p(n - whole - k) for the nine k, m(n) and 1, over the template."""
    indices = np.flatnonzero(w)
    gram = np.zeros((len(TAPS) + 2, len(TAPS) + 2))
    for start in range(0, len(indices), BLOCK):
        n = indices[start : start + BLOCK]
        rows = np.stack([p[n - whole - k] for k in TAPS] + [m[n], np.ones(len(n))])
        gram += rows @ rows.T
    return gram


def _residual_at(fraction: float, gram: Floats) -> float:
    """Residual sum of squares with p shifted by `fraction` more, gain and offset at their best."""
    weight = weights(fraction)
    k = len(weight)
    pp, pm, p1 = weight @ gram[:k, :k] @ weight, weight @ gram[:k, k], weight @ gram[:k, k + 1]
    mm, m1, count = gram[k, k], gram[k, k + 1], gram[k + 1, k + 1]
    return float(mm - m1**2 / count - (pm - p1 * m1 / count) ** 2 / (pp - p1**2 / count))


def _with_sigma(m: Floats, p: Floats, w: NDArray[np.bool_], samples: float, seams: Sequence[int]) -> Delay | None:
    """Gain and standard deviation at the delay found."""
    late = shifted(p, samples)
    basis = np.stack((late[w], np.ones(np.count_nonzero(w))))
    gram = basis @ basis.T
    gain, offset = np.linalg.solve(gram, basis @ m[w])
    slope = gain * np.gradient(late)[w]
    slope = slope - np.linalg.solve(gram, basis @ slope) @ basis
    information = float(np.dot(slope, slope))
    if information <= 0.0:
        return None
    residual, sensitivity = np.zeros((2, len(m)))
    residual[w] = m[w] - gain * late[w] - offset
    sensitivity[w] = slope
    stretches = zip(*(np.split(x, seams) for x in (residual, sensitivity, w)), strict=True)
    sigma = sum(float(np.sqrt(_variance(r, j, int(np.count_nonzero(inside))))) for r, j, inside in stretches if inside.any())
    return Delay(samples=samples, sigma=sigma / information, gain=float(gain))


def _variance(residual: Floats, sensitivity: Floats, count: int) -> float:
    """Variance of the sum of their products over one stretch, of which `count` samples are in the template."""
    size = scipy.fft.next_fast_len(len(residual), real=True)
    power = np.abs(scipy.fft.rfft(residual, size)) ** 2 * np.abs(scipy.fft.rfft(sensitivity, size)) ** 2
    return float((2.0 * np.sum(power) - power[0]) / (size * count))
