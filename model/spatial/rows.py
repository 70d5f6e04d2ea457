"""Constraint rows between two bodies: Phi = 0, Phi' = J V + Phi_t, Phi'' = J V' + rest, V the speeds of all bodies.

| row | Phi |
|---|---|
| MEET (three) | D = r_j + d_j - r_i - d_i: two points are one |
| ALONG | e.D, e fixed in body i: a point of j stays in a plane of i |
| ACROSS | e.f, e fixed in i and f in j: two directions stay at right angles |
| TURNED | angle of j against i about an axis that both have, less a given function of time |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.floats import Floats
from model.spatial.bodies import GROUND, State, cross


@dataclass(frozen=True)
class Rows:
    """k rows: Phi (k,), J (k, 6 n), Phi_t (k,), rest (k,)."""

    phi: Floats
    jacobian: Floats
    rate: Floats
    rest: Floats

    @classmethod
    def joined(cls, parts: list[Rows]) -> Rows:
        """One below the other."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("phi", "jacobian", "rate", "rest")))


@dataclass(frozen=True)
class Points:
    """A point of body i and one of body j, in the bodies' axes from their mass centres, m; of the ground from the origin."""

    i: int
    j: int
    at_i: Floats
    at_j: Floats

    def apart(self, state: State) -> tuple[Floats, Floats, Floats, Floats]:
        """D, D', what D'' has without accelerations, and J (3, 6 n)."""
        arms = [state.turned(body, at) for body, at in ((self.i, self.at_i), (self.j, self.at_j))]
        jacobian = np.zeros((3, 6 * len(state.r)))
        between, rate, rest = np.zeros(3), np.zeros(3), np.zeros(3)
        for body, d, sign in ((self.i, arms[0], -1.0), (self.j, arms[1], 1.0)):
            w = state.turning(body)
            between += sign * (state.place(body) + d)
            rate += sign * (state.velocity(body) + cross(w, d))
            rest += sign * cross(w, cross(w, d))
            if body != GROUND:
                jacobian[:, 6 * body : 6 * body + 3] = sign * np.eye(3)
                jacobian[:, 6 * body + 3 : 6 * body + 6] = -sign * _skew(d)
        return between, rate, rest, jacobian


@dataclass(frozen=True)
class Meet:
    """D = 0; three rows, in the fixed axes."""

    points: Points
    count = 3

    def rows(self, state: State) -> Rows:
        """At a state."""
        between, _, rest, jacobian = self.points.apart(state)
        return Rows(between, jacobian, np.zeros(3), rest)


@dataclass(frozen=True)
class Along:
    """e.D = 0 with e in the axes of body i."""

    points: Points
    e: Floats
    count = 1

    def rows(self, state: State) -> Rows:
        """At a state."""
        between, rate, rest, jacobian = self.points.apart(state)
        i = self.points.i
        e, w = state.turned(i, self.e), state.turning(i)
        row = e @ jacobian
        if i != GROUND:
            row[6 * i + 3 : 6 * i + 6] += cross(e, between)
        e_rate = cross(w, e)
        left = e @ rest + 2.0 * e_rate @ rate + cross(w, e_rate) @ between
        return Rows(np.array([e @ between]), row[None], np.zeros(1), np.array([left]))


@dataclass(frozen=True)
class Across:
    """e.f = 0 with e in the axes of body i, f in those of body j."""

    i: int
    j: int
    e: Floats
    f: Floats
    count = 1

    def rows(self, state: State) -> Rows:
        """At a state."""
        e, f = state.turned(self.i, self.e), state.turned(self.j, self.f)
        w_i, w_j = state.turning(self.i), state.turning(self.j)
        jacobian = np.zeros((1, 6 * len(state.r)))
        for body, sign in ((self.i, 1.0), (self.j, -1.0)):
            if body != GROUND:
                jacobian[0, 6 * body + 3 : 6 * body + 6] = sign * cross(e, f)
        e_rate, f_rate = cross(w_i, e), cross(w_j, f)
        left = cross(w_i, e_rate) @ f + 2.0 * e_rate @ f_rate + e @ cross(w_j, f_rate)
        return Rows(np.array([e @ f]), jacobian, np.zeros(1), np.array([left]))


Given = Callable[[float], tuple[float, float, float]]
"""Time in s -> a given angle and its first two derivatives."""


@dataclass(frozen=True)
class Turned:
    """The angle from `zero` of body i to `zero` of body j, about `axis` of body i, is a given one; other rows keep the axis common."""

    i: int
    j: int
    axis: Floats
    zero_i: Floats
    zero_j: Floats
    given: Given
    count = 1

    def rows(self, state: State) -> Rows:
        """At a state."""
        wanted, rate, second = self.given(state.time)
        axis, from_, to = state.turned(self.i, self.axis), state.turned(self.i, self.zero_i), state.turned(self.j, self.zero_j)
        angle = math.atan2(cross(axis, from_) @ to, from_ @ to)
        jacobian = np.zeros((1, 6 * len(state.r)))
        for body, sign in ((self.i, -1.0), (self.j, 1.0)):
            if body != GROUND:
                jacobian[0, 6 * body + 3 : 6 * body + 6] = sign * axis
        w_i = state.turning(self.i)
        left = cross(w_i, axis) @ (state.turning(self.j) - w_i) - second
        gap = math.remainder(angle - wanted, 2.0 * math.pi)
        return Rows(np.array([gap]), jacobian, np.array([-rate]), np.array([left]))


Row = Meet | Along | Across | Turned


def _skew(d: Floats) -> Floats:
    return np.array([[0.0, -d[2], d[1]], [d[2], 0.0, -d[0]], [-d[1], d[0], 0.0]])
