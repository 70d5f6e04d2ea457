"""Device time goes on only while the host has all its processors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from waiting import comes_true

from drivers.simulated import host_pulse
from drivers.simulated.clock import BenchClock
from drivers.simulated.host_pulse import GONE, SILENT, HostPulse, processors, with_the_host

seen_here = pytest.mark.skipif(not processors(), reason="Linux, on few processors")


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wall's clock, to be set."""
    now = [100.0]
    monkeypatch.setattr("drivers.simulated.clock.time.monotonic", lambda: now[0])
    return now


def test_bench_time_stands_while_a_processor_is_away(wall: list[float]) -> None:
    clock, works = BenchClock("real"), [1000.0]
    clock.works_until = lambda wall: min(wall, works[0])
    clock.start()
    works[0] = 100.1  # away from then on
    for _ in range(60):
        wall[0] += 0.005
        clock.now()
    assert clock.now() == pytest.approx(0.1) and clock.slips == 1 and clock.slipped == pytest.approx(0.2)
    works[0] = 1000.0
    for _ in range(20):
        wall[0] += 0.005
        clock.now()
    assert clock.now() == pytest.approx(0.2) and clock.slips == 1 and clock.slipped == pytest.approx(0.2)


def test_each_time_that_it_is_away_is_a_slip(wall: list[float]) -> None:
    clock, works = BenchClock("real"), [1000.0]
    clock.works_until = lambda wall: min(wall, works[0])
    clock.start()
    for _ in range(3):
        works[0] = wall[0]
        for _ in range(4):
            wall[0] += 0.005
            clock.now()
        works[0] = 1000.0
        wall[0] += 0.005
        clock.now()
    assert clock.slips == 3 and clock.now() == pytest.approx(0.015)


@seen_here
def test_a_host_that_works_lets_time_pass() -> None:
    pulse = HostPulse()
    try:
        assert comes_true(lambda: pulse.last > 0.0)
        first = pulse.last
        assert comes_true(lambda: pulse.last > first + 0.2)  # it goes on
        assert comes_true(lambda: pulse.works_until(now := time.monotonic()) == now)
    finally:
        pulse.close()


@seen_here
def test_a_stopped_round_holds_the_clock_until_it_counts_as_gone() -> None:
    pulse = HostPulse()
    try:
        assert comes_true(lambda: pulse.last > 0.0)
        os.kill(pulse.pid, signal.SIGSTOP)
        assert comes_true(lambda: psutil.Process(pulse.pid).status() == psutil.STATUS_STOPPED)
        last = pulse.last
        assert pulse.works_until(last + 0.5 * SILENT) == last + 0.5 * SILENT
        assert pulse.works_until(last + 0.5 * GONE) == last + SILENT
        assert pulse.works_until(last + 1.1 * GONE) == last + 1.1 * GONE
        os.kill(pulse.pid, signal.SIGCONT)
        assert comes_true(lambda: pulse.last > last)
    finally:
        pulse.close()


@seen_here
def test_it_ends_with_its_parent() -> None:
    program = "import os; from drivers.simulated.host_pulse import HostPulse; print(HostPulse().pid, flush=True); os._exit(9)"
    told = int(subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=False).stdout)
    assert comes_true(lambda: not psutil.pid_exists(told) or psutil.Process(told).status() == psutil.STATUS_ZOMBIE)


@seen_here
def test_a_clock_is_let_go_in_the_end() -> None:
    clock = BenchClock("real")
    with with_the_host(clock):
        assert clock.works_until is not None
        clock.start()
        clock.now()
    assert clock.works_until is None
    before = clock.now()
    assert comes_true(lambda: clock.now() > before)


@pytest.mark.parametrize(("pace", "found"), [("lockstep", [0, 1]), ("real", [])])
def test_nothing_naps_where_it_would_not_help(monkeypatch: pytest.MonkeyPatch, pace: str, found: list[int]) -> None:
    monkeypatch.setattr(host_pulse, "processors", lambda: found)
    clock = BenchClock(pace)
    with with_the_host(clock):
        assert clock.works_until is None
