"""Gears, belts, curves, cams, slots with play and moving loads of the planar plant: against closed forms, scipy and the model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.assembly.description import Body, Contact, Place, Point
from model.assembly.elements import Elements, Frame, Touch
from model.assembly.forces import constant, moving_load, spring_damper
from model.assembly.joints import belt, cam, clearance_slot, curve, gear, lifting_cam, prismatic, revolute, slot
from model.mechanisms.planar import Config
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.planar_tables import Stiffness
from rig.virtual.plants.surfaces import Surfaces
from tests.each_row import each_row
from tests.unit.model.assembly.simulated import run as predicted
from tests.unit.rig.virtual.plants.motor_rig.linkages import Coasting

G = 9.81
X, Y, PHI, VX, VY, W = range(6)
FAR = (Point("far", 0.09),)
FIRST, SECOND = Body("first", 2.0, 0.03), Body("second", 1.0, 0.004, x=0.09, y=0.0)
HELD = (revolute.Config("a", ("ground.origin", "first.centre")), revolute.Config("b", ("ground.far", "second.centre")))
STAND = [0.0, 0.0, 0.4, 0.09, 0.0, -0.7]
BLOCK = Body("block", 0.8, 1e-3)
GUIDE = prismatic.Config("guide", ("ground.origin", "block.centre"), direction=0.5 * math.pi)


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
    """T t^2/2 (J_1 + i^2 J_2); another ratio is another angle by far."""
    push = constant.Config("push", "first.centre", torque=3.0)
    turned = Coasting(Config((FIRST, SECOND), (*HELD, wheels), forces=(push,), ground=FAR), STAND, np.zeros(6)).run(0.5)
    first, second = turned[-1, :, PHI] - [0.4, -0.7]
    expected = 0.5 * 3.0 / (0.03 + ratio**2 * 0.004) * 0.5**2
    assert first == pytest.approx(expected, rel=1e-4)
    assert second == pytest.approx(ratio * first, rel=1e-4)
    other = 0.5 * 3.0 / (0.03 + (1.1 * ratio) ** 2 * 0.004) * 0.5**2
    assert abs(other - expected) > 20.0 * abs(first - expected)


def test_teeth_that_meet_at_unequal_speeds_keep_angular_momentum_and_lose_no_more_than_they_must() -> None:
    """As two bodies that stick: r_2 L_1 - r_1 L_2 stays what it was, and in the end the pitch circles have the same speed."""
    pair = gear.Config("pair", ("first.centre", "second.centre"), (0.06, 0.03))
    wheels = Coasting(Config((FIRST, SECOND), (*HELD, pair), ground=FAR), STAND, [0, 0, 20.0, 0, 0, 0.0])
    before = wheels.energy
    first, second = wheels.run(0.3)[-1, :, W]
    assert 0.06 * first == pytest.approx(-0.03 * second, rel=1e-4)
    assert 0.03 * 0.03 * first - 0.06 * 0.004 * second == pytest.approx(0.03 * 0.03 * 20.0, rel=1e-6)
    assert wheels.energy == pytest.approx(before, rel=1e-3)
    assert wheels.y[1] == pytest.approx(0.5 * 0.03 * 20.0**2 * (1.0 - 0.03 / (0.03 + 4.0 * 0.004)), rel=1e-2)


def test_a_planet_rolls_off_its_sun_on_a_carrier_that_turns() -> None:
    """With the sun at rest: (1 + r_s/r_p) times the carrier's angle, through several turns."""
    bodies = (Body("carrier", 1.0, 3e-3, points=(Point("P", 0.06),)), Body("planet", 0.5, 2e-4, x=0.06, y=0.0))
    joints = (
        revolute.Config("b", ("ground.origin", "carrier.centre")), revolute.Config("c", ("carrier.P", "planet.centre")),
        gear.Config("teeth", ("ground.origin", "planet.centre"), (0.04, 0.02)),
    )  # fmt: skip
    speed = 60.0
    found = Coasting(Config(bodies, joints), [0, 0, 0, 0.06, 0, 0], [0, 0, speed, 0, 0.06 * speed, 3.0 * speed]).run(0.4)
    assert found[-1, 0, PHI] > 20.0
    assert found[:, 1, PHI] == pytest.approx(3.0 * found[:, 0, PHI], abs=2e-4)


def circle(radius: float, count: int = 48) -> tuple[Place, ...]:
    angles = 2.0 * math.pi * np.arange(count) / count
    return tuple(Place(float(x), float(y)) for x, y in zip(radius * np.cos(angles), radius * np.sin(angles), strict=True))


@pytest.mark.parametrize("radius", [0.1, 0.09])
def test_a_bead_in_a_round_groove_is_a_pendulum(radius: float) -> None:
    groove = curve.Config("groove", ("ground.origin", "block.centre"), circle(radius), closed=True)
    start = 1.2
    place = [radius * math.sin(start), -radius * math.cos(start), 0.0]
    bead = Coasting(Config((BLOCK,), (groove,), gravity=G), place, np.zeros(3))
    before = bead.energy
    found = bead.run(1.0)[:, 0]
    swing = solve_ivp(
        lambda _, s: [s[1], -G / 0.1 * math.sin(s[0])], (0.0, 1.0), [start, 0.0], t_eval=np.linspace(0, 1, 1001), rtol=1e-10, atol=1e-12
    )
    off = float(np.max(np.abs(np.arctan2(found[:, X], -found[:, Y]) - swing.y[0])))
    assert off < 2e-3 if radius == 0.1 else off > 0.1  # the control: a groove of another radius
    assert bead.energy == pytest.approx(before, abs=1e-3 * 0.8 * G * radius)


def test_a_bead_goes_straight_on_beyond_an_open_curve() -> None:
    points = tuple(Place(0.02 * n, 0.0) for n in range(7))
    rail = curve.Config("rail", ("ground.origin", "block.centre"), points)
    found = Coasting(Config((BLOCK,), (rail,), gravity=G), [0.1, 0.0, 0.0], [1.0, 0.0, 0.0]).run(0.2)[:, 0]
    assert found[-1, X] == pytest.approx(0.3, abs=1e-6)
    assert np.max(np.abs(found[:, Y])) < 2.0 * 0.8 * G / 1e8 + 1e-9


LIFT = tuple(cam.Lift(math.radians(angle), 0.005 * (1.0 - math.cos(math.radians(angle)))) for angle in range(0, 361, 15))
CAM = Body("cam", 2.0, 50.0)
SHAFT = revolute.Config("shaft", ("ground.origin", "cam.centre"))


def lifted(joint: Any, speed: float, forces: tuple[Any, ...] = (), gravity: float = 0.0, base: float = 0.03) -> Coasting:
    """A cam that turns on by its own inertia, with a follower at 90 deg above it that lies on it."""
    seen = 0.5 * math.pi
    height, rate = base + 0.005 * (1.0 - math.cos(seen)), -speed * 0.005 * math.sin(seen)
    mechanism = Config((CAM, BLOCK), (SHAFT, GUIDE, joint), forces=forces, gravity=gravity)
    return Coasting(mechanism, [0, 0, 0, 0, height, 0], [0, 0, speed, 0, rate, 0])


@pytest.mark.parametrize("follower", ["flat", "roller"])
def test_a_cam_lifts_its_follower_as_its_lift_says(follower: str) -> None:
    """base + lift, where the follower stands, seen from the cam; it is a cosine, which the points give to a tenth of a micrometre."""
    keys: dict[str, Any] = {"direction": 0.5 * math.pi} if follower == "flat" else {"roller_radius": 0.01}
    joint = cam.Config("cam", ("cam.centre", "block.centre"), 0.03, LIFT, follower, **keys)
    base = 0.03 if follower == "flat" else 0.04
    found = lifted(joint, 40.0, base=base).run(0.4)
    seen = 0.5 * math.pi - found[:, 0, PHI]
    off = found[:, 1, Y] - base - 0.005 * (1.0 - np.cos(seen))
    assert found[-1, 0, PHI] > 4.0 * math.pi
    assert np.max(np.abs(off)) < 2e-6
    assert np.max(np.abs(found[:, 1, Y] - base - 0.005 * (1.0 - np.cos(seen + 0.05)))) > 1e-4


def test_a_follower_flies_where_the_cam_falls_away_faster_than_gravity_and_is_not_pulled() -> None:
    """A w^2 is 4 g: it leaves where A w^2 cos of what it sees is -g, and flies a parabola."""
    joint = lifting_cam.Config("cam", ("cam.centre", "block.centre"), 0.03, LIFT, "flat", direction=0.5 * math.pi)
    speed = math.sqrt(4.0 * G / 0.005)
    found = lifted(joint, speed, gravity=G).run(0.05, every=1e-4)
    gap = found[:, 1, Y] - 0.03 - 0.005 * (1.0 - np.cos(0.5 * math.pi - found[:, 0, PHI]))
    leaves = round((math.pi + math.asin(0.25)) / speed / 1e-4)
    assert np.all(gap[leaves - 100 : leaves - 5] < 0.0) and np.all(gap[leaves + 20 : leaves + 60] > 1e-7)
    assert np.diff(found[leaves + 20 : leaves + 60, 1, VY]) == pytest.approx(-G * 1e-4, rel=1e-6)
    assert np.min(gap) > -5e-6


@pytest.mark.parametrize("restitution", [0.5, 0.9])
@pytest.mark.parametrize("speed", [0.05, 1.0])
def test_a_pin_rebounds_from_the_walls_of_its_slot_with_what_the_surfaces_give_back(speed: float, restitution: float) -> None:
    """It crosses the play at its speed, and comes back with e times that."""
    joint = clearance_slot.Config("slot", ("ground.origin", "block.centre"), 0.005, clearance=1e-3)
    pin = Coasting(Config((BLOCK,), (joint,)), [0, 0, 0], [0.3, speed, 0.0], Surfaces(restitution=restitution))
    before = pin.energy
    crossing = 1e-3 / speed
    found = pin.run(1.5 * crossing, every=crossing / 100.0 - crossing / 100.0 % 2e-6 + 2e-6)[:, 0]
    assert found[10, VY] == pytest.approx(speed, rel=1e-12)
    assert found[-1, VY] == pytest.approx(-restitution * speed, rel=5e-3)
    assert found[-1, VX] == pytest.approx(0.3, rel=1e-12)
    assert pin.energy == pytest.approx(before, rel=2e-3)


@each_row("form", ["power", "bilinear"])
@each_row("speed", [1e-6, 1e-2, 10.0, 1e3, 1e5])
def test_no_impact_whatever_its_speed_gives_back_more_than_it_had(speed: float, form: str) -> None:
    joint = clearance_slot.Config("slot", ("ground.origin", "block.centre"), 0.005, clearance=1e-3)
    pin = Coasting(Config((Body("block", 0.02, 1e-5),), (joint,)), [0, 1e-3, 0], [0.0, speed, 0.0], Surfaces(form=form))
    kept = np.abs(pin.run(0.02)[:, 0, VY])
    assert np.all(kept <= speed * (1.0 + 1e-9)) and np.all(np.isfinite(kept))


def test_a_cam_at_a_speed_that_no_machine_has_does_not_blow_up() -> None:
    joint = lifting_cam.Config("cam", ("cam.centre", "block.centre"), 0.03, LIFT, roller_radius=0.01)
    push = constant.Config("push", "block.centre", force_y=-500.0)
    found = lifted(joint, 3000.0, (push,), base=0.04).run(0.1)
    assert np.max(np.abs(found[:, 1, VY])) < 3000.0 * 0.005 * 10.0


def test_a_load_that_moves_along_a_lever_turns_it_by_its_way() -> None:
    """F v t on the arm: F v t^3/6J, the force turning with the lever."""
    lever = Body("lever", 1.0, 0.02)
    joint = revolute.Config("a", ("ground.origin", "lever.centre"))
    load = moving_load.Config("trolley", "lever.centre", way="0.4*t", force_y=5.0, turns_with_body=True)
    found = Coasting(Config((lever,), (joint,), forces=(load,)), np.zeros(3), np.zeros(3)).run(0.3)
    assert found[-1, 0, PHI] == pytest.approx(5.0 * 0.4 * 0.3**3 / (6.0 * 0.02), rel=1e-4)
    still = moving_load.Config("trolley", "lever.centre", force_y=5.0, turns_with_body=True)
    assert Coasting(Config((lever,), (joint,), forces=(still,)), np.zeros(3), np.zeros(3)).run(0.3)[-1, 0, PHI] == 0.0


CRANK = Body("crank", 1.0, 0.02, points=(Point("pin", 0.05),))
YOKE = Body("yoke", 0.8, 1e-3)
YOKED = (revolute.Config("shaft", ("ground.origin", "crank.centre")), prismatic.Config("way", ("ground.origin", "yoke.centre")))


@pytest.mark.parametrize("second", [0.03, 0.033])
def test_model_and_plant_agree_on_a_mechanism_with_a_gear_and_a_slot(second: float) -> None:
    """A wheel, geared to a crank, whose pin slides a block against a spring: 2 mrad in the wheel's angle after half a second; the control
    has another ratio."""
    wheel = Body("wheel", 1.0, 0.004, x=0.0, y=0.09, angular_velocity=-30.0)
    spring = spring_damper.Config("spring", ("ground.origin", "yoke.centre"), stiffness=2000.0, length=0.05)

    def mechanism(radius: float) -> Config:
        joints = (
            *YOKED, slot.Config("slot", ("yoke.centre", "crank.pin"), direction=0.5 * math.pi),
            revolute.Config("b", ("ground.far", "wheel.centre")), gear.Config("teeth", ("crank.centre", "wheel.centre"), (0.06, radius)),
        )  # fmt: skip
        outputs = ("wheel_angle",)
        ground = (Point("far", 0.0, 0.09),)
        return Config((CRANK, YOKE, wheel), joints, forces=(spring,), ground=ground, outputs=outputs)

    expected = predicted(mechanism(0.03), 0.5)["wheel_angle"]
    ratio = second / 0.06
    start = [0, 0, 0, 0.05, 0, 0, 0, 0.09, 0]
    found = Coasting(mechanism(second), start, [0, 0, 30.0 * ratio, 0, 0, 0, 0, 0, -30.0]).run(0.5)[:, 2, PHI]
    off = float(np.max(np.abs(found - expected)))
    assert abs(expected[-1]) > 5.0
    assert off < 2e-3 if second == 0.03 else off > 0.1


def test_model_and_plant_agree_on_a_yoke_with_play_in_its_slot() -> None:
    """A crank of much inertia, so that both rattle alike for a few impacts: the yoke within 5 um in all of it; with twice the play it is
    elsewhere by ten times that. The plant's pins are as stiff as its step bears, as those of the model do not give way."""
    crank = Body("crank", 1.0, 0.5, points=(Point("pin", 0.05),), angular_velocity=8.0)
    e = 0.7

    def mechanism(play: float) -> Config:
        contact = {"clearance": play, "pin_radius": 0.005, "direction": 0.5 * math.pi}
        joints = (*YOKED, clearance_slot.Config("slot", ("yoke.centre", "crank.pin"), **contact))
        return Config((crank, YOKE), joints, outputs=("yoke_x",), contact=Contact(law="exact", restitution=e))

    expected = predicted(mechanism(1e-4), 0.2)["yoke_x"]
    start, moving = [0, 0, 0, 0.05, 0, 0], [0, 0, 8.0, 0, 0, 0]
    built = {"surfaces": Surfaces(restitution=e), "stiffness": Stiffness(pin=1e10, tilt=2e7)}
    found, other = (Coasting(mechanism(play), start, moving, **built).run(0.2)[:, 1, X] for play in (1e-4, 2e-4))
    assert np.ptp(expected) > 0.05
    assert np.max(np.abs(found - expected)) < 5e-6
    assert np.max(np.abs(other - expected)) > 5e-5


def test_wear_opens_a_play_by_the_work_that_is_pressed_into_it() -> None:
    """m/J times the work of the way in, which a bilinear contact takes from the pin's energy: all of it at the first impact."""
    joint = clearance_slot.Config("slot", ("ground.origin", "block.centre"), 0.005, clearance=1e-3)
    worn = {}
    for wear in (0.0, 1e-4):
        pin = Coasting(Config((BLOCK,), (joint,)), [0, 0, 0], [0.0, 0.5, 0.0], Surfaces(form="bilinear", restitution=0.6), wear)
        pin.run(0.003)
        states = [pin.y[pin.first + 2 * at.BODY_STATES + n * at.FOLLOWER_STATES + at.WORN] for n in range(2)]
        worn[wear] = max(states)
        assert min(states) == 0.0
    assert worn[0.0] == 0.0
    assert worn[1e-4] == pytest.approx(1e-4 * 0.5 * 0.8 * 0.5**2, rel=1e-2)


class Own:
    """A joint of a user's own, with a contact that this plant knows nothing of."""

    name = "own"

    def elements(self, frame: Frame) -> Elements:
        i, j = frame.pair(("ground.origin", "block.centre"))
        return Elements(contacts=(Touch(i, j, "own", 9.0, (1e9, 1.5, 0.0), 1e-3, {}),))


def test_a_contact_that_it_has_no_part_for_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="mechanism: own: this plant has no contact of that kind"):
        Coasting(Config((BLOCK,), (Own(),)), np.zeros(3), np.zeros(3))
