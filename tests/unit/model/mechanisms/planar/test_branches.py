"""Singular poses that a run passes are told, and which way it went; a start in one says which joints and what to do."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.assembly.description import Body, Point
from model.assembly.drives import angle
from model.assembly.joints import revolute
from model.assembly.start import Scaled
from model.errors import ModelError
from model.integrators import dop853
from model.mechanisms.planar import Config
from model.mechanisms.planar.branches import Passed, flat, side
from model.mechanisms.planar.stepper import assemble
from tests.unit.model.mechanisms.planar.test_published import four_bars


@pytest.mark.parametrize("count", [1, 2, 4])
def test_four_bars_that_go_over_tell_of_their_singular_poses(count: int) -> None:
    stepper = four_bars(count).create(dop853.Config(tolerance=1e-9, longest_step=1e-2), 100.0)
    stepper.start(np.zeros(stepper.lookahead))
    before = stepper.remarks
    stepper.advance(np.zeros(20))
    assert stepper.remarks == before, "nothing yet"
    stepper.advance(np.zeros(120))
    assert "singular pose" in stepper.remarks[-1] and len(stepper.remarks) == len(before) + 1
    assert "which way it took is not known; look at its angles" in stepper.remarks[-1]
    angles = stepper.advance(np.zeros(200))[:, 0]
    assert np.sum(np.diff(np.sign(np.sin(angles))) != 0) == 2
    assert "singular pose" in stepper.remarks[-1]


def crossed(rocker: float, coupler: float) -> np.ndarray:
    """q of the four-bar with equal rockers of 1 m, the first one at an angle, its coupler of 1 m too."""
    a = np.array([math.cos(rocker), math.sin(rocker)])
    b = a + np.array([math.cos(coupler), math.sin(coupler)])
    other = math.atan2(b[1], b[0] - 1.0)
    middle = 0.5 * (a + b)
    return np.array([*(0.5 * a), rocker, 0.5 * (1.0 + b[0]), 0.5 * b[1], other, *middle, coupler])


def antiparallel(rocker: float) -> float:
    """Angle of the coupler where the rockers turn against each other: the other way to put equal bars together."""
    a = np.array([math.cos(rocker), math.sin(rocker)])
    to_o = np.array([1.0, 0.0]) - a
    return 2.0 * math.atan2(to_o[1], to_o[0])  # the mirror image of the parallelogram's (0) about the diagonal


def test_a_parallelogram_that_turns_over_is_told_from_one_that_goes_on() -> None:
    """Driven through the flat pose: by the two ways to put it together beyond it, from their places alone."""
    one = four_bars(1)
    bars = tuple(replace(body, angular_velocity=None) for body in one.bodies)
    start = assemble(replace(one, bodies=bars, drives=(angle.Config("motor", "rocker0", 1.0),)))
    scaled, active = Scaled(start.system, 1.0), np.ones(start.independence.rows, dtype=bool)

    def at(q: np.ndarray) -> float:
        return side(scaled, 0.0, np.concatenate([q, np.zeros_like(q)]), active)

    before, straight = at(crossed(0.2, 0.0)), at(crossed(-0.2, 0.0))
    over = at(crossed(-0.2, antiparallel(-0.2)))
    near = crossed(1e-3, 0.0)
    loops = flat(scaled, 0.0, np.concatenate([near, np.zeros_like(near)]), active)
    assert loops == 1
    assert "went straight on" in Passed().after(1, 0.7, before, straight, loops).remark
    assert "passed a singular pose at 0.7 s" in Passed().after(1, 0.7, before, over, loops).remark
    assert "it has turned over into the other way" in Passed().after(1, 0.7, before, over, loops).remark
    assert "which way it took is not known" in Passed().after(1, 0.7, 0.0, over, loops).remark


def test_a_drive_that_moves_nothing_names_the_joints_that_hold_it() -> None:
    """A triangle is stiff; elsewhere there is a freedom, so that a count of drives and freedoms would say nothing."""
    bodies = (
        Body("a", 1.0, 1.0, points=(Point("E", 1.0),), angle=math.pi / 3),
        Body("b", 1.0, 1.0, points=(Point("E", 1.0),), angle=2 * math.pi / 3),
        Body("free", 1.0, 1.0),
    )  # fmt: skip
    joints = (
        revolute.Config("O1", ("ground.origin", "a.origin")), revolute.Config("O2", ("ground.far", "b.origin")),
        revolute.Config("E", ("a.E", "b.E")),
    )  # fmt: skip
    config = Config(bodies, joints, (angle.Config("motor", "a", 1.0),), ground=(Point("far", 1.0),))
    with pytest.raises(
        ModelError, match=r"dead point: at the start drive motor moves nothing: (O1|O2|E), .* hold what it drives\. .*choose"
    ):
        config.create(dop853.Config(), 100.0)


def test_a_start_in_a_singular_pose_with_a_drive_names_a_joint_and_says_what_to_do() -> None:
    one = four_bars(2)
    lying = tuple(replace(body, angle=0.0, angular_velocity=None) for body in one.bodies)
    with pytest.raises(
        ModelError, match=r"dead point: at the start [AB]\d no longer says .*; choose another angle or position to start from"
    ):
        replace(one, bodies=lying, drives=(angle.Config("motor", "rocker0", 1.0),)).create(dop853.Config(), 100.0)
