"""The clock of a run's devices as its programs see it: never ahead of the bench's own, and this computer's where no bench shows one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drivers.simulated.clock import BenchClock
from rig.device_clock import DeviceClock, Face

GAP = 0.01


@pytest.fixture
def walls(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wall clock: its last entry."""
    told = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: told[-1])
    return told


def test_without_a_bench_it_is_this_computers(tmp_path: Path, walls: list[float]) -> None:
    for clock in (DeviceClock(), DeviceClock(tmp_path)):
        assert clock() == 100.0 and clock.at(99.0) == 99.0
        assert not clock.shown and clock.stood_still is None


def test_it_stands_still_with_the_bench(tmp_path: Path, walls: list[float]) -> None:
    bench, face = BenchClock("real", GAP), Face(tmp_path)
    bench.show_on(face.show)
    clock = DeviceClock(tmp_path)
    assert clock() == 100.0  # nothing has begun
    bench.start()
    for pause in [0.002, 0.009, 0.2, 0.001, 0.05, 0.003]:
        begun = clock() - bench.now()
        for part in (0.1, 0.5, 0.9):  # nobody looks meanwhile
            walls.append(walls[-1] + pause * part)
            ahead = clock() - bench._now
            walls.pop()
            assert ahead - begun == pytest.approx(min(part * pause, GAP))
        walls.append(walls[-1] + pause)
        before = clock()
        assert clock() - bench.now() == pytest.approx(100.0)
        assert clock() == pytest.approx(before)
    assert bench.slipped == pytest.approx(0.19 + 0.04)
    assert clock.shown and clock.stood_still == bench.slipped
    assert clock() == pytest.approx(walls[-1] - bench.slipped)


def test_a_bench_whose_host_does_not_work_is_followed_too(tmp_path: Path, walls: list[float]) -> None:
    bench, face = BenchClock("real", GAP), Face(tmp_path)
    bench.show_on(face.show)
    bench.start()
    bench.now()
    bench.go_with(lambda wall: min(wall, 100.005), lambda: 0.0)
    clock = DeviceClock(tmp_path)
    for _ in range(10):
        walls.append(walls[-1] + 0.002)
        bench.now()
    assert bench.now() == pytest.approx(0.005)
    assert clock() == pytest.approx(100.005)


def test_a_bench_goes_on_when_it_shows_its_clock_no_longer(tmp_path: Path, walls: list[float]) -> None:
    bench, face = BenchClock("real", GAP), Face(tmp_path)
    bench.show_on(face.show)
    bench.start()
    bench.show_on(None)
    face.close()
    walls.append(101.0)
    assert bench.now() == pytest.approx(GAP)
