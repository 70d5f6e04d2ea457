"""Statistics of values one by one: exact of few, near of many, in the same memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from rig.signals.summary_statistics import statistics
from rig.signals.tally import EXACT, STEP, Tally


def told(values, weights=None):
    tally = Tally()
    for k, value in enumerate(values):
        tally.add(float(value), 1 if weights is None else int(weights[k]))
    return tally.statistics()


def test_few_are_exact():
    values = np.random.default_rng(1).lognormal(size=1000)
    weights = np.random.default_rng(2).integers(1, 5, 1000)
    assert told(values, weights) == statistics(values, weights)
    assert told([]) == statistics([])


@pytest.mark.parametrize("spread", [0.1, 3.0])
def test_quantiles_of_many_are_right_to_half_a_step_and_the_largest_is_exact(spread):
    values = np.random.default_rng(3).lognormal(-6.0, spread, 3 * EXACT + 17)
    found, exact = told(values), statistics(values)
    assert found["n"] == exact["n"] and found["max"] == exact["max"]
    for name in ("median", "p99", "p999"):
        assert found[name] == pytest.approx(exact[name], rel=0.55 * STEP)


def test_nothing_is_nothing_of_many_too():
    found = told(np.zeros(EXACT + 5))
    assert (found["median"], found["max"], found["n"]) == (0.0, 0.0, EXACT + 5)


def test_memory_does_not_grow():
    """Four times as many values as are kept: what stays is the counts and what has not been poured yet."""
    tally = Tally()
    for _ in range(2 * EXACT):
        tally.add(1e-3)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for k in range(4 * EXACT):
        tally.add(1e-3 + 1e-6 * (k % 1000))
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 2 * 16 * EXACT
