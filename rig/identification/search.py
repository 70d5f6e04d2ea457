"""Where in all their ranges the free numbers are, roughly: the model at many places, and least squares from the best of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.stats import qmc

from model.errors import ModelError
from rig.errors import ConfigError
from rig.identification.surface import Predict
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

STARTS = 24
"""For each number: a model with impacts has many places from which no small step leads nearer."""
FOLLOWED = 3
"""Of all starts, those that are gone on from."""
STEP = 2e-3
"""Of a number's range, for derivatives."""
ENOUGH = 1e-3
"""Of the ranges, and of the misfit: a search that moves on by less has ended."""


def searched(
    measured: Floats, weighting: Weighting, predict: Predict, count: int, starts: int, seed: int, besides: Sequence[Floats], pool: Executor
) -> Floats:
    """Shares (count,) of the ranges at which the model comes closest to measured (d,). besides: starts beside those spread everywhere.

    Raises ConfigError where no model runs.
    """

    def misfit(shares: Floats) -> float:
        try:
            return float(np.sum(weighting.whitened(measured - predict(shares)) ** 2))
        except ModelError:
            return math.inf

    drawn = qmc.Sobol(count, rng=np.random.default_rng(seed)).random_base2(max(1, math.ceil(math.log2(starts or STARTS * count))))
    points = [*besides, *drawn]
    misfits = np.array(list(pool.map(misfit, points)))
    if not np.any(np.isfinite(misfits)):
        raise ConfigError("identify: the model makes this test's motion from no start within the bounds; choose others")
    best = [points[k] for k in np.argsort(misfits)[:FOLLOWED] if np.isfinite(misfits[k])]
    return min((_followed(measured, weighting, predict, one, pool) for one in best), key=lambda found: found[1])[0]


def derivatives(predict: Predict, shares: Floats, step: float, pool: Executor) -> Floats:
    """(d, p), across a step to either side, within the ranges."""
    low, high = np.maximum(shares - step, 0.0), np.minimum(shares + step, 1.0)
    points = [_with(shares, k, end[k]) for k in range(len(shares)) for end in (low, high)]
    found = list(pool.map(predict, points))
    return np.stack([(found[2 * k + 1] - found[2 * k]) / (high[k] - low[k]) for k in range(len(shares))], axis=1)


def _followed(measured: Floats, weighting: Weighting, predict: Predict, start: Floats, pool: Executor) -> tuple[Floats, float]:
    """(shares, misfit); where the model ceases to run on the way, the start."""

    def errors(at: Floats) -> Floats:
        return weighting.whitened(measured - predict(at))

    def slopes(at: Floats) -> Floats:
        return -weighting.whitened(derivatives(predict, at, STEP, pool))

    inside = np.clip(start, 1e-6, 1.0 - 1e-6)
    try:
        found = least_squares(errors, inside, jac=slopes, bounds=(0.0, 1.0), xtol=ENOUGH, ftol=ENOUGH)
    except ModelError:
        return inside, float(np.sum(errors(inside) ** 2))
    return np.asarray(found.x, dtype=np.float64), 2.0 * float(found.cost)


def _with(shares: Floats, place: int, value: float) -> Floats:
    changed = shares.copy()
    changed[place] = value
    return changed
