"""Coverage of a band, of members and a specimen that are drawn alike; bands that are made too narrow or too wide are told as such.

What is right comes from the drawing: one more of M members lies between two of their quantiles with coverage (M - 1) / (M + 1).
"""

from __future__ import annotations

import numpy as np
import pytest

from model.ensemble import band
from rig.comparison.bands.agreement import AS_STATED, OPEN, TOO_NARROW, TOO_WIDE, BandAgreement, Stated, band_agreement

MEMBERS, COVERAGE = 19, 0.9
CYCLES, SAMPLES = 40, 200
SEEDS = 200
SHAPE = np.sin(2.0 * np.pi * np.arange(SAMPLES) / SAMPLES)
OF_TIME = 0.25
"""Of the spread from cycle to cycle: how much members differ from sample to sample besides."""


def drawn(generator: np.random.Generator, members: int) -> np.ndarray:
    """(members, CYCLES * SAMPLES) of a wave whose height is another one in each cycle, as of a mechanism that is chaotic."""
    height = 1.0 + 0.1 * generator.standard_normal((members, CYCLES, 1))
    rest = OF_TIME * 0.1 * generator.standard_normal((members, CYCLES, SAMPLES))
    return (height * (1.5 + SHAPE) + rest).reshape(members, -1)


def compared(seed: int, scale: float = 1.0, members: int = MEMBERS, **given) -> BandAgreement:
    """scale: of the band about its middle."""
    generator = np.random.default_rng(seed)
    of_members, measured = drawn(generator, members), drawn(generator, 1)[0]
    _, low, high = (one[:, 0] for one in band(of_members[:, :, None], COVERAGE))
    middle, half = 0.5 * (low + high), 0.5 * scale * (high - low)
    cycle = np.repeat(np.arange(CYCLES, dtype=np.float64), SAMPLES)
    known = np.ones(len(measured), dtype=np.bool_)
    found = band_agreement(measured, middle - half, middle + half, cycle, known, Stated(members, COVERAGE), **given)
    assert found is not None
    return found


ALL = [compared(seed) for seed in range(SEEDS)]


@pytest.mark.parametrize("members", [5, 19, 99])
def test_one_more_member_lies_inside_as_often_as_is_stated(members: int) -> None:
    generator = np.random.default_rng(members)
    values = generator.standard_normal((members + 1, 20_000, 1))
    _, low, high = band(values[1:], COVERAGE)
    inside = float(np.mean((low <= values[0]) & (values[0] <= high)))
    nominal = Stated(members, COVERAGE).nominal
    assert inside == pytest.approx(nominal, abs=0.02)  # straight lines between two members are exact where they lie evenly
    if members < 99:
        assert inside < COVERAGE - 0.05  # the quantiles of few members are not those of what they are drawn from


def test_the_share_has_no_bias_and_its_interval_holds() -> None:
    shares = np.array([one.inside for one in ALL])
    assert np.mean(shares) == pytest.approx(ALL[0].nominal, abs=0.01)
    bounds = [one.inside_interval.limits() for one in ALL if one.inside_interval is not None]
    held = sum(low <= ALL[0].nominal <= high for low, high in bounds)
    assert len(bounds) == SEEDS and held >= 0.9 * SEEDS  # of 190 that are to be expected: four standard deviations of their number


def test_samples_taken_for_independent_ones_would_be_too_sure() -> None:
    """The control: the binomial's interval of all samples."""
    held = 0
    for one in ALL:
        reach = 1.96 * np.sqrt(one.inside * (1.0 - one.inside) / one.samples)
        held += abs(one.inside - one.nominal) <= reach
    assert held < 0.5 * SEEDS


def test_a_band_that_is_as_stated_is_seldom_said_not_to_be() -> None:
    said = [one.said for one in ALL]
    assert said.count(AS_STATED) >= 0.84 * SEEDS  # 90 % by the risk to both sides, less three standard deviations
    assert [one.peaks_said for one in ALL].count(AS_STATED) >= 0.84 * SEEDS


@pytest.mark.parametrize(("scale", "said"), [(0.5, TOO_NARROW), (2.0, TOO_WIDE)])
def test_one_that_is_not_is_told(scale: float, said: str) -> None:
    found = [compared(seed, scale) for seed in range(50)]
    assert sum(one.said == said for one in found) >= 45
    assert all(one.said in (said, AS_STATED) for one in found)
    assert np.mean([one.width for one in found]) == pytest.approx(scale * np.mean([one.width for one in ALL[:50]]), rel=1e-9)


def test_the_score_is_best_of_the_true_quantiles() -> None:
    true, narrow, wide = (np.mean([compared(seed, scale, members=199).score for seed in range(20)]) for scale in (1.0, 0.5, 2.0))
    assert true < narrow and true < wide


def test_width_and_score_of_a_band_that_is_known() -> None:
    measured = np.array([0.0, 2.0, -3.0, 9.0])
    one = band_agreement(
        measured, np.full(4, -1.0), np.full(4, 1.0), np.zeros(4), np.array([1, 1, 1, 0], bool), Stated(19, 0.9), amplitude=4.0
    )
    assert one is not None
    assert (one.samples, one.inside, one.below, one.above) == (3, 1 / 3, 1 / 3, 1 / 3)
    assert one.width == 2.0 and one.width_share == 0.5
    assert one.score == pytest.approx(2.0 + 20.0 * (1.0 + 2.0) / 3.0)  # 2 / alpha times how far off
    assert one.said == OPEN and one.inside_interval is None and one.peaks == 0.0  # one cycle tells nothing of the next


def test_the_largest_value_of_a_cycle_is_inside_by_its_size() -> None:
    measured = np.array([0.0, -5.0, 0.0, -7.0])
    low, high = np.array([-1.0, -6.0, -1.0, -6.0]), np.array([1.0, -4.0, 1.0, -4.0])
    one = band_agreement(measured, low, high, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4, bool), Stated(19, 0.9))
    assert one is not None and [row.peak_inside for row in one.cycles] == [True, False] and one.peaks == 0.5


def test_where_nothing_counts_there_is_none() -> None:
    x = np.zeros(3)
    assert band_agreement(x, x, x, np.full(3, -1.0), np.ones(3, bool), Stated(19, 0.9)) is None
    assert band_agreement(x, np.full(3, np.nan), x, x, np.ones(3, bool), Stated(19, 0.9)) is None
