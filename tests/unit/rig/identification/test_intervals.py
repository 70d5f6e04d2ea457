"""Intervals and the test of what is left, where the truth is known: figures that depend linearly on the numbers, errors that are normal."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from rig.errors import ConfigError
from rig.identification.fit import Fit
from rig.identification.intervals import Gains, estimated
from rig.identification.weighting import Weighting, shrunk

FIGURES, NUMBERS, SPECIMENS, CASES = 40, 2, 30, 1000


def errors(chance, n):
    """Noise in each figure by itself, and what is common to all: a gain, a delay."""
    common = chance.standard_normal((n, 2)) @ np.stack((np.linspace(1.0, 2.0, FIGURES), np.sin(np.arange(FIGURES))))
    return 0.3 * chance.standard_normal((n, FIGURES)) + common


def cases():
    """(off, low, high, p) of CASES fits of the numbers 0, in shares."""
    chance = np.random.default_rng(11)
    slopes = np.stack((np.cos(np.arange(FIGURES)), np.linspace(-1.0, 1.0, FIGURES) ** 2), axis=1)
    fit = Fit(np.zeros(NUMBERS), slopes, 0.0, np.zeros(FIGURES))
    found = []
    for _ in range(CASES):
        gains = Gains(fit, Weighting(errors(chance, SPECIMENS), np.zeros(FIGURES)))
        found.append(estimated(fit, gains, errors(chance, SPECIMENS), errors(chance, 1)[0], np.zeros(FIGURES)))
    return found


@pytest.fixture(scope="module")
def found():
    return cases()


def test_intervals_hold_in_95_of_100(found):
    """Binomial bounds of 1000 cases at 0.1 % a side."""
    low, high = binom.interval(0.998, CASES, 0.95)
    for k in range(NUMBERS):
        held = sum(one.low[k] <= 0.0 <= one.high[k] for one in found)
        assert low <= held <= high, held


def test_of_right_models_one_in_a_hundred_is_refused_at_one_in_a_hundred(found):
    for share in (0.01, 0.1, 0.5):
        low, high = binom.interval(0.998, CASES, share)
        below = sum(one.left_p < share for one in found)
        assert low <= below <= high * 1.5 + 5, (share, below)  # the logarithm of a sum of squares is only nearly normal


def test_a_wrong_model_is_refused():
    """Something in a direction that no number makes, as large as three deviations of the noise in every figure."""
    chance = np.random.default_rng(5)
    slopes = np.cos(np.arange(FIGURES))[:, None]
    fit = Fit(np.zeros(1), slopes, 0.0, np.zeros(FIGURES))
    gains = Gains(fit, Weighting(errors(chance, SPECIMENS), np.zeros(FIGURES)))
    wrong = errors(chance, 1)[0] + 0.9 * np.sign(np.sin(3.0 * np.arange(FIGURES)))
    assert estimated(fit, gains, errors(chance, SPECIMENS), wrong, np.zeros(FIGURES)).left_p < 1e-3


def test_numbers_that_do_the_same_are_not_told_apart():
    slopes = np.stack((np.ones(FIGURES), 2.0 * np.ones(FIGURES)), axis=1)
    with pytest.raises(ConfigError, match="tells these numbers apart"):
        Gains(Fit(np.zeros(2), slopes, 0.0, np.zeros(FIGURES)), Weighting(errors(np.random.default_rng(1), SPECIMENS), np.zeros(FIGURES)))


def test_variance_that_specimens_do_not_have_widens_the_interval():
    chance = np.random.default_rng(2)
    slopes = np.cos(np.arange(FIGURES))[:, None]
    fit = Fit(np.zeros(1), slopes, 0.0, np.zeros(FIGURES))
    drawn, other = errors(chance, SPECIMENS), errors(chance, SPECIMENS)
    gains = Gains(fit, Weighting(drawn, np.zeros(FIGURES)))
    narrow = estimated(fit, gains, other, np.zeros(FIGURES), np.zeros(FIGURES))
    wide = estimated(fit, gains, other, np.zeros(FIGURES), np.full(FIGURES, 0.25))
    more = 0.25 * float((gains.gains @ gains.gains.T)[0, 0])
    assert wide.deviations[0] ** 2 == pytest.approx(narrow.deviations[0] ** 2 + more)


def test_a_shrunk_covariance_is_that_of_many_specimens_and_has_an_inverse_of_few():
    chance = np.random.default_rng(3)
    many = errors(chance, 20_000)
    true = np.cov(many, rowvar=False)
    assert shrunk(many) == pytest.approx(true, abs=0.03 * true.max())
    few = shrunk(errors(chance, 5))
    assert np.linalg.eigvalsh(few)[0] > 0.0
    nothing = np.column_stack((many[:50, :3], np.zeros(50)))  # a figure that is the same in all
    assert np.all(np.isfinite(Weighting(nothing, np.zeros(4)).whitened(np.ones(4))))
