"""Pulses of a pickup that are missing beside an encoder: how many, where, told once and then at each doubling."""

from __future__ import annotations

import numpy as np
import pytest

from rig.missing_pulses import Missing, PulseCheck

TURN = 2.0 * np.pi
PER_TURN = 1000


def turned(turns: float, backward: bool = False) -> np.ndarray:
    return (-1.0 if backward else 1.0) * np.arange(round(turns * PER_TURN)) * TURN / PER_TURN


def counted(there: list[int], count: int, at: float = 0.3) -> np.ndarray:
    """Pulses at `at` of the turns that are `there`."""
    return np.searchsorted((np.array(there) + at) * PER_TURN, np.arange(count), side="right").astype(float)


def checked(pulses: np.ndarray, angle: np.ndarray, block: int = 137, pitch: float = TURN) -> list[Missing]:
    check = PulseCheck(pitch)
    return [one for n in range(0, len(pulses), block) for one in check.check(n, pulses[n : n + block], angle[n : n + block])]


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("block", [1, 137, 100_000])
def test_a_missing_pulse_is_told_where_the_next_one_comes(backward: bool, block: int) -> None:
    angle = turned(8, backward)
    assert checked(counted([0, 1, 2, 4, 5, 6, 7], len(angle)), angle, block) == [Missing(4300, 1, 4)]


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
