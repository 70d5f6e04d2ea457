"""Zeros of the command that forces are looked at after."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison.reversals import reversals, zeros


@given(st.integers(0, 5), st.integers(1, 50), st.floats(-2.0, 2.0))
def test_a_command_that_never_reverses_has_none(before: int, samples: int, value: float) -> None:
    command = np.concatenate([np.zeros(before), np.full(samples, value)])
    found = reversals(command, np.zeros(len(command)), np.ones(len(command), dtype=bool), 1.0, 1e9)
    assert found == []


def held_sine(period: float, at: float, hold: int, cycles: int) -> np.ndarray:
    """A sine that stands still for `hold` samples at that phase (cycles), reached and left by a slewed phase."""
    n = round(cycles * period)
    speed = np.ones(n + hold)
    first = round(at * period)
    speed[first : first + hold] = 0.0
    slewed = np.convolve(np.pad(speed, 10, constant_values=1.0), np.ones(21) / 21.0, "valid")
    return np.sin(2.0 * np.pi * np.concatenate(([0.0], np.cumsum(slewed)[:-1])) / period)


@given(st.floats(50.0, 400.0), st.floats(1.0, 4.0), st.integers(60, 2000))
def test_a_half_cycle_in_which_a_sine_was_held_is_left_out(period: float, at: float, hold: int) -> None:
    """Those before and behind it count: they are as long as they should be."""
    command = held_sine(period, at, hold, 6)
    cycle = np.zeros(len(command))
    plain, held = (zeros(x, cycle[: len(x)], 1.0, period) for x in (held_sine(period, at, 0, 6), command))
    assert len(plain) - 2 <= len(held) < len(plain), "one, or two where it was slowed down across a zero"
    each = zeros(command, cycle, 1.0, None)
    usual = each["zero"][:-1][np.diff(each["zero"]) < 0.511 * period]
    assert np.isin(np.round(held["zero"][:-1], 6), np.round(usual, 6)).all()


def test_a_command_of_another_shape_goes_by_its_own_half_cycles() -> None:
    command = held_sine(100.0, 2.25, 500, 6)
    assert len(zeros(command, np.zeros(len(command)), 1.0, None)) == len(zeros(command, np.zeros(len(command)), 1.0, 100.0)) + 1
