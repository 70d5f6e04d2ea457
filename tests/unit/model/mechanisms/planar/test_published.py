"""Published problems, described: to the figures that their authors print, and through poses in which constraints lose rank."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from model.assembly.description import Body, Place, Point
from model.assembly.joints import revolute
from model.integrators import dop853
from model.mechanisms.planar import Config
from rig.config import load_experiment
from tests.unit.model.mechanisms.planar.described import PROJECT

Floats = NDArray[np.float64]
G = 9.81
BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON = (
    0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
    0.1048080741042263e1,
)  # fmt: skip
"""Of Andrews' squeezing mechanism at 0.03 s, rad (Test Set for IVP Solvers, release 2.4, problem andrews)."""


def run(config: Config, seconds: float, rate: float, tolerance: float, longest: float = 1e-2) -> Floats:
    stepper = config.create(dop853.Config(tolerance=tolerance, longest_step=longest), rate)
    stepper.start(np.zeros(stepper.lookahead))
    return stepper.advance(np.zeros(round(seconds * rate) + 1))


def test_the_squeezer_is_where_its_authors_have_it() -> None:
    """The angles of theirs are relative, K2's to K1's, K4's to K5's, K6's to K7's."""
    mechanism = load_experiment(PROJECT / "configs/experiments/squeezer.toml").experiment.mechanism
    assert isinstance(mechanism, Config)
    found = run(mechanism, 0.03, 1e3, 1e-11, 1e-3)[-1]
    expected = [BETA, BETA + THETA, GAMMA, PHI + DELTA, DELTA, OMEGA + EPSILON, EPSILON]
    assert found == pytest.approx(expected, abs=1e-8)


def four_bars(count: int) -> Config:
    """IFToMM's benchmark: rockers and couplers of 1 m and 1 kg in a row, upright, pushed over by 1 rad/s."""
    bar = Body("", 1.0, 1.0 / 12.0, Place(0.5), (Point("end", 1.0),))
    rockers = [replace(bar, name=f"rocker{k}", angle=math.pi / 2.0, angular_velocity=-1.0) for k in range(count + 1)]
    couplers = [replace(bar, name=f"coupler{k}") for k in range(count)]
    joints = [revolute.Config(f"O{k}", (f"ground.O{k}", f"rocker{k}.origin")) for k in range(count + 1)]
    for k in range(count):
        joints.append(revolute.Config(f"A{k}", (f"rocker{k}.end", f"coupler{k}.origin")))
        joints.append(revolute.Config(f"B{k}", (f"coupler{k}.end", f"rocker{k + 1}.end")))
    ground = tuple(Point(f"O{k}", float(k)) for k in range(count + 1))
    outputs = ("rocker0_angle", f"rocker{count}_angle", "rocker0_angular_velocity")
    return Config((*rockers, *couplers), tuple(joints), ground=ground, gravity=G, outputs=outputs)


@pytest.mark.parametrize("count", [2, 10])
def test_four_bars_in_a_row_pass_every_singular_pose(count: int) -> None:
    """Lying flat the constraints lose rank, some sixteen times in 10 s. As parallelograms they are one pendulum, of known equation."""
    found = run(four_bars(count), 10.0, 100.0, 1e-9)
    pull = G * (0.5 * (count + 1) + count) / ((count + 1) / 3.0 + count)
    times = np.arange(len(found)) / 100.0
    exact = solve_ivp(
        lambda _, y: [y[1], -pull * math.cos(y[0])], (0.0, 10.0), [math.pi / 2.0, -1.0], "DOP853", times, rtol=1e-12, atol=1e-12
    )
    assert np.sum(np.diff(np.sign(np.sin(exact.y[0]))) != 0) > 8
    for column in (0, 1):
        assert np.max(np.abs(found[:, column] - exact.y[0])) < 1e-6


def test_a_double_pendulum_to_its_equations() -> None:
    """By Lagrange, two bars of 1 m and 1 kg; short enough that chaos has not parted them."""
    bars = [Body(name, 1.0, 1.0 / 12.0, Place(0.5), (Point("end", 1.0),), angle=begin) for name, begin in (("one", 0.3), ("two", -0.4))]
    joints = (revolute.Config("O", ("ground.origin", "one.origin")), revolute.Config("E", ("one.end", "two.origin")))
    found = run(Config(tuple(bars), joints, gravity=G, outputs=("one_angle", "two_angle")), 2.0, 100.0, 1e-12)

    def rates(_: float, y: Floats) -> Floats:
        a, b, u, v = y
        cross, across = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b)
        mass = np.array([[4.0 / 3.0, cross], [cross, 1.0 / 3.0]])
        force = [-across * v * v - 1.5 * G * math.cos(a), across * u * u - 0.5 * G * math.cos(b)]
        return np.array([u, v, *np.linalg.solve(mass, force)])

    exact = solve_ivp(rates, (0.0, 2.0), [0.3, -0.4, 0.0, 0.0], "DOP853", np.arange(201) / 100.0, rtol=1e-13, atol=1e-13).y[:2].T
    assert np.max(np.abs(found - exact)) < 1e-8


LENGTHS, HALF_LENGTH, HALF_HEIGHT, PLAY = (0.153, 0.306), 0.05, 0.025, 1e-3
MASSES, INERTIAS = (0.038, 0.038, 0.076), (7.4e-5, 5.9e-4, 2.7e-6)
RUBS, NONE_BELOW, WHOLE_ABOVE, DAMPING = 0.01, 1e-3, 1e-2, 0.2
STIFFNESS = 0.013 / (0.475 * 2.0 * (1.0 - 0.3**2) / 207e9)  # of a corner of steel, N/m: wang2017 eq 26
SOFTER = 0.01  # so that the independent integration, in steps of interpreted code, takes seconds
KNOCKING = 0.03  # s, in which corners knock 18 times and the slider goes through its dead point


def loose_guide(times: Floats, play: float = PLAY) -> Floats:
    """Angles of crank, rod and slider (N, 3) of Flores, Leine and Glocker's slider-crank, by Lagrange's equations of its three angles."""

    def rates(_: float, y: Floats) -> list[float]:
        a, b, turn, u, v, spin = y
        (k, r), (m1, m2, m3), (j1, j2, j3) = LENGTHS, MASSES, INERTIAS
        up, vx = k * math.sin(a) + r * math.sin(b), -k * math.sin(a) * u - r * math.sin(b) * v
        vy = k * math.cos(a) * u + r * math.cos(b) * v
        fx, fy, moment = 0.0, 0.0, 0.0
        for along in (-HALF_LENGTH, HALF_LENGTH):
            for side in (-1.0, 1.0):
                across = side * HALF_HEIGHT
                x, high = along * math.cos(turn) - across * math.sin(turn), along * math.sin(turn) + across * math.cos(turn)
                depth, rate, sliding = side * (up + high) - HALF_HEIGHT - play, side * (vy + spin * x), vx - spin * high
                if depth > 0.0:
                    pressing = SOFTER * STIFFNESS * depth * max(0.0, 1.0 + DAMPING * rate)
                    share = min(max((abs(sliding) - NONE_BELOW) / (WHOLE_ABOVE - NONE_BELOW), 0.0), 1.0)
                    rub = -math.copysign(RUBS * pressing * share, sliding)
                    fx, fy, moment = fx + rub, fy - side * pressing, moment - side * x * pressing - high * rub
        coupled, across = k * r * (0.5 * m2 + m3) * math.cos(a - b), k * r * (0.5 * m2 + m3) * math.sin(a - b)
        mass = [[j1 + k * k * (0.25 * m1 + m2 + m3), coupled], [coupled, j2 + r * r * (0.25 * m2 + m3)]]
        force = [
            -across * v * v - G * math.cos(a) * k * (0.5 * m1 + m2 + m3) + k * (fy * math.cos(a) - fx * math.sin(a)),
            across * u * u - G * math.cos(b) * r * (0.5 * m2 + m3) + r * (fy * math.cos(b) - fx * math.sin(b)),
        ]
        return [u, v, spin, *np.linalg.solve(mass, force), moment / j3]

    begin = [0.0, 0.0, 0.0, 150.0, -75.0, 0.0]
    found = solve_ivp(rates, (0.0, times[-1]), begin, "DOP853", times, rtol=1e-12, atol=1e-13, max_step=2e-5)
    assert found.success
    return np.asarray(found.y[:3].T)


def test_a_slider_knocks_in_a_loose_guide() -> None:
    """To an independent integration, by tables and by generated equations, and to the program's own at a tenth of its tolerance."""
    mechanism = load_experiment(PROJECT / "configs/experiments/slider_crank_loose_guide.toml").experiment.mechanism
    assert isinstance(mechanism, Config)
    mechanism = replace(mechanism, contact=replace(mechanism.contact, stiffness_scale=SOFTER))
    times = np.arange(round(KNOCKING * 1e4) + 1) / 1e4
    exact = loose_guide(times)
    for equations in ("tables", "generated"):
        one = replace(mechanism, equations=equations)
        found, finer = (run(one, KNOCKING, 1e4, tolerance, 1e-4)[:, :3] for tolerance in (1e-11, 1e-12))
        assert np.max(np.abs(found - exact)) < 1e-9
        assert np.max(np.abs(found - finer)) < 1e-9
    assert np.max(np.abs(loose_guide(times, 0.99 * PLAY) - exact)) > 1e-6
