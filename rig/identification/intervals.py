"""How far off a fit may be, and whether what it leaves is what right specimens leave: both from specimens drawn about the fitted one.

Specimens differ from the model by what drawing, workshop and certificates leave open, as those of a budget, and by noise. Each is fitted as
the measured one was, along the fit's derivatives: what that gives beside its own true numbers is an error that the measured one may have,
too. So an interval has all of it, and needs no distribution of any figure. They are others than those which the figures were weighed by.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rig.errors import ConfigError
from rig.identification.fit import Fit
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

COVERAGE = 0.95
SINGULAR = 1e-10
"""Of the largest eigenvalue: two numbers that no figure tells apart."""


@dataclass(frozen=True)
class Estimate:
    """In shares of the ranges, (p,) each; correlations (p, p). left_p: of all right specimens the share that leave more than the measured
    one does."""

    shares: Floats
    deviations: Floats
    low: Floats
    high: Floats
    correlations: Floats
    left_p: float


class Gains:
    """What an error of the figures (d,) does to the fitted numbers (p,): along the derivatives, by the weighting."""

    def __init__(self, fit: Fit, weighting: Weighting) -> None:
        """Raises ConfigError where the figures do not tell the numbers apart."""
        weighed = weighting.weighed(fit.derivatives)
        told = fit.derivatives.T @ weighed
        scale = np.sqrt(np.diag(told))
        if np.any(scale == 0.0) or np.linalg.eigvalsh(told / np.outer(scale, scale))[0] < SINGULAR:
            raise ConfigError("identify.free: no figure of this test tells these numbers apart; free fewer, or take other channels")
        self.gains: Floats = np.asarray(np.linalg.solve(told, weighed.T))
        self.deviations: Floats = np.asarray(np.sqrt(np.diag(np.linalg.inv(told))))
        self._fit, self._weighting = fit, weighting

    def of(self, errors: Floats) -> Floats:
        """(n, p) of errors (n, d)."""
        return np.asarray(errors @ self.gains.T)

    def left(self, errors: Floats) -> Floats:
        """(n,) sum of squares that errors (n, d) leave behind a fit."""
        rest = errors - self.of(errors) @ self._fit.derivatives.T
        return np.asarray(np.sum(self._weighting.whitened(rest.T) ** 2, axis=0))


def estimated(fit: Fit, gains: Gains, errors: Floats, measured: Floats, more: Floats) -> Estimate:
    """errors (n, d) of specimens, and measured (d,), beside the fitted model, without the mean that the fit was made without; more (d,):
    variance of the measured mean beyond that of specimens."""
    n = len(errors)
    off = gains.of(errors)
    spread = np.atleast_2d(np.cov(off, rowvar=False)) * (1.0 + 1.0 / n) + (gains.gains * more) @ gains.gains.T
    deviations = np.sqrt(np.diag(spread))
    shares = fit.shares + gains.of(measured[None])[0] - off.mean(axis=0)
    half = float(student.ppf(0.5 * (1.0 + COVERAGE), n - 1)) * deviations
    correlations = spread / np.outer(deviations, deviations)
    return Estimate(
        shares, deviations, shares - half, shares + half, correlations, left_p(gains.left(errors), float(gains.left(measured[None])[0]))
    )


def left_p(specimens: Floats, measured: float) -> float:
    """Share of right specimens that leave more than `measured`, by the logarithms (n,) of what n of them leave."""
    logs = np.log(np.maximum(specimens, np.finfo(float).tiny))
    n, deviation = len(logs), float(logs.std(ddof=1))
    off = (np.log(max(measured, np.finfo(float).tiny)) - float(logs.mean())) / (deviation * np.sqrt(1.0 + 1.0 / n))
    return float(student.sf(off, n - 1))
