"""A hold at any moment: the command keeps its bounds, stays on its trajectory, and loses no part of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rig.trajectory import create
from rig.trajectory.contract import Trajectory
from rig.trajectory.following.progress import acceleration
from rig.trajectory.haversine import Config as Haversine
from rig.trajectory.program import Config as Program
from rig.trajectory.random import Config as Random
from rig.trajectory.sine import Config as Sine
from rig.trajectory.sweep import Config as Sweep
from rig.trajectory.turning import Config as Turning
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from tests.thorough import times
from tests.tiers import quick

RATE, BLOCK = 2000.0, 20
TIMING = Timing(lead_in=300, fade=200)
HOLD = 0.3  # s
MOMENTS = times(15, thorough=200)
SINE = Sine(amplitude=3.0, frequency=2.0, cycles=8, mean=0.5, soft_start=0.5, soft_stop=0.5)
KINDS: dict[str, Any] = {
    "sine": SINE,
    "haversine": Haversine(amplitude=2.0, frequency=3.0, cycles=9, soft_start=0.4, soft_stop=0.4),
    "sweep": Sweep(amplitude=2.0, first_frequency=1.0, last_frequency=6.0, duration=3.0, soft_start=0.5, soft_stop=0.5),
    "random": Random(duration=3.0, lowest_frequency=1.0, highest_frequency=6.0, rms=1.0, seed=2, soft_start=0.5, soft_stop=0.5),
    "turning": Turning(speed=20.0, cycles=9, soft_start=0.5, soft_stop=0.5),
    "program": Program(segments=(SINE, Sine(amplitude=1.0, frequency=4.0, cycles=8, soft_start=0.2, soft_stop=0.2)), repeats=1),
}


def held(trajectory: Trajectory, moment: int, stands: int, duration: float = HOLD) -> tuple[np.ndarray, int]:
    """(rows of a command that is held at sample `moment` and goes on `stands` samples after it stands, sample at which it stands)."""
    setpoint = Setpoint(trajectory, RATE, 0.0, TIMING)
    rows = [setpoint.next(moment)]
    setpoint.hold(duration)
    rows.append(setpoint.next(setpoint.settled - setpoint.position + stands))
    stood = setpoint.settled
    setpoint.resume(duration)
    while not setpoint.finished:
        rows.append(setpoint.next(BLOCK))
    return np.concatenate(rows)[: setpoint.end], stood


@pytest.mark.parametrize("kind", quick(KINDS, 3))
def test_at_any_moment_value_rate_and_acceleration_keep_their_bounds(kind: str) -> None:
    trajectory = create(KINDS[kind])
    low, high, rate = trajectory.bounds()
    t = np.arange(math.ceil(trajectory.duration * RATE)) / RATE
    sharpest = float(np.max(np.abs(np.diff(trajectory.evaluate(t)[0], 2)))) * RATE**2
    allowed = acceleration(rate, sharpest, 1.0, 0.0, HOLD)
    last = TIMING.lead_in + math.ceil(trajectory.duration * RATE)
    for moment in np.random.default_rng(1).integers(TIMING.lead_in, last - round(0.5 * HOLD * RATE) - 10, MOMENTS):
        value = held(trajectory, int(moment), 50)[0][TIMING.lead_in :, 0]
        assert low - 1e-12 <= value.min() and value.max() <= high + 1e-12
        assert np.max(np.abs(np.diff(value))) * RATE <= rate * (1.0 + 1e-9)
        assert np.max(np.abs(np.diff(value, 2))) * RATE**2 <= allowed * (1.0 + 1e-3)


@pytest.mark.parametrize("kind", quick(KINDS, 3))
def test_nothing_of_the_trajectory_is_left_out_and_phase_and_cycle_stand(kind: str) -> None:
    trajectory = create(KINDS[kind])
    whole = Setpoint(trajectory, RATE, 0.0, TIMING)
    plain = whole.next(whole.end)
    for moment in np.random.default_rng(2).integers(TIMING.lead_in, len(plain) - round(0.5 * HOLD * RATE) - 10, times(5, thorough=20)):
        rows, stood = held(trajectory, int(moment), 400)
        assert np.array_equal(rows[:moment], plain[:moment])
        assert np.ptp(rows[stood : stood + 400], axis=0).max() == 0.0
        assert list(np.unique(rows[:, 2])) == list(np.unique(plain[:, 2]))
        assert np.all(np.diff(rows[rows[:, 2] >= 0.0, 2]) >= 0.0)
        assert abs(rows[-1, 1] - plain[-1, 1]) <= np.max(np.abs(np.diff(plain[:, 1]))) + 1e-12
        # In step with itself from there on: the same way, later by what the hold took.
        later, begun = len(rows) - len(plain), min(stood + 401 + math.ceil(HOLD * RATE), len(rows) - 1)
        assert later >= 400
        for row in rows[begun::37]:
            near = np.argmin(np.abs(plain[:, 1] - row[1]) + 1e3 * (plain[:, 2] != row[2]))
            assert abs(plain[near, 0] - row[0]) <= trajectory.bounds()[2] / RATE * 1.01 or kind == "random"


def test_from_the_hold_on_it_can_be_stopped_without_a_step() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    setpoint.next(1700)
    setpoint.hold(HOLD)
    stands = setpoint.next(setpoint.settled - setpoint.position + 10)[-1, 0]
    setpoint.stop(0.0, 0.5)
    ramp = setpoint.next(1200)
    assert abs(ramp[0, 0] - stands) < 1e-4 and ramp[-1, 0] == 0.0 and setpoint.finished
    assert np.max(np.abs(np.diff(ramp[:, 0]))) * RATE <= 0.5 * math.pi * abs(stands) / 0.5 * 1.01


def test_while_it_stands_its_end_is_that_of_going_on_now() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    planned = setpoint.end
    setpoint.next(1500)
    setpoint.hold(HOLD)
    setpoint.next(setpoint.settled - setpoint.position + 1000)
    assert not setpoint.finished
    assert setpoint.end - planned == pytest.approx(1000 + 0.5 * HOLD * RATE, abs=2)


def test_a_hold_that_is_resumed_before_it_stands_goes_on_from_its_present_pace() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    rows = [setpoint.next(1500)]
    setpoint.hold(HOLD)
    rows.append(setpoint.next(200))
    setpoint.resume(HOLD)
    rows.append(setpoint.next(setpoint.end - setpoint.position))
    value = np.concatenate(rows)[TIMING.lead_in :, 0]
    assert np.max(np.abs(np.diff(value))) * RATE <= create(SINE).bounds()[2] * (1.0 + 1e-9)
    assert np.concatenate(rows)[-1, 2] == -1.0 and set(np.concatenate(rows)[:, 2]) == {-1.0, *map(float, range(8))}


@pytest.mark.parametrize("pace", [0.5, 1.5])
def test_another_pace_gives_another_frequency_and_as_many_cycles(pace: float) -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    rows = [setpoint.next(1500)]
    setpoint.change_pace(pace, 0.2)
    rows.append(setpoint.next(setpoint.end - setpoint.position))
    whole = np.concatenate(rows)
    counts = [int(np.count_nonzero(whole[:, 2] == cycle)) for cycle in range(8)]
    assert counts[-1] == pytest.approx(RATE / (2.0 * pace), abs=1.0) and counts[-2] == pytest.approx(counts[-1], abs=1.0)
    assert np.max(np.abs(np.diff(whole[TIMING.lead_in :, 0]))) * RATE <= max(pace, 1.0) * create(SINE).bounds()[2] * (1.0 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hold_that_would_stand_behind_the_end_is_refused_and_the_test_ends(kind: str) -> None:
    setpoint = Setpoint(create(KINDS[kind]), RATE, 0.0, TIMING)
    planned = setpoint.end
    setpoint.next(planned - round(0.5 * HOLD * RATE) + 3)
    with pytest.raises(ValueError, match=r"the test ends by itself in 0\.14"):
        setpoint.hold(HOLD)
    assert setpoint.end == planned, "nothing has changed"
    setpoint.next(20)
    setpoint.hold(0.05)  # a shorter one still stands before the end
    assert setpoint.settled <= planned


def test_the_last_moment_for_a_hold() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    setpoint.next(setpoint.end - round(0.5 * HOLD * RATE))
    setpoint.hold(HOLD)
    rows = setpoint.next(setpoint.settled - setpoint.position + 50)
    setpoint.resume(HOLD)
    while not setpoint.finished:
        setpoint.next(BLOCK)
    assert abs(rows[-1, 0]) < 1e-3


def test_what_stands_already_is_held_where_it_stands() -> None:
    """As at a peak that null pacing waits for: it can be held there, and goes on in the same cycle."""
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    setpoint.next(1500)
    assert not setpoint.stands
    setpoint.hold(0.05, setpoint.time + 0.1)
    assert not setpoint.stands
    setpoint.next(setpoint.settled - setpoint.position)
    assert setpoint.stands
    before = setpoint.next(100)
    setpoint.hold(HOLD)
    after = setpoint.next(math.ceil(HOLD * RATE) + 100)
    assert np.ptp(np.concatenate([before, after]), axis=0).max() == 0.0
    setpoint.resume(HOLD)
    assert not setpoint.stands
    rows = setpoint.next(setpoint.end - setpoint.position)
    assert set(rows[:, 2]) >= {7.0, -1.0}
