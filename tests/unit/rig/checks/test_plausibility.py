"""Noise that is gone, an answer that changes from one cycle to the next, forces at both ends that are not one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.checks.answers import AnswerCheck
from rig.checks.force_pair import ForcePairCheck
from rig.checks.noise_floor import GONE, NoiseFloorCheck
from tests.each_row import each_row
from tests.tiers import quick

RATE, PERIOD, CYCLES = 10_000.0, 1000, 30
N = np.arange(CYCLES * PERIOD)
PHASE = 2.0 * np.pi * N / PERIOD
CYCLE = (N // PERIOD).astype(np.float64)


def noise(seed: int, rms: float = 1.0) -> np.ndarray:
    return rms * np.random.default_rng(seed).standard_normal(len(N))


def silent(x: np.ndarray, share: float = 0.5) -> list[int]:
    check = NoiseFloorCheck([0], share, RATE)
    return [one.sample for first in range(0, len(N), 100) for one in check.check(first, x[first : first + 100, None])]


def test_noise_that_is_gone_is_told_within_its_bound() -> None:
    x = 50.0 * np.sin(PHASE) + noise(1)
    assert silent(x) == []
    for last, floor in ((x[7777], 0.0), (0.0, 0.0), (0.0, 0.3)):
        dead = np.where(N >= 7777, last + noise(2, floor), x)
        (found,) = silent(dead)
        assert 7777 <= found <= 7777 + 100
    dead[7777 + round(GONE * RATE) - 100 :] = noise(3)[7777 + round(GONE * RATE) - 100 :]
    assert silent(dead) == [], "it came back in time"


def test_of_a_converter_that_shows_no_noise_nothing_is_told() -> None:
    steps = np.round(20.0 * np.sin(PHASE / 40.0))
    assert silent(np.where(N >= 7777, 0.0, steps)) == []


def answers(x: np.ndarray, command: np.ndarray | None = None, share: float = 0.25, size: int = 130) -> list[int]:
    command = 10.0 * np.sin(PHASE) if command is None else command
    check = AnswerCheck([0], share)
    parts = [slice(first, first + size) for first in range(0, len(N), size)]
    return [one.sample for p in parts for one in check.check(command[p], PHASE[p], CYCLE[p], x[p, None])]


@each_row("rms", [0.05, 0.2, 0.4, 0.7, 1.0, 3.0])
@each_row("rest", [0.0, 0.5])
def test_wherever_a_signal_stands_between_two_steps_of_its_converter_nothing_is_told(rms: float, rest: float) -> None:
    """Rest in the middle of a step, or at the border of two, and then the other way round."""
    level = np.where(N < 10_000, rest, 0.5 - rest)
    assert silent(np.round(level + noise(4, rms))) == []


FAULTS = {
    "stuck": lambda x: 0.0 * x, "span of 3": lambda x: 3.0 * x, "sign": lambda x: -x, "later": lambda x: np.roll(x, 60),
}  # fmt: skip


@each_row("fault", FAULTS)
@each_row("where", [10_001, 10_400, 10_999])
def test_another_answer_is_told_within_two_cycles(fault: str, where: int) -> None:
    x = 8.0 * np.sin(PHASE - 0.4) + noise(1, 0.3)
    (found,) = answers(np.where(where <= N, FAULTS[fault](x), x))
    assert where < found <= where + 2 * PERIOD


def test_what_is_slow_or_asked_for_is_followed() -> None:
    assert answers(8.0 * np.sin(PHASE - 0.4) * (1.0 + N / len(N)) + noise(1, 0.3), share=0.8) == []  # twice within 30 cycles
    command = np.where(N < 12_500, 10.0, 20.0) * np.sin(PHASE)
    x = np.where(N < 12_500, 8.0, 12.0) * np.sin(PHASE - 0.4)  # play: half of it more, for twice the command
    assert answers(x, command) == []
    assert answers(x) != [], "the control: the same without anybody asking for it"


def test_a_channel_that_answers_unsteadily_is_not_watched() -> None:
    assert answers(noise(1)) == [] and answers(np.zeros(len(N))) == []
    assert answers(np.where(N < 9000, np.sin(PHASE), math.nan)) == []


@each_row("seed", range(20))
def test_a_channel_whose_answer_scatters_is_not_doubted_for_its_scatter(seed: int) -> None:
    """Impacts that come as they like: amplitude and phase of each cycle by lot, the first three alike by chance. A stuck valve is seen."""
    dice = np.random.default_rng(seed)
    gain, late = (np.repeat(np.concatenate([np.zeros(3), dice.normal(scale=0.07, size=CYCLES - 3)]), PERIOD) for _ in range(2))
    x = 8.0 * (1.0 + gain) * np.sin(PHASE - 0.4 - late)
    assert answers(x) == []
    (found,) = answers(np.where(N >= 20_400, 0.0, x))
    assert 20_400 < found <= 20_400 + 2 * PERIOD


@pytest.mark.parametrize("seed", quick(range(5), 1))
def test_long_tails_are_known_by_the_largest_seen_so_far_and_hide_no_stuck_valve(seed: int) -> None:
    """Differences of 0.04 rms with one of 0.2 now and then; one of 0.28 is no fault after these, and is one without them (the control).
    However large they were, a valve that sticks is told, and so is half of the answer."""
    dice, cycles = np.random.default_rng(seed), 600
    n = np.arange(cycles * 100)
    phase, cycle = 2.0 * np.pi * n / 100, (n // 100).astype(np.float64)
    gain = np.clip(dice.normal(scale=0.04, size=cycles), -0.1, 0.1)
    gain[:3] = 0.0
    tailed = gain.copy()
    tailed[50::90] = 0.2
    command = 10.0 * np.sin(phase)

    def told(its: np.ndarray, fault: float = 1.0) -> list[int]:
        x = 8.0 * np.repeat(1.0 + its, 100) * np.where(n < 55_050, 1.0, fault) * np.sin(phase - 0.4)
        check = AnswerCheck([0], 0.25)
        return [
            one.sample
            for k in range(0, len(n), 130)
            for one in check.check(*(a[k : k + 130] for a in (command, phase, cycle)), x[k : k + 130, None])
        ]

    for its in (gain, tailed):
        assert told(its) == []
        for fault in (0.0, 0.45):
            (found,) = told(its, fault)
            assert 55_050 < found <= 55_250
    gain[580] = tailed[580] = 0.28
    assert told(tailed) == [] and told(gain) == [58_100]


def test_a_hold_is_no_change() -> None:
    held = np.clip(N, None, 12_345) + np.maximum(N - 16_345, 0)
    phase, cycle = 2.0 * np.pi * held / PERIOD, (held // PERIOD).astype(np.float64)
    check = AnswerCheck([0], 0.05)
    x, command = 8.0 * np.sin(phase - 0.4), 10.0 * np.sin(phase)
    assert check.check(command, phase, cycle, x[:, None]) == []


def test_forces_at_both_ends() -> None:
    force = 50e3 * np.sin(PHASE)
    impact = np.where(N % PERIOD == 300, 40e3, 0.0)

    def apart(cell: np.ndarray) -> list[int]:
        check = ForcePairCheck(5e3, RATE)
        return [
            one.sample
            for first in range(0, len(N), 100)
            for one in check.check(first, cell[first : first + 100], force[first : first + 100])
        ]

    assert apart(force + impact) == [] and apart(1.15 * force - 600.0) == []
    (found,) = apart(np.where(N >= 10_000, 0.0, force))
    assert 10_000 < found < 10_200, "in the window in which 6.25 kN are passed"
    assert apart(np.where(N >= 10_000, math.nan, force)) == [10_199]
