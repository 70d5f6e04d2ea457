"""The plant of any planar mechanism against energy, a pendulum, the slider-crank's own plant, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import dc_motor, spring_damper
from model.assembly.joints import cam, gear, lifting_cam, prismatic, revolute
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.planar import Config as Described
from rig.virtual.plants import slider_crank_rig
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from rig.virtual.plants.planar_rig import Axis, AxisSpeed, AxisTorque, Config, Faults, PlacedAccelerometer, PlacedDisplacement, PlacedForce
from rig.virtual.plants.surfaces import Surfaces
from tests.unit.model.mechanisms.planar.described import six_bar, slider_crank
from tests.unit.rig.virtual.plants.driven_benches import RATE, Turned

DRIVE = SpeedDrive(max_speed=600.0, acceleration=200.0, torque=30.0)
SENSORS = {
    "torque_sensors": (AxisTorque(name="torque", axis="motor", noise=0.0),),
    "tachometers": (AxisSpeed(name="speed", axis="motor", noise=0.0, sensitivity=0.015),),
}


def described(like: by_hand.Config, **keys) -> Config:
    acceleration = PlacedAccelerometer(name="acceleration", on="slider.centre", noise=0.0, coupling=0.0)
    return Config(mechanism=slider_crank(like), axes=(Axis(drive="motor"),), accelerometers=(acceleration,), **SENSORS, **keys)


def driven(config, rpm: float, seconds: float) -> tuple[Turned, np.ndarray]:
    bench = Turned(replace(config, speed_drive=DRIVE).create(1))
    bench.volts[:] = 10.0 * rpm * math.pi / 30.0 / DRIVE.max_speed
    return bench, bench.run(seconds)


@pytest.mark.parametrize("form", ["power", "bilinear"])
@pytest.mark.parametrize("guide", [0.0, 0.05e-3])
def test_the_motors_work_goes_into_energy_and_losses(guide: float, form: str) -> None:
    config = described(by_hand.Config(guide_clearance=guide, friction=0.05, gravity=9.81), contact=Surfaces(form=form), speed_drive=DRIVE)
    bench = Turned(config.create(1))
    state, p = bench.plant.state, bench.plant.mechanics.parameters
    before = kernel.energy(state, p)
    bench.volts[:] = 10.0 * 1000.0 * math.pi / 30.0 / DRIVE.max_speed
    bench.run(0.6)
    work, lost = float(state[2]), float(state[3])
    assert work > 50.0 and lost > 1.0
    assert kernel.energy(state, p) - before == pytest.approx(work - lost, abs=0.01 * work)


def test_it_shows_what_the_plant_of_the_same_drawing_shows() -> None:
    """Two programs that share nothing but the drawing: the torque below 100 Hz, at the same speed."""
    like = by_hand.Config(friction=0.0, guide_damping=0.0)
    mine, found = driven(described(like, perturb=False), 600.0, 1.2)
    own = slider_crank_rig.Config(perturb=False, friction=0.0, guide_damping=0.0)
    theirs, expected = driven(replace(own, torque_sensor=replace(own.torque_sensor, noise=0.0)), 600.0, 1.2)
    low, late = butter(2, 100.0, fs=RATE, output="sos"), slice(round(0.7 * RATE), round(1.1 * RATE))
    one = sosfiltfilt(low, found[:, mine.plant.analogue_outputs.index("torque")])[late]
    other = sosfiltfilt(low, expected[:, theirs.plant.analogue_outputs.index("crank_torque")])[late]
    rms = float(np.sqrt(np.mean((one - one.mean()) ** 2)))
    assert rms == pytest.approx(float(np.sqrt(np.mean((other - other.mean()) ** 2))), rel=0.03)


def test_an_arm_is_held_against_its_weight() -> None:
    """m g l cos of the angle, in the shaft and in the pin, by the statics of one lever."""
    body = Body("arm", 2.0, 1e-2, Place(0.1), (Point("end", 0.2),), angle=0.7)
    mechanism = Described(
        (body,), (revolute.Config("O", ("ground.origin", "arm.origin")),), (angle.Config("motor", "arm", 1.0),), gravity=9.81
    )
    pull = PlacedForce(name="pull", joint="O", direction=math.pi / 2.0, noise=0.0, sensitivity=0.1)
    felt = PlacedAccelerometer(name="felt", on="arm.end", direction=math.pi / 2.0, feels_gravity=True, coupling=0.0, noise=0.0)
    config = Config(mechanism=mechanism, axes=(Axis(drive="motor"),), forces=(pull,), accelerometers=(felt,), perturb=False, **SENSORS)
    bench = Turned(config.create(1))
    out = bench.run(0.02)[-1]
    shown = dict(zip(bench.plant.analogue_outputs, out, strict=True))
    assert shown["torque"] / SENSORS["torque_sensors"][0].sensitivity == pytest.approx(2.0 * 9.81 * 0.1 * math.cos(0.7), rel=1e-3)
    assert shown["pull"] / 0.1 == pytest.approx(2.0 * 9.81, rel=1e-3)
    assert shown["felt"] / felt.sensitivity == pytest.approx(9.81 * math.cos(0.7), rel=1e-3)
    assert not bench.plant.armed


def test_the_six_bar_stands_still_until_it_is_driven() -> None:
    config = Config(mechanism=six_bar(), axes=(Axis(drive="motor"),), **SENSORS)
    bench = Turned(config.create(3))
    before = bench.plant.state[:60].copy()
    bench.run(0.1)
    places = [4 + at.BODY_STATES * n + k for n in range(4) for k in (at.X, at.Y, at.PHI)]
    assert np.max(np.abs(bench.plant.state[places] - before[places])) < 1e-5


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"axes": ()}, "axes: expected at least one"),
        (
            {"axes": (Axis(drive="pump"),)},
            r"axes.0.drive: expected a drive of the mechanism that turns, and not at speed 0 \(motor\), got 'pump'",
        ),
        ({"torque_sensors": (AxisTorque(name="t", axis="pump"),)}, "axis: t: expected one of motor, got 'pump'"),
        ({"accelerometers": (PlacedAccelerometer(name="a", on="rod.Z"),)}, "rod has no point 'Z'"),
        ({"accelerometers": (PlacedAccelerometer(name="a", on="ground.origin"),)}, "a point of a body that moves"),
        ({"forces": (PlacedForce(name="f", joint="pin"),)}, "expected a revolute joint without clearance"),
        ({"accelerometers": (PlacedAccelerometer(name="torque", on="rod.B"),)}, "'torque' is the name of another sensor"),
    ],
)
def test_what_it_cannot_build_is_refused(keys: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(described(by_hand.Config()), **keys)


def test_a_step_that_is_too_long_for_its_joints_is_refused() -> None:
    config = described(by_hand.Config())
    with pytest.raises(ValueError, match="too long for these joints; expected at most"):
        replace(config, stiffness=replace(config.stiffness, pin=1e13)).create(1)


def valve_train(**keys) -> Config:
    """A motor's shaft, geared 2 to 1 to a camshaft that lifts a valve against its spring; a winding brakes the camshaft."""
    lift = tuple(cam.Lift(math.radians(a), 0.004 * (1.0 - math.cos(math.radians(a)))) for a in range(0, 361, 15))
    bodies = (Body("shaft", 1.0, 2e-3), Body("cam", 1.0, 2e-3, x=0.09, y=0.0), Body("valve", 0.3, 1e-3, x=0.09, y=0.034))
    joints = (
        revolute.Config("a", ("ground.origin", "shaft.centre")), revolute.Config("b", ("ground.far", "cam.centre")),
        prismatic.Config("guide", ("ground.far", "valve.centre"), direction=0.5 * math.pi),
        gear.Config("teeth", ("shaft.centre", "cam.centre"), (0.03, 0.06)),
        lifting_cam.Config("lobe", ("cam.centre", "valve.centre"), 0.03, lift, "flat", direction=0.5 * math.pi),
    )  # fmt: skip
    forces = (
        spring_damper.Config("spring", ("ground.top", "valve.centre"), stiffness=4e3, length=0.2, preload=-60.0),
        dc_motor.Config("winding", "cam", 0.05, 2.0, "0", inductance=1e-3),
    )
    ground = (Point("far", 0.09), Point("top", 0.09, 0.23))
    mechanism = Described(bodies, joints, (angle.Config("motor", "shaft", 1.0),), forces, ground, gravity=9.81)
    lifted = PlacedDisplacement(name="lift", on="valve.centre", direction=0.5 * math.pi, noise=0.0)
    return Config(mechanism=mechanism, axes=(Axis(drive="motor"),), displacements=(lifted,), **SENSORS, **keys)


def test_a_geared_valve_train_runs_behind_its_motor() -> None:
    """Turned, its follower is lifted as its lift says at half the shaft's angle, to what
    bends: 10 um. The winding's current is what the camshaft induces over its resistance."""
    bench, out = driven(valve_train(perturb=False), 600.0, 0.8)
    sensor = valve_train().displacements[0]
    height = out[:, bench.plant.analogue_outputs.index("lift")] / sensor.sensitivity
    cam_angle = bench.plant.state[4 + at.BODY_STATES + at.PHI]
    shaft = bench.plant.state[0]
    assert abs(shaft) > 20.0 and cam_angle == pytest.approx(-0.5 * shaft, abs=1e-4)
    seen = 0.5 * math.pi - cam_angle
    assert bench.plant.state[4 + 2 * at.BODY_STATES + at.Y] == pytest.approx(0.03 + 0.004 * (1.0 - math.cos(seen)), abs=1e-5)
    assert np.ptp(height[len(height) // 2 :]) == pytest.approx(0.008, rel=0.02)
    own = int(bench.plant.mechanics.parameters[int(bench.plant.mechanics.parameters[at.AT_MOTORS]) + at.M_OWN])
    assert abs(bench.plant.state[own]) == pytest.approx(0.05 * abs(bench.plant.state[4 + at.BODY_STATES + at.W]) / 2.0, rel=0.1)


def test_its_individuals_differ_in_what_a_workshop_makes_of_them() -> None:
    first, second = (valve_train().create(seed).mechanics.parameters for seed in (1, 2))
    drawn = valve_train(perturb=False).create(1)
    assert not np.array_equal(first, second)
    assert drawn.state[-1] == 0.0 and drawn.state[1] == 0.0
    worn = valve_train(perturb=False, faults=Faults(wear=1e-6)).create(1)
    assert np.array_equal(worn.state, drawn.state), "nothing has worn before it turns"
