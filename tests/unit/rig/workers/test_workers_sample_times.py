"""When samples are taken, from blocks that come late by what a busy computer needs, from a device that may stand still."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.workers.sample_times import ALIKE, BLOCKS, LEAST, SampleTimes

RATE, BLOCK = 10_000.0, 100
BEGIN = 1234.5  # s, of sample 0


def after(late: list[float], slip: float = 0.0) -> SampleTimes:
    """So many blocks, each late by so much (s); before the last BLOCKS of them the device stood still for `slip` s."""
    times = SampleTimes(RATE)
    for n, delay in enumerate(late, start=1):
        stood = slip if n > len(late) - BLOCKS else 0.0
        times.took(n * BLOCK, BEGIN + n * BLOCK / RATE + delay + stood)
    return times


def test_nothing_is_known_before_the_first_block() -> None:
    assert SampleTimes(RATE).of(0) is None


def test_one_block_in_ten_without_delay_is_enough() -> None:
    """Blocks late by up to 30 ms: three in a row that happen to be late alike are taken for a device that stood still, once in twenty."""
    dice, off = np.random.default_rng(1), []
    for _ in range(500):
        late = dice.uniform(0.0, 0.03, 40)
        late[::BLOCKS] = 0.2e-3
        found = after(list(late)).of(5000)
        assert found is not None
        off.append(found - (BEGIN + 0.5))
    assert min(off) >= -1e-9 and max(off) < 0.03
    assert np.mean(np.array(off) <= 0.2e-3 + 1e-9) > 0.8


@given(st.floats(LEAST + 1e-5, 0.2), st.integers(0, 500))
def test_a_device_that_stood_still_is_followed_three_blocks_later(slip: float, seed: int) -> None:
    """Its blocks differ by up to half a millisecond; axes that go by wrong times run ahead of the samples."""
    dice = np.random.default_rng(seed)
    times, late = SampleTimes(RATE), dice.uniform(0.0, 0.5e-3, 40)
    for n, delay in enumerate(late, start=1):
        times.took(n * BLOCK, BEGIN + n * BLOCK / RATE + delay + (slip if n > 40 - ALIKE else 0.0))
    found = times.of(4000)
    assert found is not None
    assert 0.0 <= found - (BEGIN + 0.4 + slip) <= 0.5e-3 + 1e-9


@given(st.floats(0.0, 0.2))
def test_a_device_that_stood_still_is_followed_ten_blocks_later(slip: float) -> None:
    found = after([1e-3] * 40, slip).of(4000)
    assert found is not None
    assert abs(found - (BEGIN + 0.4 + slip + 1e-3)) < 1e-9
