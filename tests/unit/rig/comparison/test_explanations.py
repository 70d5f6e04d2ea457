"""Explanations are told apart with the errors that are stated."""

from __future__ import annotations

import numpy as np

from rig.comparison.explanations import fitted, independent, told_apart

N, DRAWS = 400, 2000
T = np.linspace(0.0, 1.0, N)
NONE = np.zeros((N, 0))


def named(difference: np.ndarray) -> list[str]:
    simple = fitted("zero", difference, np.ones((N, 1)), NONE)
    drift = fitted("drift", difference, np.stack((np.ones(N), T), axis=1), NONE, simpler="zero")
    return [one.words for one in told_apart([simple, drift], float(N))]


def test_one_shape_more_is_taken_by_chance_in_one_of_a_thousand() -> None:
    """chi^2: 2 of 2000; by a binomial distribution more than 9 come in 1 of 20 000 series."""
    rng = np.random.default_rng(1001)
    wrong = sum(named(1.0 + rng.standard_normal(N)) != ["zero"] for _ in range(DRAWS))
    assert wrong <= 9


def test_a_shape_that_is_there_is_taken() -> None:
    """A slope of 10 standard deviations: sigma = sqrt(12 / N)."""
    rng = np.random.default_rng(1002)
    assert all(named(1.0 + 10.0 * np.sqrt(12.0 / N) * T + rng.standard_normal(N)) == ["drift"] for _ in range(200))


def test_rivals_that_fit_alike_are_named_together() -> None:
    rng = np.random.default_rng(1003)
    x = np.sin(7.0 * T)
    difference = x + 0.1 * rng.standard_normal(N)
    rivals = [fitted("one", difference, x[:, None], NONE), fitted("other", difference, (x + 0.005 * T)[:, None], NONE)]
    assert {one.words for one in told_apart(rivals, float(N))} == {"one", "other"}
    apart = [rivals[0], fitted("far", difference, np.cos(7.0 * T)[:, None], NONE)]
    assert [one.words for one in told_apart(apart, float(N))] == ["one"]


def test_samples_that_hang_together_count_for_fewer() -> None:
    """First-order autoregression: sum of rho^2 = (1 + phi^2) / (1 - phi^2)."""
    rng, phi, n = np.random.default_rng(1004), 0.9, 40_000
    x = np.zeros(n)
    for k, e in enumerate(rng.standard_normal(n)):
        x[k] = phi * x[k - 1] + e
    assert np.isclose(independent(x), n * (1.0 - phi**2) / (1.0 + phi**2), rtol=0.15)
    assert independent(rng.standard_normal(n)) > 0.8 * n


def test_what_comes_again_counts_once() -> None:
    once = np.random.default_rng(1005).standard_normal(2000)
    assert independent(np.tile(once, 4)) < 1.4 * len(once)


def test_a_nuisance_is_taken_beside_the_shapes() -> None:
    one = fitted("", 3.0 * T + 5.0, np.ones((N, 1)), T[:, None])
    assert np.allclose(one.factors, [5.0]) and np.isclose(one.left, 0.0, atol=1e-18) and np.allclose(one.explained, 5.0)
