import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.display.quantities import clock, label, shown
from rig.display.ranges import PATIENCE, StableRange, rounded

finite = st.floats(-1e6, 1e6, allow_nan=False)


@given(a=finite, b=finite, minimum=st.floats(1e-6, 1e3))
def test_a_rounded_range_holds_the_data_and_is_not_much_wider(a: float, b: float, minimum: float) -> None:
    low, high = rounded(min(a, b), max(a, b), minimum)
    slack = 1e-9 * max(abs(a), abs(b), minimum)
    assert low <= min(a, b) + slack
    assert high >= max(a, b) - slack
    assert high - low >= minimum * (1 - 1e-9) - slack
    assert high - low <= 1.6 * max(minimum, abs(a - b)) + slack


@given(values=st.lists(st.tuples(finite, finite), min_size=1, max_size=30))
def test_what_is_shown_is_always_inside(values: list[tuple[float, float]]) -> None:
    axis = StableRange(1.0)
    for a, b in values:
        axis.update(min(a, b), max(a, b))
        assert axis.low <= min(a, b) + 1e-3
        assert axis.high >= max(a, b) - 1e-3


def test_an_axis_stands_still_under_a_noisy_peak() -> None:
    axis = StableRange(1.0)
    random = np.random.default_rng(0)
    changes = sum(axis.update(-10.0 - x, 10.0 + y) for x, y in random.normal(0.0, 0.1, size=(2000, 2)))
    assert changes <= 3


def test_it_narrows_only_after_a_while() -> None:
    axis = StableRange(1.0)
    axis.update(-10.0, 10.0)
    wide = axis.high
    for _ in range(PATIENCE - 1):
        axis.update(-1.0, 1.0)
    assert axis.high == wide
    axis.update(-1.0, 1.0)
    assert axis.high < 2.0


def test_nothing_shown_changes_nothing() -> None:
    axis = StableRange(1.0)
    before = axis.low, axis.high
    assert not axis.update(math.nan, math.nan)
    assert (axis.low, axis.high) == before


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.04, "0.0 s"), (12.34, "12.3 s"), (61.0, "1:01.0"), (119.97, "2:00.0"), (3725.0, "1:02:05")]
)
def test_clock(seconds: float, said: str) -> None:
    assert clock(seconds) == said


def test_quantities_as_an_engineer_writes_them() -> None:
    assert shown("N").text(-10770.0) == "−10.77 kN"
    assert shown("m").text(0.00021934) == "+0.219 mm"
    assert shown("V").text(123.4) == "+123.4 V"
    assert label("transmitted_force") == "Transmitted force"
