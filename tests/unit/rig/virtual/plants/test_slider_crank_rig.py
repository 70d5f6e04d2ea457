"""The slider-crank rig against energy, against the first impact as others computed it, and against the model."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

from model.integrators import dop853
from model.mechanisms import slider_crank
from rig.virtual.plants import slider_crank_rig
from rig.virtual.plants.motor_rig import slider_crank_kernel as kernel
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from rig.virtual.plants.motor_rig.sensors import TorqueSensor
from rig.virtual.plants.slider_crank_rig import Config
from tests.unit.rig.virtual.plants.driven_benches import RATE, Turned

DRIVE = SpeedDrive(max_speed=600.0, acceleration=200.0, torque=30.0)
HEAVY = 1e4
"""kg m^2 of a flywheel that keeps the speed."""


def turned(config, rpm, seconds):
    bench = Turned(replace(config, speed_drive=DRIVE).create(1))
    bench.volts[:] = 10.0 * rpm * math.pi / 30.0 / DRIVE.max_speed
    return bench, bench.run(seconds)


@pytest.mark.parametrize("guide", [0.0, 0.05e-3])
def test_the_motors_work_goes_into_energy_and_losses(guide):
    bench = Turned(Config(guide_clearance=guide, speed_drive=DRIVE).create(1))
    state, p = bench.plant.state, bench.plant.mechanics.parameters
    before = kernel.energy(state, p)
    bench.volts[:] = 10.0 * 1000.0 * math.pi / 30.0 / DRIVE.max_speed
    bench.run(1.0)
    work, lost = float(state[kernel.WORK]), float(state[kernel.LOST])
    assert work > 100.0 and lost > 1.0
    assert kernel.energy(state, p) - before == pytest.approx(work - lost, abs=0.01 * work)


def test_the_links_make_it_uneven_and_the_torque_sensor_sees_them():
    bench, out = turned(Config(), 1000.0, 1.5)
    late = slice(round(0.9 * RATE), None)
    speed = out[late, bench.plant.analogue_outputs.index("tachometer")] / 0.015
    assert 0.003 < (speed.max() - speed.min()) / 2.0 / np.mean(speed) < 0.02
    torque = out[late, 0] / TorqueSensor().sensitivity
    # At 1000 r/min the ideal linkage takes (1000/5000)^2 of the 138.5 N m that it takes at 5000 r/min.
    smooth = sosfiltfilt(butter(2, 150.0, fs=RATE, output="sos"), torque)
    assert 0.5 * (smooth.max() - smooth.min()) == pytest.approx(138.5 / 25.0, rel=0.1)


@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_stands_still_until_it_is_driven(gravity):
    bench = Turned(Config(gravity=gravity, start_angle=1.0).create(1))
    before = bench.plant.state.copy()
    bench.run(0.1)
    assert np.max(np.abs(bench.plant.state[[kernel.CRANK, kernel.ROD, kernel.X, kernel.Y]] - before[[0, 4, 5, 6]])) < 1e-6
    assert bench.plant.state[kernel.Y] < -0.04e-3 if gravity else bench.plant.state[kernel.Y] == 0.0
    assert not bench.plant.armed


def course(config, rpm, duration):
    """Times (n,) and what is seen (n, SEEN) at constant speed, from crank angle 0 with the speeds of the ideal linkage."""
    p, speed = slider_crank_rig.parameters(config, 1), rpm * math.pi / 30.0
    p[[kernel.J_UP, kernel.J1]] += HEAVY
    p[[kernel.COULOMB, kernel.VISCOUS]] = 0.0
    state, seen = kernel.centred(0.0, p), np.zeros(kernel.SEEN)
    state[kernel.CRANK_RATE], state[kernel.ROD_RATE] = speed, -p[kernel.R] / p[kernel.L] * speed
    rows = np.empty((round(duration / config.step), kernel.SEEN))
    for row in rows:
        kernel.motion(state, p, np.zeros(2), np.zeros(0), seen, config.step)
        row[:] = seen
    return np.arange(len(rows)) * config.step, rows


def test_the_first_impact_comes_as_in_other_codes():
    times, seen = course(Config(perturb=False, friction=0.0, guide_damping=0.0, step=5e-8), 5000.0, 130e-6)
    touching = np.flatnonzero(seen[:, kernel.DEPTH] > 0.0)
    assert times[touching[0]] == pytest.approx(71.77e-6, abs=0.1e-6)
    assert times[touching[-1]] == pytest.approx(115.42e-6, abs=0.1e-6)
    assert seen[:, kernel.DEPTH].max() == pytest.approx(21.0e-6, rel=5e-3)


@pytest.mark.parametrize("clearance, most, least", [(0.05e-3, 0.02, 0.0), (0.08e-3, np.inf, 0.1)])
def test_the_model_predicts_torque_and_joint_force_for_the_clearance_that_is_there(clearance, most, least):
    times, seen = course(Config(perturb=False, guide_clearance=0.0), 300.0, 0.2)
    config = slider_crank.Config(speed=10.0 * math.pi, clearance=clearance, guide_clearance=0.0, friction=0.05)
    stepper = config.create(dop853.Config(tolerance=1e-9, longest_step=1e-4), 100e3)
    stepper.start(np.zeros(stepper.lookahead))
    predicted = stepper.advance(np.zeros(20000))
    names, lowpass = [name for name, _ in slider_crank.Config.CHANNELS], butter(2, 1000.0, fs=100e3, output="sos")
    for name, place in (("crank_torque", kernel.TORQUE), ("joint_force", kernel.JOINT_FORCE)):
        measured = sosfiltfilt(lowpass, np.interp(np.arange(20000) / 100e3, times, seen[:, place]))
        expected = sosfiltfilt(lowpass, predicted[:, names.index(name)])
        difference = np.sqrt(np.mean((measured - expected) ** 2) / np.mean(expected**2))
        assert least < difference < most, name


@pytest.mark.parametrize(
    "change, told",
    [
        ({"clearance": 0.011}, "clearance: expected less than the journal's radius, 10 mm, got 11 mm"),
        ({"rod_length": 0.05}, "rod_length: expected more than the crank's and the clearances, 50.1 mm, got 50 mm"),
        ({"guide_clearance": 0.001}, "guide_clearance: expected less than 0.717 mm"),
        ({"friction_none_below": 0.1}, "friction_none_below: expected less than friction_whole_above"),
    ],
)
def test_what_cannot_be_built_is_refused(change, told):
    with pytest.raises(ValueError, match=told):
        Config(**change)
