"""The plants' own contact: what it gives back, at any speed and in any step, and how its work is told."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.virtual.plants.contact import pressing, stored
from rig.virtual.plants.surfaces import CONTACT_STATES, Point, Surfaces, loss
from tests.each_row import each_row

FRICTION = (0.0, 1e-3, 1e-2)
STIFFNESS = 2e10
CURVE = tuple(Point(depth, 4e9 * depth**1.3) for depth in np.linspace(2e-6, 3e-5, 12))


def struck(surfaces: Surfaces, restitution: float, speed: float, h: float, mass: float = 0.3, stiffness: float = STIFFNESS):
    """(speed after, work lost by what is told, work stored at the end) of a mass that flies against a wall; semi-implicit Euler."""
    p, state = surfaces.columns(stiffness, 1.5, restitution, FRICTION), np.zeros(CONTACT_STATES)
    depth, v, lost = 1e-15, speed, 0.0
    for _ in range(10_000_000):
        force, elastic = pressing(depth, v, mass, h, p, state)
        lost += h * (force - elastic) * v
        v -= h * force / mass
        depth += h * v
        if depth <= 0.0 or (force == 0.0 and v < 0.0):
            return -v, lost, stored(depth, p, state)
    raise AssertionError("it does not come back")


@each_row("speed", [1e-3, 0.05, 1.0])
@each_row("restitution", [1.0, 0.9, 0.6])
@each_row("form", ["power", "bilinear", "recorded"])
def test_it_gives_back_what_it_says(form: str, restitution: float, speed: float) -> None:
    surfaces = Surfaces(form=form, approach_floor=1e-9, curve=CURVE if form == "recorded" else ())
    back, lost, _ = struck(surfaces, restitution, speed, 2e-8 if speed > 0.1 else 1e-7)
    assert back / speed == pytest.approx(restitution, abs=0.01)
    energy = 0.5 * 0.3 * speed**2
    assert lost == pytest.approx(energy * (1.0 - restitution**2), abs=0.02 * energy)


@each_row("speed", [1e-6, 5e-4, 0.02, 2.0])
@each_row("form", ["power", "bilinear", "recorded"])
def test_no_speed_is_too_slow_for_a_step(form: str, speed: float) -> None:
    """In the steps of a rig, a stiff pin that is pressed hard gives back no more than it got."""
    surfaces = Surfaces(form=form, curve=CURVE if form == "recorded" else ())
    back, _, _ = struck(surfaces, 0.5, speed, 2e-6, stiffness=1e11)
    assert 0.0 <= back <= 1.02 * speed


@pytest.mark.parametrize("form", ["power", "bilinear", "recorded"])
def test_pressed_hard_it_comes_to_rest_at_any_speed(form: str) -> None:
    """10 kN on 0.1 kg, arriving slowly: the depth settles where the force is borne; damping that acts by speed squared would not."""
    surfaces = Surfaces(form=form, approach_floor=1e-3, curve=CURVE if form == "recorded" else ())
    p, state = surfaces.columns(STIFFNESS, 1.5, 0.5, FRICTION), np.zeros(CONTACT_STATES)
    depth, v, h = 1e-9, 5e-4, 2e-6
    for _ in range(300_000):
        force, _ = pressing(max(depth, 1e-12), v, 0.1, h, p, state)
        v += h * (1e4 - force) / 0.1
        depth += h * v
        assert abs(depth) < 1e-3  # some ten times where the force is borne, of the softest
    if form == "power":
        assert force == pytest.approx(1e4, rel=1e-3)


@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9, 0.999])
def test_the_loss_solves_the_impact_of_any_exponent(restitution: float) -> None:
    """Against the equation of motion itself, m v dv = -K d^n (1 + a v/v0) dd, integrated by speed: both ways take the same depth."""
    a = loss(restitution)
    inward = np.linspace(0.0, 1.0, 20001)
    outward = np.linspace(0.0, restitution, 20001)
    deep = np.trapezoid(inward / (1.0 + a * inward), inward)
    shallow = np.trapezoid(outward / (1.0 - a * outward), outward)
    assert shallow == pytest.approx(deep, rel=2e-3)
    assert loss(1.0) == 0.0


def test_what_is_no_curve_is_refused() -> None:
    for keys, said in (
        ({"form": "recorded"}, "expected points for form recorded"),
        ({"curve": CURVE}, "none for the others"),
        ({"form": "recorded", "curve": (Point(1e-6, 5.0), Point(2e-6, 4.0))}, "that rise"),
        ({"form": "recorded", "curve": tuple(Point(k * 1e-6, k * 1.0) for k in range(1, 15))}, "at most 12"),
    ):
        with pytest.raises(ValueError, match=said):
            Surfaces(**keys)


def test_a_bilinear_contact_is_as_deep_as_the_elastic_one_at_a_kilonewton() -> None:
    p = Surfaces(form="bilinear").columns(STIFFNESS, 1.5, 0.9, FRICTION)
    depth = (1e3 / STIFFNESS) ** (2.0 / 3.0)
    assert pressing(depth, 0.0, 1.0, 1e-6, p, np.zeros(CONTACT_STATES))[0] == pytest.approx(1e3)
    assert math.isfinite(p[1])
