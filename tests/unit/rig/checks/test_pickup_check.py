"""Pulses of a pickup that are missing beside an encoder, or too many: how many, where, told once and then at each doubling."""

from __future__ import annotations

import numpy as np
import pytest

from rig.checks.pickup_check import EXTRA, MISSING, PickupCheck, Wrong
from tests.each_row import each_row

TURN = 2.0 * np.pi
PER_TURN = 1000


def turned(turns: float, backward: bool = False) -> np.ndarray:
    return (-1.0 if backward else 1.0) * np.arange(round(turns * PER_TURN)) * TURN / PER_TURN


def passed(times: list[float], count: int) -> np.ndarray:
    """Pulses at `times` (turns) of a shaft that turns steadily."""
    return np.searchsorted(np.array(times) * PER_TURN, np.arange(count), side="right").astype(float)


def counted(there: list[int], count: int, at: float = 0.3) -> np.ndarray:
    """Pulses at `at` of the turns that are `there`."""
    return np.searchsorted((np.array(there) + at) * PER_TURN, np.arange(count), side="right").astype(float)


def checked(pulses: np.ndarray, angle: np.ndarray, block: int = 137, pitch: float = TURN) -> list[Wrong]:
    check = PickupCheck(pitch)
    return [one for n in range(0, len(pulses), block) for one in check.check(n, pulses[n : n + block], angle[n : n + block])]


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("block", [1, 137, 100_000])
def test_a_missing_pulse_is_told_where_the_next_one_comes(backward: bool, block: int) -> None:
    angle = turned(8, backward)
    assert checked(counted([0, 1, 2, 4, 5, 6, 7], len(angle)), angle, block) == [Wrong(4300, MISSING, 1, 4)]


def test_none_missing_none_told_with_jitter_and_however_many_pulses_a_turn_has() -> None:
    angle = turned(9)
    rng = np.random.default_rng(1)
    for pulses in (1, 4):
        times = (np.arange(9 * pulses) + 0.3) * PER_TURN / pulses + rng.uniform(-20, 20, 9 * pulses)
        assert checked(np.searchsorted(times, np.arange(len(angle))).astype(float), angle, pitch=TURN / pulses) == []


def test_one_in_three_missing_is_told_at_each_doubling() -> None:
    angle = turned(30)
    found = checked(counted([n for n in range(30) if n % 3 != 2], len(angle)), angle)
    assert [one.in_all for one in found] == [1, 2, 4, 8]
    assert [one.expected for one in found] == [3, 6, 12, 24]


def test_a_shaft_that_stands_tells_nothing() -> None:
    assert checked(np.zeros(500), np.zeros(500)) == []


@each_row("backward", [False, True])
@each_row("block", [1, 137, 100_000])
@each_row("later", [0.0, 0.002, 0.4])
def test_a_pulse_too_many_is_told_where_it_comes_and_none_is_missing_after_it(backward: bool, block: int, later: float) -> None:
    angle = turned(8, backward)
    pulses = passed(sorted([*(np.arange(8) + 0.3), 3.3 + later]), len(angle))
    assert checked(pulses, angle, block) == [Wrong(3300 + round(later * PER_TURN), EXTRA, 1, 3)]


def test_every_pulse_doubled_is_told_at_each_doubling() -> None:
    angle = turned(20)
    found = checked(passed(sorted([*(np.arange(20) + 0.3), *(np.arange(20) + 0.303)]), len(angle)), angle)
    assert [(one.kind, one.in_all, one.expected) for one in found] == [(EXTRA, n, n - 1) for n in (1, 2, 4, 8, 16)]


def test_a_shaft_that_turns_back_over_the_tooth_gives_no_pulse_too_many() -> None:
    there = turned(2)
    back = there[-1] - turned(2)
    angle = np.concatenate([there, back])
    # Up at 0.3 of a turn on the way there, and at the tooth's other flank, 0.31, on the way back.
    rises = [*(np.arange(2) + 0.3), *(4.0 - np.array([1.31, 0.31]))]
    assert checked(passed(rises, len(angle)), angle) == []


def test_one_that_swings_over_the_tooth_gives_none_too_many_and_one_that_trembles_at_it_does() -> None:
    swing = 0.1 * np.sin(TURN * np.arange(3000) / 1000)
    pulses = np.cumsum((np.diff(np.floor(swing / TURN), prepend=np.nan) != 0.0) & (np.arange(3000) > 0)).astype(float)
    assert pulses[-1] > 3.0
    assert {one.kind for one in checked(pulses, 10.0 * swing)} == set()
    assert {one.kind for one in checked(pulses, 0.01 * swing)} == {EXTRA}
