"""Dry friction with true sticking in joints without clearance, against closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import constant, spring_damper
from model.assembly.joints import prismatic, revolute
from model.assembly.rubbing import AGREED, BACK
from model.errors import NotConverged
from model.integrators import dop853
from model.mechanisms.planar import Config
from tests.unit.model.mechanisms.planar.described import six_bar

Floats = NDArray[np.float64]
RATE, G = 1e3, 9.81
METHOD = dop853.Config(tolerance=1e-10, longest_step=1e-2)


def run(config: Config, seconds: float) -> dict[str, Floats]:
    stepper = config.create(METHOD, RATE)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(seconds * RATE) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


def block(slope: float, friction: float, static: float | None = None, **keys) -> Config:
    slide = prismatic.Config(
        "plane", ("ground.origin", "block.centre"), direction=-slope, angle=-slope, friction=friction, static_friction=static
    )
    return Config((Body("block", 2.0, 1e-2, angle=-slope),), (slide,), gravity=G, **keys)


@pytest.mark.parametrize(("friction", "slides"), [(0.1, False), (0.03, True)])
def test_a_block_rests_on_a_slope_or_slides_down_it(friction: float, slides: bool) -> None:
    """g (sin a - mu cos a), on 2 degrees: 0.04824334226 m/s^2 with 0.03."""
    slope = math.radians(2.0)
    found = run(block(slope, friction), 2.0)
    way = np.hypot(found["block_x"], found["block_y"])
    expected = 0.04824334226 if slides else 0.0
    assert way[-1] == pytest.approx(0.5 * expected * 4.0, abs=1e-10)
    held = -2.0 * G * (friction * math.cos(slope) if slides else math.sin(slope))
    assert found["plane_friction"] == pytest.approx(held, abs=1e-9)


def test_what_holds_lets_go_where_static_friction_is_passed() -> None:
    """A spring whose end is at rest pulls 5 N: held by 0.3, moved with less; at rest again where the spring holds it no more."""
    pull = spring_damper.Config("spring", ("ground.wall", "block.centre"), stiffness=100.0)
    for static, moves in ((0.3, False), (0.25, True)):
        config = block(0.0, 0.1, static, ground=(Point("wall", 0.05),), forces=(pull,))
        assert bool(np.ptp(run(config, 0.5)["block_x"]) > 1e-3) is moves


def test_a_block_on_a_spring_loses_the_same_way_each_half_swing_and_then_sticks() -> None:
    """2 mu N/k a half swing (Coulomb), until the spring is weaker than friction; there it stays, but for what is left of its speed."""
    k, mass, friction = 400.0, 2.0, 0.05
    lost = 2.0 * friction * mass * G / k
    config = Config(
        (Body("block", mass, 1e-2, x=0.0, y=0.0),),
        (prismatic.Config("plane", ("ground.origin", "block.centre"), friction=friction),),
        forces=(spring_damper.Config("spring", ("ground.far", "block.centre"), stiffness=k, length=1.0 - 0.02),),
        ground=(Point("far", 1.0),),
        gravity=G,
    )
    found = run(config, 3.0)
    x = found["block_x"] - 0.02  # from where the spring is slack
    half = math.pi / math.sqrt(k / mass)
    turns = [0.02 - n * lost for n in range(5)]
    stays = next(n for n, size in enumerate(turns) if size <= 0.5 * lost)
    for n in range(1, stays + 1):
        assert abs(x[round(n * half * RATE)]) == pytest.approx(turns[n], abs=2e-6)
    rest = x[round((stays + 0.2) * half * RATE) :]
    assert np.ptp(rest) < BACK * half and abs(abs(rest[-1]) - abs(turns[stays])) < 1e-6


def test_a_pin_brakes_by_the_force_in_it() -> None:
    """A wheel on a pin, mu r m g: from 10 rad/s it comes to rest after J omega/(mu r m g), and stays."""
    mass, inertia, friction, radius = 3.0, 2e-2, 0.2, 0.01
    wheel = Body("wheel", mass, inertia, angular_velocity=10.0)
    joint = revolute.Config("pin", ("ground.origin", "wheel.centre"), friction=friction, radius=radius)
    found = run(Config((wheel,), (joint,), gravity=G), 4.0)
    stop = inertia * 10.0 / (friction * radius * mass * G)
    assert found["wheel_angle"][-1] == pytest.approx(0.5 * 10.0 * stop, rel=1e-9)
    assert np.ptp(found["wheel_angle"][round(1.01 * stop * RATE) :]) < 1e-12
    assert found["pin_friction"][0] == pytest.approx(-friction * radius * mass * G, rel=1e-9)
    assert found["pin_friction"][-1] == pytest.approx(0.0, abs=1e-9)


def test_friction_and_the_force_that_presses_are_found_together() -> None:
    """A rod that is pushed along itself presses its block on the floor: by statics, as long as the light rod stays in line."""
    slope, friction, thrust = math.radians(30.0), 0.3, 9.0
    arm = Body("arm", 1e-3, 1e-6, Place(0.1), (Point("end", 0.2),), angle=-slope)
    joints = (
        prismatic.Config("floor", ("ground.origin", "load.centre"), friction=friction),
        revolute.Config("hand", ("arm.end", "load.centre")),
    )
    push = constant.Config("push", "arm.origin", force_x=thrust, force_y=-thrust * math.tan(slope))
    found = run(Config((arm, Body("load", 2.0, 1e-2)), joints, forces=(push,), gravity=G), 0.01)
    normal = 2.001 * G + thrust * math.tan(slope)
    assert found["floor_force"][0] == pytest.approx(normal, rel=1e-3)
    assert found["floor_friction"] == pytest.approx(-friction * found["floor_force"], rel=10.0 * AGREED)
    assert found["load_x"][4] == pytest.approx(0.5 * (thrust - friction * normal) / 2.001 * 0.004**2, rel=0.01)


def test_a_drive_that_stands_still_may_hold_what_sticks() -> None:
    arm = Body("arm", 1.0, 1e-2, Place(0.1))
    joint = revolute.Config("pin", ("ground.origin", "arm.origin"), friction=0.1, radius=0.01)
    config = Config((arm,), (joint,), (angle.Config("motor", "arm", 0.0),), gravity=G)
    found = run(config, 0.1)
    assert np.ptp(found["arm_angle"]) < 1e-12
    assert found["motor_torque"] == pytest.approx(G * 0.1, rel=1e-6)
    assert found["pin_friction"] == pytest.approx(0.0, abs=1e-9)
    turning = run(replace(config, drives=(angle.Config("motor", "arm", 2.0),)), 0.1)
    force = turning["pin_force"]
    assert turning["pin_friction"] == pytest.approx(-0.1 * 0.01 * force, rel=1e-6)


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        (revolute.Config("pin", ("ground.origin", "arm.origin"), friction=0.1), "radius: missing"),
        (
            revolute.Config("pin", ("ground.origin", "arm.origin"), friction=0.1, static_friction=0.05, radius=0.01),
            "at least friction, 0.1, got 0.05",
        ),
    ],
)
def test_what_makes_no_friction_is_refused(joint: revolute.Config, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Config((Body("arm", 1.0, 1e-2),), (joint,))


def test_a_trial_step_that_failed_leaves_no_friction_behind() -> None:
    """Impacts beside a joint with friction: steps into a crushed contact are taken back, whatever they have computed."""
    joints = tuple(replace(one, friction=0.3, radius=0.008) if one.name == "O6" else one for one in six_bar().joints)
    config = replace(six_bar(), joints=joints, outputs=("O6_friction", "O6_force", "output_angular_velocity"))
    found = run(config, 0.06)
    sliding = np.abs(found["output_angular_velocity"]) > 1e-3
    against = -0.3 * 0.008 * found["O6_force"] * np.sign(found["output_angular_velocity"])
    assert found["O6_friction"][sliding] == pytest.approx(against[sliding], rel=1e-9)


def painleve(friction: float, speed: float) -> Config:
    """A uniform rod of 1 m and 1 kg that leans by 60 degrees; its foot slides on a floor, pushed (+) or drawn (-)."""
    lean = math.radians(60.0)
    rod = Body("rod", 1.0, 1.0 / 12.0, Place(0.5), angle=math.pi - lean, vx=speed, vy=0.0, angular_velocity=0.0)
    joints = (
        prismatic.Config("floor", ("ground.origin", "foot.centre"), friction=friction),
        revolute.Config("hinge", ("foot.centre", "rod.origin")),
    )
    return Config((rod, Body("foot", 1e-6, 1e-6)), joints, gravity=G)


@pytest.mark.parametrize(("friction", "speed"), [(0.3, 1.0), (1.2, 1.0), (1.2, -1.0), (1.6, -1.0), (3.0, -1.0)])
def test_the_floor_presses_painleves_rod_as_its_equation_says(friction: float, speed: float) -> None:
    """N (1 + 3 cos a (cos a - mu sin a)) = m g (Painleve 1895; Genot and Brogliato 1999), mu against the sliding; repeated plainly it flies
    apart from mu = 1.35 on, drawn as well, where there is one solution."""
    lean = math.radians(60.0)
    against = math.copysign(friction, speed)
    found = run(painleve(friction, speed), 0.001)
    expected = G / (1.0 + 3.0 * math.cos(lean) * (math.cos(lean) - against * math.sin(lean)))
    assert found["floor_force"][0] == pytest.approx(expected, rel=1e-4)


def test_a_joint_that_jams_is_named() -> None:
    """Above mu = 1.35 the pushed rod has no force that fits."""
    with pytest.raises(NotConverged, match="with dry friction in floor, where it may jam"):
        run(painleve(1.6, 1.0), 0.01)
