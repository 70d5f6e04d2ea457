"""Impacts of two signals that were made with known ones: how many belong together, how late, how strong, and by how much impulse."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import ChannelAgreement, verdict
from rig.comparison.impacts.agreement import FIGURES, ImpactAgreement, agreement_of
from rig.comparison.impacts.pairs import paired
from tests.unit.rig.comparison.test_judging import Wanted

RATE, PERIOD, CYCLES = 20e3, 2000, 8
SHAPE = np.array([0.4, 1.0, 0.4])


def course(hits: dict[int, float], seed: int) -> np.ndarray:
    """A slow wave with noise, and a spike of three samples at each place."""
    n = np.arange(PERIOD * CYCLES)
    x = 100.0 * np.sin(2.0 * np.pi * n / PERIOD) + 0.2 * np.random.default_rng(seed).standard_normal(len(n))
    for at, size in hits.items():
        x[at - 1 : at + 2] += size * SHAPE
    return x


def found(measured: dict[int, float], predicted: dict[int, float]):
    cycle = np.floor(np.arange(PERIOD * CYCLES) / PERIOD)
    cycle[: 2 * PERIOD] = -1.0  # discarded
    return agreement_of(paired(course(measured, 1), course(predicted, 2), RATE, PERIOD), cycle)


EACH = [k * PERIOD + 700 for k in range(2, CYCLES)]


def test_time_strength_and_impulse_of_those_that_belong_together() -> None:
    one, sure = found(dict.fromkeys(EACH, 40.0), {at + 10: 44.0 for at in EACH})
    assert (one.measured, one.predicted, one.matched, one.missed, one.extra, one.share) == (6, 6, 6, 0, 0, 1.0)
    assert one.late_s == pytest.approx(10.0 / RATE)
    assert one.strength_error == pytest.approx(0.1, abs=0.01) and one.impulse_error == pytest.approx(0.1, abs=0.02)
    assert [row.cycle for row in one.cycles] == [2, 3, 4, 5, 6, 7] and all(row.matched == 1 for row in one.cycles)
    assert set(sure) == set(FIGURES)
    low, high = sure["impact_strength"].limits()
    assert low <= 0.1 <= high and high - low < 0.03


def test_one_that_lasts_longer_has_the_same_strength_and_more_impulse() -> None:
    twice = {at + shift: 40.0 for at in EACH for shift in (0, 4)}  # a bounce that belongs to it
    one, _ = found(dict.fromkeys(EACH, 40.0), twice)
    assert one.matched == 6 and one.strength_error == pytest.approx(0.0, abs=0.02)
    assert one.impulse_error == pytest.approx(1.0, abs=0.1)


def test_missed_and_extra_ones_are_counted_in_their_cycles() -> None:
    one, sure = found(dict.fromkeys(EACH, 40.0), dict.fromkeys([*EACH[1:], EACH[3] + 600], 40.0))
    assert (one.matched, one.missed, one.extra) == (5, 1, 1) and one.share == pytest.approx(10.0 / 12.0)
    assert [(row.missed, row.extra) for row in one.cycles] == [(1, 0), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0)]
    assert one.cycles[0].late_s is None
    assert sure["impacts"].value == one.share


def test_where_nothing_counts_there_is_none() -> None:
    one, sure = found({700: 40.0}, {700: 40.0})  # in a cycle that is discarded
    assert (one.measured, one.matched, one.share, one.late_s, sure) == (0, 0, None, None, {})


def judged(one: ImpactAgreement | None, metric: str):
    return verdict({"x": ChannelAgreement(samples=100, counted_samples=100, rate=1.0, impacts=one)}, [Wanted(metric, 0.1)])


@pytest.mark.parametrize("metric", FIGURES)
def test_without_an_impact_on_either_side_nothing_can_be_judged(metric: str) -> None:
    one, _ = found({}, {})
    assert judged(one, metric).result == "cannot_be_judged"
    assert judged(one, metric).reason.endswith("no impact, measured or predicted")


@pytest.mark.parametrize("metric", ["impact_time", "impact_strength", "impact_impulse"])
def test_where_the_model_has_none_at_all_it_fails(metric: str) -> None:
    one, _ = found(dict.fromkeys(EACH, 40.0), {})
    assert judged(one, metric).result == "fail" and judged(one, "impacts").result == "fail"
