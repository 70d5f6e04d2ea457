"""What counts of an encoder add to an interval, on figures of which the truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.comparison.uncertainty.interval import Interval, Raised, interval
from rig.comparison.uncertainty.redrawn import redrawn

TESTS, DRAWS, CYCLES = 1500, 4, 30


def _tests(name: str, counts: float, cycles: float, seed: int = 1):
    """Tests of a figure that is 0: (interval by cycles, with the counts'). Counts move all cycles of a test alike by `counts` (standard
    deviation), cycles differ by `cycles`; each other draw has another error of either kind besides."""
    rng = np.random.default_rng(seed)
    for _ in range(TESTS):
        own = counts * rng.standard_normal()
        told = []
        for more in (0.0, *(counts * rng.standard_normal(DRAWS))):
            x = own + more + cycles * rng.standard_normal(CYCLES)
            told.append({name: interval(float(np.mean(x)), x)})
        yield told[0][name], redrawn(told[0], told[0], told[1:])[name]


def _held(pairs, which: int) -> float:
    return float(np.mean([one[which].bounds(0.025)[0] <= 0.0 <= one[which].bounds(0.025)[1] for one in pairs]))


@pytest.mark.parametrize("counts", [0.3, 1.0, 20.0])
def test_95_of_100_hold_what_counts_have_moved(counts: float) -> None:
    pairs = [*_tests("gain", counts, 1.0)]
    assert _held(pairs, 0) < 0.80  # the control: what cycles alone would say
    assert 0.90 <= _held(pairs, 1) <= 0.985
    assert all(after.of_counts < 1.0 for _, after in pairs)


def test_where_counts_move_nothing_the_interval_hardly_grows() -> None:
    pairs = [*_tests("gain", 0.0, 1.0)]
    assert 0.94 <= _held(pairs, 1) <= 0.99
    wider = np.array([after.std / before.std for before, after in pairs])
    assert np.all(wider >= 1.0) and np.mean(wider) < 1.2 and np.quantile(wider, 0.95) < 1.8
    assert all(after.below == after.above == 0.0 for _, after in pairs)


def test_what_counts_have_put_into_nrms_is_open_below() -> None:
    """0.03 of the model and 0.04 of counts are 0.05; with as much again of other counts it is 0.064."""
    model, counts = 0.03, 0.04
    square = Interval(model**2 + counts**2, 1e-9)
    begin = {"nrms": Raised(0.05, 1e-9, square=square)}
    more = model**2 + 2.0 * counts**2
    drawn = [{"nrms": Raised(math.sqrt(more), 1e-9, square=Interval(more, 1e-9))} for _ in range(DRAWS)]
    found = redrawn(begin, begin, drawn)["nrms"]
    low, high = found.bounds(0.05)
    assert low == pytest.approx(model, rel=1e-3) and high == pytest.approx(0.05, rel=1e-3)
    assert found.open == pytest.approx(0.05 - model, rel=1e-3)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_level_is_open_to_the_side_from_which_counts_have_moved_it(way: float) -> None:
    """By a tenth of its power, and by as much again in the draws."""
    begin = {"band_level": Interval(math.sqrt(1.0 + 0.1 * way) - 1.0, 1e-9)}
    drawn = [{"band_level": Interval(math.sqrt(1.0 + 0.2 * way) - 1.0, 1e-9)} for _ in range(DRAWS)]
    found = redrawn(begin, begin, drawn)["band_level"]
    ends = sorted((0.0, begin["band_level"].value))
    assert found.bounds(0.05) == (pytest.approx(ends[0], abs=1e-6), pytest.approx(ends[1], abs=1e-6))


def test_a_figure_that_not_all_predictions_have_is_left_as_it_is() -> None:
    begin = {"gain": Interval(1.0, 0.1), "phase": Interval(2.0, 0.1)}
    drawn = [{"gain": Interval(float(k), 0.1)} if k else {} for k in range(DRAWS)]
    assert redrawn(begin, begin, drawn) == begin
    assert redrawn(begin, {}, [begin] * DRAWS) == begin
