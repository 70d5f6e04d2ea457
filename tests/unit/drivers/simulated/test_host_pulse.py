"""Device time goes on only while the host has all its processors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest
from waiting import comes_true

from drivers.simulated import host_pulse
from drivers.simulated.clock import BACKLOG, OWED, SHARE, BenchClock
from drivers.simulated.host_pulse import GONE, SILENT, HostPulse, processors, with_the_host

seen_here = pytest.mark.skipif(not processors(), reason="Linux, on few processors")


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wall's clock, to be set."""
    now = [100.0]
    monkeypatch.setattr("drivers.simulated.clock.host_clock.now", lambda: now[0])
    return now


@pytest.fixture
def pulse() -> Iterator[HostPulse]:
    """One that has begun."""
    pulse = HostPulse()
    try:
        assert comes_true(lambda: pulse.last > 0.0)
        yield pulse
    finally:
        pulse.close()


def test_bench_time_stands_while_a_processor_is_away(wall: list[float]) -> None:
    clock, works = BenchClock("real"), [1000.0]
    clock.go_with(lambda wall: min(wall, works[0]), lambda: 0.0)
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


def test_bench_time_waits_for_a_plant_that_is_not_worked_out(wall: list[float]) -> None:
    """A plant that takes twice the time that it simulates: bench time passes at half the speed, and never far ahead of it."""
    clock, plant = BenchClock("real"), [0.0]
    clock.wait_for(lambda: plant[0])
    clock.start()
    for _ in range(1000):
        wall[0] += 0.002
        plant[0] = min(plant[0] + 0.001, clock.now())
        assert clock.now() <= plant[0] + BACKLOG + 1e-9
    assert clock.now() == pytest.approx(1.0 + BACKLOG, abs=2e-3)
    assert clock.slipped == pytest.approx(2.0 - clock.now())


def test_each_time_that_it_is_away_is_a_slip(wall: list[float]) -> None:
    clock, works = BenchClock("real"), [1000.0]
    clock.go_with(lambda wall: min(wall, works[0]), lambda: 0.0)
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


def test_what_the_host_was_late_by_is_made_up_for(wall: list[float]) -> None:
    clock, late = BenchClock("real"), [7.0]  # what was before it runs does not count
    clock.go_with(lambda wall: wall, lambda: late[0])
    clock.start()

    def look(times: int) -> float:
        before = clock.now()
        for _ in range(times):
            wall[0] += 0.005
            clock.now()
        return clock.now() - before

    assert look(10) == pytest.approx(0.05) and clock.slips == 0
    late[0] += 0.02
    assert look(20) == pytest.approx(0.08) and clock.slips == 1 and clock.slipped == pytest.approx(0.02)
    late[0] -= 1.0  # whatever it says, time does not go faster
    assert look(10) == pytest.approx(0.05) and clock.slips == 1
    late[0] += 101.0  # the clock goes on all the same, and what is long past is not made up for
    assert look(10) == pytest.approx((1.0 - SHARE) * 0.05)
    look(100)
    assert clock.slipped == pytest.approx(0.02 + OWED)
    assert look(10) == pytest.approx(0.05) and clock.slips == 2


@seen_here
def test_naps_that_last_too_long_are_told(pulse: HostPulse) -> None:
    before, naps = pulse.late(), 0
    while pulse.late() - before < 0.5 * SILENT:  # stopped in one of its naps, it wakes too late
        os.kill(pulse.pid, signal.SIGSTOP)
        time.sleep(2.0 * SILENT)
        os.kill(pulse.pid, signal.SIGCONT)
        naps += 1
        last = pulse.last
        assert comes_true(lambda last=last: pulse.last > last)
    assert naps < 10
    assert pulse.late() - before <= naps * len(processors()) * SILENT + 0.5  # and what else made them late


@seen_here
def test_a_host_that_works_lets_time_pass(pulse: HostPulse) -> None:
    first = pulse.last
    assert comes_true(lambda: pulse.last > first + 0.2)  # it goes on
    assert comes_true(lambda: pulse.works_until(now := time.monotonic()) == now)


@seen_here
def test_a_stopped_round_holds_the_clock_until_it_counts_as_gone(pulse: HostPulse) -> None:
    os.kill(pulse.pid, signal.SIGSTOP)
    assert comes_true(lambda: psutil.Process(pulse.pid).status() == psutil.STATUS_STOPPED)
    last = pulse.last
    assert pulse.works_until(last + 0.5 * SILENT) == last + 0.5 * SILENT
    assert pulse.works_until(last + 0.5 * GONE) == last + SILENT
    assert pulse.works_until(last + 1.1 * GONE) == last + 1.1 * GONE
    os.kill(pulse.pid, signal.SIGCONT)
    assert comes_true(lambda: pulse.last > last)


@seen_here
def test_it_ends_with_its_parent() -> None:
    program = "import os; from drivers.simulated.host_pulse import HostPulse; print(HostPulse().pid, flush=True); os._exit(9)"
    told = int(subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=False).stdout)
    assert comes_true(lambda: not psutil.pid_exists(told) or psutil.Process(told).status() == psutil.STATUS_ZOMBIE)


@seen_here
def test_a_clock_is_let_go_in_the_end() -> None:
    clock = BenchClock("real")
    with with_the_host(clock):
        assert clock._works_until is not None
        clock.start()
        clock.now()
    assert clock._works_until is None
    before = clock.now()
    assert comes_true(lambda: clock.now() > before)


@pytest.mark.parametrize(("pace", "found"), [("lockstep", [0, 1]), ("real", [])])
def test_nothing_naps_where_it_would_not_help(monkeypatch: pytest.MonkeyPatch, pace: str, found: list[int]) -> None:
    monkeypatch.setattr(host_pulse, "processors", lambda: found)
    clock = BenchClock(pace)
    with with_the_host(clock):
        assert clock._works_until is None
