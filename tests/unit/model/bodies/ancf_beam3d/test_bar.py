"""The bar between two points: a condensed step is the whole Newton step, also with factors kept while the bar turns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from model.bodies.ancf_beam3d import bar as bars
from model.bodies.ancf_beam3d.beam import FORMULATIONS, Beam
from model.bodies.ancf_beam3d.kernel import NODE, ROOM
from model.integrators.generalized_alpha import coefficients
from model.integrators.generalized_alpha_kernel import OK, SINGULAR
from tests.each_row import each_row

Floats = NDArray[np.float64]
STEP = 1e-3
ALPHA_M, ALPHA_F, GAMMA, BETA = coefficients(0.7)
C_A, C_V = (1.0 - ALPHA_M) / (STEP**2 * BETA * (1.0 - ALPHA_F)), GAMMA / (STEP * BETA)


def beam(elements: int, **changed: Any) -> Beam:
    """The long bar of chen2026."""
    return Beam(0.64, 0.016, 0.016, 1700.0, 116e9, elements, **changed)


class Condensed:
    """The compiled functions with their arrays."""

    def __init__(self, body: Beam) -> None:
        n = self.size = body.coordinates
        self.parameters, self.store = body.parameters, np.zeros(bars.store_size(body.elements))
        self._matrix, self._room = np.zeros((n, n)), np.zeros(ROOM)

    def refresh(self, q: Floats, v: Floats) -> int:
        return int(bars.refresh(q, v, C_A, C_V, self.parameters, self.store, self._matrix, self._room))

    def residual(self, q: Floats, v: Floats, a: Floats, weight: Floats) -> Floats:
        r = np.zeros(self.size)
        bars.residual(q, v, a, weight, r, self.parameters, self._room)
        return r

    def step(self, q: Floats, r: Floats, joints: Floats) -> Floats:
        """x of the bar between joints with their own matrix (6, 6)."""
        ends, matrix, x = np.zeros(6), joints.copy(), np.zeros(self.size)
        bars.condense(q, r, self.store, ends)
        bars.add_ends(self.store, self.size, matrix, 0, 3)
        bars.recover(np.linalg.solve(matrix, ends), self.store, x)
        return x


def state(body: Beam, seed: int) -> tuple[Floats, Floats, Floats]:
    """A bar that is bent, moves and is accelerated, somewhere."""
    random = np.random.default_rng(seed)
    q = body.straight(random.normal(size=3), Rotation.random(random_state=seed).as_matrix())
    v = body.turning(q, random.normal(size=3), random.normal(size=3))
    return q + 1e-4 * random.normal(size=q.size), v, random.normal(size=q.size)


def whole_step(body: Beam, q: Floats, v: Floats, r: Floats, joints: Floats) -> Floats:
    """The same by one dense matrix."""
    matrix = C_A * body.mass_matrix() + C_V * body.damping_matrix(q) + body.stiffness(q, v)
    ends = np.r_[0:3, q.size - NODE : q.size - NODE + 3]
    matrix[np.ix_(ends, ends)] += joints
    return np.linalg.solve(matrix, r)


def joints_of(seed: int) -> Floats:
    random = np.random.default_rng(seed).normal(size=(6, 6))
    return np.asarray(1e5 * (random @ random.T + np.eye(6)))


@each_row("elements", [1, 3, 8])
@each_row("formulation", FORMULATIONS)
@each_row("damping", [0.0, 1e-5])
def test_a_condensed_step_is_the_whole_step(elements: int, formulation: str, damping: float) -> None:
    body = beam(elements, formulation=formulation, damping=damping)
    for seed in range(3):
        q, v, a = state(body, seed)
        condensed, joints = Condensed(body), joints_of(seed)
        assert condensed.refresh(q, v) == OK
        r = condensed.residual(q, v, a, body.gravity(np.array([0.0, 0.0, -9.81])))
        expected = body.mass_matrix() @ a + body.internal_force(q, v) - body.gravity(np.array([0.0, 0.0, -9.81]))
        assert np.max(np.abs(r - expected)) < 1e-12 * np.max(np.abs(expected))
        x = whole_step(body, q, v, r, joints)
        assert np.max(np.abs(condensed.step(q, r, joints) - x)) < 1e-8 * np.max(np.abs(x))


@pytest.mark.parametrize("damping", [0.0, 1e-5])
def test_factors_kept_while_the_bar_turns_give_the_whole_step_there(damping: float) -> None:
    body = beam(3, damping=damping)
    q, v, a = state(body, 1)
    kept = Condensed(body)
    kept.refresh(q, v)
    for seed in range(5):
        turn = np.kron(np.eye(q.size // 3), Rotation.random(random_state=seed).as_matrix())
        turned = turn @ q
        r, joints = kept.residual(turned, turn @ v, turn @ a, np.zeros(q.size)), joints_of(seed)
        x = whole_step(body, turned, turn @ v, r, joints)
        assert np.max(np.abs(kept.step(turned, r, joints) - x)) < 1e-8 * np.max(np.abs(x))


def swing(t: float) -> Floats:
    """Both ends of a bar that a joint moves, (6,): the one on a circle, the other so that the bar swings about it."""
    angle, tilt = 3.0 * math.pi * t, 0.6 * math.sin(5.0 * t)
    first = np.array([0.05 * math.cos(angle), -0.05 * math.sin(angle), 0.0])
    way = np.array([math.cos(2.0 * t) * math.cos(tilt), math.sin(2.0 * t) * math.cos(tilt), math.sin(tilt)])
    return np.concatenate([first, first + 0.64 * way])


def test_one_matrix_serves_a_whole_swing() -> None:
    """0.3 s of generalised-alpha at 1 ms with driven ends, never refreshed: every iteration leaves less than a tenth of the residual."""
    body = beam(3)
    n, condensed, weight = body.coordinates, Condensed(body), body.gravity(np.array([0.0, 0.0, -9.81]))
    ends, inner = np.r_[0:3, n - NODE : n - NODE + 3], np.r_[3 : n - NODE, n - NODE + 3 : n]
    shift = 1e-4
    begin, rates = swing(0.0), (swing(shift) - swing(-shift)) / (2.0 * shift)
    way = begin[3:] - begin[:3]
    rate = np.cross(way, rates[3:] - rates[:3]) / (way @ way)
    q = body.straight(begin[:3], np.eye(3))
    v, a, own = body.turning(q, rates[:3], rate), np.zeros(n), np.zeros(n)
    assert condensed.refresh(q, v) == OK
    iterations, worst = 0, 0.0
    for step in range(1, 301):
        own_new = (a - ALPHA_M * own) / (1.0 - ALPHA_M)
        q_new = q + STEP * v + STEP**2 * ((0.5 - BETA) * own + BETA * own_new)
        v_new, a_new = v + STEP * ((1.0 - GAMMA) * own + GAMMA * own_new), a.copy()
        change = swing(step * STEP) - q_new[ends]
        q_new[ends], v_new[ends], a_new[ends] = q_new[ends] + change, v_new[ends] + C_V * change, a_new[ends] + C_A * change
        before = math.inf
        for _ in range(20):
            r = condensed.residual(q_new, v_new, a_new, weight)
            now = float(np.max(np.abs(r[inner])))
            if now < 1e-7 * body.mass * 9.81:
                break
            if before < math.inf and before > 1e-4:  # below that rounding of EA = 3e7 N is near
                worst = max(worst, now / before)
            before, iterations = now, iterations + 1
            x = condensed.step(q_new, r, 1e20 * np.eye(6))  # ends that nothing moves
            q_new, v_new, a_new = q_new - x, v_new - C_V * x, a_new - C_A * x
        else:
            raise AssertionError(f"no convergence in step {step}: {now:.3g} N")
        own = ((1.0 - ALPHA_F) * a_new + ALPHA_F * a - ALPHA_M * own) / (1.0 - ALPHA_M)
        q, v, a = q_new, v_new, a_new
    assert 0.0 < worst < 0.1
    assert iterations < 300 * 3


def test_a_matrix_that_cannot_be_factored_is_told() -> None:
    body = beam(2)
    condensed = Condensed(body)
    condensed.parameters = np.zeros_like(condensed.parameters)
    q = body.straight(np.zeros(3), np.eye(3))
    assert condensed.refresh(q, np.zeros_like(q)) == SINGULAR
