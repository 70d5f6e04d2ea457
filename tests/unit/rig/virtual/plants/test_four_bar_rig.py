"""The four-bar rig against energy, and against the model, which is another formulation of the same mechanism."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.integrators import dop853
from model.mechanisms import four_bar
from rig.virtual.plants.four_bar_rig import Config
from rig.virtual.plants.motor_rig import four_bar_kernel
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from rig.virtual.plants.motor_rig.sensors import Accelerometer
from tests.unit.rig.virtual.plants.driven_benches import RATE, Turned, nrms, turned_angle

SENSOR = Accelerometer(noise=0.0, coupling=0.0, bandwidth=0.0)
FRICTION = 0.1
DRAWING = Config(perturb=False, clearance=0.1e-3, friction=FRICTION, accelerometer=SENSOR, speed_drive=SpeedDrive(acceleration=300.0))


def driven(config, seconds, seed=1):
    bench = Turned(config.create(seed))
    bench.volts[:] = 10.0 * (10.0 * math.pi * config.motor.gear) / config.speed_drive.max_speed  # 300 r/min
    return bench, bench.run(seconds)


@pytest.mark.parametrize("friction, gravity", [(0.0, 9.81), (0.1, 9.81), (0.05, 0.0)])
def test_the_motors_work_goes_into_energy_and_losses(friction, gravity):
    config = replace(DRAWING, friction=friction, gravity=gravity)
    bench = Turned(config.create(1))
    state, p = bench.plant.state, bench.plant.mechanics.parameters
    before = four_bar_kernel.energy(state, p)
    bench.volts[:] = 7.85
    bench.run(1.5)
    gained = four_bar_kernel.energy(state, p) - before
    work, lost = float(state[four_bar_kernel.WORK]), float(state[four_bar_kernel.LOST])
    assert work > 20.0
    assert gained == pytest.approx(work - lost, abs=0.02 * work)


def predicted(angle, **changes):
    config = four_bar.Config(**{"clearance": DRAWING.clearance, "friction": FRICTION, **changes})
    stepper = config.create(dop853.Config(tolerance=3e-7, longest_step=1e-3), RATE, "crank_angle")
    stepper.start(angle[: stepper.lookahead])
    return stepper.advance(angle[stepper.lookahead :])[:, [name for name, _ in four_bar.Config.CHANNELS].index("acceleration")]


@pytest.fixture(scope="module")
def course():
    """Measured acceleration (m/s^2) and the angle turned by the encoder, both at n / RATE."""
    bench, out = driven(DRAWING, 1.5)
    measured = np.concatenate([[0.0], out[:, 0] / SENSOR.sensitivity])
    return measured, turned_angle(bench.plant, DRAWING.start_angle, len(measured))


def test_the_model_predicts_what_is_measured(course):
    measured, angle = course
    prediction = predicted(angle)
    turning = slice(round(0.7 * RATE), len(prediction))
    assert nrms(measured[turning], prediction[turning], 2000.0) < 0.03
    assert np.std(prediction[turning]) > 15.0


@pytest.mark.parametrize("clearance", [0.05e-3, 0.15e-3])
def test_another_clearance_is_seen(course, clearance):
    measured, angle = course
    prediction = predicted(angle, clearance=clearance)
    turning = slice(round(0.7 * RATE), len(prediction))
    assert nrms(measured[turning], prediction[turning], 2000.0) > 0.2


def test_an_individual_differs_a_little(course):
    _, out = driven(replace(DRAWING, perturb=True), 1.5, seed=5)
    measured, _ = course
    there = slice(round(0.7 * RATE), None)
    assert 0.002 < abs(np.std(out[there, 0] / SENSOR.sensitivity) / np.std(measured[1:][there]) - 1.0) < 0.3


@pytest.mark.parametrize(
    "change, told",
    [
        ({"clearance": 0.011}, "clearance: expected less than the bearing's radius, 10 mm, got 11 mm"),
        ({"step": 3e-6}, "step: expected a whole share of 1 ms, got 3 us"),
        ({"crank_length": 0.19}, "crank_length: the crank cannot turn all round"),
    ],
)
def test_what_cannot_be_built_is_refused(change, told):
    with pytest.raises(ValueError, match=told):
        Config(**change)
