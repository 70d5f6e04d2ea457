"""The clock of a run's devices as its programs see it: never ahead of the bench's own, and this computer's where no bench shows one."""

from __future__ import annotations

import contextlib
import math
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_it_never_goes_back_when_an_answer_is_owed_and_goes_on_at_once_afterwards(tmp_path: Path, walls: list[float]) -> None:
    bench, face = BenchClock("real", GAP), Face(tmp_path)
    bench.show_on(face.show)
    bench.start()
    clock, told = DeviceClock(tmp_path), []

    def pass_by(seconds: float) -> None:
        for _ in range(10):
            walls.append(walls[-1] + 0.1 * seconds)
            told.append(clock())

    bench.now()
    pass_by(0.002)
    begun = clock()
    with bench.owing(bench.now() + 0.001):
        pass_by(0.004)
        assert clock() == pytest.approx(begun + 0.001)
        bench.now()
        pass_by(0.004)
    assert clock() == pytest.approx(begun + 0.001)
    pass_by(0.003)  # nobody looks
    assert clock() == pytest.approx(begun + 0.004)
    bench.now()
    assert clock() - bench.now() == pytest.approx(100.0)
    assert told == sorted(told)


EVENT = st.tuples(st.sampled_from(["look", "late", "away", "back", "owe", "answer", "plant", "none"]), st.floats(1e-5, 0.03))


@given(st.lists(EVENT, max_size=60))
def test_it_never_goes_back_and_is_the_bench_s_at_every_look(events: list[tuple[str, float]]) -> None:
    """Whatever holds the bench: its plant, its host, answers that it owes."""
    wall, late, works, plant = [100.0], [0.0], [math.inf], [math.inf]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as owed:
        patch.setattr(time, "monotonic", lambda: wall[0])
        bench, face = BenchClock("real", GAP), Face(Path(folder))
        bench.show_on(face.show)
        bench.go_with(lambda to: min(to, works[0]), lambda: late[0])
        bench.wait_for(lambda: plant[0])
        bench.start()
        bench.now()
        clock, told = DeviceClock(Path(folder)), [100.0]
        for event, seconds in events:
            if event == "late":
                late[0] += min(seconds, 0.012)
            elif event == "away":
                works[0] = min(works[0], wall[0] + 0.012)  # nobody hears of it sooner
            elif event == "back":
                works[0] = math.inf
            elif event == "plant":
                plant[0] = bench._now  # worked out as far as that, no further from now on
            elif event == "owe":
                owed.enter_context(bench.owing(bench.now() + seconds / 10.0))
            elif event == "answer":
                owed.close()
            for part in (0.3, 0.7):
                wall[0] += part * seconds
                told.append(clock())
            if event == "look":
                now = bench.now()
                assert clock() == pytest.approx(100.0 + now, abs=1e-9)
        assert np.all(np.diff(told) >= -1e-9)
        assert told[-1] <= wall[0] + 1e-9


def test_a_bench_goes_on_when_it_shows_its_clock_no_longer(tmp_path: Path, walls: list[float]) -> None:
    bench, face = BenchClock("real", GAP), Face(tmp_path)
    bench.show_on(face.show)
    bench.start()
    bench.show_on(None)
    face.close()
    walls.append(101.0)
    assert bench.now() == pytest.approx(GAP)
