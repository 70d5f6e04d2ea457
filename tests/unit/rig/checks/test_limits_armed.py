"""When a limit is armed: by samples in a row, state, phase, and from when its channel has a value; ends of a converter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.limits import SEVERITY, Debounce, LimitCheck, Moment
from rig.config.experiment import ACTIONS, Limit

RATE = 10_000.0


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 5), st.integers(1, 60))
def test_a_debounce_counts_samples_in_a_row_over_the_borders_of_blocks(outside: list[bool], count: int, size: int) -> None:
    expected, run = [], 0
    for one in outside:
        run = run + 1 if one else 0
        expected.append(run >= count)
    made, given_ = Debounce(count), np.array(outside)
    found = np.concatenate([made.hits(given_[first : first + size]) for first in range(0, len(outside), size)])
    assert found.tolist() == expected


def test_a_spike_that_is_shorter_than_the_debounce_passes_nothing() -> None:
    spike = np.zeros((100, 1))
    spike[50:53] = 5.0
    assert LimitCheck([Limit("force", maximum=4.0, debounce=4)], ["force"], RATE).check(0, spike) == []
    (found,) = LimitCheck([Limit("force", maximum=4.0, debounce=3)], ["force"], RATE).check(0, spike)
    assert found.sample == 52


def test_a_limit_is_armed_in_its_states_only() -> None:
    limit = Limit("force", maximum=4.0, states=("running", "hold"))
    high = np.full((10, 1), 5.0)
    check = LimitCheck([limit], ["force"], RATE)
    assert check.check(0, high, Moment("starting")) == [] and check.check(10, high, Moment("stopping")) == []
    assert check.check(20, high, Moment("hold"))[0].sample == 20


@pytest.mark.parametrize(("begin", "end"), [(0.5, 2.0), (6.0, 0.5)])
def test_a_limit_is_armed_in_its_part_of_the_cycle_only(begin: float, end: float) -> None:
    phase = np.linspace(0.0, 4.0 * math.pi, 2001)
    moment = Moment("running", phase % (2.0 * math.pi))
    limit = Limit("force", maximum=4.0, phase_from=begin, phase_to=end)
    armed = moment.armed(limit, 0, len(phase))
    turned = phase % (2.0 * math.pi)
    assert np.array_equal(armed, (turned >= begin) & (turned <= end) if begin < end else (turned >= begin) | (turned <= end))
    assert LimitCheck([limit], ["force"], RATE).check(0, np.full((5, 1), 9.0)) == [], "before the test there is no phase"


def test_a_channel_without_a_value_yet_is_not_outside_and_a_nan_later_is() -> None:
    values = np.full((100, 1), math.nan)
    values[60:] = 1.0
    limits = [Limit("mean", maximum=4.0, rate=1e6)]
    assert LimitCheck(limits, ["mean"], RATE).check(0, values, Moment("running", None, {"mean": 60})) == []
    assert LimitCheck(limits, ["mean"], RATE).check(0, values, Moment("running", None, {"mean": None})) == []
    values[80] = math.nan
    (found,) = LimitCheck(limits, ["mean"], RATE).check(0, values, Moment("running", None, {"mean": 60}))
    assert found.sample == 80 and math.isnan(found.value)


@pytest.mark.parametrize(("value", "limit", "outside"), [
    (9.995, Limit("x", maximum=20.0), True), (-9.995, Limit("x", minimum=-20.0), True), (9.995, Limit("x", minimum=-20.0), False),
    (9.9, Limit("x", maximum=20.0), False),
])  # fmt: skip
def test_an_end_of_the_range_is_inside_no_limit_beyond_it(value: float, limit: Limit, outside: bool) -> None:
    found = LimitCheck([limit], ["x"], RATE, {"x": (-10.0, 10.0)}).check(0, np.full((4, 1), value))
    assert bool(found) == outside
    assert not outside or "end of its range" in found[0].text("N")


def test_actions_in_the_order_of_their_severity() -> None:
    assert sorted(ACTIONS, key=SEVERITY.__getitem__) == list(ACTIONS)
    limits = [Limit("x", maximum=1.0, action=action) for action in ACTIONS]
    found = LimitCheck(limits, ["x"], RATE).check(0, np.full((4, 1), 2.0))
    assert [one.action for one in found] == list(reversed(ACTIONS[1:])), "none is not looked at"
