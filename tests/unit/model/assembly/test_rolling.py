"""Gears, belts, slots, curves, cams and loads that move: against closed forms and integrations by scipy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import constant, moving_load
from model.assembly.joints import belt, cam, curve, gear, prismatic, revolute, slot
from model.integrators import dop853
from model.mechanisms.planar import Config
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Stiffness
from rig.virtual.plants.surfaces import Surfaces
from tests.each_row import each_row
from tests.unit.model.assembly.simulated import Floats, run, times

G = 9.81
FIRST, SECOND = Body("first", 2.0, 0.03, angle=0.4), Body("second", 1.0, 0.004, x=0.09, y=0.0, angle=-0.7)
HELD = (revolute.Config("a", ("ground.origin", "first.centre")), revolute.Config("b", ("ground.far", "second.centre")))
FAR = (Point("far", 0.09),)
PUSH = constant.Config("push", "first.centre", torque=0.6)
TURNED = ("first_angle", "second_angle", "first_angular_velocity", "second_angular_velocity")


@pytest.mark.parametrize(
    ("wheels", "ratio"),
    [
        (gear.Config("pair", ("first.centre", "second.centre"), (0.06, 0.03)), -2.0),
        (belt.Config("pair", ("first.centre", "second.centre"), (0.05, 0.02)), 2.5),
        (belt.Config("pair", ("first.centre", "second.centre"), (0.05, 0.02), crossed=True), -2.5),
        (belt.Config("pair", ("first.centre", "second.centre"), (0.03, 0.03)), 1.0),
        (gear.Config("pair", ("first.centre", "second.centre"), (0.12, 0.03), "internal"), 4.0),
    ],
)
def test_wheels_turn_in_the_ratio_of_their_radii_with_the_reflected_inertia(wheels: Any, ratio: float) -> None:
    """M/(J_1 + i^2 J_2); the force along the pitch circle is what the second wheel needs; angles stay in mesh over many turns."""
    config = Config((FIRST, SECOND), (*HELD, wheels), forces=(PUSH,), ground=FAR, outputs=(*TURNED, "pair_force"))
    found, t = run(config, 3.0), times(3.0)
    acceleration = 0.6 / (0.03 + ratio**2 * 0.004)
    turned = 0.5 * acceleration * t**2
    assert turned[-1] > 6.0 * math.pi
    assert found["first_angle"] == pytest.approx(0.4 + turned, rel=1e-10)
    assert found["second_angle"] == pytest.approx(-0.7 + ratio * turned, rel=1e-10)
    assert found["pair_force"] == pytest.approx(0.004 * ratio * acceleration / wheels.radii[1], rel=1e-9)
    energy = 0.5 * 0.03 * found["first_angular_velocity"] ** 2 + 0.5 * 0.004 * found["second_angular_velocity"] ** 2
    assert energy == pytest.approx(0.6 * turned, rel=1e-9, abs=1e-12)


def test_a_planetary_gear_turns_by_williss_equation() -> None:
    """(w_s - w_c) r_s = -(w_r - w_c) r_r with the ring at rest, and torques in the ratio of the ways."""
    sun, ring, middle = 0.04, 0.08, 0.06
    bodies = (Body("sun", 1.0, 1e-3), Body("planet", 0.5, 2e-4, x=middle, y=0.0), Body("carrier", 1.0, 3e-3, points=(Point("P", middle),)))
    joints = (
        revolute.Config("a", ("ground.origin", "sun.centre")), revolute.Config("b", ("ground.origin", "carrier.centre")),
        revolute.Config("c", ("carrier.P", "planet.centre")), gear.Config("inner", ("sun.centre", "planet.centre"), (sun, 0.02)),
        gear.Config("outer", ("ground.origin", "planet.centre"), (ring, 0.02), "internal"),
    )  # fmt: skip
    drive, load = angle.Config("motor", "sun", 30.0), constant.Config("load", "carrier.centre", torque=-12.0)
    outputs = ("sun_angle", "planet_angle", "carrier_angle", "motor_torque", "carrier_angular_acceleration")
    found = run(Config(bodies, joints, (drive,), (load,), outputs=outputs), 2.0)
    carrier = sun / (sun + ring)
    assert found["carrier_angle"] == pytest.approx(carrier * found["sun_angle"], abs=1e-9)
    assert found["planet_angle"] == pytest.approx(
        -sun / 0.02 * (1.0 - carrier) * found["sun_angle"] + carrier * found["sun_angle"], abs=1e-9
    )
    assert found["motor_torque"] == pytest.approx(12.0 * carrier, abs=1e-7)


def test_gears_whose_middles_stand_too_near_are_told() -> None:
    joint = gear.Config("pair", ("first.centre", "second.centre"), (0.06, 0.02))
    stepper = Config((FIRST, SECOND), (*HELD, joint), ground=FAR).create(dop853.Config(), 1e3)
    assert "joints.pair: the middles stand 90 mm from each other, the radii want 80 mm" in stepper.remarks


YOKE = Body("yoke", 1.5, 1e-2, angle=0.0)
CRANK = Body("crank", 0.4, 2e-4, points=(Point("pin", 0.05),))


def yoke(friction: float = 0.0) -> Config:
    """A scotch yoke: the crank's pin in a slot across the yoke's slide."""
    joints = (
        revolute.Config("shaft", ("ground.origin", "crank.centre")), prismatic.Config("slide", ("ground.origin", "yoke.centre")),
        slot.Config("slot", ("yoke.centre", "crank.pin"), direction=0.5 * math.pi, friction=friction),
    )  # fmt: skip
    return Config(
        (CRANK, YOKE), joints, (angle.Config("motor", "crank", 20.0),), outputs=("yoke_x", "yoke_ax", "slot_force", "motor_torque")
    )


def test_a_scotch_yoke_is_where_its_closed_form_has_it() -> None:
    """x = r cos(w t); the pin pushes the yoke with m x'', the motor turns against that at the arm r sin(w t)."""
    found, t = run(yoke(), 1.0), times(1.0)
    x = 0.05 * np.cos(20.0 * t)
    assert found["yoke_x"] == pytest.approx(x, abs=1e-12)
    assert found["yoke_ax"] == pytest.approx(-400.0 * x, abs=1e-9)
    assert np.abs(found["slot_force"]) == pytest.approx(np.abs(1.5 * 400.0 * x), abs=1e-9)
    assert found["motor_torque"] == pytest.approx(1.5 * 400.0 * x * 0.05 * np.sin(20.0 * t), abs=1e-9)


def test_dry_friction_in_the_slot_costs_its_force_times_the_way() -> None:
    """mu |m x''| |y'|: over a turn 4 mu m r^2 w^2 r ... by Simpson's rule, the yoke's own motion being that without friction."""
    found, t = run(yoke(0.1), 1.0), times(1.0)
    force = np.abs(1.5 * 400.0 * 0.05 * np.cos(20.0 * t))
    sliding = np.abs(0.05 * 20.0 * np.cos(20.0 * t))
    more = 20.0 * (found["motor_torque"] - 1.5 * 400.0 * 0.05**2 * np.cos(20.0 * t) * np.sin(20.0 * t))
    assert more[5:] == pytest.approx(0.1 * (force * sliding)[5:], abs=1e-6)


def test_a_geneva_wheel_turns_as_its_pin_in_the_slot_has_it() -> None:
    """tan(beta) = r sin(a)/(C - r cos(a)): one station of a wheel of four, C = r sqrt(2)."""
    r = 0.05
    wheel = Body("wheel", 1.0, 1e-3, x=r * math.sqrt(2.0), y=0.0, angle=math.radians(180.0 - 40.0))
    joints = (
        revolute.Config("shaft", ("ground.origin", "crank.centre")), revolute.Config("axle", ("ground.axle", "wheel.centre")),
        slot.Config("slot", ("wheel.centre", "crank.pin")),
    )  # fmt: skip
    drive = angle.Config("motor", "crank", -2.0, start=math.radians(40.0))
    ground = (Point("axle", r * math.sqrt(2.0)),)
    found = run(Config((CRANK, wheel), joints, (drive,), ground=ground, outputs=("wheel_angle",)), 0.6)["wheel_angle"]
    a = math.radians(40.0) - 2.0 * times(0.6)
    assert found == pytest.approx(math.pi - np.arctan2(r * np.sin(a), r * math.sqrt(2.0) - r * np.cos(a)), abs=1e-10)


def ellipse(count: int, closed: bool = True) -> tuple[Place, ...]:
    turn = np.linspace(0.0, 2.0 * math.pi if closed else math.pi, count, endpoint=not closed)
    return tuple(Place(0.3 * math.cos(a), -0.2 * math.sin(a)) for a in turn.tolist())


@pytest.mark.parametrize("points", [60, 120])
def test_a_bead_on_an_ellipse_moves_by_its_equation(points: int) -> None:
    """x = a cos u, y = -b sin u: u'' from Lagrange's equation, by scipy; energy is kept whatever the curve is."""
    bead = Body("bead", 1.0, 1e-3, x=0.0, y=-0.2, vx=1.0)
    joint = curve.Config("wire", ("ground.origin", "bead.centre"), ellipse(points), closed=True)
    found = run(Config((bead,), (joint,), gravity=G, outputs=("bead_x", "bead_y", "bead_vx", "bead_vy", "wire_force")), 2.0)

    def rates(_: float, y: Floats) -> list[float]:
        u, w = y
        inertia = 0.09 * math.sin(u) ** 2 + 0.04 * math.cos(u) ** 2
        return [w, (-(0.09 - 0.04) * math.sin(u) * math.cos(u) * w * w + G * 0.2 * math.cos(u)) / inertia]

    exact = solve_ivp(rates, (0.0, 2.0), [0.5 * math.pi, -1.0 / 0.3], "DOP853", times(2.0), rtol=1e-11, atol=1e-11)
    assert np.ptp(found["bead_x"]) > 0.3
    assert found["bead_x"] == pytest.approx(0.3 * np.cos(exact.y[0]), abs=2e-5 * (60 / points) ** 5)
    energy = 0.5 * (found["bead_vx"] ** 2 + found["bead_vy"] ** 2) + G * found["bead_y"]
    assert np.ptp(energy) < 1e-9
    assert abs(found["wire_force"][0]) == pytest.approx(G + 1.0 / (0.09 / 0.2), rel=1e-4), "its weight and what holds it on the bend"


def test_a_curve_that_turns_with_its_body_carries_a_point_as_a_slot_does() -> None:
    """A straight open curve is a slot: the yoke again, its slot given by points, with a motion of its own."""
    line = tuple(Place(0.0, y) for y in np.linspace(-0.06, 0.06, 7).tolist())
    drawn = replace(yoke(), joints=(*yoke().joints[:2], curve.Config("slot", ("yoke.centre", "crank.pin"), line)))
    assert run(drawn, 0.5)["motor_torque"] == pytest.approx(run(yoke(), 0.5)["motor_torque"], abs=1e-9)
    arm = Body("arm", 1.0, 5e-3, Place(0.1), angular_velocity=3.0)
    bead = Body("bead", 0.3, 1e-5, x=0.1, y=0.0)
    pin = revolute.Config("pin", ("ground.origin", "arm.origin"))
    straight = tuple(Place(x) for x in np.linspace(0.0, 0.5, 6).tolist())
    outputs = ("arm_angle", "bead_x", "bead_y", "slot_force")
    by_points = Config((arm, bead), (pin, curve.Config("slot", ("arm.origin", "bead.centre"), straight)), gravity=G, outputs=outputs)
    by_line = replace(by_points, joints=(pin, slot.Config("slot", ("arm.origin", "bead.centre"))))
    for name, values in run(by_line, 0.3).items():
        assert run(by_points, 0.3)[name] == pytest.approx(values, abs=1e-8), name


HEIGHT, BASE, SPEED = 0.012, 0.03, 20.0


def law(psi: Floats) -> tuple[Floats, Floats, Floats]:
    """Lift of two harmonics, its first and second derivative by the angle."""
    lift = HEIGHT * (0.5 - 0.5 * np.cos(psi) + 0.3 - 0.3 * np.cos(2.0 * psi))
    return lift, HEIGHT * (0.5 * np.sin(psi) + 0.6 * np.sin(2.0 * psi)), HEIGHT * (0.5 * np.cos(psi) + 1.2 * np.cos(2.0 * psi))


def valve(points: int, **keys: Any) -> Config:
    turn = np.linspace(0.0, 2.0 * math.pi, points + 1)
    lift = tuple(cam.Lift(a, float(h)) for a, h in zip(turn.tolist(), law(turn)[0], strict=True))
    joints = (
        revolute.Config("shaft", ("ground.origin", "cam.centre")),
        prismatic.Config("guide", ("ground.foot", "valve.centre"), direction=0.5 * math.pi),
        cam.Config("lobe", ("cam.centre", "valve.centre"), BASE, lift, **keys),
    )
    bodies = (Body("cam", 1.0, 1e-3), Body("valve", 0.8, 1e-3))
    drive, foot = angle.Config("motor", "cam", SPEED), Point("foot", -keys.get("offset", 0.0), 0.04)
    return Config(bodies, joints, (drive,), ground=(foot,), outputs=("valve_y", "valve_ay", "lobe_force", "motor_torque"))


@pytest.mark.parametrize(
    ("keys", "first"),
    [({"roller_radius": 0.01}, BASE + 0.01), ({}, BASE), ({"follower": "flat", "direction": 0.5 * math.pi}, BASE)],
    ids=["roller", "edge", "flat"],
)
def test_a_follower_has_the_lift_and_the_acceleration_of_its_law(keys: dict[str, Any], first: float) -> None:
    """It stands at 90 degrees on the ground: 90 degrees less the cam's angle, seen from the cam. What the motor gives is the power."""
    found, t = run(valve(240, **keys), 0.4), times(0.4)
    lift, slope, bend = law(0.5 * math.pi - SPEED * t)
    assert found["valve_y"] == pytest.approx(first + lift, abs=1e-9)
    assert found["valve_ay"] == pytest.approx(SPEED**2 * bend, abs=1e-6 * SPEED**2 * HEIGHT)
    assert found["motor_torque"] == pytest.approx(-0.8 * SPEED**2 * bend * slope, abs=1e-6)


def test_an_acceleration_comes_nearer_with_the_fourth_power_of_the_points() -> None:
    t = times(0.4)
    exact = SPEED**2 * law(0.5 * math.pi - SPEED * t)[2]
    errors = [np.max(np.abs(run(valve(points, follower="flat", direction=0.5 * math.pi), 0.4)["valve_ay"] - exact)) for points in (24, 48)]
    assert 3.5 < math.log2(errors[0] / errors[1]) < 5.0


def test_a_roller_beside_the_middle_of_its_cam_stands_higher_by_pythagoras() -> None:
    found, t = run(valve(240, roller_radius=0.01, offset=0.008), 0.4), times(0.4)
    lift = law(0.5 * math.pi - SPEED * t)[0]
    assert found["valve_y"] == pytest.approx(math.sqrt(0.04**2 - 0.008**2) + lift, abs=1e-9)


def test_a_load_that_moves_along_an_arm_turns_it_as_its_equation_says() -> None:
    """J phi'' = -m g c cos phi - F s cos phi, s = 0.2 t, against scipy; and a force that turns with the arm."""
    arm = Body("arm", 2.0, 0.01, Place(0.3))
    pin = revolute.Config("pin", ("ground.origin", "arm.origin"))
    load = moving_load.Config("trolley", "arm.origin", "0.2*t", force_y=-5.0, factor="1 + 0.5*sin(3*t)")
    inertia = 0.01 + 2.0 * 0.09

    def rates(time: float, y: Floats, across: bool) -> list[float]:
        moment = -5.0 * 0.2 * time * (1.0 + 0.5 * math.sin(3.0 * time)) * (1.0 if across else math.cos(y[0]))
        return [y[1], (-2.0 * G * 0.3 * math.cos(y[0]) + moment) / inertia]

    for across in (False, True):
        config = Config((arm,), (pin,), forces=(replace(load, turns_with_body=across),), gravity=G, outputs=("arm_angle",))
        exact = solve_ivp(rates, (0.0, 2.0), [0.0, 0.0], "DOP853", times(2.0), args=(across,), rtol=1e-11, atol=1e-11)
        assert run(config, 2.0)["arm_angle"] == pytest.approx(exact.y[0], abs=1e-7)


def coasting(config: Config, first: str) -> Config:
    """Without its drive, its first body turning by 15 rad/s; every speed put out."""
    bodies = tuple(replace(body, angular_velocity=15.0) if body.name == first else body for body in config.bodies)
    speeds = tuple(f"{body.name}_{name}" for body in bodies for name in ("vx", "vy", "angular_velocity"))
    return replace(config, bodies=bodies, drives=(), outputs=speeds)


@pytest.mark.parametrize(
    ("config", "first"),
    [
        (valve(120, roller_radius=0.01, offset=0.005), "cam"),
        (valve(120, follower="flat", direction=0.5 * math.pi), "cam"),
        (yoke(), "crank"),
        (Config((FIRST, SECOND), (*HELD, gear.Config("pair", ("first.centre", "second.centre"), (0.06, 0.03))), ground=FAR), "first"),
        (Config((FIRST, SECOND), (*HELD, belt.Config("pair", ("first.centre", "second.centre"), (0.06, 0.02))), ground=FAR), "first"),
    ],
    ids=["roller", "flat", "slot", "gear", "belt"],
)
def test_what_coasts_keeps_its_energy(config: Config, first: str) -> None:
    """Whatever the curve is, as constraints do no work; it speeds up and slows down by much."""
    found = run(coasting(config, first), 2.0)
    energy = sum(
        0.5 * body.mass * (found[f"{body.name}_vx"] ** 2 + found[f"{body.name}_vy"] ** 2)
        + 0.5 * body.inertia * found[f"{body.name}_angular_velocity"] ** 2
        for body in config.bodies
    )
    assert energy == pytest.approx(energy[0], rel=1e-8)


def test_samples_lead_gears_and_cams_too() -> None:
    config = valve(240, roller_radius=0.01)
    stepper = config.create(dop853.Config(), 1e3, "command")
    course = 1.5 * (1.0 - np.cos(4.0 * np.arange(400) / 1e3))
    stepper.start(course[: stepper.lookahead])
    values = stepper.advance(course[stepper.lookahead :])
    assert values[:, 0] == pytest.approx(BASE + 0.01 + law(0.5 * math.pi - course[: len(values)])[0], abs=1e-6)


SEVEN = tuple(Place(0.01 * k, 0.001 * k * k) for k in range(7))
EIGHT = tuple(Place(0.1 * math.sin(2.0 * a), 0.1 * math.sin(a)) for a in np.linspace(0.0, 2.0 * math.pi, 80, endpoint=False).tolist())


@each_row(
    ("joint", "said"),
    [
        (gear.Config("j", ("first.centre", "second.centre"), (0.1,)), "radii: expected two, one of each wheel, got 1"),
        (gear.Config("j", ("first.centre", "second.centre"), (0.1, -0.1)), "radii: expected more than 0 m, got -0.1 m"),
        (gear.Config("j", ("first.centre", "second.centre"), (0.1, 0.1), "internal"), "smaller than its ring"),
        (curve.Config("j", ("first.centre", "second.centre"), SEVEN[:5]), "points: expected 6 to 5000 points, got 5"),
        (curve.Config("j", ("first.centre", "second.centre"), (*SEVEN, SEVEN[-1])), "point 7 and the next one are the same place"),
        (curve.Config("j", ("first.centre", "second.centre"), EIGHT, True), "the curve comes too near to itself at (0"),
        (cam.Config("j", ("first.centre", "second.centre"), 0.03, (cam.Lift(0.0, 0.0), cam.Lift(1.0, 0.0))), "over a whole turn"),
        (
            replace(valve(60).joints[2], between=("first.centre", "second.centre"), follower="flat", offset=0.01),
            "neither roller_radius nor",
        ),
        (replace(valve(60).joints[2], between=("first.centre", "second.centre"), offset=0.04), "offset: expected less than"),
        (
            replace(valve(60).joints[2], between=("first.centre", "second.centre"), follower="flat", base_radius=1e-3),
            "the cam would be hollow",
        ),
    ],
)
def test_what_does_not_roll_is_refused(joint: Any, said: str) -> None:
    with pytest.raises(ValueError) as error:
        Config((FIRST, SECOND), (*HELD, joint), ground=FAR)
    assert said in str(error.value) and str(error.value).startswith("joints.2: ")


def test_a_roller_too_large_for_its_lift_is_refused() -> None:
    turn = np.linspace(0.0, 2.0 * math.pi, 121).tolist()
    hollow = tuple(cam.Lift(a, 0.01 * (1.0 - math.cos(6.0 * a))) for a in turn)
    with pytest.raises(ValueError, match="roller_radius: 40 mm is too much: its path is as sharp as"):
        replace(
            valve(60), joints=(*valve(60).joints[:2], cam.Config("lobe", ("cam.centre", "valve.centre"), 0.03, hollow, roller_radius=0.04))
        )


def test_the_plants_slot_carries_its_pin_as_the_models_does() -> None:
    """The yoke coasting, with dry friction in its slot: two programs that share the drawing alone, the plant's slot being a stiff bush."""
    config = replace(yoke(0.1), drives=(), gravity=G, outputs=("crank_angle",))
    crank = replace(CRANK, inertia=5e-3)
    config = replace(config, bodies=(replace(crank, angular_velocity=6.0), YOKE))
    expected = run(config, 0.3)["crank_angle"]
    linkage = Linkage(config, Surfaces(), Stiffness(), Individual(1, False))
    p, y, seen = linkage.parameters((), ()), linkage.state(np.array([0.0, 0.0, 0.0, 0.05, 0.0, 0.0]), ()), np.zeros(1)
    y[2 + of.W] = 6.0
    found = []
    for step in range(round(0.3 / 2e-6) + 1):
        if step % 500 == 0:
            found.append(y[2 + of.PHI])
        kernel.motion(y, p, np.zeros(0), np.zeros(1), seen, 2e-6)
    lost = 0.5 * np.ptp(np.gradient(expected, 1e-3)[:50])
    assert expected[-1] > 1.0 and lost > 0.01
    assert np.array(found) == pytest.approx(expected, abs=2e-3)
