"""Least squares through the measurement model, from several starts: where the model's figures come closest to the measured ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.stats import qmc

from model.errors import ModelError
from rig.errors import ConfigError
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

FIRST_STEP = 2e-3
"""Of a number's range, for derivatives before its standard deviation is known."""
STEPS = 1e-4, 0.05
"""Least and most of them afterwards."""
REFINED = 3
"""Of all starts, those that are followed to their end."""
FIRST, LAST = 1e-3, 1e-5
"""Of the ranges: a search that moves on by less has ended; while it looks about, and at the end."""
NEARER = 1e-4
"""Share of the misfit: the same of one that gets nearer by less."""
AT_BOUND = 1e-3
"""Of a number's range: a fit that ends so close to a bound has ended on it."""

Predict = Callable[[Floats], Floats]
"""Shares (p,) of the free numbers' ranges -> figures (d,); raises ModelError."""


@dataclass(frozen=True)
class Fit:
    """shares (p,) of the ranges; derivatives (d, p) of the figures by them; misfit: sum of squares; predicted (d,)."""

    shares: Floats
    derivatives: Floats
    misfit: float
    predicted: Floats

    @property
    def at_bound(self) -> NDArray[np.bool_]:
        """(p,)"""
        return np.asarray((self.shares < AT_BOUND) | (self.shares > 1.0 - AT_BOUND))


class Search:
    """measured (d,), without what right specimens are off by on average. pool: takes runs of the model side by side."""

    def __init__(self, measured: Floats, weighting: Weighting, predict: Predict, pool: Executor) -> None:
        self._measured, self._weighting, self._predict, self._pool = measured, weighting, predict, pool

    def from_anywhere(self, count: int, starts: int, seed: int, besides: Sequence[Floats]) -> Fit:
        """From `starts` points all over the ranges and those `besides`, the best ones followed. Raises ConfigError where no model runs."""
        drawn = qmc.Sobol(count, rng=np.random.default_rng(seed)).random_base2(max(1, math.ceil(math.log2(starts))))
        points = [*besides, *drawn]
        misfits = np.array(list(self._pool.map(self._misfit, points)))
        if not np.any(np.isfinite(misfits)):
            raise ConfigError("identify: the model makes this test's motion from no start within the bounds; choose others")
        best = [points[k] for k in np.argsort(misfits)[:REFINED] if np.isfinite(misfits[k])]
        return min((self.from_start(one, np.full(count, FIRST_STEP), FIRST) for one in best), key=lambda fit: fit.misfit)

    def from_start(self, shares: Floats, steps: Floats, tolerance: float = LAST) -> Fit:
        """From one point, with `steps` (p,) for derivatives, to `tolerance` of the ranges. Raises ModelError."""
        inside = np.clip(shares, 1e-6, 1.0 - 1e-6)
        known: dict[bytes, Floats] = {}

        def predicted(at: Floats) -> Floats:
            key = np.asarray(at, dtype=np.float64).tobytes()
            if key not in known:
                known.clear()
                known[key] = self._predict(at)
            return known[key]

        def errors(at: Floats) -> Floats:
            return self._weighting.whitened(self._measured - predicted(at))

        def slopes(at: Floats) -> Floats:
            return -self._weighting.whitened(self.derivatives(at, steps))

        found = least_squares(errors, inside, jac=slopes, bounds=(0.0, 1.0), xtol=tolerance, ftol=NEARER)
        at = np.asarray(found.x, dtype=np.float64)
        return Fit(at, self.derivatives(at, steps), 2.0 * float(found.cost), predicted(at))

    def derivatives(self, shares: Floats, steps: Floats) -> Floats:
        """(d, p), across `steps` to either side, within the bounds."""
        low, high = np.maximum(shares - steps, 0.0), np.minimum(shares + steps, 1.0)
        points = [_with(shares, k, end[k]) for k in range(len(shares)) for end in (low, high)]
        found = list(self._pool.map(self._predict, points))
        return np.stack([(found[2 * k + 1] - found[2 * k]) / (high[k] - low[k]) for k in range(len(shares))], axis=1)

    def _misfit(self, shares: Floats) -> float:
        try:
            return float(np.sum(self._weighting.whitened(self._measured - self._predict(shares)) ** 2))
        except ModelError:
            return math.inf


def _with(shares: Floats, place: int, value: float) -> Floats:
    changed = shares.copy()
    changed[place] = value
    return changed


def steps_of(deviations: Iterable[float]) -> Floats:
    """Steps for derivatives, one standard deviation (a share) each: what impacts that change places do within one is not looked at."""
    return np.clip(np.fromiter(deviations, dtype=np.float64), *STEPS)
