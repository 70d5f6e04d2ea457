"""Intervals hold as often as they say, whatever the replicates do besides."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.uncertainty.interval import Interval, interval

PAIRS = 2000


def _held(make, count: int) -> float:
    """Share of intervals that hold the true mean, 0."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(PAIRS):
        x = make(rng, count)
        found = interval(float(np.mean(x)), x)
        assert found is not None
        low, high = found.bounds(0.025)
        held += low <= 0.0 <= high
    return held / PAIRS


def _plain(rng, count):
    return rng.standard_normal(count)


def _drifting(rng, count):
    return rng.standard_normal(count) + 5.0 * (np.arange(count) - 0.5 * (count - 1))


def _red(rng, count):
    x = np.zeros(count)
    noise = rng.standard_normal(count)
    for k in range(count):
        x[k] = 0.5 * x[k - 1] + noise[k] if k else noise[k] / np.sqrt(0.75)
    return x


@pytest.mark.parametrize(("make", "count"), [(_plain, 3), (_plain, 8), (_plain, 40), (_drifting, 8), (_drifting, 40)])
def test_of_independent_replicates_95_of_100_hold_also_where_they_drift(make, count):
    assert 0.935 <= _held(make, count) <= 0.965


def test_of_neighbours_that_go_together_more_hold_than_if_they_were_taken_as_independent():
    naive = np.mean([abs(np.mean(x)) <= 1.96 * np.std(x) / np.sqrt(200) for x in (_red(np.random.default_rng(k), 200) for k in range(400))])
    assert naive < 0.80  # the control: what they would say
    assert _held(_red, 200) >= 0.90


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 40), st.floats(0.001, 0.4))
def test_bounds_are_those_of_students_t(value, std, dof, risk):
    low, high = Interval(value, std, dof).bounds(risk)
    reach = scipy.stats.t.ppf(1.0 - risk, dof) * std
    assert high - value == pytest.approx(reach, rel=1e-6, abs=1e-9 * abs(value)) and value - low == pytest.approx(
        reach, rel=1e-6, abs=1e-9 * abs(value)
    )


def test_what_may_be_wrong_besides_is_added_to_its_side():
    low, high = Interval(1.0, 0.0, below=0.25, above=0.5).bounds(0.05)
    assert (low, high) == (0.75, 1.5)


@pytest.mark.parametrize("replicates", [[], [1.0], [1.0, 2.0], [1.0, np.nan, 2.0, np.nan]])
def test_fewer_than_three_replicates_tell_nothing(replicates):
    assert interval(1.0, replicates) is None
