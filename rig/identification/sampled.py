"""The posterior of the numbers by a sampler, for where it is not near a normal one: emcee's affine invariant ensemble.

Goodman and Weare, Comm. Appl. Math. Comput. Sci. 5 (2010) 65; Foreman-Mackey et al., Publ. Astron. Soc. Pac. 125 (2013) 306. Figures are
taken to be normal, with the covariance that weighs them in the fit; the numbers to lie anywhere within their bounds, as far as the
polynomials go; a prior is one figure more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.errors import ConfigError
from rig.formats.extras import Missing, library
from rig.identification.surface import SurfaceFit

Floats = NDArray[np.float64]

WALKERS, BLOCK, MOST = 32, 500, 20_000
"""Least walkers, steps between two looks at how many there need to be, and steps at the most."""
LONG = 50.0
"""Autocorrelation times that make their own estimate good (Sokal 1997, as emcee's documentation has it)."""
QUANTILES = (0.025, 0.5, 0.975)
FULL = 0.01
"""Share of the draws in the outermost hundredth of the polynomials' reach from where on the posterior goes on beyond it."""


@dataclass(frozen=True)
class Sampled:
    """Shares (p,): median, and between what 95 % of the draws lie. draws: how many independent ones these are worth; settled: whether
    enough steps were made to know; cut (p,): whether the posterior goes on beyond where the model was run."""

    median: Floats
    low: Floats
    high: Floats
    draws: float
    settled: bool
    cut: tuple[bool, ...]

    def moved(self, off: Floats) -> Sampled:
        """Without what right specimens are off by on average (p,)."""
        return Sampled(self.median - off, self.low - off, self.high - off, self.draws, self.settled, self.cut)


def sampled(fit: SurfaceFit, figures: Floats, seed: int) -> Sampled:
    """Of figures (d,). Raises ConfigError where emcee is not installed."""
    try:
        emcee: Any = library("emcee", "identify.sampler = 'ensemble'", "sampler")
    except Missing as error:
        raise ConfigError(str(error)) from error
    (best, least), region = fit.of(figures), fit.region
    numbers = len(best)
    walkers = max(WALKERS, 4 * numbers)
    chance = np.random.RandomState(seed)
    span = region.high - region.low
    # From all over the region: walkers that begin at the best place alone do not find a second one.
    start = region.low + span * chance.uniform(0.01, 0.99, (walkers, numbers))

    def likely(shares: Floats) -> Floats:
        inside = np.all((shares >= region.low) & (shares <= region.high), axis=1)
        found = np.full(len(shares), -np.inf)
        if inside.any():
            found[inside] = -0.5 * (fit.left_at(figures, shares[inside]) - least)
        return found

    sampler = emcee.EnsembleSampler(walkers, numbers, likely, vectorize=True)
    sampler.random_state = chance.get_state()
    state, settled, apart = start, False, np.inf
    while not settled and sampler.iteration < MOST:
        state = sampler.run_mcmc(state, BLOCK)
        apart = float(np.max(sampler.get_autocorr_time(tol=0)))
        settled = bool(np.isfinite(apart) and sampler.iteration > 2.0 * LONG * apart)
    # The first half is how they came there.
    draws = sampler.get_chain(discard=sampler.iteration // 2, flat=True)
    low, median, high = np.quantile(draws, QUANTILES, axis=0)
    edge = 0.01 * span
    outer = np.maximum(np.mean(draws < region.low + edge, axis=0), np.mean(draws > region.high - edge, axis=0))
    worth = len(draws) / apart if np.isfinite(apart) and apart > 0.0 else float(walkers)
    return Sampled(median, low, high, worth, settled, tuple(bool(one > FULL) for one in outer))
