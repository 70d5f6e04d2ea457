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
