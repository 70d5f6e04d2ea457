"""Between the coordinates of a tree and those of its bodies (x, y, angle of each, and their rates), as numbers."""

from __future__ import annotations

import cmath

import numpy as np

from model.assembly.elements import End
from model.equations.tree import COURSE, FLOATS, TURNS, Arms, Coordinate, Tree
from model.floats import Floats

Course = tuple[float, float, float]
"""x and its time derivatives."""


def bodies(tree: Tree, y: Floats, course: Course) -> Floats:
    """(q, v) of the bodies, (6 bodies,), for the coordinates and their rates y (2 coordinates,)."""
    u, v = np.split(y, 2)
    count = len(tree.bodies) - 1
    q, rates = np.zeros((count, 3)), np.zeros((count, 3))
    for body, (group, angle, arms) in enumerate(tree.bodies[:-1]):
        theta, turning = _turned(tree, group, u, v, course)
        place, speed = _moved(tree, arms, u, v, course)
        q[body], rates[body] = (place.real, place.imag, theta + angle), (speed.real, speed.imag, turning)
    return np.concatenate([q.ravel(), rates.ravel()])


def coordinates(tree: Tree, state: Floats) -> Floats:
    """y (2 coordinates,) of the bodies' state (q, v), (6 bodies,)."""
    q, v = (np.vstack([half.reshape(-1, 3), np.zeros(3)]) for half in np.split(np.asarray(state, dtype=np.float64), 2))
    found = [_own(one, q, v) for one in tree.coordinates]
    return np.array([value for value, _ in found] + [rate for _, rate in found])


def _turned(tree: Tree, number: int, u: Floats, v: Floats, course: Course) -> tuple[float, float]:
    group = tree.groups[number]
    own, rate = (0.0, 0.0) if group.coordinate is None else (float(u[group.coordinate]), float(v[group.coordinate]))
    return own + group.value + group.rate * course[0], rate + group.rate * course[1]


def _moved(tree: Tree, arms: Arms, u: Floats, v: Floats, course: Course) -> tuple[complex, complex]:
    place, speed = 0j, 0j
    for (group, scalar), a in arms.items():
        theta, turning = _turned(tree, group, u, v, course)
        c, rate = (1.0, 0.0) if scalar is None else course[:2] if scalar == COURSE else (float(u[scalar]), float(v[scalar]))
        along = cmath.rect(1.0, theta) * a
        place += c * along
        speed += (rate + 1j * turning * c) * along
    return place, speed


def _own(one: Coordinate, q: Floats, v: Floats) -> tuple[float, float]:
    """A coordinate and its rate."""
    if one.kind == TURNS:
        return float(q[one.body, 2]), float(v[one.body, 2])
    if one.kind == FLOATS:
        axis = 0 if one.along.real else 1
        return float(q[one.body, axis]), float(v[one.body, axis])
    assert one.edge is not None
    joint = one.edge.joint
    (start, start_rate), (end, end_rate) = (_point(side, q, v) for side in (joint.i, joint.j))
    e = cmath.rect(1.0, float(q[joint.i.body, 2])) * one.along
    way, rate = end - start, end_rate - start_rate - 1j * float(v[joint.i.body, 2]) * (end - start)
    return (e.conjugate() * way).real, (e.conjugate() * rate).real


def _point(end: End, q: Floats, v: Floats) -> tuple[complex, complex]:
    """Place and speed of a point, m and m/s."""
    arm = cmath.rect(1.0, float(q[end.body, 2])) * complex(end.x, end.y)
    x, y, _ = q[end.body]
    vx, vy, turning = v[end.body]
    return complex(x, y) + arm, complex(vx, vy) + 1j * turning * arm
