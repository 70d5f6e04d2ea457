"""Rigid bodies, where they are and how they move.

| symbol | unit | meaning |
|---|---|---|
| r, R | m, 1 | mass centre; columns of R: the body's axes |
| v, w | m/s, rad/s | of the mass centre; angular velocity, in the fixed axes |
| J | kg m^2 | inertia about the mass centre, in the body's axes; R J R^T in the fixed ones |

All bodies together have the speeds (v_1, w_1, v_2, w_2, ...), 6 for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.floats import Floats

GROUND = -1  # instead of a body's number
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Body:
    """inertia: (3,) about the body's axes, kg m^2."""

    name: str
    mass: float
    inertia: tuple[float, float, float]

    def __post_init__(self) -> None:
        for what, value in (("mass", self.mass), *zip(("inertia x", "inertia y", "inertia z"), self.inertia, strict=True)):
            if not 0.0 < value < np.inf:
                raise ValueError(f"{self.name}: {what}: expected more than 0 and finite, got {value:g}")


@dataclass(frozen=True)
class State:
    """Of n bodies: r (n, 3), R (n, 3, 3), v (n, 3), w (n, 3); at `time`, s."""

    time: float
    r: Floats
    R: Floats
    v: Floats
    w: Floats

    @property
    def speeds(self) -> Floats:
        """(6 n,)."""
        return np.hstack([self.v, self.w]).ravel()

    def turned(self, body: int, vector: Floats) -> Floats:
        """A vector of the body's axes in the fixed ones."""
        return vector if body == GROUND else self.R[body] @ vector

    def place(self, body: int) -> Floats:
        """r; the origin for the ground."""
        return np.zeros(3) if body == GROUND else self.r[body]

    def velocity(self, body: int) -> Floats:
        """v; 0 for the ground."""
        return np.zeros(3) if body == GROUND else self.v[body]

    def turning(self, body: int) -> Floats:
        """w; 0 for the ground."""
        return np.zeros(3) if body == GROUND else self.w[body]


def cross(a: Floats, b: Floats) -> Floats:
    """a x b of two vectors; numpy's own takes ten times as long for so little."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def gyroscopic(bodies: tuple[Body, ...], state: State) -> Floats:
    """(n, 3): w x (R J R^T w), N m."""
    spun = [state.R[k] @ (np.array(body.inertia) * (state.R[k].T @ state.w[k])) for k, body in enumerate(bodies)]
    return np.cross(state.w, spun)


def energy(bodies: tuple[Body, ...], state: State, gravity: Floats) -> float:
    """Kinetic, and in the field of gravity ((3,), m/s^2), J."""
    total = 0.0
    for k, body in enumerate(bodies):
        spin = state.R[k].T @ state.w[k]
        total += 0.5 * body.mass * float(state.v[k] @ state.v[k]) + 0.5 * float(np.array(body.inertia) @ spin**2)
        total -= body.mass * float(gravity @ state.r[k])
    return total


def root_inverse(bodies: tuple[Body, ...], state: State) -> Floats:
    """M^-1/2, (6 n, 6 n)."""
    made = np.zeros((6 * len(bodies), 6 * len(bodies)))
    for k, body in enumerate(bodies):
        at = 6 * k
        made[at : at + 3, at : at + 3] = np.eye(3) / np.sqrt(body.mass)
        made[at + 3 : at + 6, at + 3 : at + 6] = (state.R[k] / np.sqrt(body.inertia)) @ state.R[k].T
    return made
