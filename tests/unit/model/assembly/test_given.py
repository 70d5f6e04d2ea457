"""The start that a description gives: velocities that joints allow are kept, others refused; places far off are told; spread states."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import constant
from model.assembly.joints import clearance_revolute, prismatic, revolute
from model.errors import InconsistentStart, ModelError
from model.integrators import dop853
from model.mechanisms.planar import Config
from model.mechanisms.planar.stepper import PlanarStepper, assemble
from tests.each_row import each_row

SPEED = 10.0
CRANK, ROD, START = 0.1, 0.3, 0.5


def slider_crank(clearance: float = 0.0, driven: bool = True, **slider: Any) -> Config:
    """The crank begins at START."""
    bodies = (
        Body("crank", 1.0, 1e-3, Place(0.5 * CRANK), (Point("B", CRANK),), START),
        Body("rod", 1.0, 8e-3, Place(0.5 * ROD), (Point("B", ROD),), -math.asin(CRANK / ROD * math.sin(START))),
        Body("slider", 0.5, 1e-3, **slider),
    )
    joints = (
        revolute.Config("O", ("ground.origin", "crank.origin")),
        revolute.Config("A", ("crank.B", "rod.origin")),
        clearance_revolute.Config("B", ("rod.B", "slider.origin"), 0.01, clearance),
        prismatic.Config("guide", ("ground.origin", "slider.origin")),
    )
    return Config(bodies=bodies, joints=joints, drives=(angle.Config("motor", "crank", SPEED),) if driven else ())


def stepper(config: Config) -> PlanarStepper:
    made: PlanarStepper = config.create(dop853.Config(tolerance=1e-9), 1e4)
    return made


def slider_speed() -> float:
    tilt = math.asin(CRANK / ROD * math.sin(START))
    return -SPEED * CRANK * (math.sin(START) + math.cos(START) * math.tan(tilt))


@each_row(
    ("given", "named"),
    [
        ({"vx": 5.0}, r"bodies\.slider\.vx: .* cannot have 5 m/s: joints and drives allow -0\.62"),
        ({"vx": 0.0}, r"bodies\.slider\.vx: .* cannot have 0 m/s"),
        ({"vy": 0.1}, r"bodies\.slider\.vy: .* cannot have 0\.1 m/s: joints and drives allow 0 m/s"),
        ({"angular_velocity": 3.0}, r"bodies\.slider\.angular_velocity: .* cannot have 3 rad/s"),
    ],
)
@each_row("clearance", [0.0, 1e-4])
def test_velocities_that_the_joints_do_not_allow_are_refused(clearance: float, given: dict[str, Any], named: str) -> None:
    with pytest.raises(InconsistentStart, match=named):
        stepper(slider_crank(clearance, **given))


def test_velocities_that_agree_are_taken_however_they_are_rounded() -> None:
    for digits in (15, 4):
        start = assemble(slider_crank(vx=float(f"{slider_speed():.{digits}g}"), vy=0.0))
        assert start.state[9 + 6] == pytest.approx(slider_speed(), rel=1e-12)


def test_what_is_free_keeps_the_velocity_that_is_given() -> None:
    """Without a drive one velocity says how all move; a second one has to agree with it."""
    start = assemble(slider_crank(driven=False, vx=slider_speed()))
    np.testing.assert_allclose(start.state[9:][[2, 6]], [SPEED, slider_speed()], rtol=1e-12)
    bodies = slider_crank(driven=False, vx=slider_speed()).bodies
    with pytest.raises(InconsistentStart, match=r"bodies\.(crank\.angular_velocity|slider\.vx): "):
        assemble(replace(slider_crank(driven=False), bodies=(replace(bodies[0], angular_velocity=2.0 * SPEED), *bodies[1:])))


def test_a_place_far_from_the_one_given_is_told() -> None:
    assert not stepper(slider_crank(x=0.37, y=0.0)).remarks
    (remark,) = stepper(slider_crank(x=0.5, y=0.1)).remarks
    assert remark.startswith("bodies.slider: the joints put it at (383.9, 0) mm, far from (500, 100) mm")
    turned = slider_crank()
    bodies = (turned.bodies[0], replace(turned.bodies[1], angle=2.0), turned.bodies[2])
    assert any(remark.startswith("bodies.rod.angle: ") for remark in stepper(replace(turned, bodies=bodies)).remarks)
    with pytest.raises(ValueError, match="x: body slider: missing; give both x and y, or neither"):
        slider_crank(y=0.1)


def test_a_body_that_nothing_holds_is_told() -> None:
    spare = replace(slider_crank().bodies[2], name="spare", x=1.0, y=0.0)
    held = slider_crank()
    (remark,) = assemble(replace(held, bodies=(*held.bodies, spare))).remarks
    assert remark.startswith("bodies.spare: no joint, drive or force holds it")
    by_a_force = (constant.Config("push", "spare.origin", force_x=1.0),)
    assert not assemble(replace(held, bodies=(*held.bodies, spare), forces=by_a_force)).remarks


def test_a_state_is_brought_onto_the_joints() -> None:
    made = stepper(slider_crank(1e-4))
    made.start(np.zeros(made.lookahead))
    nominal, rng = made.state, np.random.default_rng(3)
    away = made.usual * rng.uniform(-1.0, 1.0, len(nominal))
    made.start(np.zeros(made.lookahead), nominal + away)
    q, v = np.split(made.state, 2)
    assert max(float(np.max(np.abs(part))) for part in made.system.violated(0.0, q, v)[:2]) < 1e-12
    moved = np.abs(made.state - nominal)
    assert 1e-7 < np.max(moved[:9]) < 1e-4 and 1e-4 < np.max(moved[9:]) < 1.0
    made.advance(np.zeros(20))


def test_a_state_that_leaves_the_clearance_or_has_no_freedom_is_refused() -> None:
    made = stepper(slider_crank(1e-4))
    made.start(np.zeros(made.lookahead))
    shifted = made.state
    shifted[6] += 1e-3
    with pytest.raises(ModelError, match=r"joint B would begin 0\.\d+ mm beyond its clearance, 0\.1 mm"):
        made.start(np.zeros(made.lookahead), shifted)
    ideal = stepper(slider_crank())
    with pytest.raises(ModelError, match="nothing of the start free"):
        ideal.start(np.zeros(ideal.lookahead), assemble(slider_crank()).state)
