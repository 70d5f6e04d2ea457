"""Intervals and the test of what is left, where the truth is known: figures that are polynomials of the numbers, errors that are normal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.stats import binom

from rig.errors import ConfigError
from rig.identification.intervals import estimated, gains
from rig.identification.surface import Region, Surface, SurfaceFit
from rig.identification.weighting import Weighting, shrunk

FIGURES, NUMBERS, SPECIMENS, CASES = 40, 2, 30, 600
TRUE = np.array([0.45, 0.55])
NOTHING = np.zeros(FIGURES)
FIRST, SECOND = np.cos(np.arange(FIGURES)), np.linspace(-1.0, 1.0, FIGURES) ** 2


def model(shares):
    """(figures,) of two numbers: bent, and each of them seen by other figures."""
    a, b = 60.0 * (shares - 0.5)
    return a * FIRST + b * SECOND + 0.02 * a * b + 0.01 * a**2


def errors(chance, n):
    """Noise in each figure by itself, and what is common to all: a gain, a delay."""
    common = chance.standard_normal((n, 2)) @ np.stack((np.linspace(1.0, 2.0, FIGURES), np.sin(np.arange(FIGURES))))
    return 0.3 * chance.standard_normal((n, FIGURES)) + common


@pytest.fixture(scope="module")
def surface():
    with ThreadPoolExecutor(1) as pool:
        return Surface.through(Region.about(np.full(NUMBERS, 0.5), np.full(NUMBERS, 0.3)), model, pool, 1)


@pytest.fixture(scope="module")
def found(surface):
    """Estimates of CASES specimens, whose numbers are TRUE each time."""
    chance, made = np.random.default_rng(11), []
    for _ in range(CASES):
        weighting = Weighting.of(errors(chance, SPECIMENS), NOTHING)
        fit = SurfaceFit(surface, weighting, 1)
        measured, specimens = model(TRUE) + errors(chance, 1)[0], model(TRUE) + errors(chance, SPECIMENS)
        made.append(estimated(fit, weighting, measured, specimens, TRUE, NOTHING))
    return made


def test_a_surface_is_the_model_where_that_is_a_polynomial(surface):
    for shares in np.random.default_rng(4).uniform(0.2, 0.8, (20, NUMBERS)):
        assert surface.at(shares) == pytest.approx(model(shares), abs=1e-9)
    assert np.all(surface.beside < 1e-18)


def test_what_a_surface_does_not_follow_is_known(surface):
    """Roughness of 0.1 in one figure: jumps that no polynomial has."""
    rough = np.random.default_rng(6)

    def jumping(shares):
        return model(shares) + 0.1 * rough.standard_normal() * (np.arange(FIGURES) == 7)

    with ThreadPoolExecutor(1) as pool:
        beside = Surface.through(surface.region, jumping, pool, 1).beside
    assert 0.05 < np.sqrt(beside[7]) < 0.2 and np.all(np.delete(beside, 7) < 1e-18)


def test_a_fit_finds_the_numbers_of_the_model_and_its_derivatives(surface):
    fit = SurfaceFit(surface, Weighting.of(errors(np.random.default_rng(1), SPECIMENS), NOTHING), 1)
    for shares in (TRUE, np.array([0.22, 0.79])):
        at, left = fit.of(model(shares))
        assert at == pytest.approx(shares, abs=1e-6) and left < 1e-9
        for k in range(NUMBERS):
            step = np.eye(NUMBERS)[k] * 1e-5
            assert fit.derivatives(shares)[:, k] == pytest.approx((model(shares + step) - model(shares - step)) / 2e-5, rel=1e-5, abs=1e-4)
    at, _ = fit.of(model(np.array([0.5, 0.95])))
    assert at[1] == pytest.approx(0.8, abs=1e-9), "ends where the surface does"


def test_specimens_fitted_together_are_those_fitted_one_by_one(surface):
    """Also where a number is held, and where the fit ends at the region's end."""
    chance = np.random.default_rng(9)
    weighting = Weighting.of(errors(chance, SPECIMENS), NOTHING)
    fit, shown = SurfaceFit(surface, weighting, 1), model(TRUE) + errors(chance, 20)
    shown[3] = model(np.array([0.5, 0.95]))
    shares, left = fit.each(shown)
    held = fit.along(shown, 1, np.linspace(0.3, 0.7, 20))
    for k, one in enumerate(shown):
        alone, rest = fit.of(one)
        assert shares[k] == pytest.approx(alone, abs=1e-6) and left[k] == pytest.approx(rest, rel=1e-9, abs=1e-9)
        assert held[k] == pytest.approx(float(fit.along(one, 1, np.linspace(0.3, 0.7, 20)[k : k + 1])[0]), rel=1e-9)
        assert held[k] >= left[k] * (1.0 - 1e-9)


def test_slopes_are_those_of_the_terms(surface):
    local, step = np.random.default_rng(2).uniform(-1.0, 1.0, (7, NUMBERS)), 1e-6
    for k in range(NUMBERS):
        there = step * np.eye(NUMBERS)[k]
        by = (surface.terms(local + there) - surface.terms(local - there)) / (2.0 * step)
        assert surface.slopes(local)[..., k] == pytest.approx(by, abs=1e-8)


@pytest.mark.long
def test_intervals_hold_in_95_of_100(found):
    """Binomial bounds at 0.1 % a side."""
    low, high = binom.interval(0.998, CASES, 0.95)
    for k in range(NUMBERS):
        held = sum(one.low[k] <= TRUE[k] <= one.high[k] for one in found)
        assert low <= held <= high, held


@pytest.mark.long
def test_intervals_from_those_that_weighed_hold_less_often(surface):
    """Why they come from others."""
    chance, held = np.random.default_rng(12), 0
    for _ in range(200):
        weighed = errors(chance, SPECIMENS)
        weighting = Weighting.of(weighed, NOTHING)
        fit = SurfaceFit(surface, weighting, 1)
        one = estimated(fit, weighting, model(TRUE) + errors(chance, 1)[0], model(TRUE) + weighed, TRUE, NOTHING)
        held += bool(one.low[0] <= TRUE[0] <= one.high[0])
    assert held < binom.ppf(0.001, 200, 0.95)


@pytest.mark.long
def test_right_models_are_refused_as_often_as_stated(found):
    """The logarithm of a sum of squares is only nearly normal: twice as often at the most."""
    for share in (0.01, 0.1, 0.5):
        below = sum(one.left_p < share for one in found)
        assert binom.ppf(0.001, CASES, 0.5 * share) <= below <= binom.ppf(0.999, CASES, min(2.0 * share, 0.6)), (share, below)


def test_a_wrong_model_is_refused(surface):
    """Something that no number makes, three deviations of the noise in every figure."""
    chance = np.random.default_rng(5)
    weighting = Weighting.of(errors(chance, SPECIMENS), NOTHING)
    wrong = model(TRUE) + errors(chance, 1)[0] + 0.9 * np.sign(np.sin(3.0 * np.arange(FIGURES)))
    one = estimated(SurfaceFit(surface, weighting, 1), weighting, wrong, model(TRUE) + errors(chance, SPECIMENS), TRUE, NOTHING)
    assert one.left_p < 1e-3


def test_numbers_that_do_the_same_are_not_told_apart():
    weighting = Weighting.of(errors(np.random.default_rng(1), SPECIMENS), NOTHING)
    with pytest.raises(ConfigError, match="tells these numbers apart"):
        gains(np.stack((np.ones(FIGURES), 2.0 * np.ones(FIGURES)), axis=1), weighting)


def test_variance_that_specimens_do_not_have_widens_the_interval(surface):
    chance = np.random.default_rng(2)
    weighting = Weighting.of(errors(chance, SPECIMENS), NOTHING)
    fit, drawn = SurfaceFit(surface, weighting, 1), model(TRUE) + errors(chance, SPECIMENS)
    narrow = estimated(fit, weighting, model(TRUE), drawn, TRUE, NOTHING)
    wide = estimated(fit, weighting, model(TRUE), drawn, TRUE, np.full(FIGURES, 0.25))
    by = gains(fit.derivatives(narrow.fitted), weighting)
    assert wide.deviations**2 == pytest.approx(narrow.deviations**2 + 0.25 * np.sum(by**2, axis=1))


def test_a_shrunk_covariance_is_that_of_many_specimens_and_has_an_inverse_of_few():
    chance = np.random.default_rng(3)
    many = errors(chance, 20_000)
    true = np.cov(many, rowvar=False)
    assert shrunk(many) == pytest.approx(true, abs=0.03 * true.max())
    few = shrunk(errors(chance, 5))
    assert np.linalg.eigvalsh(few)[0] > 0.0
    nothing = np.column_stack((many[:50, :3], np.zeros(50)))  # a figure that is the same in all
    assert np.all(np.isfinite(Weighting.of(nothing, np.zeros(4)).whitened(np.ones(4))))
