"""A channel at the end of its range: found at its sample whatever the blocks, told once, stuck after its time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.overload import STUCK, Overload, OverloadCheck

RATE = 1000.0
LONGEST = round(STUCK * RATE)
ENDS = [(-10.0, 10.0), (-np.inf, np.inf)]


def found(values: np.ndarray, sizes: list[int]) -> list[Overload]:
    """What is told of values (n,) of the first of two channels; block sizes go round."""
    check, told, first = OverloadCheck(ENDS, RATE), [], 0
    while first < len(values):
        block = values[first : first + sizes[len(told) % len(sizes)]]
        told += check.check(first, np.column_stack([block, 1e9 * np.ones(len(block))]))
        first += len(block)
    return told


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 120)), min_size=1, max_size=12), st.lists(st.integers(1, 90), min_size=1))
def test_first_touch_and_first_long_stay(stretches: list[tuple[bool, int]], sizes: list[int]) -> None:
    there = np.concatenate([np.full(count, high) for high, count in stretches])
    told = found(np.where(there, 10.0, 0.0), sizes)
    touch = np.flatnonzero(there)
    run = np.array([there[max(0, n - LONGEST + 1) : n + 1].all() and n >= LONGEST - 1 for n in range(len(there))])
    expected = [(int(touch[0]), False)] if len(touch) else []
    expected += [(int(np.argmax(run)) - LONGEST + 1, True)] if run.any() else []
    assert [(one.sample, one.stuck) for one in told] == expected
    assert all(one.column == 0 and one.end == 10.0 for one in told)


@pytest.mark.parametrize("value, end", [(-10.4, -10.0), (10.4, 10.0), (9.985, 10.0)])
def test_either_end_and_what_lies_beyond(value: float, end: float) -> None:
    told = found(np.full(2 * LONGEST, value), [10])
    assert [(one.end, one.stuck) for one in told] == [(end, False), (end, True)]


def test_below_the_end_and_nan_are_left_to_others() -> None:
    assert found(np.full(200, 9.9), [10]) == []
    assert found(np.full(200, np.nan), [10]) == []
