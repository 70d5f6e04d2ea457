"""A thread in lockstep with a bench: what it does falls on the same samples in every run, whoever is slow."""

from __future__ import annotations

import threading
import time

import pytest

from rig.workers.bench.actuation.lockstep_turns import LockstepTurns

RATE, BLOCK = 1000.0, 10


def samples_at_which_it_speaks(turns: LockstepTurns, pauses: list[float], slow_bench: float, slow_thread: float) -> list[float]:
    """Clock readings of a thread that sleeps `pauses`, one after the other, on a bench of blocks of BLOCK."""
    spoke: list[float] = []

    def life() -> None:
        for pause in pauses:
            turns.sleep(pause)
            time.sleep(slow_thread)
            spoke.append(turns.now())
        turns.release()

    thread = threading.Thread(target=life, daemon=True)
    thread.start()
    for k in range(1, 200):
        turns.tick(k * BLOCK)
        time.sleep(slow_bench)
        if len(spoke) == len(pauses):
            break
    thread.join(10.0)
    return spoke


@pytest.mark.parametrize(("slow_bench", "slow_thread"), [(0.0, 0.0), (0.003, 0.0), (0.0, 0.003)])
def test_it_speaks_at_the_first_block_behind_each_pause(slow_bench, slow_thread):
    spoke = samples_at_which_it_speaks(LockstepTurns(RATE), [0.0, 0.02, 0.0, 0.015], slow_bench, slow_thread)
    assert spoke[:3] == pytest.approx([0.01, 0.03, 0.04], abs=1e-12)  # blocks of 10 ms: the next, two on, the next
    assert spoke[3] == pytest.approx(0.06, abs=1e-12)  # 15 ms from 40 ms on are over within the block that ends at 60 ms


def test_a_bench_stands_until_the_thread_sleeps_again():
    turns, order = LockstepTurns(RATE), []

    def life() -> None:
        turns.sleep(0.0)
        time.sleep(0.05)
        order.append("thread")
        turns.sleep(0.0)

    threading.Thread(target=life, daemon=True).start()
    turns.tick(BLOCK)
    order.append("bench")
    turns.release()
    assert order == ["thread", "bench"]


def test_a_thread_that_is_slow_to_begin_misses_no_block():
    """It begins when the bench has come to its first block already."""
    turns, ticked, spoke = LockstepTurns(RATE), threading.Event(), []

    def life() -> None:
        ticked.wait(10.0)
        time.sleep(0.05)
        turns.sleep(0.0)
        spoke.append(turns.now())
        turns.release()

    thread = threading.Thread(target=life, daemon=True)
    thread.start()
    ticked.set()
    turns.tick(BLOCK)
    thread.join(10.0)
    assert spoke[0] == pytest.approx(0.01, abs=1e-12)


def test_released_it_goes_by_the_wall_and_nobody_waits():
    turns = LockstepTurns(RATE)
    turns.release()
    begun, at = time.monotonic(), turns.now()
    turns.sleep(0.03)
    turns.tick(2 * BLOCK)
    assert 0.03 <= time.monotonic() - begun < 2.0
    assert turns.now() - at >= 0.03
