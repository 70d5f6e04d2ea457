"""The posterior where it is known: normal of figures that are linear, with two peaks where only a square is seen, even where nothing is."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.stats import norm

from rig.errors import ConfigError
from rig.identification.sampled import sampled
from rig.identification.surface import Region, Surface, SurfaceFit
from rig.identification.weighting import Weighting

SEED = 3
LOW, HIGH = 0.2, 0.8
"""Of the region."""


def fit_of(model, numbers, covariance):
    region = Region(np.full(numbers, LOW), np.full(numbers, HIGH))
    with ThreadPoolExecutor(1) as pool:
        return SurfaceFit(Surface.through(region, model, pool, 1), Weighting(covariance), 1)


def test_of_linear_figures_it_is_the_normal_distribution_of_least_squares():
    """Mean and covariance by the formula of generalised least squares (Aitken 1936), written out here."""
    slopes = np.array([[3.0, 1.0], [1.0, -2.0], [0.5, 0.5], [2.0, 2.0]])
    covariance = np.diag([1e-3, 2.5e-3, 5e-4, 2e-3]) + 1e-4
    true = np.array([0.45, 0.55])
    figures = slopes @ true + np.array([0.05, -0.02, 0.005, 0.02])
    found = sampled(fit_of(lambda shares: slopes @ shares, 2, covariance), figures, SEED)
    inverse = np.linalg.inv(covariance)
    spread = np.linalg.inv(slopes.T @ inverse @ slopes)
    mean, deviation = spread @ slopes.T @ inverse @ figures, np.sqrt(np.diag(spread))
    assert np.all(np.abs(mean - true) > 0.1 * deviation), "else the test would not see where it lies"
    chance = 5.0 * deviation / np.sqrt(found.draws)
    assert found.settled and found.cut == (False, False) and found.draws > 500
    assert np.all(np.abs(found.median - mean) < 1.3 * chance)
    for end, quantile in ((found.low, 0.025), (found.high, 0.975)):
        assert np.all(np.abs(end - (mean + norm.ppf(quantile) * deviation)) < 3.0 * chance)


def test_what_only_a_square_tells_is_on_both_sides_and_both_are_found():
    """A fit has one of the two; the posterior is the same to either side of the middle."""
    fit = fit_of(lambda shares: (shares - 0.5) ** 2, 1, np.eye(1) * 1e-5)
    found = sampled(fit, np.array([0.04]), SEED)
    assert found.low[0] == pytest.approx(0.28, abs=0.02) and found.high[0] == pytest.approx(0.72, abs=0.02)
    (one,), _ = fit.of(np.array([0.04]))
    assert abs(one - 0.5) == pytest.approx(0.2, abs=1e-6)


def test_where_nothing_is_seen_it_is_even_and_goes_on_beyond_the_region():
    found = sampled(fit_of(lambda shares: np.zeros(3), 1, np.eye(3)), np.zeros(3), SEED)
    assert found.cut == (True,)
    assert (found.low[0], found.median[0], found.high[0]) == pytest.approx((0.215, 0.5, 0.785), abs=0.02)


@pytest.mark.long
def test_the_same_seed_gives_the_same_draws():
    fit = fit_of(lambda shares: shares**2, 1, np.eye(1) * 1e-3)
    one, again, other = (sampled(fit, np.array([0.25]), seed) for seed in (1, 1, 2))
    assert np.array_equal(one.low, again.low) and np.array_equal(one.high, again.high)
    assert not np.array_equal(one.low, other.low)


def test_without_the_library_it_is_told_what_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "emcee", None)
    with pytest.raises(ConfigError, match=r"identify.sampler = 'ensemble' needs the library emcee; pip install 'clearance-rig\[sampler\]'"):
        sampled(fit_of(lambda shares: shares, 1, np.eye(1)), np.array([0.5]), SEED)
