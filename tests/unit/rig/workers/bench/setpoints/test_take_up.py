"""A test that goes on where it was broken off: the cycles that are left, each once, from a start as soft as the first one."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig.config.resumption import Resumption
from rig.trajectory import create
from rig.trajectory.blocks import begins
from rig.trajectory.drive import Config as Drive
from rig.trajectory.following.progress import acceleration
from rig.trajectory.haversine import Config as Haversine
from rig.trajectory.program import Config as Program
from rig.trajectory.ramp import Config as Ramp
from rig.trajectory.random import Config as Random
from rig.trajectory.sine import Config as Sine
from rig.trajectory.triangle import Config as Triangle
from rig.trajectory.turning import Config as Turning
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from rig.workers.bench.setpoints.start import Start

RATE, BLOCK, HOLD = 2000.0, 20, 0.3
SINE = Sine(amplitude=3.0, frequency=7.0, cycles=20, mean=0.5, soft_start=0.5, soft_stop=0.5)
SMOOTH: dict[str, tuple[str, Any]] = {
    "sine": ("force", SINE),
    "haversine": ("stroke", Haversine(amplitude=2.0, frequency=3.0, cycles=9, soft_start=0.4, soft_stop=0.4)),
    "turning": ("angle", Turning(speed=20.0, cycles=9, soft_start=0.57, soft_stop=0.5)),
}
PROGRAM = Program(segments=(SINE, Sine(name="slow", amplitude=1.0, frequency=4.0, cycles=8, soft_start=0.2, soft_stop=0.2)), repeats=2)

STEEP = Program(
    segments=(SINE, Ramp(end=2.0, duration=0.4), Triangle(amplitude=1.0, frequency=4.0, cycles=8, mean=2.0, soft_start=0.0, soft_stop=0.0),
              Ramp(start=2.0, end=0.0, duration=0.4)),
    repeats=2,
)  # fmt: skip
"""Its second block with cycles has no soft start."""


def plan_of(mode: str, config: Any, cycle: int | None, **more: Any) -> Any:
    experiment = SimpleNamespace(trajectory=config, command=SimpleNamespace(mode=mode))
    return SimpleNamespace(experiment=experiment, resumption=Resumption(2, cycle, 2, 100, 110, **more))


def resumed(mode: str, config: Any, cycle: int, feedback: float = 0.0, **more: Any) -> tuple[np.ndarray, Setpoint, Start]:
    """(rows of the command from its first sample to its end, the setpoint, the start)."""
    start = Start.of(plan_of(mode, config, cycle, **more), create(config), RATE, feedback)
    fade = max(400, round(start.fade * RATE))
    assert start.trajectory is not None
    setpoint = Setpoint(start.trajectory, RATE, feedback, Timing(lead_in=100 + fade, fade=fade))
    setpoint.take_up(start, HOLD)
    rows = []
    while not setpoint.finished:
        rows.append(setpoint.next(BLOCK))
    return np.concatenate(rows)[: setpoint.end], setpoint, start


def plain(config: Any) -> np.ndarray:
    setpoint = Setpoint(create(config), RATE, 0.0, Timing(lead_in=500, fade=400))
    rows = []
    while not setpoint.finished:
        rows.append(setpoint.next(BLOCK))
    return np.concatenate(rows)[: setpoint.end]


@pytest.mark.parametrize("kind", SMOOTH)
def test_the_cycles_that_are_left_are_those_of_the_whole_test(kind: str) -> None:
    mode, config = SMOOTH[kind]
    whole = plain(config)
    for cycle in (1, 3, config.cycles - 1):
        rows, _, start = resumed(mode, config, cycle)
        assert start.time is None
        counted = rows[rows[:, 2] >= 0.0]
        assert np.array_equal(np.unique(counted[:, 2]), np.arange(cycle, config.cycles))
        assert counted[0, 2] == cycle and np.all(np.diff(counted[:, 2]) >= 0.0)
        for number in range(cycle, config.cycles):
            # A cycle need not be a whole number of samples: the whole test may see it a sample more or less.
            assert abs(int((counted[:, 2] == number).sum()) - int((whole[:, 2] == number).sum())) <= 1
        first = whole[np.searchsorted(whole[:, 2], 0.0)]
        assert counted[0, 0] == pytest.approx(first[0], abs=1e-9 * abs(first[0]) + 1e-12), "as the first cycle of the whole began"


@pytest.mark.parametrize("kind", SMOOTH)
def test_it_starts_as_softly_as_the_whole_test(kind: str) -> None:
    mode, config = SMOOTH[kind]
    whole, (rows, _, _) = plain(config), resumed(mode, config, 3)
    for order in (1, 2):
        assert np.max(np.abs(np.diff(rows[:, 0], order))) <= np.max(np.abs(np.diff(whole[:, 0], order))) * (1.0 + 1e-6)
    if mode != "angle":
        assert rows[0, 0] == 0.0


def test_a_block_that_has_a_soft_start_of_its_own_begins_by_it() -> None:
    """As it began in the whole test, to rounding: then it goes on with the cycle that is left."""
    whole, soft = plain(PROGRAM), round(0.2 * RATE)
    at = np.flatnonzero(whole[:, 2] == 20.0)[0]
    for cycle in range(20, 28):
        rows, setpoint, start = resumed("force", PROGRAM, cycle)
        assert start.time is None and start.begin == pytest.approx(0.5 + 20 / 7.0 + 0.5) and rows[0, 0] == 0.0
        begun = setpoint._timing.lead_in
        assert np.all(rows[:begun, 0] == pytest.approx(0.0, abs=1e-12)), "it waits at 0"
        counted = rows[rows[:, 2] >= 0.0]
        assert np.array_equal(np.unique(counted[:, 2]), np.arange(cycle, create(PROGRAM).cycles))
        # Samples of the whole lie a part of a sample beside: as far as it moves in one.
        assert np.max(np.abs(rows[begun : begun + soft, 0] - whole[at - soft : at, 0])) <= np.max(np.abs(np.diff(whole[at - soft : at, 0])))
        for order in (1, 2):
            assert np.max(np.abs(np.diff(rows[:, 0], order))) <= np.max(np.abs(np.diff(whole[:, 0], order))) * (1.0 + 1e-3)


def test_a_block_without_one_goes_on_from_a_stand_within_its_bounds() -> None:
    trajectory = create(STEEP)
    low, high, fastest = trajectory.bounds()
    t = np.arange(math.ceil(trajectory.duration * RATE)) / RATE
    sharpest = float(np.max(np.abs(np.diff(trajectory.evaluate(t)[0], 2)))) * RATE**2
    allowed = acceleration(fastest, sharpest, 1.0, 0.0, HOLD)
    for cycle in range(20, 28):
        rows, setpoint, start = resumed("force", STEEP, cycle)
        assert start.time is not None, "another wave than the first: no smooth way from the one to the other"
        assert rows[0, 0] == pytest.approx(0.0, abs=1e-12), "bumpless from the feedback"
        behind = rows[setpoint._timing.lead_in :, 0]
        assert low - 1e-9 <= rows[:, 0].min() and rows[:, 0].max() <= high + 1e-9
        assert np.max(np.abs(np.diff(rows[:, 0]))) * RATE <= fastest * (1.0 + 1e-9)
        assert np.max(np.abs(np.diff(behind, 2))) * RATE**2 <= allowed * (1.0 + 1e-9)
        counted = rows[rows[:, 2] >= 0.0]
        assert np.array_equal(np.unique(counted[:, 2]), np.arange(cycle, trajectory.cycles))


def test_what_repeats_no_period_begins_its_first_cycle_as_the_whole_does(tmp_path: Path) -> None:
    """Also a drive that is played: of the cycles behind the first each goes on from a stand."""
    noise = Random(duration=1.0, lowest_frequency=2.0, highest_frequency=8.0, rms=1.0, cycles=2, soft_start=0.3, soft_stop=0.3)
    t = np.arange(math.ceil(create(noise).duration * RATE) + 1) / RATE
    np.save(tmp_path / "drive.npy", np.column_stack(create(noise).evaluate(t)))
    for config in (noise, Drive(str(tmp_path / "drive.npy"), RATE)):
        rows, _, start = resumed("force", config, 0)
        assert start.time is None and np.array_equal(rows, plain(config))
        rows, setpoint, start = resumed("force", config, 1)
        assert start.time == pytest.approx(1.3) and set(rows[:, 2]) == {-1.0, 1.0}
        assert np.max(np.abs(np.diff(rows[setpoint._timing.lead_in :, 0]))) * RATE <= create(config).bounds()[2] * (1.0 + 1e-9)


def test_what_was_changed_and_corrected_goes_on() -> None:
    rows, setpoint, _ = resumed("force", SINE, 5, pace=1.5, changes={"amplitude": 2.0})
    counted = rows[rows[:, 2] >= 0.0]
    middle = counted[counted[:, 2] == 10.0]
    assert middle[:, 0].max() == pytest.approx(2.5, abs=0.01) and middle[:, 0].min() == pytest.approx(-1.5, abs=0.01)
    assert len(middle) == pytest.approx(RATE / 7.0 / 1.5, abs=1.0)
    assert setpoint.pace == 1.5


def test_a_hold_in_the_soft_start_leaves_out_what_was_run_all_the_same() -> None:
    start = Start.of(plan_of("force", SINE, 7), create(SINE), RATE, 0.0)
    setpoint = Setpoint(create(SINE), RATE, 0.0, Timing(lead_in=500, fade=400))
    setpoint.take_up(start, HOLD)
    rows = [setpoint.next(700)]
    setpoint.hold(HOLD)
    rows.append(setpoint.next(2000))
    assert np.ptp(rows[-1][-100:, 0]) == 0.0
    setpoint.resume(HOLD)
    while not setpoint.finished:
        rows.append(setpoint.next(BLOCK))
    cycle = np.concatenate(rows)[:, 2]
    assert np.array_equal(np.unique(cycle), [-1.0, *range(7, 20)])


def test_a_hold_at_a_phase_behind_what_is_left_out_is_found() -> None:
    start = Start.of(plan_of("force", SINE, 7), create(SINE), RATE, 0.0)
    setpoint = Setpoint(create(SINE), RATE, 0.0, Timing(lead_in=500, fade=400))
    setpoint.take_up(start, HOLD)
    setpoint.next(500 + 1400)
    assert setpoint.time == pytest.approx(1400 / RATE + 7.0 / 7.0, abs=1e-6)
    at = setpoint.time + 1.2
    setpoint.hold(HOLD, at)
    rows = setpoint.next(4000)
    assert rows[-1, 0] == pytest.approx(float(create(SINE).evaluate(np.array([at]))[0][0]), abs=1e-6)


def test_blocks_that_are_over_are_not_told_again() -> None:
    for cycle, left in ((22, ["slow", "1 sine", "slow"]), (30, ["1 sine", "slow"])):
        start = Start.of(plan_of("force", PROGRAM, cycle), create(PROGRAM), RATE, 0.0)
        assert (start.begin == 0.0) == (cycle == 30)
        told = list(start.ahead(begins(PROGRAM)))
        assert [text.split(",")[0] for _, text in told] == left
        assert told[0][0] == start.goes_on
    assert list(Start(None, None).ahead(begins(PROGRAM))) == list(begins(PROGRAM)), "all of a test from its beginning"


def test_without_a_cycle_it_begins_anew() -> None:
    assert not Start.of(plan_of("force", SINE, None), create(SINE), RATE, 0.0).resumes
