"""Paths: derivatives, blending from rest, the paper's times, what is refused; and whether the parallel mechanism can follow them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.errors import ModelError
from model.mechanisms.parallel_3rrpar import Config, kinematics
from model.mechanisms.parallel_3rrpar import reachability as following
from model.paths import circle, line, spline, trajectory_1, trajectory_2
from model.paths.course import Course, Point
from tests.each_row import each_row

CENTRE, FAR = Point(-0.2, 0.08, -0.54), Point(-0.1, 0.12, -0.5)
CORNERS = tuple(Point(-0.2 + x, 0.08 + y, -0.54 + z) for x, y, z in ((0.05, 0, 0), (0, 0.04, 0.01), (-0.05, 0, 0), (0, -0.04, -0.01)))
STAR = (*CORNERS, Point(-0.16, 0.06, -0.55), Point(-0.15, 0.07, -0.54))
CONFIGS: dict[str, Any] = {
    "trajectory_1": trajectory_1.Config(),
    "trajectory_2": trajectory_2.Config(),
    "circle": circle.Config(centre=CENTRE, radius=0.04, plane="zx", frequency=0.7),
    "line": line.Config(begin=CENTRE, end=FAR, blend_time=0.3),
    "spline of three": spline.Config(points=CORNERS[:3]),
    "spline": spline.Config(points=STAR, frequency=1.0),
    "open spline of two": spline.Config(points=CORNERS[:2], closed=False),
    "open spline of three": spline.Config(points=CORNERS[:3], closed=False),
    "open spline": spline.Config(points=STAR, closed=False, frequency=1.0),
}
ALL = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


def unblended(config: Any) -> Course:
    return replace(config, blend="off").create()


@ALL
def test_velocity_and_acceleration_are_the_derivatives(config: Any) -> None:
    path, h = config.create(), 1e-4
    t = np.linspace(0.0, path.duration, 403)[1:-1]
    t = t[np.abs(t - path.blend) > 3 * h]
    ahead, behind = path.evaluate(t + h), path.evaluate(t - h)
    _, velocity, acceleration = path.evaluate(t)
    np.testing.assert_allclose(velocity, (ahead[0] - behind[0]) / (2 * h), rtol=0.0, atol=2e-5)
    np.testing.assert_allclose(acceleration, (ahead[1] - behind[1]) / (2 * h), rtol=0.0, atol=2e-2)


@ALL
def test_jerk_is_the_derivative_of_the_acceleration(config: Any) -> None:
    path, h = config.create(), 1e-5
    t = np.linspace(0.01, path.blend - 0.01, 97)
    slope = (path.evaluate(t + h)[2] - path.evaluate(t - h)[2]) / (2 * h)
    near = np.linalg.norm(path.jerk(t) - slope, axis=1) < 1e-3 * (1.0 + np.linalg.norm(slope, axis=1))
    assert near.sum() >= len(t) - 6  # but where the pieces of a cubic spline meet


@ALL
def test_a_blend_begins_at_rest_and_is_smooth(config: Any) -> None:
    path = config.create()
    _, velocity, acceleration = path.evaluate(np.array([0.0]))
    assert np.all(velocity == 0.0) and np.all(acceleration == 0.0) and np.all(path.jerk(np.array([0.0])) == 0.0)
    before, after = path.evaluate(np.array([path.blend - 1e-9])), path.evaluate(np.array([path.blend + 1e-9]))
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-6)


@ALL
def test_a_blend_stays_on_the_curve_and_is_never_faster(config: Any) -> None:
    path, steady = config.create(), unblended(config)
    t = np.linspace(0.0, path.blend, 101)
    omega = 2.0 * np.pi * path.frequency
    phase, rate, _, _ = path.phase(t)
    assert np.all(np.diff(phase) > 0.0) and np.all(rate <= omega * (1.0 + 1e-12))
    np.testing.assert_allclose(path.evaluate(t)[0], steady.evaluate(phase / omega)[0], atol=1e-14)


def test_the_papers_circles_are_at_their_places_at_their_times() -> None:
    t = np.linspace(0.0, 2.0, 61)
    for config, middle, radius, largest in ((trajectory_1.Config(), -0.2, 0.05, 4.441), (trajectory_2.Config(), -0.18, 0.03, 2.665)):
        wanted = np.stack([middle + radius * np.cos(3 * np.pi * t), 0.08 - radius * np.sin(3 * np.pi * t), np.full_like(t, -0.54)], axis=1)
        np.testing.assert_allclose(unblended(config).evaluate(t)[0], wanted, atol=1e-14)
        settled = t >= 0.5
        np.testing.assert_allclose(config.create().evaluate(t[settled])[0], wanted[settled], atol=1e-14)
        assert np.linalg.norm(config.create().evaluate(t[settled])[2], axis=1) == pytest.approx(largest, abs=5e-4)
        assert config.create().duration == pytest.approx(0.5 + 3 / 1.5)


def test_a_path_of_your_own_begins_at_its_first_point_and_passes_the_others() -> None:
    for name in ("circle", "line", "spline", "open spline", "spline of three"):
        first = (
            CONFIGS[name].points[0].place if "spline" in name else CENTRE.place + (np.array([0.0, 0.0, 0.04]) if name == "circle" else 0)
        )
        for path in (CONFIGS[name].create(), unblended(CONFIGS[name])):
            np.testing.assert_allclose(path.evaluate(np.zeros(1))[0][0], first, atol=1e-15)
    turn = np.linspace(0.0, 1.0, 20001)
    for name in ("spline", "open spline"):
        places = unblended(CONFIGS[name]).evaluate(turn)[0]
        assert max(np.linalg.norm(places - point.place, axis=1).min() for point in STAR) < 2e-5
    ends = unblended(CONFIGS["line"]).evaluate(np.array([0.0, 1 / 3, 2 / 3]))
    np.testing.assert_allclose(ends[0], [CENTRE.place, FAR.place, CENTRE.place], atol=1e-15)
    np.testing.assert_allclose(ends[1], 0.0, atol=1e-14)


@each_row(
    ("make", "message"),
    [
        (lambda: circle.Config(centre=CENTRE, radius=0.0), "^radius: expected more than 0 m"),
        (lambda: circle.Config(centre=CENTRE, radius=0.1, plane="xz"), "^plane: expected one of xy, yz, zx"),
        (lambda: trajectory_1.Config(sense="left"), "^sense: "),
        (lambda: trajectory_1.Config(frequency=-1.0), "^frequency: expected more than 0 Hz"),
        (lambda: trajectory_1.Config(blend_time=0.0), "^blend_time: "),
        (lambda: trajectory_1.Config(blend="yes"), "^blend: expected on or off, got 'yes'"),
        (lambda: trajectory_1.Config(cycles=0), "^cycles: expected at least 1, got 0"),
        (lambda: line.Config(begin=CENTRE, end=CENTRE), "^end: "),
        (lambda: spline.Config(points=CORNERS[:2]), "^points: expected at least 3, got 2"),
        (lambda: spline.Config(points=(*CORNERS, CORNERS[0])), "^points: point 5 and the next one are the same place"),
        (lambda: Point(0.0, float("nan"), 0.0), "^y: expected a finite number"),
    ],
)
def test_a_path_that_is_none_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@ALL
def test_the_mechanism_follows_them(config: Any) -> None:
    path = config.create()
    following.followed(Config(), path)
    found = following.survey(Config(), path.steady(), following.one_turn(path))
    assert found.reached.all() and found.closure.max() < 1e-12 and np.isfinite(found.theta).all()


def test_a_path_out_of_reach_is_refused_with_leg_time_and_place() -> None:
    path = circle.Config(centre=CENTRE, radius=0.35, frequency=0.2).create()
    with pytest.raises(ModelError, match=r"^trajectory: leg \d cannot reach \(.*\) mm at \d\.\d{4} s: it would have to span \d+\.\d mm"):
        following.followed(Config(), path)
    found = following.survey(Config(), path.steady(), following.one_turn(path))
    assert 0 < found.reached.sum() < len(found.reached)
    assert np.array_equal(np.isnan(found.condition), ~found.reached)


def test_a_nearly_singular_path_is_refused_with_its_condition_number() -> None:
    config, stretched = Config(), np.array([-0.2, 0.0, -np.sqrt(0.895**2 - 0.24**2)])
    bottom = Point(*(stretched + [0.0, 0.0, 2e-5]))
    path = line.Config(begin=Point(-0.2, 0.0, -0.7), end=bottom, frequency=0.05).create()
    worst = float(kinematics.conditioning(config, bottom.place).condition)
    with pytest.raises(
        ModelError,
        match=r"^trajectory: nearly singular at \(-200\.0, -?0\.0, -86\d\.\d\) mm, .*: condition number 18\d, more than .* leg 1",
    ):
        following.followed(config, path)
    assert worst == pytest.approx(185.0, rel=0.02)
    following.followed(replace(config, condition_limit=1.01 * worst), path)


def test_a_fast_path_is_refused_with_the_arms_speed() -> None:
    path = trajectory_1.Config(frequency=15.0, blend="off").create()
    fastest = np.abs(following.survey(Config(), path, following.one_turn(path)).theta_rate).max()
    with pytest.raises(
        ModelError, match=rf"^trajectory: arm 2 would turn at -?{fastest:.3g} rad/s at \(.*\) mm, .* faster than joint_speed_limit = 10"
    ):
        following.followed(Config(), path)
    following.followed(Config(joint_speed_limit=1.01 * float(fastest)), path)


def test_the_other_way_of_assembly_is_refused() -> None:
    path = circle.Config(centre=Point(-0.075, 0.5, -0.15), radius=0.005).create()
    with pytest.raises(
        ModelError, match=r"^trajectory: the platform is assembled the wrong way round at \(.*\) mm, .* is \+\d\.\d+, expected a negative"
    ):
        following.followed(Config(), path)
