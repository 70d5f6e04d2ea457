"""Translational joint with clearance: corners behind their faces, loads, what they do to a slider."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.joints import translational as joint
from tests.each_row import each_row

Floats = NDArray[np.float64]
LENGTH, HEIGHT, CLEARANCE, STIFFNESS = 5e-3, 8e-3, 5e-5, 3e9


def parameters(damping: float = 0.0, friction: float = 0.0) -> Floats:
    return joint.parameters(LENGTH, HEIGHT, CLEARANCE, STIFFNESS, damping, [friction, 1e-3, 1e-2])


def bits(*corners: int) -> int:
    return sum(1 << k for k in corners)


def penetrating(y: float, angle: float, g: Floats) -> int:
    """The corners behind their faces."""
    depths = [joint.corner(k, y, 0.0, 0.0, math.sin(angle), math.cos(angle), 0.0, g)[0] for k in range(joint.CORNERS)]
    return bits(*(k for k, depth in enumerate(depths) if depth > 0.0))


@each_row(
    ("y", "angle", "corners"),
    [
        (0.0, 0.0, ()),
        (6e-5, 0.0, (2, 3)),
        (-6e-5, 0.0, (0, 1)),
        (4e-5, 0.01, (3,)),
        (4e-5, -0.01, (2,)),
        (-4e-5, 0.01, (0,)),
        (0.0, 0.025, (0, 3)),
        (0.0, -0.025, (1, 2)),
    ],
)
def test_corners_are_behind_their_faces(y: float, angle: float, corners: tuple[int, ...]) -> None:
    assert penetrating(y, angle, parameters()) == bits(*corners)


speeds = st.floats(-2.0, 2.0)


@given(y=st.floats(-1e-4, 1e-4), angle=st.floats(-0.05, 0.05), vx=speeds, vy=speeds, omega=speeds, friction=st.floats(0.0, 0.5))
def test_what_contact_and_friction_do_to_the_slider(y: float, angle: float, vx: float, vy: float, omega: float, friction: float) -> None:
    """Forces come from the penetrations' energy, and friction takes power at every corner."""
    g = parameters(friction=friction)
    closed = penetrating(y, angle, g)
    fx, fy, moment, total = joint.loads(y, vx, vy, angle, omega, closed, g)
    stored, rubbed, pressed = 0.0, 0.0, 0.0
    for k in range(joint.CORNERS):
        depth, rate, sliding, _, _ = joint.corner(k, y, vx, vy, math.sin(angle), math.cos(angle), omega, g)
        if closed >> k & 1:
            assert depth > 0.0
            normal = joint.normal(depth, rate, g)
            pressed += normal
            stored += normal * rate
            rubbed += friction * normal * max(0.0, min(1.0, (abs(sliding) - 1e-3) / 9e-3)) * abs(sliding)
    power = fx * vx + fy * vy + moment * omega
    assert total == pytest.approx(pressed)
    assert power == pytest.approx(-stored - rubbed, rel=1e-9, abs=1e-9)
    assert power + stored <= 1e-9 * (1.0 + abs(stored))


def test_penetration_rate_is_its_derivative() -> None:
    g, y, angle, vy, omega, h = parameters(), 3e-5, 0.02, 0.4, -7.0, 1e-7
    for k in range(joint.CORNERS):
        at = [joint.corner(k, y + d * vy, 0.0, vy, math.sin(angle + d * omega), math.cos(angle + d * omega), omega, g) for d in (-h, 0, h)]
        assert at[1][1] == pytest.approx((at[2][0] - at[0][0]) / (2 * h), rel=1e-6)


@given(rate=st.floats(-3.0, 3.0))
def test_damped_contact_never_pulls(rate: float) -> None:
    assert joint.normal(1e-6, rate, parameters(damping=1.0)) == pytest.approx(3e3 * max(0.0, 1.0 + rate), abs=1e-9)


def test_stiffness_is_that_of_eq_26() -> None:
    compliance = 2.0 * (1.0 - 0.3**2) / 207e9
    assert joint.stiffness(0.013, compliance) == pytest.approx(0.013 / (0.475 * compliance))
    for wrong in ((0.0, compliance), (0.013, -1.0), (math.nan, compliance)):
        with pytest.raises(ValueError, match="expected more than 0"):
            joint.stiffness(*wrong)
