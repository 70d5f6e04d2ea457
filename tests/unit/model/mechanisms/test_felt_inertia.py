"""Inertia that a drive feels: against closed forms, and between mechanisms that are there twice, by hand and described."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import torsion_spring
from model.assembly.joints import clearance_revolute, gear, revolute
from model.mechanisms import four_bar, slider_bar, slider_crank
from model.mechanisms.planar import Config
from tests.unit.model.mechanisms.planar import described

COURSES = np.linspace(0.0, 2.0 * math.pi, 9)


def described_four_bar(like: four_bar.Config) -> Config:
    """Its crank with next to no mass, as the one by hand has none; links about their mass centres."""
    l1, l2, l3, l4 = like.crank_length, like.coupler_length, like.rocker_length, like.ground_length
    (bx, by), d = (l1 * math.cos(like.start_angle), l1 * math.sin(like.start_angle)), (l4, 0.0)
    far, heading = math.hypot(d[0] - bx, d[1] - by), math.atan2(d[1] - by, d[0] - bx)
    theta2 = heading + math.acos((l2**2 + far**2 - l3**2) / (2.0 * l2 * far))  # C to the left of the way from B to D
    cx, cy = bx + l2 * math.cos(theta2), by + l2 * math.sin(theta2)
    theta3 = math.atan2(d[1] - cy, d[0] - cx)
    arm = l3 - like.rocker_centre
    bodies = (
        Body("crank", 1e-9, 1e-12, points=(Point("B", l1),), angle=like.start_angle),
        Body("coupler", like.coupler_mass, like.coupler_inertia - like.coupler_mass * like.coupler_centre**2, Place(like.coupler_centre),
             (Point("C", l2),), angle=theta2),
        Body("rocker", like.rocker_mass, like.rocker_inertia - like.rocker_mass * arm**2, Place(like.rocker_centre), (Point("D", l3),),
             angle=theta3),
    )  # fmt: skip
    joints = (
        revolute.Config("A", ("ground.origin", "crank.origin")),
        revolute.Config("B", ("crank.B", "coupler.origin")),
        clearance_revolute.Config("C", ("coupler.C", "rocker.origin"), 0.01),
        revolute.Config("D", ("ground.D", "rocker.D")),
    )
    return Config(
        bodies=bodies, joints=joints, drives=(angle.Config("motor", "crank", 1.0),), ground=(Point("D", l4),), clearance=like.clearance
    )


@pytest.mark.parametrize("clearance", ["rod_slider", "crank_rod"])
def test_slider_crank_by_hand_and_described(clearance: str) -> None:
    by_hand = slider_crank.Config(clearance_joint=clearance, rod=replace(slider_crank.Config().rod, centre=0.045))
    felt = by_hand.felt_inertia(COURSES)
    assert felt.shape == (len(COURSES), 1)
    np.testing.assert_allclose(described.slider_crank(by_hand).felt_inertia(COURSES), felt, rtol=1e-9)
    heavier = replace(by_hand, slider=replace(by_hand.slider, mass=1.1 * by_hand.slider.mass))
    assert np.max(heavier.felt_inertia(COURSES) / felt) > 1.02


def test_slider_crank_at_its_dead_points_moves_no_slider() -> None:
    """There the slider stands, and the rod turns about its pin: J = J2 + m2 r^2/4 + (J3 + m3 (l - s)^2) (r/l)^2."""
    c = slider_crank.Config()
    ratio, arm = c.crank.length / c.rod.length, c.rod.length - c.rod.centre
    expected = c.crank.inertia + c.crank.mass * (0.5 * c.crank.length) ** 2 + (c.rod.inertia + c.rod.mass * arm**2) * ratio**2
    np.testing.assert_allclose(c.felt_inertia(np.array([0.0, math.pi]))[:, 0], expected, rtol=1e-12)


def test_four_bar_by_hand_and_described() -> None:
    by_hand = four_bar.Config()
    np.testing.assert_allclose(described_four_bar(by_hand).felt_inertia(COURSES), by_hand.felt_inertia(COURSES), rtol=1e-6)


def geared(ratio: float) -> Config:
    radii = (0.02, 0.02 * ratio)
    return Config(
        bodies=(Body("pinion", 1.0, 2e-3), Body("wheel", 2.0, 5e-3)),
        ground=(Point("O2", sum(radii)),),
        joints=(
            revolute.Config("O1", ("ground.origin", "pinion.centre")),
            revolute.Config("O2", ("ground.O2", "wheel.centre")),
            gear.Config("teeth", ("pinion.centre", "wheel.centre"), radii),
        ),
        drives=(angle.Config("motor", "pinion", 10.0),),
    )


@pytest.mark.parametrize("ratio", [0.5, 3.0])
def test_gears_by_the_square_of_their_ratio(ratio: float) -> None:
    np.testing.assert_allclose(geared(ratio).felt_inertia(COURSES), 2e-3 + 5e-3 / ratio**2, rtol=1e-9)


def on_a_shaft(mechanism: Config, stiffness: float) -> Config:
    """With a hub before the crank, by docs/own_mechanism.md."""
    hub = Body("hub", 0.1, 1e-4)
    drive = replace(mechanism.drives[0], body="hub")
    return replace(
        mechanism,
        bodies=(*mechanism.bodies, hub),
        joints=(*mechanism.joints, revolute.Config("bearing", ("ground.origin", "hub.centre"))),
        drives=(drive,),
        forces=(torsion_spring.Config("shaft", "crank", stiffness, relative_to="hub"),),
    )


def test_a_hub_before_a_spring_is_a_shaft_that_gives_way() -> None:
    rigid = described.slider_crank(slider_crank.Config())
    assert rigid.sprung_drives == ()
    assert on_a_shaft(rigid, 0.0).sprung_drives == ()  # a spring of nothing holds nothing
    sprung = on_a_shaft(rigid, 2e4)
    assert sprung.sprung_drives == ("motor",)
    held = replace(sprung, joints=(*sprung.joints, revolute.Config("coupling", ("hub.centre", "crank.origin"))))
    assert held.sprung_drives == ()  # the linkage hangs on the hub itself
    np.testing.assert_allclose(sprung.felt_inertia(COURSES[:2])[:, 0], 1e-4, rtol=1e-9)  # the hub alone: the rest is left behind


def test_what_hangs_on_the_shaft_is_what_the_crank_would_feel_without_it() -> None:
    rigid = described.slider_crank(slider_crank.Config())
    hung = on_a_shaft(rigid, 2e4).hung_inertia(COURSES)
    np.testing.assert_allclose(hung, rigid.felt_inertia(COURSES), rtol=1e-9)
    assert np.isnan(rigid.hung_inertia(COURSES)).all()  # nothing hangs on a spring there


def test_a_kind_that_does_not_tell() -> None:
    assert slider_bar.Config().felt_inertia(COURSES) is None
