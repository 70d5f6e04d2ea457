"""A pin with clearance in a slot, and followers that lift off their cams: against Hertz' impact and what a spring can hold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.assembly.description import Body, Contact, Point
from model.assembly.drives import angle
from model.assembly.forces import constant, spring_damper
from model.assembly.joints import cam, clearance_slot, lifting_cam, prismatic, revolute, slot
from model.integrators import dop853
from model.mechanisms.planar import Config
from tests.unit.model.assembly.simulated import Floats
from tests.unit.model.assembly.test_rolling import BASE, HEIGHT, yoke

GAP, RADIUS, MASS, SPEED = 1e-4, 5e-3, 0.5, 0.2


def run(config: Config, seconds: float, rate: float = 1e5, tolerance: float = 1e-9) -> tuple[dict[str, Floats], Any]:
    stepper = config.create(dop853.Config(tolerance=tolerance, longest_step=1e-3), rate)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(round(seconds * rate) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}, stepper


@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_a_pin_strikes_the_walls_of_its_slot_as_hertz_has_it(heading: float) -> None:
    """Without loss: it comes back with its speed, having gone in by (5 m v^2/(4 K))^0.4 for 2.943 delta/v (Johnson 1985, 11.4)."""
    modulus = 200e9 / (2.0 * (1.0 - 0.3**2))
    stiffness = 4.0 / 3.0 * modulus * math.sqrt(RADIUS)
    contact = Contact(restitution=1.0, youngs_modulus=200e9)
    joint = clearance_slot.Config("slot", ("ground.origin", "pin.centre"), RADIUS, heading, GAP, contact)
    pin = Body("pin", MASS, 1e-5, x=0.0, y=0.0, vx=-SPEED * math.sin(heading), vy=SPEED * math.cos(heading))
    outputs = ("pin_x", "pin_y", "pin_vx", "pin_vy", "slot_penetration", "slot_force")
    closed = Config((replace(pin, vx=None, vy=None),), (replace(joint, clearance=0.0),), outputs=("slot_penetration", "slot_force"))
    assert len(closed.channels) == 2
    flying = replace(joint, clearance=GAP)
    start = Config((replace(pin, vx=None, vy=None),), (flying,), forces=(), outputs=outputs)
    stepper = start.create(dop853.Config(tolerance=1e-10, longest_step=1e-3), 1e6)
    samples = np.zeros(stepper.lookahead)
    stepper.start(samples)
    stepper.start(samples, np.array([0.0, 0.0, 0.0, pin.vx, pin.vy, 0.0]))
    values = stepper.advance(np.zeros(3001))
    found = {name: values[:, k] for k, (name, _) in enumerate(start.channels)}
    across = found["pin_vy"] * math.cos(heading) - found["pin_vx"] * math.sin(heading)
    depth = (5.0 * MASS * SPEED**2 / (4.0 * stiffness)) ** 0.4
    touching = found["slot_penetration"] > 0.0
    first = slice(0, 1 + int(np.argmax(across < 0.0)) + 200)
    assert np.max(found["slot_penetration"][first]) == pytest.approx(depth, rel=1e-3)
    assert np.sum(touching[first]) * 1e-6 == pytest.approx(2.943 * depth / SPEED, rel=0.05)
    assert across[600 + int(np.argmax(touching))] == pytest.approx(-SPEED, rel=1e-6)
    assert across[-1] == pytest.approx(SPEED, rel=1e-6), "and from the other wall"
    assert [event.guard for event in stepper.events[:4]] == [0, 0, 1, 1]


def test_a_yoke_with_play_in_its_slot_is_about_where_that_without_is() -> None:
    """Within the clearance and what presses in; the force turns over where the yoke's acceleration does, a crossing of the play later."""
    loose = clearance_slot.Config("slot", ("yoke.centre", "crank.pin"), RADIUS, 0.5 * math.pi, 5e-5, Contact(restitution=0.3))
    config = replace(yoke(), joints=(*yoke().joints[:2], loose), outputs=("yoke_x", "slot_force", "slot_penetration"))
    found, stepper = run(config, 0.4, 1e4)
    t = np.arange(len(found["yoke_x"])) / 1e4
    off = found["yoke_x"] - 0.05 * np.cos(20.0 * t)
    assert np.max(np.abs(off)) < 5e-5 + np.max(found["slot_penetration"]) + 1e-9
    assert np.max(off) > 4.9e-5 and np.min(off) < -4.9e-5
    assert {event.guard for event in stepper.events} == {0, 1}


def valve(speed: float, follower: str, made: type[cam.Config] = lifting_cam.Config, **keys: Any) -> Config:
    """A harmonic lift; a spring of 60 N and 4 kN/m presses the follower of 0.8 kg down."""
    lift = tuple(cam.Lift(a, 0.5 * HEIGHT * (1.0 - math.cos(a))) for a in np.linspace(0.0, 2.0 * math.pi, 73).tolist())
    roller = 0.01 if follower == "roller" else 0.0
    joints = (
        revolute.Config("shaft", ("ground.origin", "cam.centre")),
        prismatic.Config("guide", ("ground.foot", "valve.centre"), direction=0.5 * math.pi),
        made("lobe", ("cam.centre", "valve.centre"), BASE, lift, follower, roller, direction=0.5 * math.pi, **keys),
    )
    low = BASE + roller
    spring = spring_damper.Config("spring", ("ground.top", "valve.centre"), stiffness=4e3, length=0.2, preload=-60.0)
    ground = (Point("foot", 0.0, 0.04), Point("top", 0.0, low + 0.2))
    bodies = (Body("cam", 1.0, 1e-3, angle=0.5 * math.pi), Body("valve", 0.8, 1e-3))
    outputs = ("cam_angle", "valve_y", "valve_vy", "lobe_force")
    return Config(bodies, joints, (angle.Config("motor", "cam", speed),), (spring,), ground=ground, outputs=outputs)


def held(speed: float, t: Floats) -> Floats:
    """Force that keeps the flat or radial follower on its lift: m y'' + 60 N + 4 kN/m times the lift (it begins at its lowest)."""
    cosine = np.cos(speed * t)
    return np.asarray(0.8 * 0.5 * HEIGHT * speed**2 * cosine + 60.0 + 4e3 * 0.5 * HEIGHT * (1.0 - cosine))


@pytest.mark.parametrize("follower", ["flat", "roller"])
def test_a_follower_that_is_held_does_what_that_without_lifting_does(follower: str) -> None:
    contact = Contact(restitution=0.3, approach_floor=0.1)
    found, _ = run(valve(60.0, follower, contact=contact), 0.2, 1e4)
    ideal, _ = run(valve(60.0, follower, cam.Config), 0.2, 1e4)
    assert found["valve_y"] == pytest.approx(ideal["valve_y"], abs=1e-5)
    part = slice(200, None)  # it begins just touching, and drops in
    assert found["lobe_force"][part] == pytest.approx(ideal["lobe_force"][part], rel=0.02)


def test_a_flat_follower_lifts_off_where_its_spring_cannot_hold_it() -> None:
    """Where m y'' + spring = 0 first; the ideal cam would have to pull from there on; flying it is a mass on a spring."""
    speed = 250.0
    t = np.arange(20001) / 1e6
    off = t[np.argmax(held(speed, t) < 0.0)]
    found, stepper = run(valve(speed, "flat", contact=Contact(restitution=0.3, approach_floor=0.1)), 0.02, 1e6)
    opened = [event.time for event in stepper.events if event.guard == 0 and event.noted == 0.0]
    assert 0.003 < off < 0.02
    left = next(time for time in opened if time > off - 2e-3)
    assert left == pytest.approx(off, abs=1e-4)
    n = round(left * 1e6) + 1
    swing, y = math.sqrt(4e3 / 0.8), found["valve_y"]
    slack = BASE - 60.0 / 4e3
    away = np.arange(1500) / 1e6
    flying = slack + (y[n] - slack) * np.cos(swing * away) + found["valve_vy"][n] / swing * np.sin(swing * away)
    assert y[n : n + 1500] == pytest.approx(flying, abs=1e-8)
    assert np.max(y[n : n + 1500] - (BASE + 0.5 * HEIGHT * (1.0 - np.cos(speed * (t[n] + away))))) > 1e-5
    pulled, _ = run(valve(speed, "flat", cam.Config), 0.02, 1e4)
    assert np.min(pulled["lobe_force"]) < -10.0


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        (clearance_slot.Config("j", ("ground.origin", "b.centre"), 5e-3), "clearance: missing"),
        (lifting_cam.Config("j", ("ground.origin", "b.centre"), 0.03, valve(1.0, "roller").joints[2].lift), "roller_radius: missing"),
    ],
)
def test_what_has_no_contact_is_refused(joint: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Config((Body("b", 1.0, 1e-3),), (joint,))


def test_a_pin_may_also_be_pressed_along_by_a_force() -> None:
    """Statics: a force across the slot is what the wall gives back, at rest."""
    joint = clearance_slot.Config("slot", ("ground.origin", "pin.centre"), RADIUS, 0.0, GAP, Contact(restitution=0.02))
    push = constant.Config("push", "pin.centre", force_y=-30.0)
    config = Config((Body("pin", MASS, 1e-5, x=0.0, y=0.0),), (joint,), forces=(push,), outputs=("slot_force", "pin_y"))
    found, _ = run(config, 0.3, 1e3, 1e-7)
    assert found["slot_force"][-1] == pytest.approx(30.0, rel=1e-3)
    assert slot.Config("slot", ("ground.origin", "pin.centre")).direction == 0.0


@pytest.mark.parametrize("equations", ["generated", "tables"])
def test_a_coasting_crank_does_not_go_through_the_walls_of_its_slot(equations: str) -> None:
    """Whichever way its equations are made; the yoke is where its pin is, but for the play and what presses in."""
    play = 1e-4
    crank = Body("crank", 1.0, 0.5, points=(Point("pin", 0.05),), angular_velocity=8.0)
    joints = (
        revolute.Config("shaft", ("ground.origin", "crank.centre")), prismatic.Config("way", ("ground.origin", "yoke.centre")),
        clearance_slot.Config("slot", ("yoke.centre", "crank.pin"), RADIUS, 0.5 * math.pi, play, Contact(restitution=0.5)),
    )  # fmt: skip
    outputs = ("yoke_x", "crank_angle", "slot_penetration")
    found, _ = run(Config((crank, Body("yoke", 0.8, 1e-3)), joints, outputs=outputs, equations=equations), 0.2, 1e4)
    assert found["crank_angle"][-1] > 1.5 and np.max(found["slot_penetration"]) > 0.0
    off = found["yoke_x"] - 0.05 * np.cos(found["crank_angle"])
    assert np.max(np.abs(off)) < play + np.max(found["slot_penetration"]) + 1e-9 < 1.2 * play
