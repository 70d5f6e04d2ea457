import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.experiment import Limit
from rig.limits import RATE_WINDOW, LimitCheck

RATE = 10_000.0
NAMES = ["force", "stroke"]


def blocks(values: np.ndarray, size: int) -> list[tuple[int, np.ndarray]]:
    return [(first, values[first : first + size]) for first in range(0, len(values), size)]


@given(st.integers(0, 999), st.integers(1, 300), st.sampled_from(["maximum", "minimum"]))
def test_first_sample_beyond_is_found_in_whatever_block(where: int, size: int, what: str) -> None:
    values = np.zeros((1000, 2))
    values[where:, 0] = 5.0 if what == "maximum" else -5.0
    check = LimitCheck([Limit("force", minimum=-4.0, maximum=4.0)], NAMES, RATE)
    found = [passed for first, block in blocks(values, size) for passed in check.check(first, block)]
    assert found[0].sample == where
    assert found[0].what == what
    assert abs(found[0].value) == 5.0


def test_value_on_the_limit_is_allowed() -> None:
    check = LimitCheck([Limit("force", maximum=4.0)], NAMES, RATE)
    assert check.check(0, np.full((10, 2), 4.0)) == []


def test_unreadable_channel_is_not_a_safe_one() -> None:
    values = np.zeros((10, 2))
    values[3, 0] = np.nan
    assert LimitCheck([Limit("force", maximum=4.0)], NAMES, RATE).check(0, values)[0].sample == 3


@pytest.mark.parametrize("size", [1, 7, 64, 500])
def test_rate_is_the_slope_over_its_window_across_blocks(size: int) -> None:
    slope = 3.0
    values = np.zeros((500, 2))
    values[200:, 1] = slope * np.arange(300) / RATE
    below = LimitCheck([Limit("stroke", rate=1.01 * slope)], NAMES, RATE)
    above = LimitCheck([Limit("stroke", rate=0.99 * slope)], NAMES, RATE)
    assert not [p for first, block in blocks(values, size) for p in below.check(first, block)]
    found = [p for first, block in blocks(values, size) for p in above.check(first, block)]
    assert found[0].what == "rate"
    assert found[0].sample == 200 + round(RATE_WINDOW * RATE)


def test_the_most_severe_comes_first_and_an_indication_once() -> None:
    limits = [Limit("force", maximum=1.0, action="indicate"), Limit("force", maximum=2.0, action="interlock")]
    check = LimitCheck(limits, NAMES, RATE)
    high = np.full((10, 2), 3.0)
    assert [p.action for p in check.check(0, high)] == ["interlock", "indicate"]
    assert [p.action for p in check.check(10, high)] == ["interlock"]


def test_words_hold_channel_value_unit_limit_and_sample() -> None:
    check = LimitCheck([Limit("force", maximum=30e3)], NAMES, RATE)
    assert check.check(48210, np.full((1, 2), 31.2e3))[0].text("N") == "force 31200 N exceeds maximum 30000 N at sample 48210"
