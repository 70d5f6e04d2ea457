"""Blocks from a device that runs on by itself: in order and whole, and no call for more than is there by now."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.workers.bench.block_reader import Reading

RATE, BLOCK = 10_000.0, 100  # a block is 10 ms
CALL = 2e-3  # s that a call takes, whatever it is for


class Device:
    """Samples that count from 0, on a clock of its own that `slip` holds up; each read takes `call`, and waits for its last sample."""

    def __init__(self, call: float = CALL) -> None:
        self.now, self.slipped, self.read_so_far, self.call, self.asked = 0.0, 0.0, 0, call, 0
        self.sizes: list[int] = []

    def clock(self) -> float:
        return self.now

    def slip(self, seconds: float) -> None:
        self.slipped += seconds

    def read(self, samples: int) -> NDArray[np.float64]:
        first, self.read_so_far = self.read_so_far, self.read_so_far + samples
        self.sizes.append(samples)
        self.now = max(self.now + self.call, self.read_so_far / RATE + self.slipped)
        return np.arange(first, first + samples, dtype=np.float64)[:, None]

    def samples_waiting(self) -> int:
        self.asked += 1
        self.now += CALL
        return int((self.now - self.slipped) * RATE) - self.read_so_far

    @property
    def behind(self) -> float:
        """How long (s) the newest sample that was read has been there."""
        return self.now - self.slipped - self.read_so_far / RATE


def follow(device: Device, reading: Reading, blocks: int, work: float) -> list[NDArray[np.float64]]:
    """So many blocks, with so much work (s) for each, and another call for each fetch."""
    found = []
    for _ in range(blocks):
        found.append(reading.next())
        device.now += work
        if not reading.left:
            device.now += CALL
    return found


@pytest.mark.parametrize("work", [1e-3, 7e-3])
def test_all_samples_come_in_order(work: float) -> None:
    device = Device()
    blocks = follow(device, Reading(device, BLOCK, RATE, 4, device.clock), 200, work)
    assert all(block.shape == (BLOCK, 1) for block in blocks)
    assert np.array_equal(np.concatenate(blocks)[:, 0], np.arange(200 * BLOCK))


def test_one_that_keeps_up_reads_block_by_block() -> None:
    device = Device()
    follow(device, Reading(device, BLOCK, RATE, 4, device.clock), 200, 1e-3)
    assert set(device.sizes) == {BLOCK}


def test_one_that_is_too_slow_block_by_block_keeps_up_with_several() -> None:
    slow, batched = Device(), Device()
    follow(slow, Reading(slow, BLOCK, RATE, 1, slow.clock), 400, 7e-3)
    follow(batched, Reading(batched, BLOCK, RATE, 4, batched.clock), 400, 7e-3)
    assert slow.behind > 0.3
    assert batched.behind < 0.05
    assert 1 < max(batched.sizes) / BLOCK <= 4


@pytest.mark.parametrize("call", [5.5e-3, 8e-3])
def test_a_call_that_takes_long_is_no_sign_of_keeping_up(call: float) -> None:
    """It takes as long as waiting for half a block does."""
    device = Device(call)
    follow(device, Reading(device, BLOCK, RATE, 4, device.clock), 400, 3e-3)
    assert device.behind < 0.06 and max(device.sizes) > BLOCK


def test_who_keeps_up_asks_for_nothing_more() -> None:
    device = Device()
    follow(device, Reading(device, BLOCK, RATE, 4, device.clock), 200, 1e-3)
    assert device.asked <= 1


def test_a_device_that_stood_still_is_not_asked_for_more_for_long() -> None:
    device = Device()
    reading = Reading(device, BLOCK, RATE, 4, device.clock)
    follow(device, reading, 50, 1e-3)
    device.slip(0.1)
    before = len(device.sizes)
    follow(device, reading, 50, 1e-3)
    assert [size // BLOCK for size in device.sizes[before:]].count(1) >= len(device.sizes[before:]) - 1
    assert device.behind < 0.01


def test_what_waits_after_a_stall_is_fetched_in_few_calls() -> None:
    device = Device()
    reading = Reading(device, BLOCK, RATE, 5, device.clock)
    follow(device, reading, 10, 1e-3)
    device.now += 0.1
    before = len(device.sizes)
    follow(device, reading, 10, 1e-3)
    assert len(device.sizes) - before <= 4
