"""What an encoder's index puts right is told: how many counts, where, at the first and then at each doubling."""

from __future__ import annotations

import numpy as np
import pytest

from rig.checks.index_check import Corrected, IndexCheck
from tests.each_row import each_row
from tests.thorough import some

TURN = 2.0 * np.pi
COUNT = TURN / 4096
INDEX = 0.3 * TURN


def read(turns: float, per_turn: int, lost: dict[int, int], wrong: int = 0, backward: bool = False, ripple: float = 0.0) -> np.ndarray:
    """Angle (n,) as a counter gives it: in counts, `wrong` of them off at the start, put right at each index; `lost` counts in the middle
    of a turn."""
    t = np.arange(round(turns * per_turn)) / per_turn
    true = TURN * (t + ripple * np.sin(TURN * t) / TURN) * (-1.0 if backward else 1.0)
    passes = np.floor((true - INDEX) / TURN)
    off = np.full(len(true), float(wrong))
    since = np.flatnonzero(np.diff(passes)) + 1
    if len(since):
        off[since[0] :] = 0.0
    for turn, counts in lost.items():
        begin = since[turn - 1] + per_turn // 2
        off[begin : since[turn]] -= counts
    return (np.floor(true / COUNT) + off) * COUNT


def checked(angle: np.ndarray, block: int) -> list[Corrected]:
    check = IndexCheck(INDEX, COUNT)
    return [one for n in range(0, len(angle), block) for one in check.check(n, angle[n : n + block])]


@each_row("block", some([1, 7, 100, 10_000], 2))
@each_row("per_turn", [900, 10_000, 200_000])
@each_row("backward", [False, True])
def test_counts_that_were_lost_are_told_once(per_turn: int, block: int, backward: bool) -> None:
    angle = read(4.6, per_turn if block > 1 else 900, {2: 40}, backward=backward)
    (found,) = checked(angle, block)
    assert found.counts == pytest.approx(40, abs=1) and found.in_all == 1
    step = np.diff(angle)
    assert found.sample == int(np.argmax(step - np.median(step))) + 1


@pytest.mark.parametrize("wrong", [0, 500, -900])
@pytest.mark.parametrize("ripple", [0.0, 0.2])
def test_what_the_angle_at_the_start_is_wrong_by_is_not(wrong: int, ripple: float) -> None:
    for per_turn in (600, 10_000):
        assert checked(read(5.4, per_turn, {}, wrong=wrong, ripple=ripple), 100) == []


def test_many_are_told_at_each_doubling() -> None:
    found = checked(read(12.6, 5000, dict.fromkeys(range(1, 10), 12)), 50)
    assert [one.in_all for one in found] == [1, 2, 4, 8]
    assert {one.counts for one in found} <= {11, 12, 13}


def test_a_shaft_that_runs_up_and_turns_back_has_lost_nothing() -> None:
    t = np.arange(50_000) / 10_000
    true = 40.0 * np.sin(2.0 * t) * t
    assert checked(np.floor(true / COUNT) * COUNT, 100) == []


@pytest.mark.parametrize("per_turn", [600, 1500, 25_000])
def test_few_counts_are_told_at_any_speed(per_turn: int) -> None:
    """At 5000 r/min there are 7 counts from one sample at 50 kHz to the next: what is lost is beside them, not beyond them."""
    many = dict.fromkeys(range(1, 30), 4)
    told = checked(read(31.6, per_turn, many), 500)
    assert told[-1].in_all >= 16
    assert checked(read(31.6, per_turn, {}, ripple=0.1), 500) == []
