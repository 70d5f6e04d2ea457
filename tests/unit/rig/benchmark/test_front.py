"""Work against precision: fronts, interpolation, and that nothing is extrapolated in silence."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.benchmark.front import front, ratio, work

POSITIVE = st.floats(1e-9, 1e3)
POINTS = st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=20)


@given(POINTS)
def test_nothing_on_the_front_is_beaten_and_everything_else_is(points: list[tuple[float, float]]) -> None:
    kept = front(points)
    for one in points:
        beaten = any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in points)
        assert (one in kept) != beaten


@given(POINTS, POSITIVE)
def test_work_is_between_the_neighbours(points: list[tuple[float, float]], error: float) -> None:
    kept = front(points)
    found = work(kept, error)
    if found is None:
        assert error < kept[-1][0]
    else:
        assert kept[0][1] * (1 - 1e-9) <= found <= kept[-1][1] * (1 + 1e-9)


def test_a_power_law_is_met_between_its_points() -> None:
    points = [(error, error**-0.25) for error in (1e-2, 1e-4, 1e-6)]
    for error in (3e-3, 1e-5, 2e-6):
        assert work(front(points), error) == pytest.approx(error**-0.25)


def test_a_run_that_gave_up_is_on_no_front() -> None:
    assert front([(math.nan, 1.0), (1e-3, 2.0)]) == [(1e-3, 2.0)]
    assert ratio([(1e-3, 1.0)], [(math.nan, 1.0)], 1e-3, "other") is None


def test_the_ratio_at_the_error_asked_for() -> None:
    found = ratio([(1e-2, 1.0), (1e-6, 4.0)], [(1e-2, 10.0), (1e-6, 400.0)], 1e-4, "other")
    assert found is not None
    assert (found.at_error, found.remark) == (1e-4, "")
    assert found.speedup == pytest.approx(math.sqrt(10.0 * 400.0) / 2.0)


def test_a_peer_that_never_gets_there_is_compared_where_it_does_and_that_is_said() -> None:
    found = ratio([(1e-2, 1.0), (1e-6, 4.0)], [(1e-1, 10.0), (1e-3, 30.0)], 1e-5, "other")
    assert found is not None
    assert found.at_error == 1e-3
    assert "other does not reach 1.0e-05" in found.remark and "1.0e-03" in found.remark


def test_too_good_a_cheapest_run_is_told() -> None:
    found = ratio([(1e-6, 2.0)], [(1e-1, 10.0), (1e-3, 30.0)], 1e-2, "other")
    assert found is not None and "at which it was not made coarser" in found.remark
    assert found.speedup == pytest.approx(math.sqrt(300.0) / 2.0)
