"""The coordinates of a planar mechanism without closed loops of ideal joints, and where its bodies are by them.

Where a body stands is a sum of arms, each carried by something that turns, some as long as something slides. As complex numbers,

    r_b = sum over E of c_E exp(i theta_E) a_bE

| symbol | meaning |
|---|---|
| theta_E | angle of a group of bodies that turn together: a coordinate or none, plus value + rate x |
| c_E | 1, a coordinate (a slide, or the place of a body that nothing holds), or x |
| x | the time, or the course that samples give |
| a_bE | a number, m |

A joint between bodies that the tree has joined already closes a loop (`closing`); one of angles is not covered.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from dataclasses import dataclass

from model.assembly import layout as at
from model.assembly.elements import Constraint, End

FIXED = 0
"""Number of the group that does not turn: the ground's."""
COURSE = -1
"""Number of the scalar that is x."""
TURNS, SLIDES, FLOATS = "turns", "slides", "floats"

Arms = dict[tuple[int, int | None], complex]
"""a of each (group, scalar; none: 1)."""


class Uncovered(Exception):
    """Why there are no generated equations; said of the mechanism."""


@dataclass(frozen=True)
class Group:
    """Bodies that turn together. Its angle: that coordinate (none: 0) + value + rate x."""

    coordinate: int | None
    value: float
    rate: float


@dataclass(frozen=True)
class Coordinate:
    """What it is: the angle of a body; along a slide; the place of a body along x (1) or y (1j)."""

    kind: str
    body: int
    along: complex = 0.0
    edge: Edge | None = None


@dataclass(frozen=True)
class Edge:
    """A joint of the tree that says where body `child` is: D = offset, or D = R_i (value + rate x) e + R_i c e_across.

    joint: a constraint of those it is made of; i and j as these have them. lines: the directions that are given, with value and rate.
    """

    joint: Constraint
    parent: int
    child: int
    lines: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A row of the tree of angles: it says the angle of `child`."""

    joint: Constraint
    parent: int
    child: int


@dataclass(frozen=True)
class Tree:
    """bodies: (group, constant part of the angle, arms) of each, the ground's last."""

    groups: tuple[Group, ...]
    coordinates: tuple[Coordinate, ...]
    bodies: tuple[tuple[int, float, Arms], ...]
    edges: tuple[Edge, ...]
    turns: tuple[Turn, ...]
    closing: tuple[Constraint, ...]

    def point(self, end: End) -> Arms:
        """Arms of a point of a body."""
        return joined(self.bodies[end.body][2], self.arm(end))

    def apart(self, i: End, j: End) -> Arms:
        """From the point i to the point j."""
        return joined(self.point(j), self.point(i), -1.0)

    def arm(self, end: End) -> Arms:
        """From the mass centre to the point."""
        group, angle, _ = self.bodies[end.body]
        return carried(group, angle, end)

    def world(self, body: int, direction: complex) -> complex:
        """A direction in a body, in axes of its group."""
        angle = self.bodies[body][1]
        return direction * cmath.rect(1.0, angle) if angle else direction


def carried(group: int, angle: float, end: End) -> Arms:
    """A point from its body's mass centre, the body at that angle in its group."""
    place = complex(end.x, end.y) * (cmath.rect(1.0, angle) if angle else 1.0)
    return {(group, None): place} if place else {}


def joined(one: Arms, other: Arms, factor: float = 1.0) -> Arms:
    """Sum of both; what cancels is gone."""
    total = dict(one)
    for key, value in other.items():
        total[key] = total.get(key, 0.0) + factor * value
    return {key: value for key, value in total.items() if value != 0.0}


def planted(count: int, constraints: Sequence[Constraint]) -> Tree:
    """The tree of `count` bodies. Raises Uncovered."""
    grown = _Growing(count)
    grown.turn([c for c in constraints if c.kind == at.ANGLE])
    grown.place([c for c in constraints if c.kind != at.ANGLE])
    return Tree(
        tuple(grown.groups), tuple(grown.coordinates), tuple(grown.bodies), tuple(grown.edges), tuple(grown.turns), tuple(grown.closing)
    )


class _Growing:
    def __init__(self, count: int) -> None:
        self.ground = count
        self.groups = [Group(None, 0.0, 0.0)]
        self.coordinates: list[Coordinate] = []
        self.bodies: list[tuple[int, float, Arms]] = []
        self.edges: list[Edge] = []
        self.turns: list[Turn] = []
        self.closing: list[Constraint] = []

    def turn(self, rows: list[Constraint]) -> None:
        """Groups, and the angle of each body in its own."""
        found: dict[int, tuple[int | None, float, float]] = {self.ground: (None, 0.0, 0.0)}
        for root in (self.ground, *range(self.ground)):
            if root not in found:
                found[root] = (len(self.coordinates), 0.0, 0.0)
                self.coordinates.append(Coordinate(TURNS, root))
            while (c := next((c for c in rows if (c.i.body in found) != (c.j.body in found)), None)) is not None:
                rows.remove(c)
                parent, child, sign = (c.i.body, c.j.body, 1.0) if c.i.body in found else (c.j.body, c.i.body, -1.0)
                base, value, rate = found[parent]
                found[child] = (base, value + sign * c.value, rate + sign * c.rate)
                self.turns.append(Turn(c, parent, child))
        if rows:
            raise Uncovered(f"{rows[0].said} closes a loop of angles")
        places: dict[tuple[int | None, float], int] = {(None, 0.0): FIXED}
        for body in (*range(self.ground), self.ground):
            base, value, rate = found[body]
            if (base, rate) not in places:
                places[base, rate] = len(self.groups)
                self.groups.append(Group(base, value, rate))
            group = places[base, rate]
            self.bodies.append((group, value - self.groups[group].value, {}))

    def place(self, rows: list[Constraint]) -> None:
        """Where each body is, along the joints from the ground; what none of them holds floats."""
        known = {self.ground}
        for root in (self.ground, *range(self.ground)):
            if root not in known:
                known.add(root)
                arms: Arms = {}
                for along in (1.0, 1.0j):
                    arms[FIXED, len(self.coordinates)] = along
                    self.coordinates.append(Coordinate(FLOATS, root, along))
                self._set(root, arms)
            while (c := self._next(rows, known)) is not None:
                known.add(self._joined(c, rows, c.i.body in known))
        self.closing = rows

    @staticmethod
    def _next(rows: list[Constraint], known: set[int]) -> Constraint | None:
        reaching = [c for c in rows if (c.i.body in known) != (c.j.body in known)]
        return next((c for c in reaching if c.kind == at.COINCIDENT), reaching[0] if reaching else None)

    def _joined(self, c: Constraint, rows: list[Constraint], forwards: bool) -> int:
        """Put the other body of a joint where it is; returns it."""
        parent, child = (c.i, c.j) if forwards else (c.j, c.i)
        lines: tuple[Constraint, ...] = ()
        if c.kind == at.COINCIDENT:
            distance: Arms = {(FIXED, None): complex(*c.e)} if any(c.e) else {}
            rows.remove(c)
        else:
            lines = tuple(other for other in rows if other.kind == at.LINE and (other.i, other.j) == (c.i, c.j))
            distance = self._along(c, lines)
            for line in lines:
                rows.remove(line)
        edge = Edge(c, parent.body, child.body, lines)
        for number, one in enumerate(self.coordinates):
            if one.edge is None and one.kind == SLIDES:
                self.coordinates[number] = Coordinate(SLIDES, child.body, one.along, edge)
        self.edges.append(edge)
        arms = joined(self._reach(parent), distance, 1.0 if forwards else -1.0)
        self._set(child.body, joined(arms, self._own(child), -1.0))
        return child.body

    def _along(self, c: Constraint, lines: Sequence[Constraint]) -> Arms:
        """D of a slide: what its lines give, and a coordinate across the only one."""
        group, angle, _ = self.bodies[c.i.body]
        turn = cmath.rect(1.0, angle) if angle else 1.0
        found: Arms = {}
        for line in lines:
            e = turn * complex(*line.e)
            found = joined(found, {(group, None): line.value * e, (group, COURSE): line.rate * e})
        if len(lines) > 2 or (len(lines) == 2 and abs(_dot(lines[0].e, lines[1].e)) > 1e-12):
            raise Uncovered(f"{c.said} and others lead the same point in directions that are not square to each other")
        if len(lines) == 1:
            across = complex(c.e[1], -c.e[0])
            found[group, len(self.coordinates)] = turn * across
            self.coordinates.append(Coordinate(SLIDES, c.j.body, across))
        return found

    def _own(self, end: End) -> Arms:
        group, angle, _ = self.bodies[end.body]
        return carried(group, angle, end)

    def _reach(self, end: End) -> Arms:
        return joined(self.bodies[end.body][2], self._own(end))

    def _set(self, body: int, arms: Arms) -> None:
        group, angle, _ = self.bodies[body]
        self.bodies[body] = (group, angle, arms)


def _dot(a: tuple[float, float], b: tuple[float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1]
