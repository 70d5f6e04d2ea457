"""The 3-RRPaR mechanism with ideal joints: rank of its constraints, drive torques by two ways, power, forces of the joints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar import Config, bodies, ideal
from model.mechanisms.parallel_3rrpar.config import Platform, Short, Variant
from model.paths import circle, trajectory_1, trajectory_2
from model.paths.course import Course, Point
from tests.each_row import each_row

Floats = NDArray[np.float64]
FIRST, SECOND = trajectory_1.Config(blend="off").create(), trajectory_2.Config(blend="off").create()
BLENDED = trajectory_1.Config().create()
UPRIGHT = circle.Config(centre=Point(-0.1, 0.1, -0.5), radius=0.06, plane="yz", frequency=2.0, blend="off").create()
HEAVY = replace(Config(), short=Short(jx=5e-3), platform=Platform(mass=3.0))
CASES: list[tuple[Config, Course]] = [
    *((Config(variant=Variant(a2x, elbow, point)), FIRST) for a2x in (0.1, 0.0) for elbow in ("+x", "-x") for point in ("m13", "centroid")),
    *((config, path) for config in (Config(), HEAVY) for path in (SECOND, BLENDED, UPRIGHT)),
]


def at(path: Course, time: float) -> tuple[Floats, Floats, Floats]:
    return path.evaluate(np.array([time]))


@pytest.mark.parametrize(("clearance", "rows", "rank"), [(False, 108, 96), (True, 104, 92)])
def test_rank_of_the_constraints_everywhere(clearance: bool, rows: int, rank: int) -> None:
    for config, path in CASES[::3]:
        system = bodies.system(config, path, clearance)
        assert len(system.bodies) == 16
        for time in (0.0, 0.11, 0.43):
            found = system.independence(bodies.state(config, path, time))
            assert (found.rows, found.rank) == (rows, rank)


@each_row(("config", "path"), CASES)
def test_states_are_consistent_and_torques_agree_by_two_ways(config: Config, path: Course) -> None:
    system = bodies.system(config, path, clearance=False)
    for time in (0.0, 0.05, 0.21, 0.38, 0.6):
        state = bodies.state(config, path, time)
        point, velocity, acceleration = at(path, time)
        assert max(system.violation(state)) < 1e-14 + 1e-13 * np.linalg.norm(velocity)
        found = system.solve(state)
        other = ideal.loads(config, point, velocity, acceleration)
        places = system.places()
        torques = [-found.multipliers[places[f"drive {leg}"]][0] for leg in (1, 2, 3)]
        np.testing.assert_allclose(torques, other.torque[0], rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(found.acceleration[0], acceleration[0], rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(found.turning[0], 0.0, atol=1e-9)
        forces = [found.multipliers[places[f"R{leg}"]][:3] for leg in (1, 2, 3)]
        np.testing.assert_allclose(forces, other.force[0], rtol=0.0, atol=1e-9)


@each_row(("config", "path"), CASES)
def test_the_drives_power_is_what_the_bodies_take_up(config: Config, path: Course) -> None:
    system, h = bodies.system(config, path, clearance=False), 1e-3

    def energy(time: float) -> float:
        return system.energy(bodies.state(config, path, time))

    for time in (0.1, 0.33):
        around = [energy(time + k * h) - energy(time - k * h) for k in (1, 2, 3)]
        taken = (45.0 * around[0] - 9.0 * around[1] + around[2]) / (60.0 * h)
        assert float(ideal.loads(config, *at(path, time)).power[0]) == pytest.approx(taken, abs=1e-6)


def test_reference_torques_and_joint_forces() -> None:
    np.testing.assert_allclose(ideal.loads(Config(), *at(FIRST, 0.0)).torque[0], [0.7728, 0.3543, 8.1467], rtol=0.0, atol=1e-3)
    radial = ideal.loads(Config(), *FIRST.evaluate(np.linspace(0.0, FIRST.period, 61))).radial
    np.testing.assert_allclose([radial.min(axis=0), radial.max(axis=0)], [[2.50, 10.35], [15.24, 28.58]], rtol=0.0, atol=0.012)


def test_gravity_and_inertia_add_up() -> None:
    """Without weight a slow path needs no torque; the torque is linear in what is accelerated."""
    weightless = Config(gravity=0.0)
    point, velocity, acceleration = at(FIRST, 0.1)
    zero = np.zeros((1, 3))
    np.testing.assert_allclose(ideal.loads(weightless, point, zero, zero).torque, 0.0, atol=1e-15)
    both: Any = ideal.loads(Config(), point, velocity, acceleration)
    apart = ideal.loads(weightless, point, velocity, acceleration).torque + ideal.loads(Config(), point, zero, zero).torque
    np.testing.assert_allclose(both.torque, apart, atol=1e-13)
