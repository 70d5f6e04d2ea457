"""Rods as files describe them: what they are as bodies, where they can be met, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.assembly.description import Point
from model.assembly.elements import Elements, End, Load
from model.assembly.rods.frames import Rods
from model.assembly.rods.rod import Rod

ROD = Rod("rod", 0.5, 0.2, 70e9, 1e-4, 1e-9, elements=4, points=(Point("side", 0.25, 0.03),))


def test_as_a_body_it_is_a_slender_bar() -> None:
    assert ROD.body.inertia == pytest.approx(ROD.mass * ROD.length**2 / 12.0)
    assert [(point.name, point.x) for point in ROD.met] == [("begin", 0.0), ("end", 0.5), ("side", 0.25)]
    assert ROD.beam.bending == pytest.approx(70.0) and ROD.beam.axial == pytest.approx(7e6)


def test_ends_on_it_are_carried_over_to_frames_behind_the_ground() -> None:
    """Of three bodies and two rods; points in axes of the body from its mass centre, of a frame from its node."""
    rods = Rods((ROD, replace(ROD, name="other", points=())), 3)
    assert rods.frames == 5 and rods.coordinates == 40
    assert rods.end(End(1, 0.2, 0.1)) == End(1, 0.2, 0.1)
    assert rods.end(End(5, 0.2, 0.1)) == End(3, 0.2, 0.1), "the ground"
    assert [rods.end(End(3, x, 0.03)) for x in (-0.25, 0.0, 0.25)] == [End(4, 0.0, 0.03), End(5, 0.0, 0.03), End(6, 0.0, 0.03)]
    assert rods.end(End(4, 0.25, 0.0)) == End(8, 0.0, 0.0)
    with pytest.raises(ValueError, match="rod other cannot be met 250 mm from its begin"):
        rods.end(End(4, 0.0, 0.0))
    with pytest.raises(ValueError, match="rod rod gives way; a load moves along a body that does not"):
        rods.elements(Elements(loads=(Load(End(3, -0.25, 0.0), (1.0, 0.0), 0.0, way=lambda t: t),)))  # type: ignore[arg-type]


def test_laid_out_it_moves_as_the_body_does() -> None:
    """Its mass centre, by the mass matrix, has the velocity that the body has."""
    rods = Rods((ROD,), 0)
    q, v = np.array([0.3, -0.2, 0.7]), np.array([1.0, 2.0, -3.0])
    z = rods.straight(q)
    rates, mass = rods.turning(z, v), ROD.beam.mass_matrix()
    for axis in (0, 1):
        one = np.tile(np.roll([1.0, 0.0, 0.0, 0.0], axis), 5)
        assert one @ mass @ z == pytest.approx(ROD.mass * q[axis])
        assert one @ mass @ rates == pytest.approx(ROD.mass * v[axis])
    assert 0.5 * rates @ mass @ rates == pytest.approx(0.5 * (ROD.mass * 5.0 + ROD.body.inertia * 9.0))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("points", (Point("a", 0.1),), "points: rod rod: point a at 100 mm is at no node; these stand every 125 mm with 4 elements"),
        ("youngs_modulus", 0.0, "youngs_modulus: rod rod: expected more than 0 Pa and finite, got 0 Pa"),
        ("second_moment", math.inf, "second_moment: rod rod: expected more than 0 m"),
        ("elements", 61, "elements: rod rod: expected 1 to 60, got 61"),
        ("damping", -1.0, "damping: rod rod: expected at least 0 s"),
        ("x", 0.0, "y: body rod: missing; give both x and y, or neither"),
        ("points", (Point("end", 0.5),), "points: body rod has the point end already"),
    ],
)
def test_what_cannot_be_is_refused(key: str, value: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(ROD, **{key: value})  # type: ignore[arg-type]
