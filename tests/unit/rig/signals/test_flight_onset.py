"""The beginning of a flight in made-up accelerations: a departure that fades to a kink, under noise, over a course of its own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.signals.flight_onset import NOTHING, STILL, Stretch, alike, averaged, onset, onset_and_doubt, picked_up, together, wandering
from tests.tiers import quick

Floats = NDArray[np.float64]

DEG = math.pi / 180.0
PER_DEG = 28.0  # samples, at 300 r/min and 50 kS/s
NOISE, LOSS = 0.1, 342.5
SPEED = 10.0 * math.pi  # rad/s


def course(angle: Floats) -> Floats:
    """Of the coupler's end without contact, m/s^2: about as large, and as curved, as the four-bar's at 300 r/min."""
    return 24.0 * np.sin(angle - 20.0 * DEG)


def made(slope: float, seed: int, loss: float = LOSS, first: float = 333.0, last: float = 354.0, curved: float = 0.0) -> Stretch:
    """slope: of the departure at the loss, m/s^2 per deg; curved: per deg^2. The specimen is 3 % and 0.05 deg off its drawing."""
    angle = np.arange(first, last, 1.0 / PER_DEG)
    before = np.maximum(loss - angle, 0.0)
    difference = 1.03 * course((angle - 0.05) * DEG) - course(angle * DEG) + 4.0 + slope * before + curved * before**2
    noisy = difference + np.random.default_rng(seed).normal(0.0, NOISE, len(angle))
    return averaged(angle * DEG, noisy, course(angle * DEG))


@pytest.mark.parametrize("slope", [0.3, -0.5, 3.0])
def test_one_turn_tells_a_plain_kink(slope: float) -> None:
    found = [onset(made(slope, seed), NOISE) / DEG - LOSS for seed in range(6)]
    assert np.max(np.abs(found)) < 1.0
    assert abs(np.mean(found)) < 0.4


@pytest.mark.parametrize("slope, curved, within", [(0.08, 0.0, 0.5), (0.05, -0.012, 1.0), (-0.06, 0.02, 1.0)])
def test_many_turns_tell_one_that_does_not_show_in_a_single_one(slope: float, curved: float, within: float) -> None:
    """The force fades along the link: its departure is less than the noise for two degrees and may even turn round before that."""
    turns = [made(slope, seed, curved=curved) for seed in range(36)]
    (group,) = alike(turns, NOISE)
    assert group == list(range(36))
    assert onset(together(turns), NOISE) / DEG == pytest.approx(LOSS, abs=within)


def test_a_wrong_weight_and_zero_of_the_angle_are_no_kink() -> None:
    """With the misfit of the free course alone, the loss is not drawn from where it is towards the impact."""
    late = together([made(0.3, seed, loss=338.0) for seed in range(9)])
    assert onset(late, NOISE) / DEG == pytest.approx(338.0, abs=0.4)


def test_turns_that_go_alike_are_found_whatever_lies_between_them() -> None:
    kinds = [(0.3, 342.5), (0.8, 341.0), (-0.6, 344.0)]
    chosen = [kinds[2] if number == 7 else kinds[number % 2] for number in range(12)]
    groups = alike([made(slope, number, loss) for number, (slope, loss) in enumerate(chosen)], NOISE)
    assert groups == [[0, 2, 4, 6, 8, 10], [1, 3, 5, 9, 11], [7]]


def test_alike_turns_may_end_a_little_sooner_or_later() -> None:
    turns = [made(0.3, seed, last=353.0 + 0.3 * seed) for seed in range(5)]
    assert alike(turns, NOISE) == [[0, 1, 2, 3, 4]]
    both = together(turns)
    assert both.angle[-1] < 353.0 * DEG
    assert both.count[3] == pytest.approx(5 * PER_DEG * 0.25)
    assert onset(both, NOISE) / DEG == pytest.approx(LOSS, abs=0.3)


def test_a_stretch_too_short_for_contact_and_flight_tells_nothing() -> None:
    assert math.isnan(onset(made(0.3, 1, first=351.5), NOISE))


def test_few_samples_in_a_turn_make_wider_means() -> None:
    angle = np.arange(333.0, 354.0, 0.5) * DEG
    stretch = averaged(angle, np.zeros(len(angle)), course(angle))
    assert np.all(stretch.count >= 2)
    assert np.allclose(np.diff(stretch.angle), 1.5 * DEG, rtol=0.05)


def on_the_cable(kind: str, seed: int, size: int) -> Floats:
    """Hum of 50 Hz of any phase, or noise of 20 to 100 Hz; about twice the noise of a sample, rms."""
    rng, rate = np.random.default_rng(seed), PER_DEG * 1800.0
    if kind == "hum":
        return 3.0 * NOISE * np.sin(2.0 * np.pi * 50.0 * np.arange(size) / rate + rng.uniform(0.0, 2.0 * np.pi))
    n = 1 << 14
    f = np.fft.rfftfreq(n, 1.0 / rate)
    slow = np.fft.irfft(np.fft.rfft(rng.standard_normal(n)) * (f > 20.0) * (f < 100.0), n)
    return np.asarray(2.0 * NOISE * slow[:size] / np.std(slow))


@pytest.mark.parametrize("kind", quick(["hum", "slow noise"], 1))
def test_what_a_cable_picks_up_draws_no_loss_towards_the_impact(kind: str) -> None:
    """The control: as long as nobody knows of it, single turns are off by twice as much and more."""
    angle = np.arange(333.0, 354.0, 1.0 / PER_DEG)
    turns = []
    for seed in range(12):
        before = np.maximum(LOSS - angle, 0.0)
        noisy = 4.0 + 0.3 * before + np.random.default_rng(seed).normal(0.0, NOISE, len(angle)) + on_the_cable(kind, 100 + seed, len(angle))
        turns.append(averaged(angle * DEG, noisy, course(angle * DEG)))
    beside = picked_up(turns, NOISE, SPEED)
    assert 0.8 * NOISE < beside.rms < 10.0 * NOISE
    told, untold = (np.array([onset(turn, NOISE, known) for turn in turns]) / DEG - LOSS for known in (beside, NOTHING))
    assert abs(np.mean(told)) < 0.7
    doubts = np.array([onset_and_doubt(turn, NOISE, beside)[1] for turn in turns]) / DEG
    assert np.sqrt(np.mean(told**2)) < 3.0 * np.sqrt(np.mean(doubts**2)), "how far it may be off is told"
    assert np.std(untold) + abs(np.mean(untold)) > 2.0 * (np.std(told) + abs(np.mean(told)))


def test_where_nothing_is_picked_up_there_is_nothing() -> None:
    assert picked_up([made(0.3, seed) for seed in range(8)], NOISE, SPEED).rms == 0.0
    assert picked_up([], NOISE, SPEED).rms == 0.0


def rough(seed: int, size: int, rms: float, exponent: float = 1.0) -> Floats:
    """Noise of density 1/f^exponent from 4 Hz to 1 kHz, by random phases and amplitudes; rms over the whole of it."""
    n, rate = 1 << 15, PER_DEG * 1800.0
    f = np.fft.rfftfreq(n, 1.0 / rate)
    amplitude = np.where((f > 4.0) & (f < 1000.0), np.maximum(f, 4.0) ** (-0.5 * exponent), 0.0)
    rng = np.random.default_rng(seed)
    whole = np.fft.irfft(amplitude * (rng.standard_normal(len(f)) + 1j * rng.standard_normal(len(f))), n)
    return np.asarray(rms * whole[:size] / np.std(whole))


def turns_with(noise: list[Floats], kinds: list[tuple[float, float]]) -> list[Stretch]:
    """Turn k has noise k besides that of its samples, and slope and loss of kind k, kinds coming again in their order."""
    angle = np.arange(333.0, 354.0, 1.0 / PER_DEG)
    turns = []
    for seed, own in enumerate(noise):
        slope, loss = kinds[seed % len(kinds)]
        noisy = 4.0 + slope * np.maximum(loss - angle, 0.0) + np.random.default_rng(seed).normal(0.0, NOISE, len(angle)) + own[: len(angle)]
        turns.append(averaged(angle * DEG, noisy, course(angle * DEG)))
    return turns


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_rough_noise_is_known_by_what_differs_between_turns(exponent: float) -> None:
    """The control: as long as nobody knows of it, each turn is taken for late by degrees."""
    turns = turns_with([rough(100 + seed, 1 << 10, 3.0 * NOISE, exponent) for seed in range(24)], [(0.2, LOSS)])
    found = wandering(turns, NOISE, SPEED)
    assert found.rms > 0.3 * NOISE
    (group,) = alike(turns, NOISE, found)
    assert group == list(range(24))
    angle, doubt = onset_and_doubt(together(turns), NOISE, NOTHING, found.of_mean(24))
    assert abs(angle / DEG - LOSS) < min(2.0, 3.0 * doubt / DEG)
    assert np.mean([onset(turn, NOISE) for turn in turns]) / DEG - LOSS > 4.0


def test_hum_that_goes_another_way_in_each_turn_is_averaged_out() -> None:
    turns = turns_with([on_the_cable("hum", 300 + seed, 1 << 10) for seed in range(24)], [(0.2, LOSS)])
    found = wandering(turns, NOISE, SPEED)
    assert found.rms > NOISE
    (group,) = alike(turns, NOISE, found)
    assert group == list(range(24))
    angle, doubt = onset_and_doubt(together(turns), NOISE, NOTHING, found.of_mean(24))
    assert abs(angle / DEG - LOSS) < min(1.0, 3.0 * doubt / DEG)


def test_of_a_motion_that_comes_again_every_second_turn_the_turns_between_are_not_taken_for_noise() -> None:
    kinds = [(0.3, 342.5), (1.2, 338.0)]
    assert wandering(turns_with([np.zeros(1 << 10)] * 12, kinds), NOISE, SPEED) == STILL
    noisy = turns_with([rough(200 + seed, 1 << 10, NOISE) for seed in range(12)], kinds)
    assert alike(noisy, NOISE, wandering(noisy, NOISE, SPEED)) == [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]


def test_turns_of_a_joint_that_goes_another_way_each_time_are_no_noise() -> None:
    """They differ in contact, and not in flight."""
    rng = np.random.default_rng(5)
    kinds = [(float(rng.uniform(0.3, 2.0)), float(rng.uniform(337.0, 347.0))) for _ in range(17)]
    assert wandering(turns_with([np.zeros(1 << 10)] * 17, kinds), NOISE, SPEED) == STILL


def test_where_nothing_wanders_there_is_nothing() -> None:
    assert wandering([made(0.3, seed) for seed in range(12)], NOISE, SPEED) == STILL
    assert wandering([made(0.3, 1)], NOISE, SPEED) == wandering([], NOISE, SPEED) == STILL
