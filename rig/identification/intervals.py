"""How far off a fit may be, and whether what it leaves is what right specimens leave: both from specimens drawn about the fitted one.

Specimens differ from the model by what drawing, workshop and certificates leave open, as those of a budget, and by noise. Each is fitted as
the measured one was: what that gives beside its own true numbers is an error that the measured one may have, too. So an interval has all of
it, and needs no distribution of any figure. They are others than those which the figures were weighed by.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rig.errors import ConfigError
from rig.identification.surface import SurfaceFit
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

COVERAGE = 0.95
SINGULAR = 1e-10
"""Least eigenvalue of what is known of the numbers, each in its own measure: below it no figure tells them apart."""


@dataclass(frozen=True)
class Estimate:
    """In shares of the ranges, (p,) each; correlations (p, p). fitted: before what specimens are off by on average is taken out.
    left_p: of all right specimens the share that leave more than the measured one does."""

    fitted: Floats
    shares: Floats
    deviations: Floats
    low: Floats
    high: Floats
    correlations: Floats
    left_p: float


def gains(derivatives: Floats, weighting: Weighting) -> Floats:
    """(p, d): what a small error of the figures does to the fitted numbers. Raises ConfigError where nothing tells them apart."""
    weighed = weighting.weighed(derivatives)
    told = derivatives.T @ weighed
    scale = np.sqrt(np.diag(told))
    if np.any(scale == 0.0) or np.linalg.eigvalsh(told / np.outer(scale, scale))[0] < SINGULAR:
        raise ConfigError("identify.free: no figure of this test tells these numbers apart; free fewer, or take other channels")
    return np.asarray(np.linalg.solve(told, weighed.T))


def estimated(fit: SurfaceFit, weighting: Weighting, measured: Floats, specimens: Floats, true: Floats, more: Floats) -> Estimate:
    """measured (d,) and specimens (n, d), whose own numbers are true (p,), all without what specimens are off by on average; more (d,):
    variance of the measured mean beyond that of specimens."""
    n = len(specimens)
    fitted, left = fit.of(measured)
    found, leave = fit.each(specimens)
    off = found - true
    by = gains(fit.derivatives(fitted), weighting)
    spread = np.atleast_2d(np.cov(off, rowvar=False)) * (1.0 + 1.0 / n) + (by * more) @ by.T
    deviations = np.sqrt(np.diag(spread))
    shares = fitted - off.mean(axis=0)
    half = float(student.ppf(0.5 * (1.0 + COVERAGE), n - 1)) * deviations
    correlations = spread / np.outer(deviations, deviations)
    return Estimate(fitted, shares, deviations, shares - half, shares + half, correlations, left_p(leave, left))


def left_p(specimens: Floats, measured: float) -> float:
    """Share of right specimens that leave more than `measured`, by the logarithms (n,) of what n of them leave."""
    logs = np.log(np.maximum(specimens, np.finfo(float).tiny))
    n, deviation = len(logs), float(logs.std(ddof=1))
    off = (np.log(max(measured, np.finfo(float).tiny)) - float(logs.mean())) / (deviation * np.sqrt(1.0 + 1.0 / n))
    return float(student.sf(off, n - 1))
