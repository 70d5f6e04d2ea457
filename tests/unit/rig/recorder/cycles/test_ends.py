"""Whether a cycle was run to its end, of commands whose cycles end at times that are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.recorder.cycles.course import Course
from rig.recorder.cycles.ends import TURN
from tests.each_row import each_row

LONG = 1e12
"""Samples that are kept in mind."""


def command(count: int, lead: float, length: float) -> tuple[np.ndarray, np.ndarray]:
    """(cycle, phase) of samples 0 .. : cycles of `length` samples, the first one of which begins at sample `lead`, neither a whole number;
    before it the phase goes as fast."""
    turned = (np.arange(count) - lead) / length
    return np.where(turned < 0.0, -1.0, np.floor(turned)), TURN * turned


def stopped(count: int, lead: float, length: float, ramp: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Stopped behind `count` samples: nothing is counted any more, and the phase stands."""
    cycle, phase = command(count, lead, length)
    return np.append(cycle, np.full(ramp, -1.0)), np.append(phase, np.full(ramp, phase[-1]))


def soft(cycles: int, lead: float, length: float, stop: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """So many cycles, and a soft stop."""
    cycle, phase = command(math.ceil(lead + cycles * length) + stop, lead, length)
    return np.where(cycle >= cycles, -1.0, cycle), phase


def learned(cycle: np.ndarray, phase: np.ndarray, block: int = 97) -> Course:
    found = Course()
    for first in range(0, len(cycle), block):
        found.learn(first, cycle[first : first + block], LONG, phase[first : first + block])
    return found


def rows(cycle: np.ndarray) -> list[tuple[int, int]]:
    """(first sample, count) of each counted cycle."""
    return [(int(np.flatnonzero(cycle == k)[0]), int(np.sum(cycle == k))) for k in np.unique(cycle[cycle >= 0.0])]


def whole(cycle: np.ndarray, phase: np.ndarray, block: int = 97) -> list[bool]:
    found = learned(cycle, phase, block)
    return [found.ends.whole(*row) for row in rows(cycle)]


@each_row("seed", range(200))
def test_the_cycle_in_which_a_test_was_stopped(seed: int) -> None:
    dice = np.random.default_rng(seed)
    lead, length = dice.uniform(3.0, 90.0), dice.uniform(20.0, 300.0)
    count = int(dice.integers(math.ceil(lead) + 2, math.ceil(lead + 7.0 * length)))
    cycle, phase = stopped(count, lead, length)
    ends = [lead + (k + 1.0) * length for k in range(len(rows(cycle)))]  # where the next one begins
    due = [end <= count for end in ends]
    found = whole(cycle, phase, int(dice.integers(1, 400)))
    assert found[:-1] == due[:-1]
    doubt = abs(ends[-1] - count) < 1.0  # not a sample of the cycle is missing, or less than one
    assert found[-1] == due[-1] or (doubt and not found[-1])


@each_row("seed", range(200))
def test_a_soft_stop_leaves_all_of_them_whole(seed: int) -> None:
    dice = np.random.default_rng(seed)
    cycles = int(dice.integers(1, 8))
    found = whole(*soft(cycles, dice.uniform(3.0, 90.0), dice.uniform(20.0, 300.0)), int(dice.integers(1, 400)))
    assert found == [True] * cycles


@pytest.mark.parametrize("length", [250.0, 1000.0 / 3.0, 142.857, 40.1])
def test_the_end_of_a_trajectory_is_told_to_the_sample(length: float) -> None:
    """Without anything behind it, its first cycle beginning at a sample."""
    for cycles in (1, 2, 7):
        last = math.ceil(50 + cycles * length - 1e-6)  # the first sample of the next cycle
        assert whole(*command(last, 50.0, length))[-1]
        assert not whole(*command(last - 1, 50.0, length))[-1]
        assert not whole(*stopped(last - 1, 50.0, length))[-1]


def test_a_hold_in_the_last_cycle_does_not_cut_it() -> None:
    for at in (300, 349):  # in its middle, and at its last sample
        cycle, phase = soft(3, 50.0, 100.0)
        held = np.insert(cycle, at, np.full(500, cycle[at])), np.insert(phase, at, np.full(500, phase[at]))
        assert whole(*held) == [True] * 3
        cut = held[0].copy(), held[1].copy()
        cut[0][at + 250 :], cut[1][at + 250 :] = -1.0, phase[at]
        assert whole(*cut) == [True, True, False], "a control: it was stopped while it was held"


def test_what_was_lost_cuts_the_cycles_on_both_sides() -> None:
    cycle, phase = soft(6, 50.0, 100.0)
    found = Course()
    for first, end in ((0, 340), (360, len(cycle))):  # the third one ends at 350
        found.learn(first, cycle[first:end], LONG, phase[first:end])
    kept = [(50, 100), (150, 100), (250, 90), (360, 90), (450, 100), (550, 100)]
    assert [found.ends.whole(*row) for row in kept] == [True, True, False, False, True, True]


def test_a_slow_cycle_is_not_forgotten_before_it_has_ended() -> None:
    """Of a test whose cycle is longer than what is kept in mind."""
    cycle, phase = soft(3, 50.0, 1000.0)
    found = Course()
    for first in range(0, len(cycle), 50):
        found.learn(first, cycle[first : first + 50], 200.0, phase[first : first + 50])
        if first == 1100:
            assert found.ends.whole(50, 1000)
    assert not found.ends.whole(50, 1000), "a control: long ago"
    assert found.ends.whole(2050, 1000)
