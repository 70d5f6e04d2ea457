"""The ramp that ends a test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.trajectory.stop import StopRamp

values = st.floats(-1e5, 1e5)


@given(values, values, st.floats(0.01, 5.0), st.floats(-1e6, 1e6), st.none() | st.floats(0.01, 9.0))
def test_from_the_start_to_the_target_within_bounds(
    start: float, target: float, duration: float, start_rate: float, carry: float | None
) -> None:
    ramp = StopRamp(start, target, duration, start_rate, carry)
    t = np.linspace(0.0, duration, 10_001)
    value = ramp.evaluate(t)
    low, high, rate = ramp.bounds()
    tiny = 1e-12 * (abs(low) + abs(high) + 1.0)
    assert value[0] == start
    assert value[-1] == target
    assert ramp.evaluate(np.array([2.0 * duration]))[0] == target
    assert low - tiny <= value.min()
    assert value.max() <= high + tiny
    assert np.abs(np.diff(value)).max() <= rate * t[1] * (1.0 + 1e-6) + 10.0 * tiny


@pytest.mark.parametrize("start_rate", [0.0, 3e4, -3e4])
@pytest.mark.parametrize("carry", [None, 0.05])
def test_takes_the_rate_over_and_ends_at_rest(start_rate: float, carry: float | None) -> None:
    ramp = StopRamp(1e4, 0.0, 0.5, start_rate, carry)
    h = 1e-6
    begin = (ramp.evaluate(np.array([h])) - ramp.evaluate(np.array([0.0])))[0] / h
    end = (ramp.evaluate(np.array([0.5])) - ramp.evaluate(np.array([0.5 - h])))[0] / h
    assert begin == pytest.approx(start_rate, abs=3.0)
    assert end == pytest.approx(0.0, abs=1.0)


def test_without_a_start_rate_it_only_goes_towards_the_target() -> None:
    value = StopRamp(1e4, -2e3, 0.5).evaluate(np.linspace(0.0, 0.5, 1001))
    assert np.all(np.diff(value) <= 0.0)


def test_refuses_no_duration() -> None:
    with pytest.raises(ValueError, match="duration: expected more than 0 s"):
        StopRamp(1.0, 0.0, 0.0)
