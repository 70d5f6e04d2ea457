"""What turns and what goes along a path: smooth from rest to rest, counted where the rate is full."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.paths import trajectory_1
from rig.trajectory import Trajectory, create, turning

SPEED, RATE = 10.0 * math.pi, 10_000.0
TURNING = turning.Config(speed=SPEED, cycles=3, soft_start=0.7, soft_stop=0.4)
BOTH = pytest.mark.parametrize("config", [TURNING, trajectory_1.Config()], ids=["turning", "path"])


def sampled(trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    t = np.arange(-100, math.ceil(trajectory.duration * RATE) + 100) / RATE
    return t, *trajectory.evaluate(t)


@BOTH
def test_it_never_goes_back_never_passes_its_bounds_and_ends_at_rest(config: object) -> None:
    trajectory = create(config)
    low, high, fastest = trajectory.bounds()
    _, value, _, _ = sampled(trajectory)
    rate = np.diff(value) * RATE
    assert value[0] == low == 0.0
    assert value.max() == value[-1] == high
    assert rate.min() > -1e-9 * fastest
    assert fastest * (1.0 - 1e-9) < rate.max() <= fastest * (1.0 + 1e-9)
    assert rate[-100] < 1e-4 * fastest


def test_a_turn_has_a_smooth_rate_from_rest() -> None:
    _, value, _, _ = sampled(create(TURNING))
    change = np.diff(value, 2) * RATE**2
    steepest = 1.875 * SPEED / 0.4  # S' is at most 15/8
    assert np.max(np.abs(change)) == pytest.approx(steepest, rel=1e-3)
    assert np.max(np.abs(np.diff(change))) < 6.0 * SPEED / 0.4**2 / RATE  # its derivative at most 10/sqrt(3)


@BOTH
def test_cycles_are_counted_at_full_rate_only(config: object) -> None:
    trajectory = create(config)
    _, value, phase, cycle = sampled(trajectory)
    counted = cycle >= 0.0
    assert np.array_equal(np.unique(cycle[counted]), np.arange(trajectory.cycles))
    assert np.array_equal(np.floor(phase[counted] / (2.0 * math.pi) + 1e-6), cycle[counted])
    assert np.sum(counted) / RATE == pytest.approx(trajectory.cycles / trajectory.frequency, abs=2.0 / RATE)
    assert np.ptp(np.diff(value)[counted[1:]]) < 1e-9 * RATE


def test_a_path_runs_in_its_own_time_from_the_start() -> None:
    t, value, _, cycle = sampled(create(trajectory_1.Config()))
    running = (t >= 0.0) & (cycle >= 0.0)
    assert np.allclose(value[running], t[running], atol=1e-12)
    assert t[np.argmax(cycle >= 0.0)] == pytest.approx(trajectory_1.Config().blend_time, abs=1.5 / RATE)
