"""Zeros of a command worked out by hand: where, which way, how long and large the half cycle behind each is, and which of them count."""

import numpy as np
import pytest

from rig.comparison.reversals import NO_COMMAND, Inside, Reversal, reversals, within, zeros

AMPLITUDE = 4.0
# Rest, up, down through a zero between samples 5 and 6, rest of two samples at 0, up again, rest.
COMMAND = np.array([0.0, 0.0, 1.0, 4.0, 2.0, 1.0, -3.0, -2.0, 0.0, 0.0, 2.0, 3.0, 0.0])
CYCLE = np.array([-1.0, -1.0, 0.0, 0.0, 0.0, 0.5, 0.9, 1.0, 1.0, 1.0, 2.0, 2.0, -1.0])


def rows(command=COMMAND, cycle=CYCLE, period=None, length=1 << 16):
    return zeros(command, cycle, AMPLITUDE, period, length)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 1 << 16])
def test_zeros_of_a_command_that_rests_and_crosses(length):
    """From rest the zero is the last sample at rest; through zero it is where the line crosses; the last half cycle ends with the load."""
    found = rows(length=length)
    assert found["zero"].tolist() == [1.0, 5.25, 9.0]
    assert found["sign"].tolist() == [1, -1, 1]
    assert found["period"].tolist() == [2.0 * 4.25, 2.0 * 3.75, 2.0 * (12.0 - 9.0)]
    assert found["amplitude"].tolist() == [4.0, 3.0, 3.0]
    assert found["cycle"].tolist() == [0, 0, 2]


def test_of_a_pure_sine_period_and_amplitude_are_those_of_the_wave():
    found = rows(period=8.5)
    assert found["zero"].tolist() == [1.0, 5.25, 9.0]
    assert found["period"].tolist() == [8.5] * 3
    assert found["amplitude"].tolist() == [AMPLITUDE] * 3


@pytest.mark.parametrize(("share", "there"), [(1.0, 0), (2.0, 1)])
def test_what_is_no_larger_than_rounding_is_rest(share, there):
    command = np.array([0.0, 0.0, share * NO_COMMAND * AMPLITUDE, 0.0])
    assert len(rows(command, np.zeros(4))) == there


def test_a_command_that_is_loaded_from_its_first_sample_on_has_no_zero_there():
    found = rows(np.array([2.0, 1.0, -1.0, -1.0]), np.zeros(4))
    assert found["zero"].tolist() == [1.5]
    assert found["sign"].tolist() == [-1]


def test_rounding_at_a_zero_is_no_second_one():
    """sin(2 pi k) is some 1e-16, of either sign."""
    found = rows(np.array([0.0, 4.0, -1e-12, 4.0, 1e-12, -4.0, 0.0]), np.zeros(7))
    assert found["sign"].tolist() == [1, -1]
    assert found["zero"].tolist() == pytest.approx([0.0, 4.0])


def test_a_cycle_that_is_missing_is_none():
    found = rows(cycle=np.full(len(COMMAND), np.nan))
    assert found["cycle"].tolist() == [-1, -1, -1]


def test_a_window_holds_every_sample_from_the_zero_on_for_its_share():
    assert Reversal(5.25, 1, 8.0, 1.0, 0).window(0.25) == slice(6, 8)
    assert Reversal(5.0, 1, 8.0, 1.0, 0).window(0.25) == slice(5, 8)
    assert Reversal(5.25, 1, 8.0, 1.0, 0).window(3.0 / 8.0) == slice(6, 9)


@pytest.mark.parametrize("length", [1, 4, 100])
def test_a_reversal_counts_where_its_first_three_eighths_do(length):
    """Periods of 16 samples: the windows are 1 .. 7, 5.25 -> 6 .. 11, 9 .. 15."""
    found = rows(period=16.0)
    wanted = {0: [True, True, True], 1: [False, True, True], 7: [False, False, True], 8: [True, False, True],
              9: [True, False, False], 11: [True, False, False], 12: [True, True, False], 15: [True, True, False],
              16: [True, True, True]}  # fmt: skip
    for missing, expected in wanted.items():
        kept = np.ones(20, dtype=bool)
        kept[missing] = False
        inside = Inside(found, 20)
        for first in range(0, 20, length):
            inside.add(first, kept[first : first + length])
        assert inside.flags.tolist() == expected, missing
        assert len(within(found, kept)) == sum(expected)


def test_a_window_beyond_the_end_does_not_count():
    found = rows(period=16.0)
    assert Inside(found, 16).flags.tolist() == [True, True, True]
    assert Inside(found, 15).flags.tolist() == [True, True, False]
    assert [one.zero for one in reversals(COMMAND, CYCLE, np.ones(len(COMMAND), dtype=bool), AMPLITUDE, 16.0)] == [1.0, 5.25]
