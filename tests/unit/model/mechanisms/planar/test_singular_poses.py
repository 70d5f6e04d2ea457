"""Singular poses that a run passes are told, and which way it went; a start in one says which joints and what to do."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.assembly.description import Body, Point
from model.assembly.drives import angle
from model.assembly.joints import revolute
from model.errors import ModelError
from model.integrators import dop853
from model.mechanisms.planar import Config
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
    assert "the linkage could go on in more than one way; look at its angles" in stepper.remarks[-1]
    angles = stepper.advance(np.zeros(200))[:, 0]
    assert np.sum(np.diff(np.sign(np.sin(angles))) != 0) == 2
    assert "singular pose" in stepper.remarks[-1]


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


def test_a_start_in_a_singular_pose_with_a_drive_names_joints_and_says_what_to_do() -> None:
    """Which ones, and whether one or two: all bars lie in one line, so the processor's last digits choose among rows that say the same."""
    one = four_bars(2)
    lying = tuple(replace(body, angle=0.0, angular_velocity=None) for body in one.bodies)
    with pytest.raises(
        ModelError, match=r"dead point: at the start [AB]\d(, [AB]\d)* no longer says .*; choose another angle or position to start from"
    ):
        replace(one, bodies=lying, drives=(angle.Config("motor", "rocker0", 1.0),)).create(dop853.Config(), 100.0)
