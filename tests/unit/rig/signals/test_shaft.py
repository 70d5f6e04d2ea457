"""Angle and speed of a shaft behind an encoder, a pickup and a tachometer: against a course that is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.signals import shaft
from rig.signals.shaft import TURN
from tests.each_row import each_row

Floats = NDArray[np.float64]

RATE = 51.2e3
SPEED = 10.0 * np.pi  # 300 r/min
STEP = TURN / 4096  # 1024 lines, x4
SEEDS = (1, 2, 3)
DEG = np.pi / 180.0


class Turning:
    """A shaft at SPEED with 1 % of ripple of a random harmonic and phase; angle at any time, times of any angle."""

    def __init__(self, seed: int, seconds: float = 2.0, ripple: float = 0.01, harmonics: tuple[int, int] = (1, 6)) -> None:
        random = np.random.default_rng(seed)
        self.n = SPEED * random.integers(*harmonics)
        self.ripple, self.phase, self.begin = ripple, random.uniform(0, TURN), random.uniform(0.1, TURN - 0.1)
        self.t = np.arange(round(seconds * RATE)) / RATE
        self.angle, self.speed = self.at(self.t), SPEED * (1.0 + ripple * np.cos(self.n * self.t + self.phase))

    def at(self, t: Floats) -> Floats:
        return self.begin + SPEED * (t + self.ripple / self.n * (np.sin(self.n * t + self.phase) - np.sin(self.phase)))

    def pulses_at(self, pickup: float) -> Floats:
        """Times at which the shaft is at `pickup` (rad), whole turns on."""
        angles = pickup + TURN * np.arange(-1, 2 + self.angle[-1] // TURN)
        angles = angles[(angles > self.angle[0]) & (angles < self.angle[-1])]
        return np.interp(angles, self.angle, self.t)


def counted(times: Floats, t: Floats) -> Floats:
    return np.searchsorted(times, t, side="left").astype(float)


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_encoders_counts_give_the_angle_to_a_twentieth_of_a_degree(seed: int) -> None:
    turning = Turning(seed)
    course = shaft.from_encoder(np.floor(turning.angle / STEP) * STEP, RATE, STEP)
    assert rms(course.angle - turning.angle) < 0.01 * DEG  # asked: 0.05
    inner = slice(1000, -1000)
    assert rms((course.speed - turning.speed)[inner]) < 1e-3 * SPEED  # a tenth of the ripple
    assert np.max(np.abs(course.speed - turning.speed)[inner]) < 4e-3 * SPEED
    assert np.ptp(turning.speed) > 0.019 * SPEED


@pytest.mark.parametrize("seed", SEEDS)
def test_at_a_tenth_of_the_rate_and_backward(seed: int) -> None:
    turning = Turning(seed)
    angle = -turning.angle[::10]
    course = shaft.from_encoder(np.floor(angle / STEP) * STEP, RATE / 10, STEP)
    assert rms(course.angle - angle) < 0.02 * DEG
    assert course.speed.mean() == pytest.approx(-SPEED, rel=1e-2)


def test_an_encoder_that_stands_stands() -> None:
    course = shaft.from_encoder(np.full(1000, 3.0), RATE, STEP)
    np.testing.assert_allclose(course.angle, 3.0 + STEP / 2)
    np.testing.assert_allclose(course.speed, 0.0, atol=1e-9)


def test_what_cannot_be_filtered_is_said() -> None:
    with pytest.raises(ValueError, match="at least 32 samples, got 10"):
        shaft.from_encoder(np.zeros(10), RATE, STEP)
    with pytest.raises(ValueError, match="half the rate, 25600 Hz; got 30000 Hz"):
        shaft.from_encoder(np.zeros(100), RATE, STEP, corner=30e3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("backward", [False, True])
def test_a_pickup_gives_the_angle_to_a_degree(seed: int, backward: bool) -> None:
    turning = Turning(seed, harmonics=(2, 6))
    pulses = counted(turning.pulses_at(np.pi), turning.t)
    course = shaft.from_pickup(pulses, RATE, -np.pi if backward else np.pi, backward)
    true = -turning.angle if backward else turning.angle
    off = course.angle - true
    whole = TURN * np.rint(np.median(off) / TURN)  # which turn it is, nobody tells
    assert rms(off - whole) < 0.5 * DEG  # asked: 1; 1 % of ripple twice a turn is 0.29 deg, about a pulse anywhere in it
    assert course.bridged == ()
    assert course.speed.mean() == pytest.approx(-SPEED if backward else SPEED, rel=2e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_pulse_is_bridged_and_told(seed: int) -> None:
    turning = Turning(seed, harmonics=(2, 6))
    times = turning.pulses_at(np.pi)
    lost = 3 + seed
    course = shaft.from_pickup(counted(np.delete(times, lost), turning.t), RATE, np.pi)
    assert rms(course.angle - turning.angle - TURN * np.rint(np.median(course.angle - turning.angle) / TURN)) < 0.6 * DEG
    (about,) = course.bridged
    assert about == pytest.approx(times[lost] * RATE, abs=0.005 * TURN / SPEED * RATE)


@pytest.mark.parametrize("one_in", [3, 4, 7])
def test_one_missing_in_a_few_all_along_is_bridged(one_in: int) -> None:
    turning = Turning(1, harmonics=(2, 6))
    times = turning.pulses_at(np.pi)
    there = np.arange(len(times)) % one_in != one_in - 2
    there[[0, 1, -2, -1]] = True
    course = shaft.from_pickup(counted(times[there], turning.t), RATE, np.pi)
    assert rms(course.angle - turning.angle - TURN * np.rint(np.median(course.angle - turning.angle) / TURN)) < 0.8 * DEG
    assert len(course.bridged) == np.count_nonzero(~there)


@each_row("power", [0.4, 0.5, 0.6, 0.8, 1.0])
@each_row("down", [False, True])
def test_a_run_up_and_a_coming_to_rest_are_refused(power: float, down: bool) -> None:
    """Turns n at t ~ n^power from rest until the speed is reached; a first turn of just twice the others is among them."""
    times = 0.2 * np.arange(1.0, 6.0) ** power if power < 1.0 else np.array([0.4])
    times = np.concatenate(([0.0], times, times[-1] + max(0.0, float(np.diff(times)[-1]) if len(times) > 1 else 0.2) * np.arange(1, 12)))
    if down:
        times = times[-1] - times[::-1]
    times = times + 0.1
    with pytest.raises(ValueError, match="steady"):
        shaft.from_pickup(counted(times, np.arange(round((times[-1] + 0.1) * RATE)) / RATE), RATE, np.pi)


@each_row("ramp", [0.0, 0.1, 0.3, 0.5, 1.0])
@each_row("down", [False, True])
@each_row("phase", [0.1, 2.0, 4.5])
def test_rest_before_or_after_is_refused(ramp: float, down: bool, phase: float) -> None:
    """A second of it, then up to speed within `ramp`: a run-up has few turns in it, or none, and what is before would become turns."""
    t = np.arange(round(4.0 * RATE)) / RATE
    speed = SPEED * np.clip((t - 1.0) / ramp if ramp else t > 1.0, 0.0, 1.0)
    angle = phase + np.cumsum(speed) / RATE
    pulses = np.floor((angle - np.pi) / TURN) - np.floor((phase - np.pi) / TURN)
    with pytest.raises(ValueError, match="steady"):
        shaft.from_pickup(pulses[-1] - pulses[::-1] if down else pulses, RATE, np.pi)


@pytest.mark.parametrize("lost", [[10, 12, 14], [10, 11, 13, 14, 16, 17], [*range(6, 26, 2)]])
def test_pulses_missing_in_a_pattern_are_bridged_or_refused(lost: list[int]) -> None:
    turning = Turning(1, seconds=6.0, harmonics=(2, 6))
    pulses = counted(np.delete(turning.pulses_at(np.pi), lost), turning.t)
    with pytest.raises(ValueError, match="pulses are missing"):
        shaft.from_pickup(pulses, RATE, np.pi)


@pytest.mark.parametrize("ratio", [0.5, 2.0, 3.0])
def test_a_step_of_the_speed_is_refused(ratio: float) -> None:
    times = np.cumsum(np.r_[0.1, np.full(10, 0.2), np.full(10, 0.2 / ratio)])
    with pytest.raises(ValueError, match="the speed is not steady"):
        shaft.from_pickup(counted(times, np.arange(round((times[-1] + 0.02) * RATE)) / RATE), RATE, np.pi)


@pytest.mark.parametrize("seed", SEEDS)
def test_jitter_is_borne(seed: int) -> None:
    turning = Turning(seed, harmonics=(2, 6))
    times = turning.pulses_at(np.pi)
    times = times + np.random.default_rng(seed).normal(0.0, 0.5 * DEG / SPEED, len(times))
    course = shaft.from_pickup(counted(times, turning.t), RATE, np.pi)
    assert rms(course.angle - turning.angle - TURN * np.rint(np.median(course.angle - turning.angle) / TURN)) < 1.0 * DEG


@pytest.mark.parametrize("share", [0.002, 0.1, 0.5])
def test_a_doubled_pulse_is_refused_with_its_time(share: float) -> None:
    times = Turning(1).pulses_at(np.pi)
    twice = np.sort(np.append(times, times[4] + share * (times[5] - times[4])))
    with pytest.raises(ValueError, match=rf"begins at {int(1e3 * times[4]) / 1e3:.3f}.* lasts .*a pulse came twice"):
        shaft.from_pickup(counted(twice, np.arange(round(2 * RATE)) / RATE), RATE, np.pi)


def test_what_is_no_series_of_turns_is_refused() -> None:
    t = np.arange(round(2 * RATE)) / RATE
    times = Turning(1).pulses_at(np.pi)
    with pytest.raises(ValueError, match=r"lasts 3\.0.* pulses are missing"):
        shaft.edges(counted(np.delete(times, [4, 5]), t), RATE)
    with pytest.raises(ValueError, match="at least 2 pulses, got 1"):
        shaft.edges(counted(times[:1], t), RATE)
    with pytest.raises(ValueError, match="several pulses within one sample at"):
        shaft.edges(counted(np.sort([*times, times[2] + 1e-9]), t), RATE)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_tachometer_that_drifts_is_put_right_by_the_pickup(seed: int, way: float) -> None:
    turning = Turning(seed)
    random = np.random.default_rng(seed)
    shown = way * (1.02 * turning.speed + 0.1 + 0.05 * turning.t) + random.normal(0.0, 0.3, len(turning.t))
    pulses = counted(turning.pulses_at(np.pi), turning.t)
    course = shaft.from_tachometer(shown, pulses, RATE, way * np.pi)
    off = course.angle - way * turning.angle
    assert rms(off - TURN * np.rint(np.median(off) / TURN)) < 0.1 * DEG  # the ripple is seen, other than by the pickup alone
    integrated = np.cumsum(shown - way * turning.speed) / RATE
    assert np.ptp(integrated) > 60.0 * DEG  # what it would be off by alone


def test_a_tachometer_that_tells_another_speed_is_refused() -> None:
    turning = Turning(1)
    with pytest.raises(ValueError, match=r"tells 2\.00 turns from pulse to pulse"):
        shaft.from_tachometer(2.0 * turning.speed, counted(turning.pulses_at(np.pi), turning.t), RATE, np.pi)
