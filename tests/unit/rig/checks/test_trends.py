"""Slope and lasting change of the value of a cycle: against published run lengths, and counted on values with the measured scatter."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np
import pytest

from rig.calculated.rows import Rows
from rig.checks.cycle_watch import CycleWatch
from rig.checks.limits import Moment, Passed
from rig.checks.trends import Drift, Slope, bounds, threshold
from rig.config.experiment import Limit
from tests.each_row import each_row
from tests.tiers import quick

CLEAN = 100_000
SEEDS = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 3
SCATTER = 0.27e-6
"""m: of half the stroke of a cycle on the virtual frame at 7 Hz and 2 kS/s, white from cycle to cycle (correlation 0.1)."""
GROWTH = 0.5 * 5e-6 / 1000.0
"""m a cycle: half of the play, which grows by 5 um in 1000 cycles."""
DRIFT = Limit("stroke", per_cycle="amplitude", drift=0.6e-6, settle=2, learn=100, action="stop")


def told(watch: CycleWatch, values: Sequence[float] | np.ndarray, at_once: int = 500) -> list[Passed]:
    """One sample a cycle, so that a value is that of the cycle before."""
    found = []
    for first in range(0, len(values), at_once):
        part = np.asarray(values[first : first + at_once], dtype=np.float64)
        cycle = np.arange(first, first + len(part), dtype=np.float64)
        found += watch.check(first, part, 0, Rows({}, cycle, cycle), Moment("running"))
    return found


@pytest.mark.parametrize(("h", "published"), [(4.0, 168.0), (5.0, 465.0)])
def test_thresholds_are_those_of_published_run_lengths(h: float, published: float) -> None:
    """Two-sided sums with k = 0.5, Lucas and Crosier (1982), as Montgomery tables them."""
    assert threshold(0.5, published) == pytest.approx(h, abs=0.02)


@pytest.mark.parametrize("between", [200.0, 1000.0])
def test_false_alarms_come_as_seldom_as_is_said(between: float) -> None:
    """With mean and scatter known, by counting: run lengths scatter as an exponential does."""
    k, runs = 0.5, 400
    h, random, lengths = threshold(k, between), np.random.default_rng(5), np.zeros(runs)
    up, down, running = np.zeros(runs), np.zeros(runs), np.ones(runs, bool)
    while running.any():
        x = random.standard_normal(runs)
        up, down = np.maximum(0.0, up + x - k), np.maximum(0.0, down - x - k)
        lengths += running
        running &= (up <= h) & (down <= h)
    assert lengths.mean() == pytest.approx(between, rel=0.2)


@pytest.mark.parametrize("seed", quick(range(SEEDS), 1))
def test_clean_cycles_pass(seed: int) -> None:
    """At most one false alarm in 100 000; far fewer are seen, since what is learned is allowed its errors."""
    random = np.random.default_rng(seed)
    assert len(told(Drift(DRIFT), 517e-6 + SCATTER * random.standard_normal(CLEAN))) <= 1


def test_without_the_allowance_for_what_is_learned_there_would_be_more() -> None:
    """The control: 20 cycles say little of the mean, and a sum without the allowance runs away in one test of many."""
    random, alarms = np.random.default_rng(1), 0
    k, h = 0.5, threshold(0.5, 1e5)
    for _ in range(50):
        x = random.standard_normal(2020)
        x = (x[20:] - x[:20].mean()) / x[:20].std(ddof=1)
        up = down = 0.0
        for one in x:
            up, down = max(0.0, up + one - k), max(0.0, down - one - k)
            if max(up, down) > h:
                alarms += 1
                break
    assert alarms > 5, "two tests of a hundred should have one"
    scatter, allowed, _ = bounds(1.0, 1.0, 20, 1e5)
    assert allowed * scatter > k + 0.5


@each_row("seed", range(10))
def test_play_that_grows_is_found_within_the_thousand_cycles(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = 517e-6 + GROWTH * np.arange(1000) + SCATTER * random.standard_normal(1000)
    found = told(Drift(DRIFT), values)
    assert found and 102 < found[0].sample < 700
    assert "drift of amplitude from 0.000517" in found[0].text("m") and "of stroke" in found[0].text("m")
    shrinking = told(Drift(DRIFT), 2.0 * values[0] - values)
    assert shrinking and shrinking[0].value < 0.0


def test_a_jump_is_found_at_once_and_a_value_that_never_scatters_too() -> None:
    assert told(Drift(DRIFT), [1e-3] * 200 + [1.1e-3])[0].sample == 200
    assert told(Drift(DRIFT), [1e-3] * 5000) == []


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_blocks_do_not_matter(at_once: int) -> None:
    values = 517e-6 + GROWTH * np.arange(1000) + SCATTER * np.random.default_rng(3).standard_normal(1000)
    for watch in (Drift, Slope):
        limit = Limit("stroke", per_cycle="amplitude", drift=0.6e-6, slope=1e-6, over=200, learn=100, settle=2)
        assert told(watch(limit), values, at_once) == told(watch(limit), values, 333)


def test_the_slope_is_that_of_a_line_by_least_squares() -> None:
    random = np.random.default_rng(2)
    values = 3.0 + 0.002 * np.arange(300) + 0.05 * random.standard_normal(300)
    limit = Limit("x", per_cycle="mean", slope=1e-9, over=120, settle=5)
    found = told(Slope(limit), values)
    assert found[0].sample == 1 + 5 + 119, "the first cycle ends with sample 1"
    for one in found[::17]:
        line = np.polyfit(np.arange(120), values[one.sample - 119 : one.sample + 1], 1)
        assert one.value == pytest.approx(1000.0 * line[0], rel=1e-9)
    assert "slope of mean over 120 cycles of x" in found[0].text("N") and "N/1000 cycles exceeds" in found[0].text("N")


def test_a_slope_within_its_limit_and_one_beyond() -> None:
    values = 1.0 + 0.001 * np.arange(500)
    assert told(Slope(Limit("x", slope=1.01, over=50)), values) == []
    assert told(Slope(Limit("x", slope=0.99, over=50)), values)[0].sample == 1 + 1 + 49
    assert told(Slope(Limit("x", slope=0.99, over=50)), -values)[0].value == pytest.approx(-1.0)


@pytest.mark.parametrize("watch", [Drift, Slope])
def test_a_nan_is_inside_neither(watch: type[Drift | Slope]) -> None:
    limit = Limit("x", drift=1.0, slope=1.0, over=10, learn=20, settle=0)
    values = [1.0] * 40
    values[30] = math.nan
    (first, *_) = told(watch(limit), values)
    assert first.sample == 30 and math.isnan(first.value)
    early = told(watch(limit), [math.nan, *values[:20]])
    assert early == [], "no cycle ends with the first sample"
