"""The watch over the machine that tests at real pace rest upon."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import machine
import pytest


def rest(seconds: float) -> None:
    """A nap that is never late, as it does not sleep."""


def test_a_machine_that_works_is_not_waited_for() -> None:
    waiting = machine.Waiting(spin=lambda: 0.01, sleep=rest)
    assert waiting.wait() < 0.2 and waiting.left > 0.9 * machine.PATIENCE


def test_one_that_stands_still_is_waited_for() -> None:
    late = iter([*[0.01] * 7, 0.3])
    begun = time.perf_counter()
    waiting = machine.Waiting(spin=lambda: 0.01, patience=20.0, sleep=lambda nap: time.sleep(next(late, 0.0)))
    assert waiting.wait() > 0.5 and time.perf_counter() - begun < 10.0


def test_one_that_comes_back_is_waited_for_and_no_longer() -> None:
    begun = time.perf_counter()
    waiting = machine.Waiting(spin=lambda: 0.5 if time.perf_counter() - begun < 0.7 else 0.01, patience=20.0, sleep=rest)
    assert 0.7 <= waiting.wait() < 5.0


def test_patience_ends_in_all() -> None:
    waiting = machine.Waiting(spin=lambda: 0.5, patience=0.6, sleep=rest)
    assert waiting.wait() < 3.0
    assert waiting.left == 0.0 and waiting.wait() < 1.0


@pytest.mark.parametrize(("spin", "failed"), [(0.01, False), (0.5, True)])
def test_a_slow_machine_has_failed(spin: float, failed: bool) -> None:
    with machine.Watch(every=0.02, spin=lambda: spin) as watch:
        time.sleep(0.3)
    watch.latest = min(watch.latest, machine.LATE)  # what this one does meanwhile is not asked
    assert watch.failed is failed and "additions took" in watch.told


def test_one_that_stood_still_has_failed() -> None:
    watch = machine.Watch(spin=lambda: 0.01)
    watch.latest = 2.0 * machine.LATE
    assert watch.failed


def test_stalls_are_told_with_their_time(tmp_path: Path) -> None:
    stalls = machine.Stalls(tmp_path / "stalls", late=0.1)
    try:
        begun = time.monotonic()
        deadline = begun + 30.0
        time.sleep(0.5)  # it naps by now
        os.kill(stalls._process.pid, signal.SIGSTOP)
        time.sleep(0.4)
        os.kill(stalls._process.pid, signal.SIGCONT)
        while not stalls.since(begun) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert stalls.since(begun) > 0.2
        assert stalls.since(time.monotonic() + 60.0) == 0.0
    finally:
        stalls.close()
