import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.limits import RATE_WINDOW, LimitCheck, ReadingLimits
from rig.config.experiment import Limit

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


@pytest.mark.parametrize("limit", [Limit("force", maximum=4.0), Limit("force", minimum=4.0), Limit("force", rate=4.0 / RATE_WINDOW)])
def test_what_stands_exactly_on_any_limit_is_allowed(limit: Limit) -> None:
    values = np.full((40, 2), 4.0)
    if limit.rate is not None:
        values[:10] = 0.0
    assert LimitCheck([limit], NAMES, RATE).check(0, values) == []


@pytest.mark.parametrize("slope", [3.0, -3.0])
@pytest.mark.parametrize(("limit", "passes"), [(2.99, True), (3.01, False)])
def test_a_rate_is_a_limit_up_and_down(slope: float, limit: float, passes: bool) -> None:
    """A force that falls too fast is a specimen that breaks, as one that rises too fast is a crash."""
    values = np.zeros((300, 2))
    values[:, 0] = slope * np.arange(300) / RATE
    found = LimitCheck([Limit("force", rate=limit)], NAMES, RATE).check(0, values)
    assert len(found) == passes
    if passes:
        assert found[0].value == pytest.approx(slope)
        assert found[0].text("N") == f"force {slope:g} N/s exceeds rate 2.99 N/s at sample {round(RATE_WINDOW * RATE)}"


def test_a_rate_is_taken_over_a_millisecond() -> None:
    """A step of 4 counts is a slope of 4 in a millisecond, for as long as the window sees it: at any rate of samples, down to one."""
    for rate in (500.0, 1e4, 51200.0):
        values = np.zeros((200, 2))
        values[100:, 0] = 4.0
        window = max(1, round(rate * 1e-3))
        (found,) = LimitCheck([Limit("force", rate=3.9 * rate / window)], NAMES, rate).check(0, values)
        assert (found.sample, found.value) == (100, 4.0 * rate / window)
        assert LimitCheck([Limit("force", rate=4.1 * rate / window)], NAMES, rate).check(0, values) == []


def test_nothing_is_known_before_the_first_sample() -> None:
    """A channel that stands at 1000 has not come there within the first millisecond."""
    assert LimitCheck([Limit("force", rate=1.0)], NAMES, RATE).check(0, np.full((100, 2), 1000.0)) == []


def test_of_two_limits_as_severe_the_one_passed_first_comes_first_and_so_do_the_severe() -> None:
    values = np.zeros((40, 2))
    values[10:, 1], values[20:, 0] = 5.0, 5.0
    for first, second in (("stop", "stop"), ("interlock", "stop"), ("stop", "indicate"), ("interlock", "indicate")):
        limits = [Limit("force", maximum=1.0, action=first), Limit("stroke", maximum=1.0, action=second)]
        expected = [("stroke", 10), ("force", 20)] if first == second else [("force", 20), ("stroke", 10)]
        assert [(one.channel, one.sample) for one in LimitCheck(limits, NAMES, RATE).check(0, values)] == expected


def test_of_one_limit_the_bound_that_was_passed_first_is_told() -> None:
    values = np.zeros((100, 2))
    values[50:, 0] = 5.0
    (found,) = LimitCheck([Limit("force", maximum=6.0, minimum=-1.0, rate=1e3)], NAMES, RATE).check(1000, values)
    assert (found.what, found.sample, found.limit) == ("rate", 1050, 1e3)
    values[20:, 0] = -5.0
    (found,) = LimitCheck([Limit("force", maximum=6.0, minimum=-1.0)], NAMES, RATE).check(1000, values)
    assert found.text("N") == "force -5 N falls below minimum -1 N at sample 1020"


def test_an_indication_comes_again_when_it_had_gone() -> None:
    """While it lasts it is told once; an interlock is told in every block."""
    check = LimitCheck([Limit("force", maximum=1.0, action="indicate"), Limit("stroke", maximum=1.0, action="stop")], NAMES, RATE)
    high, low = np.full((10, 2), 3.0), np.zeros((10, 2))
    told = [[one.action for one in check.check(10 * n, block)] for n, block in enumerate((high, high, low, high, high))]
    assert told == [["stop", "indicate"], ["stop"], [], ["stop", "indicate"], ["stop"]]


# -- readings of instruments -------------------------------------------------------------------------------------------------------


def passed(limit: Limit, readings: list[tuple[float, float]], rate: float = 100.0) -> list[tuple[str, int, float]]:
    check = ReadingLimits([limit], rate)
    return [(one.what, one.sample, one.value) for sample, value in readings for one in check.check(sample, value)]


def test_a_reading_on_the_limit_is_allowed_and_one_beyond_is_not() -> None:
    assert passed(Limit("gauge", minimum=-2.0, maximum=2.0), [(0.0, 2.0), (1.0, -2.0)]) == []
    assert passed(Limit("gauge", minimum=-2.0, maximum=2.0), [(3.9, 2.1), (5.0, -2.1)]) == [("maximum", 3, 2.1), ("minimum", 5, -2.1)]
    assert passed(Limit("gauge", maximum=2.0), [(0.0, -9.0)]) == []
    assert passed(Limit("gauge", minimum=2.0), [(0.0, 9.0)]) == []


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_rate_of_readings_is_a_limit_up_and_down(sign: float) -> None:
    """From one to the next, 10 samples apart, at 100 Hz: a tenth of a second."""
    slow, fast = [(0.0, 5.0), (10.0, 5.0 + sign * 0.3)], [(0.0, 5.0), (10.0, 5.0 + sign * 0.31)]
    assert passed(Limit("gauge", rate=3.0 + 1e-9), slow) == []
    ((what, sample, value),) = passed(Limit("gauge", rate=3.0), fast)
    assert (what, sample) == ("rate", 10)
    assert value == pytest.approx(sign * 3.1)
    third = passed(Limit("gauge", rate=3.0), [*fast, (20.0, 5.0 + sign * 0.62)])
    assert [sample for _, sample, _ in third] == [10, 20], "always from the one before"


def test_the_first_reading_has_no_rate_and_two_of_one_sample_have_none() -> None:
    assert passed(Limit("gauge", rate=1e-3), [(5.0, 1e6)]) == []
    assert passed(Limit("gauge", rate=1.0), [(5.0, 0.0), (5.0, 1e6)]) == []
    assert passed(Limit("gauge", rate=1.0), [(0.5, 0.0), (1.0, 1.0)]) == [("rate", 1, 200.0)], "half a sample is a time"
    assert passed(Limit("gauge", rate=200.0), [(0.5, 0.0), (1.0, 1.0)]) == [], "on the limit is allowed"


def test_a_reading_that_is_no_number_passes_every_limit_once() -> None:
    for limit in (Limit("gauge", maximum=1.0), Limit("gauge", minimum=1.0)):
        assert len(passed(limit, [(0.0, float("nan"))])) == 1
    assert [what for what, _, _ in passed(Limit("gauge", maximum=1.0, minimum=-1.0, rate=1.0), [(0.0, float("nan"))])] == ["maximum"]


def test_an_indication_of_readings_is_told_once_and_again_when_it_had_gone() -> None:
    readings = [(0.0, 3.0), (1.0, 3.0), (2.0, 0.0), (3.0, 3.0)]
    assert [sample for _, sample, _ in passed(Limit("gauge", maximum=1.0, action="indicate"), readings)] == [0, 3]
    assert [sample for _, sample, _ in passed(Limit("gauge", maximum=1.0, action="stop"), readings)] == [0, 1, 3]
    two = ReadingLimits([Limit("gauge", maximum=1.0, action="indicate"), Limit("gauge", maximum=2.0, action="stop")], 100.0)
    assert [one.action for one in two.check(0.0, 3.0)] == ["indicate", "stop"]
    assert [one.action for one in two.check(1.0, 3.0)] == ["stop"]
