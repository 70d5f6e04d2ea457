"""Where a trajectory next passes its zero, its mean, or turns."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from rig.trajectory import create
from rig.trajectory.contract import Floats, Trajectory
from rig.trajectory.following.passages import passage, turn
from rig.trajectory.random import Config as Random
from rig.trajectory.sine import Config as Sine
from rig.trajectory.turning import Config as Turning

RATE = 2000.0
WAVE = create(Sine(amplitude=2.0, frequency=4.0, cycles=20, mean=1.0, soft_start=0.5, soft_stop=0.5))


def level(trajectory: Trajectory, at: float = 0.0) -> Callable[[Floats], Floats]:
    return lambda t: trajectory.evaluate(t)[0] - at


TURNS = create(Turning(speed=10.0, cycles=20))


@pytest.mark.parametrize("begin", [0.51, 0.777, 1.6, 3.3])
def test_a_sine_passes_its_mean_each_half_period(begin: float) -> None:
    found = passage(level(WAVE, 1.0), begin, begin + 1.0, RATE)
    expected = 0.5 + math.ceil((begin - 0.5) * 8.0 - 1e-9) / 8.0
    assert found is not None and abs(found - expected) < 1e-9


@pytest.mark.parametrize("begin", [0.51, 0.777, 1.6, 3.3])
def test_a_sine_with_a_mean_passes_zero_elsewhere(begin: float) -> None:
    found = passage(level(WAVE), begin, begin + 1.0, RATE)
    assert found is not None
    assert abs(2.0 * math.sin(8.0 * math.pi * (found - 0.5)) + 1.0) < 1e-9


@pytest.mark.parametrize("begin", [0.51, 0.777, 1.6, 3.3])
def test_its_peak_is_found_to_a_sample(begin: float) -> None:
    found = turn(WAVE, begin, begin + 1.0, RATE)
    assert found is not None and abs(abs(math.sin(8.0 * math.pi * (found - 0.5))) - 1.0) < (8.0 * math.pi / RATE) ** 2


def test_what_turns_has_its_zero_once_a_turn() -> None:
    found = passage(lambda t: np.sin(0.5 * TURNS.evaluate(t)[1]), 2.0, 4.0, RATE)
    assert found is not None
    assert abs(math.remainder(float(TURNS.evaluate(np.array([found]))[1][0]), 2.0 * math.pi)) < 1e-9


def test_what_is_not_reached_in_time_is_not_found() -> None:
    assert turn(WAVE, 0.51, 0.53, RATE) is None
    assert passage(level(WAVE), WAVE.duration + 1.0, WAVE.duration + 5.0, RATE) is None
    assert passage(level(create(Sine(amplitude=1.0, frequency=4.0, cycles=20, mean=5.0))), 1.0, 3.0, RATE) is None


def test_a_random_wave_turns_and_passes_zero_as_well() -> None:
    wave = create(Random(duration=5.0, lowest_frequency=1.0, highest_frequency=8.0, rms=1.0, seed=3))
    at = passage(level(wave), 1.0, 4.0, RATE)
    assert at is not None and abs(float(wave.evaluate(np.array([at]))[0][0])) < 1e-6
    assert turn(wave, 1.0, 4.0, RATE) is not None
