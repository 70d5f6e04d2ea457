"""The 3-RRPaR rig against energy, against the paper's figures as others computed them, and against the model with ideal drives."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

from model.integrators import dop853
from model.mechanisms import parallel_3rrpar
from model.mechanisms.parallel_3rrpar import kinematics
from model.paths import trajectory_1
from rig.config.bench import SerialEntry
from rig.virtual.plants.motor_rig import parallel_kernel as kernel
from rig.virtual.plants.motor_rig.sensors import Accelerometer
from rig.virtual.plants.parallel_rig import Config, Place
from tests.unit.rig.virtual.plants.driven_benches import Turned, serial

PATH = trajectory_1.Config().create()
BEGIN = Place(*(float(value) for value in PATH.evaluate(np.zeros(1))[0][0]))
QUIET = Accelerometer(sensitivity=0.1, bandwidth=0.0, coupling=0.0, noise=0.0)
DRAWING = Config(perturb=False, start=BEGIN, accelerometer=QUIET)
SECONDS, TICKS, EACH = 2.5, 1000, 10
RATE = float(TICKS * EACH)
ON = np.ones(3, bool)


def followed(config, seconds=SECONDS):
    """Along the path by what the drives are told each millisecond: the plant; (n, 3) m/s^2 at k / RATE; angles and places each tick."""
    times = np.arange(round(seconds * TICKS)) / TICKS
    wanted = kinematics.motion_along(parallel_3rrpar.Config(), *PATH.evaluate(times))
    plant, gear = config.create(1), config.motor.gear
    seen, angles, places = [], [], []
    for n in range(len(times)):
        for leg, shaft in enumerate(plant.shafts.values()):
            shaft.tell("position", gear * (wanted.theta[n, leg] - wanted.theta[0, leg]), True, gear * wanted.theta_rate[n, leg])
        angles.append(plant.state[:3].copy())
        places.append(plant.state[kernel.PLACE : kernel.PLACE + 3].copy())
        instants = (n * EACH + np.arange(1, EACH + 1)) / RATE
        seen.append(plant.advance(instants, np.zeros((EACH, 0)), ON) / QUIET.sensitivity)
    return plant, np.concatenate(seen), np.array(angles), np.array(places)


@pytest.fixture(scope="module")
def run():
    return followed(DRAWING)


def test_the_platform_strays_by_the_clearance_as_in_other_codes(run):
    _, _, angles, places = run
    strayed = np.abs(places - kinematics.forward(parallel_3rrpar.Config(), angles))[1500:]  # a period, settled
    assert strayed.max(axis=0) == pytest.approx([0.202e-3, 0.250e-3, 0.115e-3], rel=0.02)


def test_the_arms_follow_nearly(run):
    _, _, angles, _ = run
    times = np.arange(len(angles)) / TICKS
    wanted = kinematics.motion_along(parallel_3rrpar.Config(), *PATH.evaluate(times)).theta
    error = np.abs(angles - wanted).max(axis=0)
    assert np.all(error < math.radians(0.1)) and np.all(error > 1e-5)


@pytest.mark.parametrize("clearance, most, least", [(0.1e-3, 0.07, 0.0), (0.2e-3, 1.0, 0.1)])
def test_the_model_predicts_the_platforms_acceleration_for_the_clearance_that_is_there(run, clearance, most, least):
    _, measured, _, _ = run
    config = parallel_3rrpar.Config(clearance=clearance)
    stepper = config.create(dop853.Config(tolerance=1e-6, longest_step=1e-3), RATE, path=PATH, lasting=SECONDS)
    stepper.start(np.zeros(stepper.lookahead))
    predicted = stepper.advance(np.zeros(len(measured)))[1:, 6:8]
    lowpass = butter(2, 100.0, fs=RATE, output="sos")
    measured, predicted = (sosfiltfilt(lowpass, values, axis=0)[round(RATE) :] for values in (measured[:-1, :2], predicted))
    difference = np.sqrt(np.mean((measured - predicted) ** 2, axis=0) / np.mean(predicted**2, axis=0))
    assert np.all(difference < most) and np.all(difference > least)


def test_the_motors_work_goes_into_energy_and_losses():
    gone, *_ = followed(replace(DRAWING, perturb=True), 0.8)
    state, p = gone.state, gone.mechanics.parameters
    before = kernel.energy(replace(DRAWING, perturb=True).create(1).state, p)
    work, lost = float(state[kernel.WORK]), float(state[kernel.LOST])
    assert work > 0.5 and lost > 0.1
    assert kernel.energy(state, p) - before == pytest.approx(work - lost, abs=0.01 * work)


@pytest.mark.parametrize("elbow", ["+x", "-x"])
def test_stands_still_on_its_brakes_with_pins_that_are_pressed(elbow):
    bench = Turned(Config(elbow2=elbow).create(1))
    before = bench.plant.state.copy()
    bench.run(0.2)
    assert np.max(np.abs(bench.plant.state - before)[:3]) < 1e-9
    assert np.max(np.abs(bench.plant.state - before)[kernel.PLACE : kernel.PLACE + 3]) < 2e-6
    assert np.all(bench.plant.mechanics.seen[[kernel.JOINT_FORCE, kernel.JOINT_FORCE + 2]] > 1.0)
    assert not bench.plant.armed


def test_angles_are_those_of_the_kinematics():
    place = Place(-0.2, 0.08, -0.54)
    plant = Config(perturb=False, start=place, homed=True).create(1)
    expected = kinematics.inverse(parallel_3rrpar.Config(), np.array([place.x, place.y, place.z]))
    assert plant.state[:3] == pytest.approx(expected, abs=1e-9)
    assert [shaft.position for shaft in plant.shafts.values()] == pytest.approx(50.0 * expected)


def test_two_boards_turn_three_axes_and_a_line_that_falls_closes_the_brake():
    plant = Config().create(1)
    bench, begun = Turned(plant), plant.state[:3].copy()
    boards = SerialEntry("first", "odrive", ("axis1", "axis2")), SerialEntry("second", "odrive", ("axis3",))
    with serial(plant, *boards) as lines:
        bench.run(0.01)
        for line in lines.values():
            with line.lock:
                for axis in line.device.drives:
                    axis.values |= {"controller.config.input_mode": 5} | {
                        f"trap_traj.config.{way}_limit": 20.0 for way in ("accel", "decel")
                    }
                    axis.write("requested_state", 8)
                    axis.values["controller.input_pos"] = 0.4  # of the motor: 2.88 deg of the arm
        bench.run(0.8)
        assert plant.state[:3] - begun == pytest.approx(np.full(3, 0.4 * 2.0 * math.pi / 50.0), abs=2e-4)
        bench.lines["axis2_enable"] = False
        bench.run(0.3)
        at = plant.state[:3].copy()
        bench.run(0.1)
        assert abs(plant.state[1] - at[1]) < 1e-9
        assert ("first.axis1", "enable input low") in [(source, text) for _, source, text in plant.take_events()]


@pytest.mark.parametrize(
    "change, told",
    [
        ({"clearance": 0.01}, "clearance: expected less than the bush's radius, 7.5 mm, got 10 mm"),
        ({"step": 3e-6}, "step: expected a whole share of 1 ms, got 3 us"),
        ({"friction_none_below": 0.1}, "friction_none_below: expected less than friction_whole_above"),
        ({"start": Place(1.0, 0.0, -0.5)}, "start: leg 1 cannot reach there"),
    ],
)
def test_what_cannot_be_built_is_refused(change, told):
    with pytest.raises(ValueError, match=told):
        Config(**change)
