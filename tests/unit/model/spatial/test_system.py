"""Bodies, rows and joints in space: rows against differences, free and hinged motion, gyroscopic moments, dependent rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from model.spatial.bodies import GROUND, Body, State, X, Y, Z, energy
from model.spatial.joints import Hinge, across, clearance_revolute, drive, prismatic, revolute
from model.spatial.rows import Across, Along, Meet, Points, Row, Turned
from model.spatial.system import System
from tests.each_row import each_row

Floats = NDArray[np.float64]
NOWHERE = np.zeros(3)
TOP = Body("top", 0.7, (0.02, 0.031, 0.043))
WEIGHT = np.array([0.0, 0.0, -9.81])


def turned(vector: Floats) -> Floats:
    return np.asarray(Rotation.from_rotvec(vector).as_matrix())


class Tumbling:
    """Two bodies on arbitrary smooth motions: places are polynomials, each turns about one axis after another."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.places = random.normal(size=(4, 2, 3))
        self.axes = random.normal(size=(2, 2, 3))
        self.axes /= np.linalg.norm(self.axes, axis=-1, keepdims=True)
        self.angles = random.normal(size=(3, 2, 2))

    def at(self, t: float) -> tuple[State, Floats]:
        """State and the speeds' derivatives, (12,)."""
        c = self.places
        r, v, a = c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2 * c[2] + 3 * t * c[3]), 2 * c[2] + 6 * t * c[3]
        angle, rate, second = (
            self.angles[0] + t * (self.angles[1] + t * self.angles[2]),
            self.angles[1] + 2 * t * self.angles[2],
            2 * self.angles[2],
        )
        turns, w, w_rate = [], [], []
        for k in range(2):
            outer, inner = self.axes[k]
            first = turned(angle[k, 0] * outer)
            carried = first @ inner
            turns.append(first @ turned(angle[k, 1] * inner))
            w.append(rate[k, 0] * outer + rate[k, 1] * carried)
            w_rate.append(second[k, 0] * outer + second[k, 1] * carried + rate[k, 0] * rate[k, 1] * np.cross(outer, carried))
        return State(t, r, np.array(turns), v, np.array(w)), np.hstack([a, w_rate]).ravel()


POINTS = Points(0, 1, np.array([0.3, -0.2, 0.5]), np.array([-0.1, 0.4, 0.2]))
FROM_GROUND = Points(GROUND, 1, np.array([0.3, -0.2, 0.5]), np.array([-0.1, 0.4, 0.2]))
TO_GROUND = Points(0, GROUND, np.array([0.3, -0.2, 0.5]), np.array([-0.1, 0.4, 0.2]))
E, F = np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])
ROWS: dict[str, Row] = {
    **{f"meet {name}": Meet(points) for name, points in (("", POINTS), ("from ground", FROM_GROUND), ("to ground", TO_GROUND))},
    **{f"along {name}": Along(points, E) for name, points in (("", POINTS), ("from ground", FROM_GROUND), ("to ground", TO_GROUND))},
    **{f"across {i} {j}": Across(i, j, E, F) for i, j in ((0, 1), (GROUND, 1), (0, GROUND))},
}


@each_row("row", ROWS.values(), ids=ROWS.keys())
def test_rows_are_the_derivatives_of_what_they_constrain(row: Row) -> None:
    for seed in range(4):
        motion, h = Tumbling(seed), 1e-4
        here, speeds_rate = motion.at(0.3)
        rows = row.rows(here)
        before, after = row.rows(motion.at(0.3 - h)[0]), row.rows(motion.at(0.3 + h)[0])
        rates = [one.jacobian @ motion.at(0.3 + k * h)[0].speeds + one.rate for k, one in ((-1, before), (1, after))]
        np.testing.assert_allclose(rows.jacobian @ here.speeds + rows.rate, (after.phi - before.phi) / (2 * h), atol=3e-6)
        np.testing.assert_allclose(rows.jacobian @ speeds_rate + rows.rest, (rates[1] - rates[0]) / (2 * h), atol=3e-5)
        assert row.count == len(rows.phi) == len(rows.jacobian)


def test_a_drives_row_is_the_derivative_where_the_axis_is_common() -> None:
    def given(t: float) -> tuple[float, float, float]:
        return math.sin(2 * t), 2 * math.cos(2 * t), -4 * math.sin(2 * t)

    row, motion, h = Turned(0, 1, Z, X, X, given), Tumbling(5), 1e-4

    def at(t: float) -> tuple[State, Floats]:
        """Body 1 is carried by body 0 and turns about the z of both, by 0.4 + 0.7 t + 0.9 t^2."""
        carrier, rates = motion.at(t)
        angle, rate, second = 0.4 + 0.7 * t + 0.9 * t * t, 0.7 + 1.8 * t, 1.8
        axis, w = carrier.R[0][:, 2], carrier.w[0]
        turns = np.array([carrier.R[0], carrier.R[0] @ turned(angle * Z)])
        w_rate = rates[3:6] + second * axis + rate * np.cross(w, axis)
        return State(t, carrier.r, turns, carrier.v, np.array([w, w + rate * axis])), np.concatenate([rates[:9], w_rate])

    here, speeds_rate = at(0.2)
    rows, before, after = row.rows(here), row.rows(at(0.2 - h)[0]), row.rows(at(0.2 + h)[0])
    rates = [one.jacobian @ at(0.2 + k * h)[0].speeds + one.rate for k, one in ((-1, before), (1, after))]
    np.testing.assert_allclose(rows.jacobian @ here.speeds + rows.rate, (after.phi - before.phi) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(rows.jacobian @ speeds_rate + rows.rest, (rates[1] - rates[0]) / (2 * h), atol=1e-5)


def spun(system: System, state: State, duration: float, steps: int) -> State:
    """One free body, by RK4; R' = w x R."""
    h = duration / steps

    def rates(now: State) -> tuple[Floats, ...]:
        found = system.solve(now)
        return now.v, np.array([np.cross(now.w[0], now.R[0].T).T]), found.acceleration, found.turning

    def moved(now: State, by: tuple[Floats, ...], dt: float) -> State:
        return State(now.time + dt, now.r + dt * by[0], now.R + dt * by[1], now.v + dt * by[2], now.w + dt * by[3])

    for _ in range(steps):
        first = rates(state)
        second = rates(moved(state, first, 0.5 * h))
        third = rates(moved(state, second, 0.5 * h))
        fourth = rates(moved(state, third, h))
        state = moved(state, tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)), h)
    return state


def test_a_thrown_top_keeps_its_angular_momentum_and_energy() -> None:
    """Without the gyroscopic moment neither would be kept; the error falls with the fourth power of the step."""
    start = State(0.0, np.zeros((1, 3)), np.eye(3)[None], np.array([[0.1, 0.2, 3.0]]), np.array([[2.0, 6.0, 1.0]]))
    system = System((TOP,), (), WEIGHT)
    inertia = np.diag(TOP.inertia)
    errors = []
    for steps in (60, 120):
        end = spun(system, start, 0.6, steps)
        lost = end.R[0] @ inertia @ end.R[0].T @ end.w[0] - inertia @ start.w[0]
        errors.append(float(np.linalg.norm(lost)))
        assert energy(system.bodies, end, WEIGHT) == pytest.approx(energy(system.bodies, start, WEIGHT), rel=1e-5)
    assert errors[1] < 1e-6 and math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.5)
    assert np.linalg.norm(end.w[0] - start.w[0]) > 1.0


def test_a_hinged_body_swings_as_a_pendulum() -> None:
    hinge = Hinge(GROUND, 0, np.array([0.0, 1.0, 0.0]), np.array([0.25, 0.0, 0.0]), Y, Y)
    system = System((TOP,), (revolute("pivot", hinge),), WEIGHT)
    for angle, rate in ((0.4, 0.0), (-1.1, 3.0)):
        turn = turned(angle * Y)
        arm = turn @ [-0.25, 0.0, 0.0]
        state = State(0.0, np.array([[0.0, 1.0, 0.0] + arm]), turn[None], np.array([np.cross(rate * Y, arm)]), np.array([rate * Y]))
        assert max(system.violation(state)) < 1e-15
        found = system.solve(state)
        second = np.cross(arm, TOP.mass * WEIGHT)[1] / (TOP.inertia[1] + TOP.mass * 0.25**2)
        np.testing.assert_allclose(found.turning, [[0.0, second, 0.0]], atol=1e-12)
        held = -found.multipliers[:3]
        np.testing.assert_allclose(held, TOP.mass * (found.acceleration[0] - WEIGHT), atol=1e-12)


def test_a_block_slides_down_an_inclined_guide() -> None:
    axis = np.array([math.cos(0.5), 0.0, -math.sin(0.5)])
    turn = turned(0.5 * Y)  # x of the body along the axis
    system = System((TOP,), (prismatic("guide", Hinge(GROUND, 0, NOWHERE, NOWHERE, axis, X)),), WEIGHT)
    first, second = across(axis)
    body_first, body_second = across(X)
    align = np.column_stack([axis, first, second]) @ np.column_stack([X, body_first, body_second]).T
    state = State(0.0, 0.3 * axis[None], align[None], -0.2 * axis[None], np.zeros((1, 3)))
    assert max(system.violation(state)) < 1e-15 and system.independence(state).rank == 5
    found = system.solve(state)
    np.testing.assert_allclose(found.acceleration[0], 9.81 * math.sin(0.5) * axis, atol=1e-12)
    np.testing.assert_allclose(found.turning, 0.0, atol=1e-12)
    assert turn[:, 0] == pytest.approx(axis)


def test_a_spinning_wheel_on_a_turning_arm_needs_the_gyroscopic_moment() -> None:
    """Arm at Omega about Z, wheel at omega about the arm's X: the arm must hold J omega Omega about Y."""
    slow, fast, half = 3.0, 40.0, 0.2
    wheel, arm = Body("wheel", 0.5, (0.01, 0.006, 0.006)), Body("arm", 1.0, (0.01, 0.02, 0.02))
    on_ground, on_arm = Hinge(GROUND, 0, NOWHERE, NOWHERE, Z, Z), Hinge(0, 1, half * X, NOWHERE, X, X)
    joints = (
        revolute("column", on_ground),
        drive("slow", on_ground, X, X, lambda t: (slow * t, slow, 0.0)),
        revolute("axle", on_arm),
        drive("fast", on_arm, Y, Y, lambda t: (fast * t, fast, 0.0)),
    )
    system = System((arm, wheel), joints, np.zeros(3))
    turn = turned(0.7 * Z)
    state = State(
        0.7 / slow, np.array([NOWHERE, half * turn[:, 0]]), np.array([turn, turn @ turned(fast * 0.7 / slow * X)]),
        np.array([NOWHERE, half * slow * turn[:, 1]]), np.array([slow * Z, slow * Z + fast * turn[:, 0]]),
    )  # fmt: skip
    assert max(system.violation(state)) < 1e-12
    found = system.solve(state)
    np.testing.assert_allclose(found.acceleration[1], -half * slow**2 * turn[:, 0], atol=1e-12)
    np.testing.assert_allclose(found.turning[1], slow * fast * turn[:, 1], atol=1e-11)
    rows = system.rows(state)
    of_axle = system.places()["axle"]
    moment = -(rows.jacobian[of_axle].T @ found.multipliers[of_axle])[9:12]
    np.testing.assert_allclose(moment, wheel.inertia[0] * fast * slow * turn[:, 1], atol=1e-12)
    np.testing.assert_allclose(found.multipliers[[5, 11]], 0.0, atol=1e-12)  # no drive works


def test_freedoms_that_joints_leave_and_rows_that_depend_on_others() -> None:
    hinge = Hinge(GROUND, 0, NOWHERE, NOWHERE, Y, Y)
    still = State(0.0, np.zeros((1, 3)), np.eye(3)[None], np.zeros((1, 3)), np.zeros((1, 3)))
    for joints, rows, rank in (
        ((revolute("a", hinge),), 5, 5),
        ((clearance_revolute("a", hinge),), 3, 3),
        ((revolute("a", hinge), revolute("again", hinge)), 10, 5),
        ((revolute("a", hinge), drive("turned", hinge, X, X, lambda _: (0.0, 0.0, 0.0))), 6, 6),
    ):
        found = System((TOP,), joints, WEIGHT).independence(still)
        assert (found.rows, found.rank, int(found.chosen.sum())) == (rows, rank, rank)
    twice = System((TOP,), (revolute("a", hinge), revolute("again", hinge)), WEIGHT).solve(still)
    np.testing.assert_allclose(twice.acceleration, 0.0, atol=1e-14)
    fallen = System((TOP,), (clearance_revolute("a", hinge),), WEIGHT).solve(still, np.array([[0.0, 5.0, 0.0, 0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(fallen.acceleration[0], WEIGHT, atol=1e-14)  # what pushes along the axis is held


def test_bodies_without_mass_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^ball: mass: expected more than 0"):
        Body("ball", 0.0, (1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match=r"^ball: inertia y: "):
        Body("ball", 1.0, (1.0, -1.0, 1.0))
