"""The picture before a test: drawn from few samples however long the test, told where blocks begin and which limits are near."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from model.paths import trajectory_1
from rig.report.preview import Bound, Sampled, Subject, preview
from rig.trajectory import create, hold, program, random, sine, square, triangle, turning
from tests.tiers import quick

RATE = 51200.0
LIMITS = (Bound("value", -25e3, 25e3), Bound("rate", -1e6, 1e6, of="rate"), Bound("one side", None, 12e3))
LONG = program.Config(
    name="day", repeats=3000, segments=(sine.Config(amplitude=10e3, frequency=7.3, cycles=70), hold.Config(value=0.0, duration=1.0))
)


def subject(config: Any, limits: tuple[Bound, ...] = LIMITS) -> Subject:
    return Subject("A test", "on a bench", config, create(config), "N", RATE, limits)


@pytest.mark.parametrize(
    "config",
    quick(
        [
            triangle.Config(amplitude=10e3, frequency=3.0),
            square.Config(amplitude=10e3, frequency=3.0, rate=9e5, mean=-11e3),
            random.Config(duration=2.0, lowest_frequency=1.0, highest_frequency=20.0, rms=2e3, mean=10e3),
            hold.Config(value=5.0, duration=1e-3, soft_start=1e-3, soft_stop=1e-3),
            hold.Config(value=0.0, duration=1.0),
        ],
        3,
    ),
    ids=["triangle", "square", "random", "short", "nothing"],
)
@pytest.mark.parametrize("suffix", quick([".png", ".svg"], 1))
def test_a_picture_of_any_trajectory(config: Any, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture{suffix}"
    preview(path, subject(config))
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if suffix == ".png":
        pixels = imread(path)
        assert pixels.shape[:2] == (1100, 1760)
        assert (pixels[..., :3] < 0.5).any(axis=2).sum() > 2000


def test_ten_hours_are_drawn_in_seconds_and_reach_their_bounds(tmp_path: Path) -> None:
    long = subject(LONG)
    begun = time.perf_counter()
    preview(tmp_path / "long.png", long)
    spent = time.perf_counter() - begun
    print(f"{long.trajectory.duration / 3600:.1f} h drawn in {spent:.1f} s")
    assert long.trajectory.duration > 9 * 3600
    assert spent < 30.0


def test_few_samples_of_a_long_test_still_find_its_extremes() -> None:
    trajectory = create(LONG)
    low, high, fastest = trajectory.bounds()
    found = Sampled.of(trajectory, RATE, 0.0, trajectory.duration, 50_000)
    assert len(found.time) == 50_000
    assert np.all(np.diff(found.time) >= 0.0)
    assert low <= found.value.min() < 0.99 * low
    assert high >= found.value.max() > 0.99 * high
    assert 0.99 * fastest < np.abs(found.rate).max() <= fastest * (1.0 + 1e-6)
    # A wave that has exactly one period a stretch would stand still if it were met at the same phase each time.
    strobed = create(sine.Config(amplitude=1.0, frequency=100.0, cycles=100_000, soft_start=0.0, soft_stop=0.0))
    assert np.ptp(Sampled.of(strobed, RATE, 0.0, 1000.0, 100_000).value) > 1.99


def test_few_enough_samples_are_all_there() -> None:
    trajectory = create(sine.Config(amplitude=1.0, frequency=3.0, cycles=1, soft_start=0.1, soft_stop=0.1))
    found = Sampled.of(trajectory, RATE, 0.0, trajectory.duration)
    assert found.time == pytest.approx(np.arange(len(found.time)) / RATE)
    assert np.array_equal(found.value, trajectory.evaluate(found.time)[0])


def test_a_motor_rig_is_drawn_in_turns_and_its_drives_over_the_path(tmp_path: Path) -> None:
    shaft = turning.Config(speed=10.0 * np.pi, cycles=5)
    crank = Subject("A crank", "on a bench", shaft, create(shaft), "rad", RATE, (Bound("fastest", -40.0, 40.0, of="rate"),))
    assert crank.scales.of("value")[1:] == ("turns", pytest.approx(0.5 / np.pi))
    assert crank.scales.of("rate")[1:] == ("r/min", pytest.approx(30.0 / np.pi))
    path = trajectory_1.Config(cycles=2)
    moved = Subject("A path", "on a bench", path, create(path), "s", RATE, (), (("one", "two"), lambda s: np.stack((s, np.sin(s)), axis=1)))
    for name, what in (("turns.png", crank), ("path.png", moved), ("without.png", replace(moved, drives=None))):
        preview(tmp_path / name, what)
        assert (imread(tmp_path / name)[..., :3] < 0.5).any(axis=2).sum() > 2000
    assert not np.array_equal(imread(tmp_path / "path.png"), imread(tmp_path / "without.png"))
