"""The tables of an assembled mechanism, laid out in p and s, and the constraints as matrices for whoever looks for a start."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly import ordering, tables
from model.assembly.constraints import constrain_all
from model.assembly.description import Body
from model.assembly.elements import Actuator, Constraint, End, Load, Rub, Spring, Touch
from model.assembly.poses import pose
from model.assembly.rods.frames import Rods
from model.assembly.rods.tables import Bends, record
from model.compiled.parameters import packed
from model.contact import force as law
from model.floats import Floats
from model.joints.contact import EACH
from model.stepping import inputs

NO_INPUT = inputs.window(-1.0, 1.0, np.zeros(4))


@dataclass(frozen=True)
class Output:
    """A channel: what it is (code of model.assembly.layout), of which state, row, body or contact, and for a point where that is."""

    name: str
    unit: str
    code: int
    index: int
    axis: int = 0
    """Of a body's coordinates; for a joint's force how many contacts it is of."""
    end: End | None = None
    direction: tuple[float, float] = (1.0, 0.0)
    """Of a point's, in axes of its body."""


@dataclass(frozen=True)
class System:
    """p, s as they are before anything has been computed, and the constraints in the order of their rows; those of rubs come after."""

    p: Floats
    s: Floats
    bodies: int
    constraints: tuple[Constraint, ...]
    rods: Rods = field(default_factory=Rods)

    @property
    def coordinates(self) -> int:
        """How many: places and angles of the bodies, then what the rods have."""
        return at.TRIPLE * self.bodies + self.rods.coordinates

    def lengths(self, size: float) -> Floats:
        """What a coordinate of 1 is in m or rad where lengths are shares of `size` (m), (coordinates,)."""
        return np.concatenate([np.tile([size, size, 1.0], self.bodies), self.rods.lengths(size)])

    @property
    def masses(self) -> Floats:
        """kg and kg m^2 at each coordinate, (coordinates,); of rods the diagonals of their matrices."""
        poses = self.s[int(self.p[at.S_POSES]) :][: at.POSE_COLUMNS * self.bodies].reshape(-1, at.POSE_COLUMNS)
        return np.concatenate([(poses[:, [at.ROOT_MASS, at.ROOT_MASS, at.ROOT_INERTIA]] ** -2.0).ravel(), self.rods.masses])

    def parted(self, y: Floats) -> tuple[Floats, Floats]:
        """(coordinates, their rates) of a state."""
        q, v = np.split(y[: 2 * at.TRIPLE * self.bodies], 2)
        e, rates, _ = self.rods.parted(y[len(y) - self.rods.own_states :])
        return np.concatenate([q, e]), np.concatenate([v, rates])

    def joined(self, z: Floats, rates: Floats, motors: Floats, angles: Floats) -> Floats:
        """The state with these coordinates and rates, motors' own states, and an angle (rad) of each rod."""
        own = at.TRIPLE * self.bodies
        return np.concatenate([z[:own], rates[:own], motors, self.rods.joined(z[own:], rates[own:], angles)])

    def renewed(self, y: Floats, z: Floats, rates: Floats) -> Floats:
        """The state with other coordinates and rates."""
        first = len(y) - self.rods.own_states
        return self.joined(z, rates, y[2 * at.TRIPLE * self.bodies : first], self.rods.parted(y[first:])[2])

    @property
    def row_names(self) -> list[str]:
        """What each row is called."""
        return [name for c in self.constraints for name in c.row_names()]

    @property
    def driven_rows(self) -> NDArray[np.bool_]:
        """Which rows are drives."""
        return np.array([c.drives for c in self.constraints for _ in range(c.rows)], dtype=np.bool_)

    def violated(self, t: float, z: Floats, rates: Floats) -> tuple[Floats, Floats, Floats]:
        """(Phi, Phi', J) of shapes (rows,), (rows,), (rows, coordinates) at t (s), the coordinates z and their rates.

        Where samples lead the drives Phi and Phi' of these are those at the course t.
        """
        p, s, size = self.p.copy(), self.s.copy(), len(self.row_names)
        p[at.LED] = 0.0
        motors = np.zeros(int(p[at.OWN_STATES]) - self.rods.own_states)
        pose(self.joined(z, rates, motors, np.zeros(len(self.rods.rods))), p, s)
        constrain_all(t, p, s, NO_INPUT)
        gap, rate = (s[int(self.p[place]) :][:size] for place in (at.S_GAP, at.S_GAP_RATE))
        rate = rate - np.array([slide for c in self.constraints for slide in c.drift[: c.rows]])
        triples = s[int(self.p[at.S_JACOBIAN]) :][: 2 * at.TRIPLE * size].reshape(size, 2, at.TRIPLE)
        poses = s[int(self.p[at.S_POSES]) :][: at.POSE_COLUMNS * self.bodies].reshape(self.bodies, at.POSE_COLUMNS)
        jacobian, of_rods = np.zeros((size, self.bodies, at.TRIPLE)), np.zeros((size, self.rods.coordinates))
        for row, pair in enumerate(ordering.row_bodies(self.constraints)):
            for slot, body in enumerate(pair):
                if body < self.bodies:
                    mass, inertia = poses[body, at.ROOT_MASS], poses[body, at.ROOT_INERTIA]
                    jacobian[row, body] = triples[row, slot] / np.array([mass, mass, inertia])
                elif body > self.bodies:
                    self.rods.add_to_nodes(of_rods[row], z[at.TRIPLE * self.bodies :], body, triples[row, slot])
        return self._near(gap), rate.copy(), np.hstack([jacobian.reshape(size, at.TRIPLE * self.bodies), of_rods])

    def _near(self, gap: Floats) -> Floats:
        """What is violated, angles of frames without whole turns, which coordinates do not tell."""
        turns = [c.kind == at.ANGLE and max(c.i.body, c.j.body) > self.bodies for c in self.constraints for _ in range(c.rows)]
        return np.where(turns, np.remainder(gap + math.pi, 2.0 * math.pi) - math.pi, gap)


def assembled(
    bodies: Sequence[Body],
    constraints: Sequence[Constraint],
    contacts: Sequence[Touch] = (),
    springs: Sequence[Spring] = (),
    loads: Sequence[Load] = (),
    gravity: tuple[float, float] = (0.0, 0.0),
    redundant: bool = False,
    rubs: Sequence[Rub] = (),
    actuators: Sequence[Actuator] = (),
    rods: Rods | None = None,
) -> System:
    """Lay out the tables. gravity in m/s^2. redundant: some rows may be left out, and others chosen later. rods: such as give way."""
    ground = len(bodies)
    rods = Rods((), ground) if rods is None else rods
    chain = ordering.ordered(constraints, ground, rods.holder)
    rubs = [tables.numbered(rub, contacts) for rub in rubs]
    held = (*chain, *(rub.stuck for rub in rubs))
    rows = ordering.row_bodies(held)
    bends = Bends(rods, rows)
    first, diagonal = ordering.skyline([(rods.holder(i), rods.holder(j)) for i, j in rows], ground)
    header = np.zeros(at.HEADER)
    header[at.BODIES], header[at.CONSTRAINTS], header[at.ROWS], header[at.REDUNDANT] = len(bodies), len(held), len(rows), redundant
    header[at.CONTACTS], header[at.SPRINGS], header[at.LOADS] = len(contacts), len(springs), len(loads)
    header[at.PUSHED] = any(spring.given for spring in springs)
    header[at.RUBS], header[at.ACTUATORS], header[at.OWN_STATES] = len(rubs), len(actuators), sum(len(one.own) for one in actuators)
    header[at.RODS], header[at.FRAMES], own = len(rods.rods), rods.frames, int(header[at.OWN_STATES])
    header[at.OWN_STATES] += rods.own_states
    functions = tables.Functions(
        [*(f for c in held for f in c.functions), *(f for part in (loads, actuators, contacts) for one in part for f in tables.needed(one))]
    )
    size = math.hypot(*gravity)
    header[at.UP], header[at.UP_Y] = (-gravity[0] / size, -gravity[1] / size) if size > 0.0 else (0.0, 1.0)
    s = _room(header, len(rows), int(diagonal[-1]) + 1 if rows else 0, redundant, functions.depth, bends.size)
    _poses(header, s, bodies)
    s[int(header[at.S_ACTIVE]) + len(rows) - len(rubs) :][: len(rubs)] = 0.0
    for number, contact in enumerate(contacts):
        s[EACH * number : EACH * (number + 1)] = law.parameters(*contact.law)
    skyline_at, jacobian_at, bends_at = (int(header[place]) for place in (at.S_SKYLINE, at.S_JACOBIAN, at.S_BENDS))
    found = [(place, jacobian_at + a, jacobian_at + b) for place, a, b in ordering.pairs(rows, diagonal, ground)]
    found += bends.pairs(diagonal.tolist(), jacobian_at, bends_at)
    header[at.PAIRS] = len(found)
    records = [record(rods, n, int(header[at.S_POSES]), own, gravity) for n in range(len(rods.rods))]
    begin = at.HEADER + len(functions.numbers)
    bent = bends.bends(jacobian_at, bends_at, [begin + sum(len(one) for one in records[:n]) for n in range(len(records))])
    spans = bends.table_of_spans(bends_at)
    header[at.BENDS], header[at.SPANS] = len(bent), len(spans)
    laid: dict[int, Sequence[Iterable[float]]] = {
        at.AT_FUNCTIONS: [functions.numbers],
        at.AT_RODS: records,
        at.AT_BENDS: bent,
        at.AT_SPANS: spans,
        at.AT_CONSTRAINTS: tables.constraints(header, held, functions),
        at.AT_RUBS: tables.rubs(chain, rubs, contacts),
        at.AT_ROWS: [tables.row(i, j, c, skyline_at + d) for (i, j), c, d in zip(rows, first, diagonal, strict=True)],
        at.AT_PAIRS: [(skyline_at + place, a, b) for place, a, b in found],
        at.AT_PULLS: [*ordering.pulls(rows, ground, jacobian_at), *bends.pulls(bends_at)],
        at.AT_CONTACTS: [tables.contact(header, c, functions) for c in contacts],
        at.AT_SPRINGS: [tables.spring(header, c) for c in springs],
        at.AT_LOADS: [tables.load(header, c, functions) for c in loads],
        at.AT_ACTUATORS: tables.actuators(header, actuators, functions),
        at.AT_WEIGHTS: [(body.mass * gravity[0], body.mass * gravity[1], 0.0) for body in bodies] + [(0.0, 0.0, 0.0)] * (1 + rods.frames),
    }
    return System(_joined(header, laid), s, len(bodies), chain, rods)


def with_outputs(system: System, outputs: Sequence[Output]) -> System:
    """The system with a table of what is put out."""
    header = system.p[: at.HEADER]
    points = [packed(at.POINT_COLUMNS, tables.end(header, o.end) | {at.P_DIRECTION: o.direction}) for o in outputs if o.end is not None]
    begin = len(system.p)
    rows, point = [], begin
    for o in outputs:
        if o.end is not None:
            rows.append(tables.output(o.code, point, 3 * o.end.body))
            point += at.POINT_COLUMNS
        elif o.code == at.IN_POSE:
            rows.append(tables.output(o.code, tables.pose(header, o.index) + o.axis, 0))
        elif o.code == at.ACCELERATION_OF:
            root = at.ROOT_INERTIA if o.axis == 2 else at.ROOT_MASS
            rows.append(tables.output(o.code, 3 * o.index + o.axis, tables.pose(header, o.index) + root))
        else:
            rows.append(tables.output(o.code, o.index, o.axis))
    p = np.concatenate([system.p, np.array(points, dtype=np.float64).ravel(), np.array(rows, dtype=np.float64).ravel()])
    p[at.OUTPUTS], p[at.AT_OUTPUTS] = len(outputs), point
    return replace(system, p=p)


def _room(header: Floats, rows: int, skyline: int, redundant: bool, depth: int, bends: int) -> Floats:
    """s, with the places of its parts written into the header."""
    carriers, contacts = int(header[at.BODIES]) + 1 + int(header[at.FRAMES]), int(header[at.CONTACTS])
    parts = {
        at.S_CONTACTS: EACH * contacts,
        at.S_ACTIVE: rows,
        at.S_PIVOT: 1,
        at.S_POSES: at.POSE_COLUMNS * carriers,
        at.S_JACOBIAN: 2 * at.TRIPLE * rows,
        at.S_GAP: rows,
        at.S_GAP_RATE: rows,
        at.S_REST: rows,
        at.S_SKYLINE: skyline,
        at.S_PIVOTS: rows,
        at.S_ACCELERATION: at.TRIPLE * carriers,
        at.S_MULTIPLIER: rows,
        at.S_SQUARE: rows**2 if redundant else 0,
        at.S_SOFT: 2 * rows,
        at.S_RUBS: at.RUB_STATES * int(header[at.RUBS]),
        at.S_STACK: at.TRIPLE * depth,
        at.S_ACTUATORS: int(header[at.ACTUATORS]),
        at.S_OWN: 2 * int(header[at.OWN_STATES]),
        at.S_NORMAL: contacts,
        at.S_SINGULAR: at.WHEN + 1,
        at.S_BENDS: bends,
        at.S_PULLS: int(header[at.SPRINGS]),
    }
    place = 0
    for part, size in parts.items():
        header[part] = place
        place += size
    s = np.zeros(place)
    s[int(header[at.S_ACTIVE]) :][:rows] = 1.0
    return s


def _poses(header: Floats, s: Floats, bodies: Sequence[Body]) -> None:
    """What is constant in the poses."""
    for number, body in enumerate(bodies):
        place = tables.pose(header, number)
        s[place + at.ROOT_MASS], s[place + at.ROOT_INERTIA] = 1.0 / math.sqrt(body.mass), 1.0 / math.sqrt(body.inertia)
    s[tables.pose(header, len(bodies)) + at.COS] = 1.0
    for frame in range(len(bodies) + 1, len(bodies) + 1 + int(header[at.FRAMES])):
        place = tables.pose(header, frame)
        s[place + at.ROOT_MASS] = s[place + at.ROOT_INERTIA] = 1.0


def _joined(header: Floats, laid: Mapping[int, Sequence[Iterable[float]]]) -> Floats:
    """Header and tables one after the other, with their places in the header."""
    parts, place = [header], at.HEADER
    for where, table in laid.items():
        values = np.array([value for row in table for value in row], dtype=np.float64)
        header[where] = place
        parts.append(values)
        place += len(values)
    return np.concatenate(parts)
