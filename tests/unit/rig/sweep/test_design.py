"""Tasks of a design: how many, where, and distributed as asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from rig.sweep.campaign import Campaign, Design, Kept, Varied
from rig.sweep.design import points
from tests.each_row import each_row


def campaign(kind: str, samples: int, *vary: Varied, seed: int = 1) -> Campaign:
    return Campaign("t", vary, (Kept("y"),), "function", function="m:f", design=Design(kind, samples, seed))


def test_a_grid_is_every_combination_with_its_units() -> None:
    found = points(
        campaign("grid", 1, Varied("a", minimum="1 mm", maximum="3 mm", steps=3), Varied("law", ("b",), values=("hertz", "flores")))
    )
    assert [found.settings(k) for k in (0, 5)] == [["a=1.0 mm", "law=hertz", "b=hertz"], ["a=3.0 mm", "law=flores", "b=flores"]]
    assert found.si[:, 0] == pytest.approx([0.001, 0.001, 0.002, 0.002, 0.003, 0.003])
    assert len(found.numbers) == 6


def test_steps_of_a_logarithm_have_one_ratio() -> None:
    found = points(campaign("grid", 1, Varied("a", minimum="1", maximum="16", steps=5, distribution="log_uniform")))
    assert found.numbers[:, 0] == pytest.approx([1, 2, 4, 8, 16])


DISTRIBUTIONS = [
    (Varied("a", minimum="2 mm", maximum="4 mm"), stats.uniform(2, 2)),
    (Varied("a", distribution="log_uniform", minimum="1", maximum="100"), stats.loguniform(1, 100)),
    (Varied("a", distribution="normal", mean="5 N", deviation="2 N"), stats.norm(5, 2)),
    (Varied("a", distribution="normal", mean="5", deviation="2", minimum="4", maximum="8"), stats.truncnorm(-0.5, 1.5, 5, 2)),
    # of a lognormal variable with mean 3 and deviation 1.5: s^2 = ln(1 + 1/4)
    (Varied("a", distribution="lognormal", mean="3", deviation="1.5"), stats.lognorm(math.sqrt(math.log(1.25)), scale=3 / math.sqrt(1.25))),
]


@each_row("varied, distribution", DISTRIBUTIONS, ids=str)
def test_each_kind_of_sampling_has_the_distribution(varied: Varied, distribution: object) -> None:
    for kind in ("monte_carlo", "latin_hypercube", "sobol"):
        drawn = points(campaign(kind, 1024, varied)).numbers[:, 0]
        assert stats.kstest(drawn, distribution.cdf).pvalue > 0.001, kind  # type: ignore[attr-defined]
        assert stats.kstest(1.3 * drawn, distribution.cdf).pvalue < 0.05, kind  # type: ignore[attr-defined]  # a control


def test_a_seed_draws_the_same_tasks_again_and_another_one_others() -> None:
    one = Varied("a", minimum="0", maximum="1")
    for kind in ("monte_carlo", "latin_hypercube", "sobol", "saltelli"):
        first, again, other = (points(campaign(kind, 64, one, seed=seed)).numbers for seed in (1, 1, 2))
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


def test_a_saltelli_scheme_has_k_plus_2_tasks_a_sample() -> None:
    found = points(campaign("saltelli", 64, Varied("a", minimum="0", maximum="1"), Varied("b", minimum="0", maximum="1")))
    assert found.numbers.shape == (64 * 4, 2)
    block = found.numbers[:4]
    assert (block[1] == [block[3][0], block[0][1]]).all()  # A with the first column of B
    assert (block[2] == [block[0][0], block[3][1]]).all()
