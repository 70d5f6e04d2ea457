"""When samples are taken, from blocks that come late by what a busy computer needs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.workers.sample_times import BY_HAND, HARDWARE, PIECES, SampleTimes

RATE, BLOCK = 10_000.0, 100
BEGIN = 1234.5  # s, of sample 0


def after(late: list[float], memory: float = math.inf, pace: float = 1.0) -> SampleTimes:
    """So many blocks of a device whose clock goes `pace` times as fast as this computer's, each late by so much (s)."""
    times = SampleTimes(RATE, memory)
    for n, delay in enumerate(late, start=1):
        times.took(n * BLOCK, BEGIN + n * BLOCK / RATE / pace + delay)
    return times


@pytest.mark.parametrize("memory", [math.inf, HARDWARE, BY_HAND])
def test_nothing_is_known_before_the_first_block(memory: float) -> None:
    assert SampleTimes(RATE, memory).of(0) is None


@pytest.mark.parametrize("memory", [math.inf, HARDWARE])
@given(st.lists(st.floats(0.0, 0.1), min_size=1, max_size=250), st.integers(0, 500))
def test_times_never_jump_back_by_blocks_that_come_late(memory: float, late: list[float], seed: int) -> None:
    """A second and more in which every block is late, and late alike: setpoints that went by it would be 28 ms late."""
    dice = np.random.default_rng(seed)
    good, even = list(dice.uniform(0.0, 0.5e-3, 20)), [0.028] * 20
    found = after([*good, *late, *even], memory).of(5000)
    assert found is not None
    assert 0.0 <= found - (BEGIN + 0.5) <= min(good) + 1e-9


@given(st.floats(-50e-6, 50e-6))
def test_a_clock_of_its_own_is_followed(skew: float) -> None:
    """To within what it gains on this computer's in the time that is looked back on."""
    found = after([0.2e-3] * 6000, HARDWARE, 1.0 + skew).of(600_000)
    assert found is not None
    assert abs(found - (BEGIN + 60.0 / (1.0 + skew) + 0.2e-3)) <= HARDWARE * abs(skew) + 1e-9


@given(st.floats(0.0, 0.2), st.integers(0, 100))
def test_one_that_stood_still_unseen_is_followed_as_soon_as_what_was_before_is_forgotten(slip: float, before: int) -> None:
    blocks = round(BY_HAND * RATE / BLOCK)
    found = after([1e-3] * before + [1e-3 + slip] * blocks, BY_HAND).of(4000)
    assert found is not None
    assert abs(found - (BEGIN + 0.4 + slip + 1e-3)) < 1e-9


@given(st.integers(1, 3000), st.floats(BY_HAND, HARDWARE))
def test_it_looks_back_that_far_and_not_much_further(block: int, memory: float) -> None:
    """One block came in time: it counts for as long as `memory`, whatever the blocks are."""
    times, n = SampleTimes(RATE, memory), block
    times.took(n, BEGIN + n / RATE)
    whole = math.ceil(memory * RATE / PIECES / block) * block * PIECES  # pieces are of whole blocks
    while n + block < whole + block:
        n += block
        times.took(n, BEGIN + n / RATE + 0.01)
    found = times.of(n)
    assert found is not None
    assert found - (BEGIN + n / RATE) == pytest.approx(0.01 if n - block >= whole else 0.0, abs=1e-9)
