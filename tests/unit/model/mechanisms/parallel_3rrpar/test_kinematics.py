"""Kinematics of the 3-RRPaR mechanism: reference angles, all variants, derivatives by differences, singularities, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.errors import ModelError
from model.mechanisms.parallel_3rrpar import Config, kinematics
from model.mechanisms.parallel_3rrpar.config import Arm, Bars, Contact, Geometry, Platform, Short, Variant, contact_stiffness
from tests.each_row import each_row

Floats = NDArray[np.float64]
REFERENCE = np.loadtxt(Path(__file__).with_name("inverse_kinematics.csv"), delimiter=",", skiprows=1)
OMEGA = 3.0 * np.pi
VARIANTS = [
    Config(variant=Variant(a2x, elbow, point)) for a2x in (0.1, 0.0) for elbow in ("+x", "-x") for point in ("m13", "r2", "centroid")
]
BOTH = ((0.2, 0.05), (0.18, 0.03))  # trajectories I and II: -x of the middle, radius, m
HALF = st.floats(-0.5, 0.5)


def circle(t: Floats, middle: float = 0.2, radius: float = 0.05) -> tuple[Floats, Floats, Floats]:
    still = np.zeros_like(t)
    cosine, sine = radius * np.cos(OMEGA * t), radius * np.sin(OMEGA * t)
    point = np.stack([-middle + cosine, 0.08 - sine, still - 0.54], axis=-1)
    velocity = OMEGA * np.stack([-sine, -cosine, still], axis=-1)
    return point, velocity, OMEGA**2 * np.stack([-cosine, sine, still], axis=-1)


def test_reference_angles_rates_and_accelerations() -> None:
    t = np.arange(10) / 15.0  # the file's times, which it gives to ten digits
    moving = kinematics.motion_along(Config(), *circle(t))
    np.testing.assert_allclose(t, REFERENCE[:, 0], atol=1e-10)
    np.testing.assert_allclose(moving.theta, REFERENCE[:, 4:7], rtol=0.0, atol=1e-6)
    np.testing.assert_allclose(moving.theta_rate, REFERENCE[:, 7:10], rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(moving.theta_acceleration, REFERENCE[:, 10:13], rtol=0.0, atol=1e-5)


def dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.sum(left * right, axis=-1))


def forward_motion(config: Config, theta: Floats, rate: Floats, second: Floats) -> tuple[Floats, Floats, Floats]:
    """The path's point and its first two derivatives (m, m/s, m/s^2) from those of theta. Raises ModelError as `forward`."""
    f = kinematics.frame(config)
    point = kinematics.forward(config, theta)
    b, e = kinematics.arms(theta)
    u = kinematics.bars(config, point, theta)
    lever = f.arm * dot(u, e)
    velocity: Floats = np.asarray(np.linalg.solve(u, (lever * rate)[..., None])[..., 0], dtype=np.float64)
    slip = velocity[..., None, :] - f.arm * e * rate[..., None]
    right = lever * second - f.arm * dot(u, b) * rate**2 - dot(slip, slip) / f.bar
    second_of_point: Floats = np.asarray(np.linalg.solve(u, right[..., None])[..., 0], dtype=np.float64)
    return point, velocity, second_of_point


@each_row("config", VARIANTS, ids=lambda config: " ".join(map(str, vars(config.variant).values())))
def test_variants_close_their_loops_and_go_forward_again(config: Config) -> None:
    for middle, radius in BOTH:
        point, velocity, acceleration = circle(np.linspace(0.0, 2.0 / 3.0, 97), middle, radius)
        moving = kinematics.motion_along(config, point, velocity, acceleration)
        assert kinematics.loop_closure(config, point).max() < 1e-12
        np.testing.assert_allclose(np.linalg.norm(moving.u, axis=-1), 1.0, atol=1e-14)
        found = forward_motion(config, moving.theta, moving.theta_rate, moving.theta_acceleration)
        for ours, wanted, near in zip(found, (point, velocity, acceleration), (1e-13, 1e-12, 1e-10), strict=True):
            np.testing.assert_allclose(ours, wanted, rtol=0.0, atol=near)
        here = kinematics.conditioning(config, point)
        assert np.all(here.assembly < 0.0) and here.condition.max() < 10.0 and here.transmission.min() > 0.5


@pytest.mark.parametrize("config", VARIANTS[::3], ids=lambda config: " ".join(map(str, vars(config.variant).values())))
def test_elbows_are_on_the_sides_named(config: Config) -> None:
    cosine = np.cos(kinematics.inverse(config, circle(np.linspace(0.0, 2.0 / 3.0, 33))[0]))
    point = circle(np.linspace(0.0, 2.0 / 3.0, 33))[0]
    other = replace(config, variant=replace(config.variant, elbow2="-x" if config.variant.elbow2 == "+x" else "+x"))
    assert np.all(cosine[:, 0] > 0.0) and np.all(cosine[:, 2] < 0.0)
    above = cosine[:, 1] > np.cos(kinematics.inverse(other, point))[:, 1]
    assert np.all(above == (config.variant.elbow2 == "+x"))


@each_row("config", VARIANTS, ids=lambda config: " ".join(map(str, vars(config.variant).values())))
def test_sides_of_elbows_are_those_of_the_tips(config: Config) -> None:
    """Against the tips themselves: each beside the line from its pivot to the platform joint's foot in its plane."""
    point = circle(np.linspace(0.0, 2.0 / 3.0, 33))[0]
    for mirrored in (1.0, -1.0):
        there = replace(config, geometry=Geometry(pivot2_z=-0.6 * mirrored))
        places = point * [1.0, 1.0, mirrored]
        f = kinematics.frame(there)
        joint = (places - f.offset)[:, None, :] + f.joints - f.pivots
        joint -= np.sum(joint * kinematics.AXES, axis=-1, keepdims=True) * kinematics.AXES
        tip = kinematics.tips(there, kinematics.inverse(there, places)) - f.pivots
        along = np.sum(tip * joint, axis=-1, keepdims=True) / np.sum(joint**2, axis=-1, keepdims=True)
        sides = kinematics.elbow_sides(there, places)
        np.testing.assert_array_equal(sides, np.sign((tip - along * joint)[..., 0]))
        assert np.all(sides == [mirrored, 1.0 if config.variant.elbow2 == "+x" else -1.0, -mirrored])


@given(x=HALF, y=HALF, z=st.floats(-0.85, -0.35))
def test_inverse_undoes_forward_wherever_it_reaches(x: float, y: float, z: float) -> None:
    config, point = Config(), np.array([x, y, z])
    if not kinematics.reach(config, point).reached.all():
        with pytest.raises(ModelError, match=r"leg \d cannot reach"):
            kinematics.inverse(config, point)
        return
    theta = kinematics.inverse(config, point)
    assert kinematics.loop_closure(config, point).max() < 1e-12
    here = kinematics.conditioning(config, point)
    if abs(here.assembly) > 1e-3:
        found = kinematics.forward(config, theta, np.sign(here.assembly))
        np.testing.assert_allclose(found, point, rtol=0.0, atol=1e-9)


def test_rates_and_accelerations_are_the_derivatives() -> None:
    config, t, h = Config(variant=Variant(0.0, "-x", "centroid")), np.linspace(0.0, 0.6, 7), 1e-3

    def quantities(at: Floats) -> list[tuple[Floats, Floats, Floats]]:
        now = kinematics.motion_along(config, *circle(at))
        beta, gamma, *rates = kinematics.swing(now)
        return [
            (now.theta, now.theta_rate, now.theta_acceleration),
            (now.u, now.u_rate, now.u_acceleration),
            (beta, rates[0], rates[2]),
            (gamma, rates[1], rates[3]),
        ]

    around = [quantities(t + k * h) for k in (-2, -1, 1, 2)]
    for kind, here in enumerate(quantities(t)):
        for order in (0, 1):
            values = [one[kind][order] for one in around]
            slope = (values[0] - 8.0 * values[1] + 8.0 * values[2] - values[3]) / (12.0 * h)
            np.testing.assert_allclose(here[order + 1], slope, rtol=0.0, atol=2e-7)


def test_jacobian_against_differences() -> None:
    config, point = Config(), circle(np.linspace(0.0, 0.6, 5))[0]
    a, b = kinematics.jacobian(config, point)
    for k in range(3):
        step = 1e-6 * np.eye(3)[k]
        slope = (kinematics.inverse(config, point + step) - kinematics.inverse(config, point - step)) / 2e-6
        np.testing.assert_allclose(a[..., k] / b, slope, atol=1e-8)
    np.testing.assert_allclose(
        kinematics.conditioning(config, point).condition, np.linalg.cond(np.linalg.inv(a) * b[..., None, :]), rtol=1e-9
    )


def test_a_leg_stretched_out_is_type_1_and_told_before() -> None:
    config, far = Config(), np.array([-0.2, 0.0, -np.sqrt(0.895**2 - 0.24**2)])
    spans = kinematics.reach(config, far)
    assert spans.needed[0] == pytest.approx(spans.most[0], abs=1e-12) and list(spans.reached) == [False, True, True]
    near = kinematics.conditioning(config, far + [0.0, 0.0, 1e-6])
    assert near.transmission[0] < 0.01 and near.condition > 100.0
    with pytest.raises(ModelError, match=r"leg 1 cannot reach .* at 0\.3000 s: .* span 8\d\d\.\d mm .* reaches from 385\.0 to 895\.0 mm"):
        places = np.stack([circle(np.zeros(1))[0][0], far])
        kinematics.refuse_unreached(config, places, np.array([0.0, 0.3]))
    with pytest.raises(ModelError, match="bars are shorter than the way out of its arm's plane"):
        kinematics.inverse(config, np.array([0.0, 0.7, -0.3]))


def test_assemblies_mirror_each_other_in_the_plane_of_the_spheres() -> None:
    config = Config()
    theta = kinematics.inverse(config, circle(np.zeros(1))[0])
    ours, other = (kinematics.forward(config, theta, sign) for sign in (-1.0, 1.0))
    assert np.linalg.norm(ours - other) > 0.1
    lengths = np.linalg.norm(kinematics.bars(config, other, theta), axis=-1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-14)
    with pytest.raises(ModelError, match="long bars are too short"):
        kinematics.forward(replace(config, bars=Bars(length=0.3)), theta)


def test_masses_of_the_long_bars_and_stiffness_of_the_contact() -> None:
    bars = Bars()
    assert (bars.mass, bars.jx, bars.jy) == (
        pytest.approx(0.278528),
        pytest.approx(1.1884e-5, rel=1e-4),
        pytest.approx(9.51299e-3, rel=1e-5),
    )
    assert contact_stiffness(Config(clearance=0.5e-3)) == pytest.approx(4.914e10, rel=1e-4)
    assert contact_stiffness(Config(clearance=0.1e-3)) == pytest.approx(1.130e11, rel=1e-3)


@each_row(
    ("make", "message"),
    [
        (lambda: Config(clearance=7.5e-3), r"^clearance: .* less than the bush's radius, 7\.5 mm; got 7\.5 mm"),
        (lambda: Config(clearance=-1e-4), r"^clearance: .* got -0\.1 mm"),
        (lambda: Config(arm=Arm(mass=-0.5)), r"^arm\.mass: expected more than 0 and finite, got -0\.5"),
        (lambda: Config(short=Short(jx=0.0)), r"^short\.jx: "),
        (lambda: Config(platform=Platform(mass=float("inf"))), r"^platform\.mass: .* finite, got inf"),
        (lambda: Config(bars=Bars(width=0.0)), r"^bars\.width: "),
        (lambda: Config(geometry=Geometry(arm_length=-0.2)), r"^geometry\.arm_length: "),
        (lambda: Config(variant=Variant(elbow2="+y")), r"^variant\.elbow2: expected one of \+x, -x; got '\+y'"),
        (lambda: Config(variant=Variant(point="tip")), r"^variant\.point: "),
        (lambda: Config(variant=Variant(a2x=float("nan"))), r"^variant\.a2x: expected a finite number"),
        (lambda: Config(friction=-0.1), r"^friction: "),
        (lambda: Config(friction_none_below=1e-3), r"^friction_none_below: expected less than friction_whole_above"),
        (lambda: Config(contact=Contact(restitution=1.2)), r"^restitution: "),
    ],
)
def test_what_cannot_be_built_is_refused(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]
