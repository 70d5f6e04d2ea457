"""When samples are taken, from blocks that come late by what a busy computer needs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.workers.bench.sample_times import MEMORY, PIECES, STOOD, WHILE, SampleTimes
from tests.thorough import times

RATE, BLOCK = 10_000.0, 100
BEGIN = 1234.5  # s, of sample 0
SECOND = round(RATE / BLOCK)  # blocks


def after(late: list[float], pace: float = 1.0, waited: bool = True, times: SampleTimes | None = None, first: int = 1) -> SampleTimes:
    """So many blocks of a device whose clock goes `pace` times as fast as this computer's, each late by so much (s)."""
    times = times or SampleTimes(RATE)
    for n, delay in enumerate(late, start=first):
        times.took(n * BLOCK, BEGIN + n * BLOCK / RATE / pace + delay, waited)
    return times


def off(times: SampleTimes, sample: int = 5000) -> float:
    """By how much (s) the time of a sample is too late."""
    found = times.instant(sample)
    assert found is not None
    return found - (BEGIN + sample / RATE)


def test_nothing_is_known_before_the_first_block() -> None:
    assert SampleTimes(RATE).instant(0) is None


@given(st.lists(st.floats(0.0, 0.1), min_size=1, max_size=250), st.integers(0, 500))
def test_times_do_not_move_by_blocks_that_were_there_already(late: list[float], seed: int) -> None:
    """A second and more in which the computer is behind, and late alike: setpoints that went by it would be 28 ms late."""
    good = list(np.random.default_rng(seed).uniform(0.0, 0.5e-3, 20))
    found = after([*late, *[0.028] * 20], waited=False, times=after(good), first=21)
    assert 0.0 <= off(found) <= min(good) + 1e-9


@given(st.lists(st.floats(0.0, 0.1), min_size=1, max_size=200), st.integers(0, 500))
def test_times_do_not_move_as_long_as_a_block_now_and_then_comes_in_time(late: list[float], seed: int) -> None:
    """One in nine: all others, waited for as they may be, are late by what the computer was busy with."""
    dice = np.random.default_rng(seed)
    good = list(dice.uniform(0.0, 0.5e-3, 20))
    mixed = [delay if n % 9 else float(dice.uniform(0.0, 0.5e-3)) for n, delay in enumerate(late)]
    assert 0.0 <= off(after([*good, *mixed])) <= min(good) + 1e-9


@settings(max_examples=times(8))
@given(st.floats(-50e-6, 50e-6))
def test_a_clock_of_its_own_is_followed(skew: float) -> None:
    """To within what it gains on this computer's in the time that is looked back on."""
    found = after([0.2e-3] * 60 * SECOND, 1.0 + skew).instant(600_000)
    assert found is not None
    assert abs(found - (BEGIN + 60.0 / (1.0 + skew) + 0.2e-3)) <= MEMORY * abs(skew) + 1e-9


@given(st.floats(STOOD + 1e-6, 0.2), st.integers(1, 1000))
def test_a_device_that_stood_still_is_followed_at_once(slip: float, before: int) -> None:
    blocks = round(WHILE * RATE / BLOCK) + 1
    assert off(after([1e-3] * before + [1e-3 + slip] * blocks)) == pytest.approx(1e-3 + slip, abs=1e-9)
    assert off(after([1e-3] * before + [1e-3 + slip] * (blocks - 1))) == pytest.approx(1e-3, abs=1e-9), "one block fewer is no while"


@given(st.floats(0.0, STOOD - 1e-6))
def test_a_little_is_followed_as_soon_as_what_was_before_is_forgotten(slip: float) -> None:
    blocks = round((MEMORY + 2 * MEMORY / PIECES) * RATE / BLOCK)
    assert off(after([1e-3] * 50 + [1e-3 + slip] * blocks)) == pytest.approx(1e-3 + slip, abs=1e-9)
    assert off(after([1e-3] * 50 + [1e-3 + slip] * SECOND)) == pytest.approx(1e-3, abs=1e-9)


def test_a_busy_computer_taken_for_a_device_that_stood_still_is_put_right_by_the_next_block_in_time() -> None:
    busy = after([1e-3] * 50 + [0.03] * 20)
    assert off(busy) == pytest.approx(0.03)
    assert off(after([1e-3], times=busy, first=71)) == pytest.approx(1e-3)


# -- looking back ------------------------------------------------------------------------------------------------------------------------


@settings(max_examples=times(8))
@given(st.floats(-50e-6, 50e-6), st.integers(0, 500))
def test_who_looks_back_sees_no_drift_but_that_of_the_clocks(skew: float, seed: int) -> None:
    """A minute of blocks, each late by up to 4 ms: slope of sample against time to 3 ppm."""
    times = after(list(np.random.default_rng(seed).uniform(0.2e-3, 4e-3, 60 * SECOND)), 1.0 + skew)
    moments = BEGIN + np.linspace(1.0, 59.0, 500)
    slope = np.polyfit(moments - BEGIN, times.samples_at(moments) / RATE, 1)[0]
    assert slope - 1.0 == pytest.approx(skew, abs=3e-6)


@settings(max_examples=times(8))
@given(st.lists(st.floats(0.5, 59.0), min_size=1, max_size=20, unique=True), st.floats(1e-3, 0.05), st.integers(0, 500))
def test_who_looks_back_knows_when_it_stood_still(slips: list[float], each: float, seed: int) -> None:
    """Small slips too, which nobody could be sure of at the time."""
    dice = np.random.default_rng(seed)
    times, stood = SampleTimes(RATE), 0.0
    ends, delays = [], []
    for n in range(1, 60 * SECOND + 1):
        stood = each * sum(n * BLOCK / RATE > slip for slip in slips)
        delays.append(stood)
        ends.append(BEGIN + n * BLOCK / RATE + stood)
        times.took(n * BLOCK, ends[-1] + float(dice.uniform(0.1e-3, 0.6e-3)))
    wrong = np.abs(times.samples_at(np.array(ends)) - BLOCK * np.arange(1, 60 * SECOND + 1)) / RATE
    far = np.min(np.abs(np.arange(1, 60 * SECOND + 1)[:, None] * BLOCK / RATE - np.array(slips)), axis=1) > 2 * MEMORY / PIECES
    assert np.max(wrong[far], initial=0.0) < 0.7e-3
    assert np.max(wrong) < each * len(slips) + 1e-3


def test_a_quiet_week_is_kept_in_little() -> None:
    """As nothing changes but the last digit, it is a handful of pieces."""
    times = after([1e-3] * 600 * SECOND)
    assert len(times._ends) < 10
