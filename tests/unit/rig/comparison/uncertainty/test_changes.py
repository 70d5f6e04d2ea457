"""Changes of a figure over the cycles: false alarms are as rare as stated, a step is found where it is."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.uncertainty.changes import FALSE_ALARMS, LEAST, change
from tests.thorough import times

TRIED = times(1000, 20000)


def red(rng: np.random.Generator, count: int, alike: float) -> np.ndarray:
    x = rng.standard_normal(count)
    for k in range(1, count):
        x[k] = alike * x[k - 1] + np.sqrt(1.0 - alike**2) * x[k]
    return x


@pytest.mark.parametrize("count", [20, 40, 200])
def test_what_does_not_change_is_told_to_change_in_one_of_1000_at_the_most(count: int) -> None:
    rng = np.random.default_rng(count)
    alarms = sum(change(np.arange(float(count)), rng.standard_normal(count)) is not None for _ in range(TRIED))
    expected = FALSE_ALARMS * TRIED
    assert alarms <= expected + 4.0 * np.sqrt(expected)


def test_cycles_that_hang_together_are_no_change() -> None:
    rng = np.random.default_rng(1)
    alarms = sum(change(np.arange(100.0), red(rng, 100, 0.5)) is not None for _ in range(TRIED))
    naive = sum(np.max(np.abs(np.cumsum(x - np.mean(x)))) / np.std(x) > 10.0 * 1.95 for x in (red(rng, 100, 0.5) for _ in range(TRIED)))
    assert naive > 0.02 * TRIED, "the control: what they would say if they were taken as independent"
    assert alarms <= 0.005 * TRIED


@pytest.mark.parametrize("at", [10, 20, 30])
def test_a_step_is_found_where_it_is(at: int) -> None:
    rng, found = np.random.default_rng(at), []
    for _ in range(200):
        x = rng.standard_normal(40) + 4.0 * (np.arange(40) >= at)
        found.append(change(np.arange(2.0, 42.0), x))
    assert sum(one is not None for one in found) >= 190
    near = [one for one in found if one is not None and abs(one.cycle - (at + 2)) <= 1]
    assert len(near) >= 180
    assert np.mean([one.after - one.before for one in near]) == pytest.approx(4.0, abs=0.2)


def test_few_cycles_and_ones_that_are_all_alike_say_nothing() -> None:
    assert change(np.arange(LEAST - 1.0), np.repeat([0.0, 9.0], [10, LEAST - 11])) is None
    assert change(np.arange(20.0), np.ones(20)) is None
    sudden = change(np.arange(20.0), np.repeat([1.0, 2.0], 10))
    assert sudden is not None and (sudden.cycle, sudden.before, sudden.after) == (10, 1.0, 2.0)


def test_what_is_not_known_of_a_cycle_is_left_out() -> None:
    x = np.repeat([1.0, 2.0], 15)
    x[[3, 20]] = np.nan
    found = change(np.arange(30.0), x)
    assert found is not None and found.cycle == 15


@pytest.mark.parametrize("power", [-600, 0, 600])
@pytest.mark.filterwarnings("error")
def test_figures_of_any_size_change_alike(power: int) -> None:
    """Squares of 1e180 are beyond a double, those of 1e-180 nothing: a figure per something that is next to nothing comes to that."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal(60) + 4.0 * (np.arange(60) >= 25)
    plain, scaled = change(np.arange(60.0), x), change(np.arange(60.0), np.ldexp(x, power))
    assert plain is not None and scaled is not None
    assert (scaled.cycle, scaled.statistic) == (plain.cycle, plain.statistic)
    assert (scaled.before, scaled.after) == (np.ldexp(plain.before, power), np.ldexp(plain.after, power))
