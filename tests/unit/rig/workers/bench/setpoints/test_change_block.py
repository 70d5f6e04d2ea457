"""A block of a program that is changed while it runs: bounds kept, each cycle there once, all repeats as if the file had said so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.trajectory import create
from rig.trajectory.blocks import begins
from rig.trajectory.following.changes import changed, differing, fastest
from rig.trajectory.following.program_blocks import block_of, called, key_of, made, parse, path_of, running, same_place
from rig.trajectory.naming import TrajectorySettings
from rig.trajectory.program import Config as Program
from rig.trajectory.ramp import Config as Ramp
from rig.trajectory.sine import Config as Sine
from rig.trajectory.square import Config as Square
from rig.trajectory.triangle import Config as Triangle
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from tests.thorough import times
from tests.tiers import quick

RATE, BLOCK, CHANGE = 2000.0, 20, 0.3
TIMING = Timing(lead_in=300, fade=200)
SINE = Sine(name="slow", amplitude=3.0, frequency=2.0, cycles=5, mean=0.5, soft_start=0.5, soft_stop=0.5)
FAST = Triangle(name="fast", amplitude=1.0, frequency=8.0, cycles=11, mean=2.0, soft_start=0.0, soft_stop=0.0)
PROGRAM = Program(
    segments=(
        SINE,
        Program(name="twice", segments=(Ramp(end=2.0, duration=0.4), FAST, Ramp(start=2.0, end=0.0, duration=0.4)), repeats=2),
    ),
    repeats=3,
)
CHANGES = {
    "segments.0.amplitude": 4.0, "segments.0.mean": -1.0, "segments.1.segments.1.amplitude": 1.7, "segments.1.segments.1.mean": 3.0,
    "segments.0.frequency": 3.0, "segments.1.segments.1.frequency": 5.0,
}  # fmt: skip


def run(moment: int, changes: dict[str, float]) -> tuple[np.ndarray, Setpoint, TrajectorySettings, int]:
    """(rows of the command that is changed at sample `moment`, or as soon after it as it can be; setpoint; settings; when)."""
    trajectory = create(PROGRAM)
    setpoint, settings = Setpoint(trajectory, RATE, 0.0, TIMING), PROGRAM
    rows = [setpoint.next(moment)]
    new = changed(settings, changes)
    another = made(new, settings, trajectory)
    while True:
        try:
            if any(key.endswith("frequency") for key in changes):
                setpoint.retime(another, CHANGE)
            else:
                setpoint.exchange(another, CHANGE)
            break
        except ValueError:
            rows.append(setpoint.next(BLOCK))
    when = setpoint.position
    while not setpoint.finished:
        rows.append(setpoint.next(BLOCK))
    return np.concatenate(rows)[: setpoint.end], setpoint, new, when


@pytest.mark.parametrize("key", quick(CHANGES, ["segments.0.amplitude", "segments.1.segments.1.frequency"]))
def test_at_any_moment_it_keeps_the_bounds_that_were_checked_and_every_cycle(key: str) -> None:
    new = changed(PROGRAM, {key: CHANGES[key]})
    old_bounds, new_bounds = create(PROGRAM).bounds(), create(new).bounds()
    low, high = min(old_bounds[0], new_bounds[0]), max(old_bounds[1], new_bounds[1])
    rate = max(old_bounds[2], new_bounds[2])
    if not key.endswith("frequency"):
        rate = max(rate, *(fastest(*pair, CHANGE) for pair in differing(PROGRAM, new)))
    last = TIMING.lead_in + math.floor((create(PROGRAM).duration - 1.5) * RATE)
    for moment in np.random.default_rng(3).integers(TIMING.lead_in, last, times(8, thorough=25)):
        rows, setpoint, _, when = run(int(moment), {key: CHANGES[key]})
        value, cycle = rows[TIMING.lead_in :, 0], rows[:, 2]
        assert low - 1e-9 <= value.min() and value.max() <= high + 1e-9
        assert np.max(np.abs(np.diff(value))) * RATE <= rate * (1.0 + 1e-9)
        counted = cycle[cycle >= 0.0]
        assert np.array_equal(np.unique(counted), np.arange(create(PROGRAM).cycles)) and np.all(np.diff(counted) >= 0.0)
        assert value[-1] == pytest.approx(0.0, abs=1e-2) and setpoint.finished and when >= moment


@pytest.mark.parametrize("key", quick(CHANGES, 3))
def test_once_it_has_come_in_it_is_what_the_file_would_have_made(key: str) -> None:
    rows, setpoint, new, when = run(TIMING.lead_in + 2200, {key: CHANGES[key]})
    whole = Setpoint(create(new), RATE, 0.0, TIMING)
    as_file = whole.next(whole.end)
    settled = setpoint.settled + 2
    assert settled <= when + 2.5 * CHANGE * RATE
    behind, of_file = rows[settled:], as_file[-(len(rows) - settled) :]
    # A block is not a whole number of samples long, so the two are apart by a part of one.
    assert np.max(np.abs(behind[:, 0] - of_file[:, 0])) <= 1.01 * create(new).bounds()[2] / RATE
    assert np.count_nonzero(behind[:, 2] != of_file[:, 2]) <= len(np.unique(behind[:, 2])) * 2
    assert np.max(np.abs(behind[:, 1] - of_file[:, 1])) <= 1.01 * np.max(np.diff(as_file[:, 1]))


def test_a_block_that_does_not_run_changes_at_once_and_the_present_one_goes_on() -> None:
    plain = Setpoint(create(PROGRAM), RATE, 0.0, TIMING)
    unchanged = plain.next(TIMING.lead_in + 9000)
    rows, *_ = run(TIMING.lead_in + 2200, {"segments.1.segments.1.frequency": 5.0})
    before = np.flatnonzero(rows[:, 2] == 5.0)[0]  # the first cycle of the other block
    assert np.max(np.abs(rows[:before] - unchanged[:before])) <= 1e-9
    assert np.count_nonzero(rows[:, 2] == 7.0) == pytest.approx(RATE / 5.0, abs=1.0)


def test_in_soft_starts_and_near_its_end_a_block_keeps_its_frequency() -> None:
    trajectory, new = create(PROGRAM), changed(PROGRAM, {"segments.0.frequency": 3.0})
    setpoint = Setpoint(trajectory, RATE, 0.0, TIMING)
    setpoint.next(TIMING.lead_in + 400)
    with pytest.raises(ValueError, match="soft start or stop"):
        setpoint.retime(create(new), CHANGE)
    setpoint.next(5400)  # to 0.1 s before the soft stop
    with pytest.raises(ValueError, match=r"end in 0\.1 s, before the change would have come in \(change\.time is 0\.3 s\)"):
        setpoint.retime(create(new), CHANGE)
    plain = Setpoint(trajectory, RATE, 0.0, TIMING).next(TIMING.lead_in + 5850)
    assert setpoint.trajectory is trajectory
    assert np.array_equal(setpoint.next(50), plain[-50:])


def test_a_cycle_that_is_run_again_is_not_lost_by_a_change() -> None:
    setpoint = Setpoint(create(PROGRAM), RATE, 0.0, TIMING, paced=True)
    rows = [setpoint.next(TIMING.lead_in + 3000)]
    assert setpoint.repeat()
    rows.append(setpoint.next(100))
    setpoint.retime(create(changed(PROGRAM, {"segments.0.frequency": 3.0})), CHANGE)
    rows.append(setpoint.next(setpoint.end - setpoint.position))
    whole = np.concatenate(rows)
    assert setpoint.repeated == 1 and whole[-1, 4] == 1.0
    assert np.array_equal(np.unique(whole[:, 2]), np.arange(-1, create(PROGRAM).cycles + 1))
    assert np.all(whole[TIMING.lead_in + 1 :, 3] > 0.5)


def test_a_hold_while_it_comes_in_stands_and_goes_on_at_the_new_frequency() -> None:
    setpoint = Setpoint(create(PROGRAM), RATE, 0.0, TIMING)
    rows = [setpoint.next(TIMING.lead_in + 2200)]
    setpoint.retime(create(changed(PROGRAM, {"segments.0.frequency": 1.0})), CHANGE)
    rows.append(setpoint.next(200))
    setpoint.hold(0.2)
    rows.append(setpoint.next(1000))
    assert np.ptp(rows[-1][-100:, 0]) == 0.0
    setpoint.resume(0.2)
    rows.append(setpoint.next(setpoint.end - setpoint.position))
    whole = np.concatenate(rows)
    assert np.max(np.abs(np.diff(whole[TIMING.lead_in :, 0]))) * RATE <= create(PROGRAM).bounds()[2] * (1.0 + 1e-9)
    assert np.count_nonzero(whole[:, 2] == 4.0) == pytest.approx(RATE, abs=1.0)
    assert np.array_equal(np.unique(whole[:, 2]), np.arange(-1, create(PROGRAM).cycles))


def test_ramps_beside_a_block_lead_to_it_and_from_it() -> None:
    new = changed(PROGRAM, {"segments.1.segments.1.mean": 3.0})
    inside = new.segments[1]
    assert isinstance(inside, Program)
    up, _, down = inside.segments
    assert isinstance(up, Ramp) and isinstance(down, Ramp)
    assert (up.start, up.end, down.start, down.end) == pytest.approx((0.0, 3.0, 3.0, 0.0))


def test_values_of_one_block_change_together() -> None:
    """A square wave refuses an amplitude that its flanks are too slow for: at the frequency that it has then."""
    program = Program(segments=(Square(amplitude=1.0, frequency=2.0, rate=20.0),))
    both = changed(program, {"segments.0.amplitude": 2.5, "segments.0.frequency": 1.0})
    assert "amplitude=2.5" in str(both) and "frequency=1.0" in str(both)
    with pytest.raises(ValueError, match="too short for a smooth flank"):
        changed(program, {"segments.0.amplitude": 2.5})


def test_blocks_are_named_and_found() -> None:
    path = parse(PROGRAM, ["segments", "twice", "segments", "fast"])
    assert path == (1, 1) == parse(PROGRAM, ["segments", "1", "segments", "1"]) == path_of(key_of(path))
    assert called(PROGRAM, path) == "segments.twice.segments.fast" and block_of(PROGRAM, path) is FAST
    trajectory = create(PROGRAM)
    assert [running(trajectory, t) for t in (0.0, 3.4, 3.6, 4.0, 5.3, trajectory.duration)] == [
        (0,), (0,), (1, 0), (1, 1), (1, 2), (1, 2),
    ]  # fmt: skip


def test_blocks_that_are_left_begin_at_their_new_times() -> None:
    new = changed(PROGRAM, {"segments.0.frequency": 5.0})
    old, another = create(PROGRAM), create(new)
    t = 2.0
    place = same_place(old, another, t)
    left = list(begins(new, another, place.time))
    assert [text for _, text in left] == [text for at, text in begins(PROGRAM) if at > t]
    assert left[0][0] == pytest.approx(0.5 + 5 / 5.0 + 0.5) and (place.stretch, place.left) == (0.4, pytest.approx(0.4))
    assert list(begins(new, another, -1.0)) == list(begins(new))


def test_of_a_long_program_only_what_is_left_is_gone_through() -> None:
    long = Program(segments=(SINE,), repeats=200_000_000)
    first = next(iter(begins(long, create(long), 3.5 * 1e8)))
    assert first == (3.5 * (1e8 + 1), f"slow, repeat 100000002 of 200000000 of program, cycles {5 * (10**8 + 1)} to {5 * 10**8 + 9}")


def test_a_block_that_is_shorter_than_the_change_says_what_to_do_instead() -> None:
    """Six counted cycles at 2 Hz or so last some seconds: a change of 9 s never comes in while it runs; while another one runs it does."""
    setpoint, new = Setpoint(create(PROGRAM), RATE, 0.0, TIMING), create(changed(PROGRAM, {"segments.0.frequency": 3.0}))
    setpoint.next(TIMING.lead_in + 1500)
    with pytest.raises(ValueError, match=r"less than the change takes to come in \(change\.time is 9 s\); ask while another block runs"):
        setpoint.retime(new, 9.0)
    setpoint.next(5800)  # in the next block
    setpoint.retime(new, 9.0)
    assert setpoint.trajectory is new
