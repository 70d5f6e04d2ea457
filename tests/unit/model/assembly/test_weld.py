"""Bodies that are welded to each other, against one body with the masses of both."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.assembly.description import Body, Place, Point
from model.assembly.joints import revolute, weld
from model.mechanisms.planar import Config
from tests.unit.model.assembly.simulated import run


@pytest.mark.parametrize("angle", [0.0, 0.5 * math.pi])
def test_two_bars_welded_swing_as_one_body(angle: float) -> None:
    """An angle of two bars of 0.4 m, 0.6 kg each, on a pin at its end, against the body that they make together."""
    length, mass = 0.4, 0.6
    inertia = mass * length**2 / 12.0
    first = Body("first", mass, inertia, Place(0.5 * length), (Point("end", length),))
    second = Body("second", mass, inertia, Place(0.5 * length), angle=angle)
    pin = revolute.Config("O", ("ground.origin", "first.origin"))
    joint = weld.Config("W", ("first.end", "second.origin"), angle)
    x, y = 0.5 * (0.5 * length + length + 0.5 * length * math.cos(angle)), 0.25 * length * math.sin(angle)
    far = (x - 0.5 * length) ** 2 + y**2
    whole = Body("first", 2.0 * mass, 2.0 * (inertia + mass * far), Place(x, y))
    asked = ("first_angle", "O_force")
    welded = run(Config((first, second), (pin, joint), gravity=9.81, outputs=(*asked, "second_angle", "W_moment")), 1.0)
    one = run(Config((whole,), (pin,), gravity=9.81, outputs=asked), 1.0)
    for name in asked:
        assert welded[name] == pytest.approx(one[name], abs=1e-6 * np.ptp(one[name])), name
    assert welded["second_angle"] == pytest.approx(welded["first_angle"] + angle, abs=1e-9)
    assert np.max(np.abs(welded["W_moment"])) > 0.1
    other = run(replace(Config((whole,), (pin,), gravity=9.81, outputs=asked), bodies=(replace(whole, inertia=1.01 * whole.inertia),)), 1.0)
    assert welded["first_angle"] != pytest.approx(other["first_angle"], abs=1e-6)
