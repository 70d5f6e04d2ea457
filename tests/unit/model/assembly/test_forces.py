"""Kinds of force in a description, each against its closed form; the plant of the same drawing does the same."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from model.assembly.description import Accelerometer, Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import bushing, constant, motor, rope, spring_damper, stop, timed, torsion_spring
from model.assembly.joints import prismatic, revolute
from model.integrators import dop853
from model.mechanisms.planar import Config
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Stiffness
from rig.virtual.plants.surfaces import Surfaces

Floats = NDArray[np.float64]
RATE = 1e3
WHEEL = Body("wheel", 2.0, 0.05)
PIN = revolute.Config("pin", ("ground.origin", "wheel.centre"))
BLOCK = Body("block", 2.0, 1e-2)
SLIDE = prismatic.Config("slide", ("ground.origin", "block.centre"))


def run(config: Config, seconds: float) -> dict[str, Floats]:
    stepper = config.create(dop853.Config(tolerance=1e-10, longest_step=1e-2), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(seconds * RATE) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


def block(force: Any, vx: float = 0.0, **keys: Any) -> Config:
    return Config((replace(BLOCK, vx=vx),), (SLIDE,), forces=(force,), **keys)


def wheel(force: Any, speed: float = 0.0) -> Config:
    return Config((replace(WHEEL, angular_velocity=speed),), (PIN,), forces=(force,), outputs=("wheel_angle", "wheel_angular_velocity"))


def test_a_torsion_spring_swings_a_wheel() -> None:
    spring = torsion_spring.Config("spring", "wheel", stiffness=20.0, angle=0.3)
    found = run(wheel(spring), 1.0)["wheel_angle"]
    times = np.arange(len(found)) / RATE
    assert found == pytest.approx(0.3 * (1.0 - np.cos(math.sqrt(20.0 / 0.05) * times)), abs=1e-8)


def test_a_curve_is_straight_between_its_points_and_beyond_them() -> None:
    """Against the equation of motion with numpy's interpolation inside the points, and the last slope outside."""
    points = ((-0.2, -5.0), (0.0, 0.0), (0.1, 1.0), (0.2, 6.0))
    spring = torsion_spring.Config("spring", "wheel", curve=tuple(torsion_spring.Point(*point) for point in points))
    found = run(wheel(spring, 8.0), 0.5)["wheel_angle"]
    ways, torques = np.array(points).T

    def torque(x: float) -> float:
        if x > 0.2:
            return 6.0 + 50.0 * (x - 0.2)
        return -5.0 + 25.0 * (x + 0.2) if x < -0.2 else float(np.interp(x, ways, torques))

    exact = solve_ivp(
        lambda _, y: [y[1], -torque(y[0]) / 0.05], (0.0, 0.5), [0.0, 8.0], "DOP853", np.arange(501) / RATE, rtol=1e-11, atol=1e-11
    )
    assert np.max(np.abs(exact.y[0])) > 0.2
    assert found == pytest.approx(exact.y[0], abs=1e-6)


def test_a_motor_comes_up_to_its_speed() -> None:
    """Of direct current: torque falls in a straight line to the speed without load, which it nears exponentially."""
    drive = motor.Config("drive", "wheel", curve=(motor.Point(0.0, 1.5), motor.Point(100.0, 0.0)))
    speed = run(wheel(drive), 4.0)["wheel_angular_velocity"]
    times = np.arange(len(speed)) / RATE
    assert speed == pytest.approx(100.0 * (1.0 - np.exp(-1.5 / (100.0 * 0.05) * times)), abs=1e-6)


def test_a_rope_pulls_and_never_pushes_and_a_stop_the_other_way() -> None:
    """A block flies free, is caught, and comes back with the speed that it had; the half swing takes pi sqrt(m/k)."""
    half = math.pi * math.sqrt(2.0 / 5e4)
    caught = rope.Config("rope", ("ground.origin", "block.centre"), length=0.1, stiffness=5e4)
    found = run(block(caught, 1.0), 0.25)["block_x"]
    assert found[90] == pytest.approx(0.09, abs=1e-9)
    assert found[round((0.1 + half) * RATE) + 20] == pytest.approx(0.1 - (0.02 + round((0.1 + half) * RATE) / RATE - 0.1 - half), abs=1e-6)
    wall = stop.Config("wall", ("ground.far", "block.centre"), length=0.1, stiffness=5e4)
    back = run(block(wall, 1.0, ground=(Point("far", 0.2),)), 0.25)["block_x"]
    assert back == pytest.approx(found, abs=1e-6)


def test_a_preload_and_a_force_over_time() -> None:
    spring = spring_damper.Config("spring", ("ground.far", "block.centre"), preload=4.0, length=1.0)
    far = (Point("far", 1.0),)
    assert run(block(spring, ground=far), 0.1)["block_x"][-1] == pytest.approx(0.5 * 2.0 * 0.1**2, rel=1e-6)
    pulse = timed.Config("pulse", "block.centre", (timed.Point(0.1, 0.0), timed.Point(0.2, 1.0)), force_x=10.0)
    found = run(block(pulse, outputs=("block_vx",)), 0.4)["block_vx"]
    assert found[[100, 200, 400]] == pytest.approx([0.0, 0.25, 1.25], abs=1e-7)


def test_a_bushing_holds_along_across_and_against_turning() -> None:
    """Along 30 degrees; three springs of their own frequencies."""
    held = bushing.Config("rubber", ("ground.origin", "wheel.centre"), 800.0, 200.0, 5.0, direction=math.radians(30.0))
    config = Config((replace(WHEEL, vx=math.cos(math.radians(30.0)), vy=0.5, angular_velocity=2.0),), (), forces=(held,))
    found = run(config, 1.0)
    times = np.arange(len(found["wheel_x"])) / RATE
    along = found["wheel_x"] * math.cos(math.radians(30.0)) + found["wheel_y"] * 0.5
    assert along == pytest.approx(np.sin(20.0 * times) / 20.0, abs=1e-8)
    assert found["wheel_angle"] == pytest.approx(0.2 * np.sin(10.0 * times), abs=1e-8)


@pytest.mark.parametrize("down", [-90.0, 0.0, 135.0])
def test_gravity_has_any_direction(down: float) -> None:
    stone = Body("stone", 1.0, 1e-2, angle=0.4, angular_velocity=0.0)
    felt = (Accelerometer("felt", "stone.centre", 0.2),)
    config = Config((stone,), (), gravity=9.81, gravity_direction=math.radians(down), outputs=("stone_x", "stone_y"), accelerometers=felt)
    stepper = config.create(dop853.Config(), RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(201))
    away = 0.5 * 9.81 * 0.2**2
    assert values[-1, :2] == pytest.approx([away * math.cos(math.radians(down)), away * math.sin(math.radians(down))], abs=1e-9)
    assert values[:, 2] + config.shown_weight(values)["felt"] == pytest.approx(0.0, abs=1e-9), "what falls freely feels nothing"


COIL = (spring_damper.Point(0.0, 0.0), spring_damper.Point(0.05, 4.0), spring_damper.Point(0.1, 20.0))
ALL = (
    torsion_spring.Config("back", "wheel", stiffness=3.0, damping=0.01, preload=0.1),
    spring_damper.Config("coil", ("ground.far", "wheel.rim"), length=0.9, curve=COIL),
    motor.Config("drive", "wheel", curve=(motor.Point(0.0, 0.4), motor.Point(50.0, 0.0))),
    rope.Config("rope", ("ground.low", "wheel.rim"), length=0.52, stiffness=900.0, damping=1.0),
    stop.Config("stop", ("ground.high", "wheel.rim"), length=0.45, stiffness=900.0, damping=1.0),
    timed.Config("pulse", "wheel.rim", (timed.Point(0.0, 0.0), timed.Point(0.05, 1.0), timed.Point(0.3, 0.0)), force_y=3.0),
    constant.Config("load", "wheel.rim", force_x=0.5),
    bushing.Config("rubber", ("ground.near", "wheel.rim"), 30.0, 10.0, 1.0, 0.1, 0.1, 0.01, direction=0.3),
)  # fmt: skip


def test_the_plant_of_the_drawing_moves_as_the_model_does() -> None:
    """Every kind at once on a free wheel: two programs that share the drawing alone, the plant's pin being a stiff bush."""
    ground = (Point("far", 1.0), Point("low", 0.0, -0.5), Point("high", 0.0, 0.5), Point("near", 0.1))
    body = replace(WHEEL, points=(Point("rim", 0.1),), centre=Place())
    config = Config((body,), (PIN,), forces=ALL, ground=ground, gravity=9.81, outputs=("wheel_angle",))
    expected = run(config, 0.4)["wheel_angle"]
    linkage = Linkage(config, Surfaces(), Stiffness(), Individual(1, False))
    p, y, seen = linkage.parameters((), ()), linkage.state(np.zeros(3), ()), np.zeros(1)
    found = []
    for step in range(round(0.4 / 2e-6) + 1):
        if step % 500 == 0:
            found.append(y[2 + of.PHI])
        kernel.motion(y, p, np.zeros(0), np.zeros(1), seen, 2e-6)
    assert np.ptp(expected) > 0.1
    assert np.array(found) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    ("force", "said"),
    [
        (torsion_spring.Config("s", "rotor"), "there is no body 'rotor'"),
        (torsion_spring.Config("s", "wheel", 1.0, curve=(torsion_spring.Point(0.0, 0.0), torsion_spring.Point(1.0, 1.0))), "got both"),
        (motor.Config("m", "wheel", (motor.Point(0.0, 1.0),)), "expected 2 to 16 points, got 1"),
        (motor.Config("m", "wheel", ()), "at least 2 points"),
        (motor.Config("m", "wheel", (motor.Point(1.0, 1.0), motor.Point(0.5, 0.0))), "whose first value rises"),
        (timed.Config("t", "ground.origin", (timed.Point(0.0, 0.0), timed.Point(1.0, 1.0))), "a point of a body that moves"),
    ],
)
def test_what_is_no_force_is_refused(force: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wheel(force)


def test_a_drive_turns_against_a_spring() -> None:
    """Its torque is the spring's."""
    config = Config((WHEEL,), (PIN,), (angle.Config("turn", "wheel", 2.0),), (torsion_spring.Config("s", "wheel", stiffness=7.0),))
    found = run(config, 0.5)
    assert found["turn_torque"] == pytest.approx(7.0 * found["wheel_angle"], abs=1e-9)


@pytest.mark.parametrize(("friction", "slope", "expected"), [(0.1, 2.0, 0.0), (0.03, 2.0, 0.04824334226)])
def test_the_plants_slide_rests_or_slips_as_dry_friction_has_it(friction: float, slope: float, expected: float) -> None:
    down = -math.radians(slope)
    slide = prismatic.Config("slide", ("ground.origin", "block.centre"), direction=down, angle=down, friction=friction)
    config = Config((replace(BLOCK, angle=down),), (slide,), gravity=9.81)
    linkage = Linkage(config, Surfaces(), Stiffness(), Individual(1, False))
    p, y, seen = linkage.parameters((), ()), linkage.state(np.array([0.0, 0.0, down]), ()), np.zeros(1)
    for _ in range(100_000):
        kernel.motion(y, p, np.zeros(0), np.zeros(1), seen, 2e-6)
    way = math.hypot(y[2 + of.X], y[2 + of.Y])
    assert way == pytest.approx(0.5 * expected * 0.2**2, abs=2e-6)


def test_the_plants_pin_brakes_a_wheel_to_rest() -> None:
    """mu r m g, and then it stays: strained up to that by its stiffness, ringing about it undamped, not creeping."""
    pin = revolute.Config("pin", ("ground.origin", "wheel.centre"), friction=0.2, radius=0.02)
    config = Config((WHEEL,), (pin,), gravity=9.81)
    linkage = Linkage(config, Surfaces(), Stiffness(), Individual(1, False))
    p, y, seen = linkage.parameters((), ()), linkage.state(np.zeros(3), ()), np.zeros(1)
    for _ in range(20_000):  # its weight settles in the pin
        kernel.motion(y, p, np.zeros(0), np.zeros(1), seen, 2e-6)
    y[2 + of.W] = 0.2
    stop = 0.05 * 0.2 / (0.2 * 0.02 * 2.0 * 9.81)
    angles = []
    for _ in range(round(2.0 * stop / 2e-6)):
        kernel.motion(y, p, np.zeros(0), np.zeros(1), seen, 2e-6)
        angles.append(y[2 + of.PHI])
    assert angles[-1] - angles[0] == pytest.approx(0.5 * 0.2 * stop, rel=0.02)
    strain = 0.2 * 0.02 * 2.0 * 9.81 / Stiffness().tilt
    assert np.ptp(angles[round(1.5 * stop / 2e-6) :]) < 2.1 * strain
