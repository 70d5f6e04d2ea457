"""How an axis followed: skew of its clock within 5 ppm over a minute whatever the stamps jitter, and its rms error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.following import FEWEST, astray, dry, late, restamp, rms, skew, wave_skew
from tests.each_row import each_row

SECONDS, EVERY, JITTER = 60.0, 0.02, 1e-3
RAMP = 2.0  # s of soft start and of soft stop
SPEED = 0.8  # rad/s


def course(t: np.ndarray) -> np.ndarray:
    """Angle (rad) at t (s): even run-up, steady speed, even stop."""
    up, down = np.clip(t, 0.0, RAMP), np.clip(t - (SECONDS - RAMP), 0.0, RAMP)
    return SPEED * (up**2 / (2.0 * RAMP) + np.clip(t - RAMP, 0.0, SECONDS - 2.0 * RAMP) + down - down**2 / (2.0 * RAMP))


def exchanges(ppm: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(time, setpoint, position) of a minute of exchanges whose stamps jitter; the axis counts steps by a clock that is ppm too fast."""
    dice = np.random.default_rng(seed)
    t = np.arange(0.0, SECONDS, EVERY)
    stamp = np.sort(t + dice.uniform(-0.5 * JITTER, 0.5 * JITTER, len(t)))
    return stamp, course(stamp), 0.3 + (1.0 + 1e-6 * ppm) * course(t)


def assert_found(ppm: float, *exchanged: np.ndarray) -> None:
    found = skew(*exchanged)
    assert found is not None
    assert abs(1e6 * found - ppm) < 5.0


@given(st.sampled_from([-50.0, -10.0, 0.0, 50.0, 200.0]), st.integers(0, 1000))
def test_what_was_put_in_is_found(ppm: float, seed: int) -> None:
    assert_found(ppm, *exchanges(ppm, seed))


@given(st.sampled_from([-50.0, 0.0, 50.0, 2000.0]), st.integers(0, 100))
def test_answers_that_come_late_toward_the_end_count_for_nothing(ppm: float, seed: int) -> None:
    """One in five is up to 20 ms late in the last third: a mean of 2 ms there, which would look like 50 ppm."""
    time, setpoint, position = exchanges(ppm, seed)
    dice = np.random.default_rng(seed)
    late = np.where((time > 40.0) & (dice.random(len(time)) < 0.2), dice.uniform(0.0, 0.02, len(time)), 0.0)
    assert_found(ppm, time, setpoint, position + SPEED * late)


@given(st.sampled_from([-50.0, 0.0, 50.0]), st.integers(0, 100))
def test_of_slow_answers_the_quick_half_counts(ppm: float, seed: int) -> None:
    """Two in five trips take up to 30 ms longer toward the end, all of it on the way back, so that their stamps are up to 15 ms late."""
    time, setpoint, position = exchanges(ppm, seed)
    dice = np.random.default_rng(seed + 1000)  # not the jitter again
    longer = np.where((time > 20.0) & (dice.random(len(time)) < 0.4), dice.uniform(0.002, 0.03, len(time)), 0.0)
    trip = dice.uniform(3e-3, 4e-3, len(time)) + longer
    assert_found(ppm, time, setpoint, position - SPEED * 0.5 * longer, trip)


@given(st.sampled_from([-50.0, 50.0]), st.integers(0, 100))
def test_backward_and_with_readings_missing(ppm: float, seed: int) -> None:
    time, setpoint, position = exchanges(ppm, seed)
    position[::7] = np.nan
    assert_found(ppm, time, -setpoint, -position)


@each_row("count", [FEWEST, FEWEST + 10, 2 * FEWEST, 200])
@each_row("trip", [None, 3e-3])
def test_few_readings_are_enough_and_answers_that_take_the_same_time_all_count(count: int, trip: float | None) -> None:
    t = 0.02 * np.arange(float(count))
    found = skew(t, SPEED * t, 0.3 + (1.0 + 50e-6) * SPEED * t, None if trip is None else np.full(count, trip))
    assert found == pytest.approx(50e-6, rel=1e-6)


def test_how_an_axis_lags_while_it_is_run_up_is_none_of_its_clock() -> None:
    """20 s of run-up and 20 s at speed, 10 ms behind all the time: at speed that stands still, and in the run-up it grows."""
    t = np.arange(0.0, 40.0, EVERY)

    def turned(t: np.ndarray) -> np.ndarray:
        return SPEED * np.where(t < 20.0, np.clip(t, 0.0, None) ** 2 / 40.0, t - 10.0)

    assert skew(t, turned(t), (1.0 + 50e-6) * turned(t - 0.01)) == pytest.approx(50e-6, abs=1e-6)


def test_of_so_few_readings_the_slow_ones_count_as_well() -> None:
    """30, and twice 20 are wanted for half of them to be left out."""
    t = 0.02 * np.arange(30.0)
    trip = np.where(np.arange(30) % 2 == 0, 3e-3, 4e-3)
    assert skew(t, SPEED * t, SPEED * t, trip) == pytest.approx(0.0, abs=1e-9)


def test_nothing_can_be_told() -> None:
    t = np.arange(100.0)
    assert skew(t, np.zeros(100), np.zeros(100)) is None, "at rest"
    assert skew(t, t, np.full(100, np.nan)) is None, "the axis tells no position"
    assert skew(t[: FEWEST - 1], t[: FEWEST - 1], t[: FEWEST - 1]) is None, "too few"
    assert skew(np.empty(0), np.empty(0), np.empty(0)) is None


def test_rms() -> None:
    setpoint = np.zeros(1000)
    assert rms(setpoint, np.full(1000, 0.1)) == pytest.approx(0.1)
    position = np.tile([0.3, np.nan, -0.4, np.nan], 250)
    assert rms(setpoint, position) == pytest.approx(np.sqrt((0.09 + 0.16) / 2.0))
    assert rms(setpoint, np.full(1000, np.nan)) is None
    assert rms(np.full(1000, 5.0), np.full(1000, 4.9)) == pytest.approx(0.1)


@each_row("phase", [-0.2, 0.8, 1.57, 3.0])
@each_row("ppm", [-50.0, 0.0, 50.0])
def test_the_clock_of_a_generator_shows_in_the_phase_of_its_wave(ppm: float, phase: float) -> None:
    """Ten readings a second for a minute, 1 % of noise, a third harmonic as play makes one."""
    time = np.arange(600) / 10.0 + np.random.default_rng(1).uniform(0.0, 0.01, 600)
    angle = 2.0 * np.pi * 3.0 * (1.0 + 1e-6 * ppm) * time + phase
    feedback = 1e4 * (np.sin(angle) + 0.1 * np.sin(3.0 * angle)) + 100.0 * np.random.default_rng(2).standard_normal(600) + 300.0
    found = wave_skew(time, feedback, 3.0)
    assert found is not None and abs(1e6 * found - ppm) < 5.0
    for few in (0, 1, 10, 21, 40):
        assert wave_skew(time[:few], feedback[:few], 3.0) is None, "too few"
    assert wave_skew(time[:70], feedback[:70], 3.0) is None, "too short: it could be anything"


@pytest.mark.parametrize("phase", [0.0, 0.25 * np.pi, 0.5 * np.pi, 0.75 * np.pi])
def test_readings_that_scatter_too_much_tell_of_no_clock(phase: float) -> None:
    time = np.arange(600) / 10.0 + np.random.default_rng(1).uniform(0.0, 0.01, 600)
    feedback = 1e4 * np.sin(2.0 * np.pi * 3.0 * time + phase) + 3e3 * np.random.default_rng(2).standard_normal(600)
    assert wave_skew(time, feedback, 3.0) is None
    assert wave_skew(time, np.zeros(600), 3.0) is None


def told(*errors: float, every: float = 0.01) -> list[tuple[float, float]]:
    """(time, error), the newest first, of readings that came one after the other."""
    return [(every * n, error) for n, error in enumerate(errors)][::-1]


@pytest.mark.parametrize("late", [2, 8])
def test_a_setpoint_that_came_late_is_caught_up_with(late: int) -> None:
    """20 to 80 ms beyond the bound, by less than three times."""
    errors = [0.1] * 20 + [2.5] * late + [0.9] * 20
    assert all(astray(told(*errors[:n]), 1.0) is None for n in range(len(errors) + 1))


def test_an_axis_that_stays_off_does_not_follow() -> None:
    errors = [0.1] * 20 + [-1.5] * 20
    first = next(n for n in range(len(errors)) if astray(told(*errors[:n]), 1.0) is not None)
    assert astray(told(*errors[:first]), 1.0) == -1.5
    assert 0.09 < 0.01 * (first - 21) < 0.12


def test_what_is_just_the_bound_is_within_it() -> None:
    assert astray(told(*[1.0] * 30), 1.0) is None
    assert astray(told(*[1.01] * 30), 1.0) == 1.01
    assert astray(told(0.1, 3.0), 1.0) is None and astray(told(0.1, -3.01), 1.0) == -3.01


def test_far_off_is_told_at_once() -> None:
    assert astray(told(0.1, 0.1, 3.1), 1.0) == 3.1


def test_an_axis_that_tells_no_position_is_not_judged() -> None:
    assert astray(told(*[np.nan] * 30), 1.0) is None
    assert astray([], 1.0) is None


def test_setpoints_that_came_late_are_told() -> None:
    assert late([0.00, 0.01, 0.02, 0.035, 0.045], 0.01, 2.0) == ""
    assert late([], 0.01, 2.0) == late([1.0], 0.01, 2.0) == late([0.0, 0.01, 0.035], 0.01, 3.0) == ""
    assert late([0.0, 0.01, 0.089, 0.09], 0.01, 2.0).startswith("setpoints came up to 79 ms apart, for 10 ms: this computer is too slow")


def test_setpoints_that_ran_out_are_told() -> None:
    assert dry(0.0, 0.01) == dry(0.01, 0.01) == ""
    assert dry(0.045, 0.01).startswith("setpoints ran out for up to 45 ms: this computer is too slow")


@given(st.floats(-50e-6, 50e-6), st.floats(0.5e-3, 10e-3))
def test_stamps_that_become_better_are_no_skew(skewed: float, late: float) -> None:
    """Of an axis at a steady 0.8 rad/s; the first samples seem to have begun later than they had."""
    moment = 1000.0 + np.arange(0.0, 60.0, 0.02)
    true = moment - 1000.5
    position = 0.8 * (1.0 + skewed) * true
    time = true - late * np.exp(-true / 20.0)
    found, naive = skew(true, restamp(true, time, 0.8 * time), position), skew(time, 0.8 * time, position)
    assert found is not None and naive is not None
    assert abs(found - skewed) < 1e-6 < abs(naive - skewed)


def test_of_nothing_there_is_no_clock() -> None:
    nothing = np.zeros(0)
    assert len(restamp(nothing, nothing, nothing)) == 0
