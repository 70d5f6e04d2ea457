"""Contact losses and impacts in the acceleration of the four-bar with 0.2 mm of clearance, against the model's own events."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from model.integrators import dop853
from model.mechanisms.four_bar import Config, flight
from model.mechanisms.four_bar.config import Contact
from rig.config.bench import InputChannel, Sensor
from rig.sensors.transfer import Transfer
from rig.signals import shaft
from rig.signals.contact_loss import SETTLED, SHORTEST, Losses, centre, impacts, losses, spread, wrapped

Floats = NDArray[np.float64]

RATE = 51.2e3
TURN = 2.0 * math.pi
DEG = math.pi / 180.0
TURNS = 3
LOUD = 5e-3  # m/s: an approach that gives an impact
CASES = [(9.81, 0.3), (0.0, 0.3), (0.0, 0.9)]


@cache
def run(gravity: float, restitution: float) -> tuple[Config, Floats, Floats, list[tuple[str, float, float]]]:
    """(configuration, crank angle, acceleration, events: kind, crank angle, approach speed)."""
    config = Config(clearance=0.2e-3, gravity=gravity, contact=Contact(restitution=restitution))
    stepper = config.create(dop853.Config(tolerance=3e-7, longest_step=1e-3), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(TURNS * TURN / config.speed * RATE)))
    angle = config.start_angle + config.speed * np.arange(len(values)) / RATE
    events = [(Config().event(e.guard, e.noted), config.start_angle + config.speed * e.time, e.noted) for e in stepper.events]
    return config, angle, values[:, 6], [(kind[0], at, noted) for kind, at, noted in events if kind is not None]


def free(config: Config, angle: Floats) -> Floats:
    return flight.acceleration(config, angle, np.full(len(angle), config.speed), np.zeros(len(angle)))


def lost(config: Config, events: list[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """(loss, impact) of the model's flights that are long enough, end in an impact, and come out of settled contact."""
    found, before = [], -math.inf
    for (kind, at, _), (_, then, approach) in pairwise(events):
        if kind == "contact_end" and then - at >= SHORTEST * config.speed and approach > LOUD:
            if at - before >= SETTLED:
                found.append((at, then))
            before = then
    return found


def off(found: Floats, true: Floats) -> Floats:
    """Of each found angle how far the nearest true one is."""
    return np.min(np.abs(wrapped(found[:, None] - true[None, :])), axis=1)


def test_the_course_without_contact_is_the_models_in_flight() -> None:
    config, angle, acceleration, events = run(9.81, 0.3)
    course = free(config, angle)
    flights = [(at, then) for (kind, at, _), (_, then, _) in pairwise(events) if kind == "contact_end"]
    flying = np.any([(angle > at) & (angle < then) for at, then in flights], axis=0)
    assert np.count_nonzero(flying) > 1000
    assert np.max(np.abs(acceleration - course)[flying]) < 0.05  # m/s^2, of a clearance that turns the coupler a little
    assert np.max(np.abs(acceleration - course)) > 1000.0


@pytest.mark.parametrize("case", [CASES[0], *(pytest.param(case, marks=pytest.mark.long) for case in CASES[1:])])
def test_losses_are_found_within_two_degrees_of_the_models(case: tuple[float, float]) -> None:
    config, angle, acceleration, events = run(*case)
    true = np.array(lost(config, events))
    assert len(true) >= 3
    for seed in (1, 2):
        noisy = acceleration + np.random.default_rng(seed).normal(0.0, 0.2, len(angle))
        found = losses(angle, noisy, free(config, angle), RATE, quiet=1.0)
        assert off(true[:, 0], found.loss).max() < 2.0 * DEG  # each of them is found
        assert off(true[:, 1], found.impact).max() < 0.1 * DEG
        ends = np.array([at for kind, at, _ in events if kind == "contact_end"])
        assert off(found.loss, ends).max() < 2.0 * DEG  # and nothing else
        assert np.median(off(found.loss, ends)) < 0.15 * DEG


def test_with_the_encoders_angle_and_through_an_accelerometer() -> None:
    config, angle, acceleration, events = run(9.81, 0.3)
    channel = InputChannel("acceleration", "m/s^2", "Dev1/ai3", Sensor(980.665, bandwidth=5e3), range=10.0)
    resolution = TURN / 4096
    course = shaft.from_encoder(np.floor(angle / resolution) * resolution, RATE, resolution)
    seen, without = (Transfer(channel, RATE).apply(values) for values in (acceleration, free(config, course.angle)))
    found = losses(course.angle, seen, without, RATE, quiet=1.0)
    true = np.array(lost(config, events))
    assert off(true[:, 0], found.loss).max() < 2.0 * DEG
    assert off(true[:, 1], found.impact).max() < 0.3 * DEG


def test_turns_mean_and_scatter() -> None:
    found = Losses(np.array([0, 1, 2, 2]), np.radians([359.0, 1.0, 3.0, 120.0]), np.radians([10.0, 12.0, 14.0, 130.0]))
    near = found.near(np.radians(359.5), np.radians(5.0))
    np.testing.assert_array_equal(near.turns, [0, 1, 2])
    assert near.mean == pytest.approx(np.radians(1.0))
    assert near.scatter == pytest.approx(np.radians(2.0), rel=1e-3)
    assert math.isnan(found.near(4.0, 0.1).mean)
    assert math.isnan(spread(np.array([1.0])))
    assert math.isnan(centre(np.array([])))


def test_turns_are_counted_from_the_first_one() -> None:
    config, angle, acceleration, _ = run(9.81, 0.3)
    found = losses(angle, acceleration, free(config, angle), RATE, quiet=1.0)
    np.testing.assert_allclose(found.turns, np.searchsorted([TURN, 2 * TURN, 3 * TURN], TURN * found.turns + found.loss, side="right"))
    assert set(found.turns) <= set(range(TURNS + 1))
    assert found.turns.max() >= 1


def test_impacts_are_told_by_the_acceleration_alone() -> None:
    config, angle, acceleration, events = run(9.81, 0.3)
    noisy = acceleration + np.random.default_rng(1).normal(0.0, 0.5, len(angle))
    at = angle[impacts(noisy, RATE, threshold=300.0)]
    hits = np.array([then for kind, then, approach in events if kind == "contact_start" and approach > 0.05])
    assert len(hits) >= 2
    assert off(hits, at).max() < 0.3 * DEG
    assert not len(impacts(free(config, angle), RATE, threshold=300.0))


def test_arrays_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="arrays of one length, got 3, 4 and 4"):
        losses(np.zeros(3), np.zeros(4), np.zeros(4), RATE, quiet=1.0)


def test_a_record_without_any_flight_has_no_losses() -> None:
    angle = np.linspace(0.0, TURN, 1000)
    found = losses(angle, np.full(1000, 50.0), np.zeros(1000), RATE, quiet=1.0)
    assert len(found.loss) == len(found.turns) == len(found.impact) == 0


def test_friction_that_turns_round_is_no_loss() -> None:
    """Gravity presses the joint together all round, and where the links' angles turn round the friction in it does so as suddenly as an
    impact comes; before, nothing changes much. With 9.81 m/s^2 and a coefficient of 0.1 losses were told at 179 deg in half of the turns,
    where there were none."""
    angle = np.arange(0.0, 3 * TURN, 10.0 * np.pi / RATE)
    rise = 0.15e-3 * 10.0 * np.pi  # rad
    phase = (angle + np.pi) % TURN - np.pi
    flat = np.where(phase < -0.05, 20.0 * (phase + 0.05) ** 2, 0.0) - np.where(phase > 0.5, 20.0 * (phase - 0.5) ** 2, 0.0)
    step = 7.0 * np.clip(phase / rise, 0.0, 1.0)
    bump = 40.0 * np.exp(-0.5 * ((phase - 2.0 * rise) / (0.3 * rise)) ** 2)
    noise = np.random.default_rng(1).normal(0.0, 0.1, len(angle))
    assert len(losses(angle, flat + step + noise, np.zeros(len(angle)), RATE, quiet=1.0).loss) == 0
    assert len(losses(angle, flat + bump + noise, np.zeros(len(angle)), RATE, quiet=1.0).loss) >= 2, "an impact there is found"


def test_an_impact_behind_a_slow_sensor_is_still_one() -> None:
    """It rises for longer than an impact does, and falls for longer; a step of friction does not fall at all."""
    bandwidth = 300.0
    rise = 1.0 / (2.0 * np.pi * bandwidth)
    angle = np.arange(0.0, 5 * TURN, 10.0 * np.pi / RATE)
    turned = (angle + np.pi) % TURN - np.pi
    before = np.where(turned < -0.3, 20.0 * (turned + 0.3) ** 2, 0.0)
    channel = InputChannel("acceleration", "m/s^2", "Dev1/ai3", Sensor(980.665, bandwidth=bandwidth, bandwidth_poles=1), range=10.0)
    noise = np.random.default_rng(2).normal(0.0, 0.02, len(angle))
    hits = 2000.0 * ((turned >= 0.0) & (turned < 0.2e-3 * 10.0 * np.pi))
    after = np.where(turned > 0.4, 20.0 * (turned - 0.4) ** 2, 0.0)
    steps = 30.0 * (turned >= 0.0)
    found = [
        losses(angle, Transfer(channel, RATE).apply(before + what + after) + noise, np.zeros(len(angle)), RATE, quiet=0.2, rise=rise)
        for what in (hits, steps)
    ]
    assert [len(one.loss) for one in found] == [4, 0]
