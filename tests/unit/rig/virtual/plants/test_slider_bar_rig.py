"""The driven slider's rig against energy, and against the model, whose slider neither tilts nor leaves its face."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.integrators import dop853
from model.mechanisms import slider_bar
from rig.config.bench import SerialEntry
from rig.virtual.plants.motor_rig import slider_bar_kernel as kernel
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.sensors import DisplacementSensor, ForceSensor
from rig.virtual.plants.slider_bar_rig import Config
from tests.tiers import quick
from tests.unit.rig.virtual.plants.driven_benches import Turned, serial, turn

SPEED = 0.25 * math.pi
RATE = 1000.0
QUIET = Config(
    perturb=False,
    motor=Motor(gear=100.0, inertia=1e4, coulomb=0.0, viscous=0.0),  # as heavy as a constant speed wants it
    displacement_sensor=DisplacementSensor(noise=0.0, sensitivity=1.0),
    force_sensor=ForceSensor(noise=0.0),
)
ON = np.array([True, True])


def measured(config, seconds, force=3.0, signals=("x", "friction")):
    """`signals` at k / RATE, k = 1.., of a bar that turns with SPEED from the beginning, and a shaker as the paper has it."""
    plant = config.create(1)
    plant.state[kernel.BAR_RATE] = SPEED
    times = np.arange(1, round(seconds * RATE) + 1) / RATE
    volts = force * np.sin(2.0 * SPEED * (times - 0.5 / RATE))[:, np.newaxis]
    out = plant.advance(times, volts, ON)
    return tuple(out[:, plant.analogue_outputs.index(name)] for name in signals)


@pytest.mark.parametrize("mount", ["slider", "ground"])
def test_the_model_predicts_where_the_slider_goes_and_where_it_sticks(mount):
    x, friction = measured(replace(QUIET, motor_mount=mount), 16.0)
    config = slider_bar.Config(motor_mount=mount, stick_band=0.0)
    stepper = config.create(dop853.Config(tolerance=1e-9, longest_step=1e-2), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    predicted = stepper.advance(np.zeros(len(x) + 1))[1:]
    names = [name for name, _ in slider_bar.Config.CHANNELS]
    expected = predicted[:, names.index("x")]
    assert np.sqrt(np.mean((x - expected) ** 2) / np.mean(expected**2)) < 0.02
    expected = predicted[:, names.index("friction")]
    # Where it knocks over, and where the sign changes, one sample is as good as another.
    near = np.abs(friction - expected) < 0.1 * np.max(np.abs(expected))
    assert np.mean(near) > 0.95


@pytest.mark.parametrize("clearance", [1e-4, 3e-4])
def test_the_ends_stand_in_the_play_where_the_model_has_them(clearance):
    gaps = DisplacementSensor(noise=0.0, sensitivity=1.0)
    ends = measured(replace(QUIET, gap_sensor=gaps, total_clearance=clearance), 16.0, signals=("lift_rear", "lift_front"))
    config = slider_bar.Config(stick_band=0.0, total_clearance=clearance)
    stepper = config.create(dop853.Config(tolerance=1e-9, longest_step=1e-2), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    predicted = stepper.advance(np.zeros(len(ends[0]) + 1))[1:]
    names = [name for name, _ in slider_bar.Config.CHANNELS]
    for seen, name in zip(ends, ("lift_rear", "lift_front"), strict=True):
        expected = predicted[:, names.index(name)]
        assert np.mean(np.abs(seen - expected) < 0.02 * clearance) > 0.95  # not while it knocks over
        assert 0.2 < np.mean(expected > 0.0) < 0.8


@pytest.mark.parametrize("other", quick([{"friction": 0.05, "static_friction": 0.06}, {"spring_stiffness": 1.5}], 1))
def test_another_slider_goes_elsewhere(other):
    x, _ = measured(QUIET, 16.0)
    elsewhere, _ = measured(replace(QUIET, **other), 16.0)
    assert np.sqrt(np.mean((x - elsewhere) ** 2) / np.mean(x**2)) > 0.1


def test_work_goes_into_energy_and_losses():
    plant = Config(perturb=False).create(1)
    bench = Turned(plant)
    before = kernel.energy(plant.state, plant.mechanics.parameters)
    bench.volts[:] = 3.0
    plant.shafts["bar"].tell("velocity", 100.0 * SPEED, True)
    bench.run(6.0)
    work, lost = float(plant.state[kernel.WORK]), float(plant.state[kernel.LOST])
    assert lost > 10.0
    gained = kernel.energy(plant.state, plant.mechanics.parameters) - before
    assert gained == pytest.approx(work - lost, abs=0.01 * lost)


def test_stands_still_on_its_brake():
    bench = Turned(Config().create(1))
    before = bench.plant.state.copy()
    bench.run(0.5)
    assert np.max(np.abs(bench.plant.state - before)[[kernel.BAR, kernel.X, kernel.Y, kernel.PSI]]) < 1e-9
    assert not bench.plant.armed


def test_a_serial_drive_turns_the_bar_nearly_evenly_and_the_brake_stops_it():
    plant = Config().create(1)
    bench = Turned(plant)
    with serial(plant, SerialEntry("line", "odrive", ("bar",))) as lines:
        bench.run(0.01)
        turn(lines["line"], 100.0 * SPEED / (2.0 * math.pi))
        bench.run(2.0)
        speed = bench.run(6.0)[:, plant.analogue_outputs.index("tachometer")] / 4.0
        assert np.mean(speed) == pytest.approx(SPEED, rel=0.01)
        assert 0.002 < (speed.max() - speed.min()) / 2.0 / SPEED < 0.03
        bench.lines["bar_enable"] = False
        bench.run(0.2)
        assert plant.state[kernel.BAR_RATE] == pytest.approx(0.0, abs=1e-4)


def test_the_shaker_pushes_while_it_is_enabled():
    config = replace(QUIET, friction=0.0, static_friction=0.0, spring_stiffness=0.0, motor=Motor(gear=100.0, brake=10.0))
    for enabled in (True, False):
        bench = Turned(config.create(1))
        bench.volts[:] = 3.0
        bench.lines["shaker_enable"] = enabled
        bench.run(0.5)
        gone = 0.5 * 3.0 / 3.0 * 0.5**2 if enabled else 0.0  # 3 N on 3 kg
        assert bench.plant.state[kernel.X] == pytest.approx(gone, rel=0.05, abs=1e-6)


@pytest.mark.parametrize(
    "change, told",
    [
        ({"step": 3e-6}, "step: expected a whole share of 1 ms, got 3 us"),
        ({"friction": 0.05}, "static_friction: expected at least friction, 0.05, got 0.04"),
        ({"total_clearance": 0.6}, "total_clearance: expected less than the slider's height, 0.5 m, got 0.6 m"),
    ],
)
def test_what_cannot_be_built_is_refused(change, told):
    with pytest.raises(ValueError, match=told):
        Config(**change)
