"""From a planar mechanism's description to the tables of its laboratory's linkage, as one workpiece has come out of the workshop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.assembly import actuating
from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Actuator, Constraint, Curve, Elements, End, Load, Part, Rub
from model.assembly.functions.function import Function
from model.assembly.functions.numbering import REPEATS
from model.assembly.joints import belt, cam, clearance_prismatic, clearance_revolute, clearance_slot, lifting_cam
from model.compiled.parameters import packed
from model.mechanisms.planar import config as planar
from rig.virtual.plants.motor_rig import planar_layout as of
from rig.virtual.plants.motor_rig import planar_shapes as shapes
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.surfaces import CONTACT_COLUMNS, Surfaces

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Stiffness:
    """Of what the description calls rigid; damping as a share of the critical one of the two bodies."""

    pin: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of a pin, a slide across, a follower that cannot leave"})
    mesh: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of teeth and belts, along the pitch circle"})
    tilt: float = field(default=1e5, metadata={"unit": "N*m/rad", "over": 0.0, "doc": "of a slide against turning"})
    shaft: float = field(default=2e4, metadata={"unit": "N*m/rad", "over": 0.0, "doc": "between motor and body: the torque sensor's"})
    damping: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "share of critical damping"})


@dataclass(frozen=True)
class Seen:
    """A sensor: kind of the kernel, of which axis, body or joint; point from the mass centre and direction, in axes of the body; 1 where
    it feels gravity."""

    kind: int
    of: int
    point: tuple[float, float] = (0.0, 0.0)
    direction: tuple[float, float] = (1.0, 0.0)
    feels: float = 0.0


@dataclass(frozen=True)
class Turned:
    """An axis: its drive's constraint, and what turns before the shaft: inertia and friction at the axis."""

    row: Constraint
    inertia: float
    viscous: float
    coulomb: float


@dataclass(frozen=True)
class Rooms:
    """Where the parts of y begin that are not counted in p's header; `stack`: room for formulas, then the time."""

    bodies: int
    followers: int
    strains: int
    arcs: int
    motors: int
    stack: int


class Linkage:
    """Tables of one individual. Raises ValueError for a description that it cannot build. wear: growth of plays, m/J."""

    def __init__(
        self, mechanism: planar.Config, surfaces: Surfaces, stiffness: Stiffness, individual: Individual, wear: float = 0.0
    ) -> None:
        if mechanism.rods:
            raise ValueError(
                f"mechanism.rods: {', '.join(rod.name for rod in mechanism.rods)}: this plant has no rods that give way; {HAS}"
            )
        self._surfaces, self._stiffness, self._wear = surfaces, stiffness, wear
        self.mechanism = one = _as_built(mechanism, individual)
        self.bodies, self.frame = one.bodies, one.frame
        self.parts = [(item, item.elements(self.frame)) for item in (*one.joints, *one.forces)]
        self._individual, self._strained, self._deepest = individual, 0, 0
        self.bushes: dict[str, int] = {}
        """Number of each pin's bush."""
        self.springs: dict[str, int] = {}
        """Number of the first spring of each force that has some."""
        self.tables: dict[int, list[Table]] = {place: [] for place in COUNTS}
        self._pool: list[Table] = []
        self._pooled: list[tuple[Table, int]] = []
        """Rows and columns of them that are places among the pool's numbers, which stand behind all tables in p."""
        self._nodes: list[Table] = []
        """Of each follower: what it follows."""
        for body in self.bodies:
            row = {of.B_MASS: body.mass, of.B_INERTIA: body.inertia}
            self.tables[of.AT_BODIES].append(packed(of.BODY_COLUMNS, row))
        for item, part in self.parts:
            if part.contacts:
                self._touching(item, part)
            for constraint in part.constraints:
                self._held(item.name, constraint, next((rub for rub in part.rubs if rub.pressed == constraint), None))
            self.springs |= {item.name: len(self.tables[of.AT_SPRINGS])} if part.springs else {}
            self._pulled(part)
            for actuator in part.actuators:
                self._driven(item.name, actuator)

    def parameters(self, axes: Sequence[Turned], sensors: Sequence[Seen]) -> Table:
        """p of the kernel."""
        for axis in axes:
            inertia = self._reduced(axis.row, "inertia", axis.inertia)
            self.tables[of.AT_AXES].append(packed(of.AXIS_COLUMNS, {
                of.A_INERTIA: axis.inertia, of.A_VISCOUS: axis.viscous, of.A_COULOMB: axis.coulomb,
                of.A_I: axis.row.i.body, of.A_J: axis.row.j.body, of.A_STIFFNESS: self._stiffness.shaft,
                of.A_DAMPING: self._damping(self._stiffness.shaft, inertia),
            }))  # fmt: skip
        for seen in sensors:
            self.tables[of.AT_SENSORS].append(packed(of.SENSOR_COLUMNS, {
                of.S_KIND: seen.kind, of.S_OF: seen.of, of.S_POINT: seen.point, of.S_DIRECTION: seen.direction,
                of.S_FEELS: seen.feels,
            }))  # fmt: skip
        rooms = self._rooms(len(axes))
        for row in (*self.tables[of.AT_BUSHES], *self.tables[of.AT_LINES]):
            row[of.RUB_STATE] += rooms.strains  # of one that does not rub nobody asks
        for n, row in enumerate(self.tables[of.AT_MESHES]):
            row[of.ARC] = rooms.arcs + n
        for n, row in enumerate(self.tables[of.AT_MOTORS]):
            row[of.M_OWN] = rooms.motors + n
        header, place = np.zeros(of.HEADER), of.HEADER
        for at_table, count in COUNTS.items():
            header[count], header[at_table] = len(self.tables[at_table]), place
            place += sum(len(row) for row in self.tables[at_table])
        for row, column in self._pooled:
            row[column] += place
        header[of.WEIGHT : of.WEIGHT + 2] = self.mechanism.weight
        header[of.WEAR], header[of.STACK] = self._wear, rooms.stack
        return np.concatenate([header, *(row for at_table in COUNTS for row in self.tables[at_table]), *self._pool])

    def state(self, q: Table, axes: Sequence[Turned]) -> Table:
        """y of the kernel with the bodies at q (3 bodies,), the axes where their bodies have them, all at rest."""
        rooms = self._rooms(len(axes))
        y = np.zeros(rooms.stack + 3 * self._deepest + 1)
        for n, place in enumerate(q.reshape(-1, 3)):
            y[rooms.bodies + of.BODY_STATES * n :][:3] = place
        angles = [*q[2::3], 0.0]
        y[: len(axes)] = [angles[axis.row.j.body] - angles[axis.row.i.body] for axis in axes]
        for n, row in enumerate(self.tables[of.AT_FOLLOWERS]):
            if row[of.F_KIND] == of.ON_CURVE:
                nodes = self._nodes[n]
                y[rooms.followers + of.FOLLOWER_STATES * n + of.AT_U] = shapes.nearest_node(nodes, *_seen_from(q, row))
        for n, row in enumerate(self.tables[of.AT_MESHES]):
            y[rooms.arcs + n] = _arc(q, row)
        return y

    def _rooms(self, axes: int) -> Rooms:
        bodies = 2 * axes + 2
        touches = len(self.tables[of.AT_JOURNALS]) + len(self.tables[of.AT_CORNERS])
        followers = bodies + of.BODY_STATES * (len(self.bodies) + 1) + of.TOUCH_STATES * touches
        strains = followers + of.FOLLOWER_STATES * len(self.tables[of.AT_FOLLOWERS])
        arcs = strains + self._strained
        motors = arcs + len(self.tables[of.AT_MESHES])
        return Rooms(bodies, followers, strains, arcs, motors, motors + len(self.tables[of.AT_MOTORS]))

    def rates(self, axes: int) -> list[int]:
        """Places in y of all speeds, those of the axes first."""
        first = 2 * axes + 2
        return [
            *range(axes, 2 * axes),
            *(first + of.BODY_STATES * n + k for n in range(len(self.bodies)) for k in (of.VX, of.VY, of.W)),
        ]

    def _rubbing(self, rub: Rub | None, stiffness: float) -> dict[int, ArrayLike]:
        """Dry friction of one bush or slide; its strain's place in y is known when all contacts are (`parameters`)."""
        if rub is None:
            return {of.RUB_MU: 0.0, of.RUB_STIFFNESS: stiffness, of.RUB_STATE: 0}
        self._strained += 1
        sliding = self._individual.friction(rub.coefficient * rub.arm)
        return {of.RUB_MU: sliding, of.RUB_STIFFNESS: stiffness, of.RUB_STATE: self._strained - 1}

    def _held(self, name: str, c: Constraint, rub: Rub | None) -> None:
        stiff = self._stiffness
        if c.kind == at.COINCIDENT:
            self.bushes[name] = len(self.tables[of.AT_BUSHES])
            own: dict[int, ArrayLike] = self._rubbing(rub, stiff.tilt) | {of.OFFSET: c.e}
            self._between(of.AT_BUSHES, of.BUSH_COLUMNS, c.i, c.j, stiff.pin, self._damping(stiff.pin, self._reduced(c, "mass")), own)
        elif c.kind == at.LINE:
            line = self._rubbing(rub, stiff.pin) | {of.DIRECTION: c.e, of.PLACE: c.value}
            damping = self._damping(stiff.pin, self._reduced(c, "mass"))
            self._between(of.AT_LINES, of.LINE_COLUMNS, c.i, c.j, stiff.pin, damping, line)
        elif c.kind == at.ANGLE:
            damping = self._damping(stiff.tilt, self._reduced(c, "inertia"))
            self._between(of.AT_TWISTS, of.TWIST_COLUMNS, c.i, c.j, stiff.tilt, damping, {of.ANGLE: c.value})
        elif c.kind == at.MESH:
            own = {of.WHEEL_I: c.e[0], of.WHEEL_J: c.e[1], of.ARC: 0.0}
            mass = 1.0 / sum(arm**2 / self.bodies[end.body].inertia for arm, end in zip(c.e, (c.i, c.j), strict=True) if self._moves(end))
            self._between(of.AT_MESHES, of.MESH_COLUMNS, c.i, c.j, stiff.mesh, self._damping(stiff.mesh, mass), own)
        elif c.kind in (at.CURVE, at.FACE):
            damping = self._damping(stiff.pin, self._reduced(c, "mass"))
            self._follower(KINDS[c.kind], c.i, c.j, c.functions, {of.F_GAP: 0.0, of.F_HEADING: c.e}, (stiff.pin, damping))
        else:
            raise ValueError(f"mechanism: {name}: this plant has no part that does what its joint does; {HAS}")

    def _follower(
        self, kind: int, i: End, j: End, functions: tuple[Function, ...], own: dict[int, ArrayLike], held: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """What follows a curve, a face's distance or a wall; held: its stiffness and damping where it cannot leave, else its `own` has the
        law of its contact."""
        law: dict[int, ArrayLike] = {} if of.F_LAW in own else {of.F_LAW: np.zeros(CONTACT_COLUMNS)}
        nodes = shapes.curve_nodes(*functions) if kind == of.ON_CURVE else shapes.face_nodes(*functions) if functions else np.zeros((0, 4))
        closed = kind == of.ON_FACE or (kind == of.ON_CURVE and bool(functions[0].numbers[REPEATS]))
        shape: dict[int, ArrayLike] = {of.F_KIND: kind, of.F_CLOSED: closed, of.F_COUNT: len(nodes), of.F_NODES: 0.0}
        self._between(of.AT_FOLLOWERS, of.FOLLOWER_COLUMNS, i, j, *held, own | law | shape)
        self._nodes.append(nodes)
        self._put(self.tables[of.AT_FOLLOWERS][-1], of.F_NODES, nodes.ravel())

    def _put(self, row: Table, column: int, numbers: Table) -> None:
        """Numbers into the pool, their place into a column of a row."""
        row[column] = sum(len(one) for one in self._pool)
        self._pool.append(numbers)
        self._pooled.append((row, column))

    def _put_function(self, row: Table, column: int, function: Function | None) -> None:
        """The same of a function of time, if there is one."""
        if function is not None:
            self._put(row, column, np.array(function.numbers))
            self._deepest = max(self._deepest, function.depth)

    def _driven(self, name: str, motor: Actuator) -> None:
        if motor.kind not in MOTOR_KINDS:
            raise ValueError(f"mechanism: {name}: this plant has no motor that goes by its equations; {HAS}")
        kind, count = MOTOR_KINDS[motor.kind], of.MOTOR_COLUMNS - of.M_PARAMETERS
        numbers = [motor.parameters.get(n, 0.0) for n in range(count)]
        own: dict[int, ArrayLike] = {of.M_KIND: kind, of.M_OWN: 0.0, of.M_FUNCTION: 0.0, of.M_PARAMETERS: numbers}
        self._between(of.AT_MOTORS, of.MOTOR_COLUMNS, motor.i, motor.j, 0.0, 0.0, own)
        self._put_function(self.tables[of.AT_MOTORS][-1], of.M_FUNCTION, motor.function)

    def _moves(self, end: End) -> bool:
        return end.body < len(self.bodies)

    def _pulled(self, part: Elements) -> None:
        for spring in part.springs:
            length: dict[int, ArrayLike] = {
                of.LENGTH: spring.length, of.WAY: WAYS[spring.way], of.HEADING: spring.e, of.PRELOAD: spring.preload,
                of.ONE_SIDED: spring.side, of.BY_RATE: spring.by_rate, of.POINTS: len(spring.curve),
                of.SHAPE: _points(spring.curve),
            }  # fmt: skip
            stiffness = self._individual.mass(spring.stiffness)
            self._between(of.AT_SPRINGS, of.SPRING_COLUMNS, spring.i, spring.j, stiffness, spring.damping, length)
        for load in part.loads:
            self.act(load)

    def act(self, load: Load) -> int:
        """A load on it; returns its number."""
        row = packed(of.LOAD_COLUMNS, {
            of.L_BODY: load.on.body, of.L_POINT: (load.on.x, load.on.y), of.L_FORCE: load.force, of.L_TORQUE: load.torque,
            of.L_FACTOR: 0.0, of.L_WAY: 0.0, of.L_ALONG: load.along, of.L_TURNS: load.turns, of.L_POINTS: len(load.curve),
            of.L_SHAPE: _points(load.curve),
        })  # fmt: skip
        self.tables[of.AT_LOADS].append(row)
        self._put_function(row, of.L_FACTOR, load.factor)
        self._put_function(row, of.L_WAY, load.way)
        return len(self.tables[of.AT_LOADS]) - 1

    def _touching(self, item: Part, part: Elements) -> None:
        touch, friction = part.contacts[0], self._rubs(getattr(item, "friction", 0.0))  # drawn before the restitution
        restitution = self._surfaces.lossy(self._individual.restitution())
        if isinstance(item, clearance_revolute.Config):
            gap = self.frame.gap(item.clearance)
            stiffness, bearing = self._individual.mass(self._surfaces.hertz(item.bearing_radius, gap)), item.bearing_radius
            law = self._surfaces.columns(stiffness, self._surfaces.exponent, restitution, friction)
            own: dict[int, ArrayLike] = {of.RADIUS_I: bearing, of.RADIUS_J: bearing - gap, of.LAW: law}
            self._between(of.AT_JOURNALS, of.JOURNAL_COLUMNS, touch.i, touch.j, 0.0, 0.0, own)
        elif isinstance(item, clearance_prismatic.Config):
            self._cornered(item, touch.i, touch.j, restitution, friction)
        elif isinstance(item, clearance_slot.Config):
            law = self._pressed(item.pin_radius, restitution)
            for side in (-1.0, 1.0):
                wall = -side * math.sin(item.direction), side * math.cos(item.direction)
                own = {of.F_GAP: self.frame.gap(item.clearance), of.F_HEADING: wall, of.F_LAW: law}
                self._follower(of.ON_WALL, touch.i, touch.j, (), own)
        elif isinstance(item, lifting_cam.Config):
            round_ = item.follower == cam.ROLLER
            law = self._pressed(1.0 / (1.0 / item.base_radius + (1.0 / item.roller_radius if round_ else 0.0)), restitution)
            heading = math.cos(item.direction), math.sin(item.direction)
            kind = of.ON_CURVE if round_ else of.ON_FACE
            self._follower(kind, touch.i, touch.j, touch.functions, {of.F_GAP: 0.0, of.F_HEADING: heading, of.F_LAW: law})
        else:
            raise ValueError(f"mechanism: {item.name}: this plant has no contact of that kind; {HAS}")

    def _rubs(self, own: float | None) -> tuple[float, float, float]:
        """Friction of a joint with its own coefficient, if it has one."""
        coefficient, *speeds = self.frame.rubbing(own)
        return (self._individual.friction(coefficient), speeds[0], speeds[1])

    def _pressed(self, radius: float, restitution: float) -> Table:
        """Law of a round contact on a flat one, without friction."""
        stiffness = self._individual.mass(self._surfaces.on_flat(radius))
        return self._surfaces.columns(stiffness, self._surfaces.exponent, restitution, (0.0, 0.0, 1.0))

    def _cornered(self, item: clearance_prismatic.Config, i: End, j: End, restitution: float, friction: tuple[float, float, float]) -> None:
        gap = self.frame.gap(item.clearance)
        softness = 2.0 * (1.0 - self._surfaces.poisson_ratio**2) / self._surfaces.youngs_modulus
        law = self._surfaces.columns(item.half_perimeter / (0.475 * softness), 1.0, restitution, friction)
        direction, axis = item.direction, item.direction - item.angle
        for side in (-1.0, 1.0):
            for end in (-1.0, 1.0):
                self._between(of.AT_CORNERS, of.CORNER_COLUMNS, i, j, 0.0, 0.0, {
                    of.GUIDE: (math.cos(direction), math.sin(direction)), of.SLIDER: (math.cos(axis), math.sin(axis)),
                    of.END: end, of.SIDE: side, of.HALF_LENGTH: 0.5 * item.length, of.HALF_HEIGHT: 0.5 * item.height,
                    of.GAP: gap, of.CORNER_LAW: law,
                })  # fmt: skip

    def _between(self, table: int, columns: int, i: End, j: End, stiffness: float, damping: float, own: Mapping[int, ArrayLike]) -> None:
        places: dict[int, ArrayLike] = {
            of.BODY_I: i.body, of.BODY_J: j.body, of.SI: (i.x, i.y), of.SJ: (j.x, j.y), of.STIFFNESS: stiffness,
            of.DAMPING: damping,
        }  # fmt: skip
        self.tables[table].append(packed(columns, places | dict(own)))

    def _reduced(self, c: Constraint, key: str, beside: float = math.inf) -> float:
        """Mass or inertia with which the two bodies of a joint swing against each other; of an axis what is `beside` swings as well."""
        each = [beside, *(float(getattr(self.bodies[n], key)) for n in (c.i.body, c.j.body) if n < len(self.bodies))]
        return 1.0 / sum(1.0 / one for one in each)

    def _damping(self, stiffness: float, mass: float) -> float:
        return 2.0 * self._stiffness.damping * math.sqrt(stiffness * mass)

    def fastest(self) -> float:
        """A bound on the circular frequency of its joints, 1/s: what pulls at each body, over what that body has against it."""
        each = np.zeros(len(self.bodies))
        for table in (of.AT_BUSHES, of.AT_LINES):
            for row in self.tables[table]:
                for number, point in ((of.BODY_I, of.SI), (of.BODY_J, of.SJ)):
                    if (n := int(row[number])) < len(each):
                        body, lever = self.bodies[n], float(np.sum(row[point : point + 2] ** 2))
                        each[n] += row[of.STIFFNESS] * (1.0 / body.mass + lever / body.inertia)
        for row in self.tables[of.AT_TWISTS]:
            for number in (of.BODY_I, of.BODY_J):
                if (n := int(row[number])) < len(each):
                    each[n] += row[of.STIFFNESS] / self.bodies[n].inertia
        for row in self.tables[of.AT_MESHES]:
            for number, wheel in ((of.BODY_I, of.WHEEL_I), (of.BODY_J, of.WHEEL_J)):
                if (n := int(row[number])) < len(each):
                    each[n] += row[of.STIFFNESS] * (row[wheel] ** 2 / self.bodies[n].inertia + 1.0 / self.bodies[n].mass)
        for row, nodes in zip(self.tables[of.AT_FOLLOWERS], self._nodes, strict=True):
            reach = shapes.reach(nodes) if row[of.F_KIND] == of.ON_CURVE else float(np.max(nodes[:, 0], initial=0.0))
            for number, point, far in ((of.BODY_I, of.SI, reach), (of.BODY_J, of.SJ, 0.0)):
                if (n := int(row[number])) < len(each):
                    lever = float(np.hypot(row[point], row[point + 1])) + far
                    each[n] += row[of.STIFFNESS] * (1.0 / self.bodies[n].mass + lever**2 / self.bodies[n].inertia)
        return math.sqrt(2.0 * float(np.max(each, initial=0.0)))

    def refuse_step(self, step: float) -> None:
        """Raise ValueError for a step (s) that is too long for its joints."""
        if (reached := step * self.fastest()) > STABLE:
            least = step * STABLE / reached
            raise ValueError(f"step: {step * 1e6:g} us is too long for these joints; expected at most {least * 1e6:.2g} us")


STABLE = 0.7
"""Largest step times circular frequency of a joint."""
HAS = "its specimens have the joints, forces and motors that this program brings with it"


def _seen_from(q: Table, row: Table) -> tuple[float, float]:
    """The point of body j of a row in axes of body i, from that one's point, with the bodies at q, m."""
    (xi, yi, phi), (jx, jy) = _pose(q, row[of.BODY_I]), _point(q, row, of.BODY_J, of.SJ)
    c, s = math.cos(phi), math.sin(phi)
    dx, dy = jx - xi, jy - yi
    return float(c * dx + s * dy - row[of.SI]), float(c * dy - s * dx - row[of.SI + 1])


def _arc(q: Table, row: Table) -> float:
    """a phi_i + b phi_j - (a + b) theta of two wheels with the bodies at q, m."""
    (ix, iy), (jx, jy) = _point(q, row, of.BODY_I, of.SI), _point(q, row, of.BODY_J, of.SJ)
    a, b = float(row[of.WHEEL_I]), float(row[of.WHEEL_J])
    turned = a * _pose(q, row[of.BODY_I])[2] + b * _pose(q, row[of.BODY_J])[2]
    return turned - (a + b) * math.atan2(jy - iy, jx - ix)


def _pose(q: Table, number: float) -> tuple[float, float, float]:
    x, y, phi = (*q.tolist(), 0.0, 0.0, 0.0)[3 * int(number) :][:3]
    return x, y, phi


def _point(q: Table, row: Table, number: int, point: int) -> tuple[float, float]:
    x, y, phi = _pose(q, row[number])
    c, s = math.cos(phi), math.sin(phi)
    return x + c * row[point] - s * row[point + 1], y + s * row[point] + c * row[point + 1]


COUNTS = {
    of.AT_AXES: of.AXES, of.AT_BODIES: of.BODIES, of.AT_BUSHES: of.BUSHES, of.AT_LINES: of.LINES,
    of.AT_TWISTS: of.TWISTS, of.AT_JOURNALS: of.JOURNALS, of.AT_CORNERS: of.CORNERS,
    of.AT_SPRINGS: of.SPRINGS, of.AT_LOADS: of.LOADS, of.AT_SENSORS: of.SENSORS, of.AT_MESHES: of.MESHES,
    of.AT_FOLLOWERS: of.FOLLOWERS, of.AT_MOTORS: of.MOTORS,
}  # fmt: skip


KINDS = {at.CURVE: of.ON_CURVE, at.FACE: of.ON_FACE}
MOTOR_KINDS = {
    actuating.DIRECT_CURRENT: of.DIRECT_CURRENT, actuating.INDUCTION: of.INDUCTION, actuating.SERVO: of.SERVO,
}  # fmt: skip
WAYS = {at.APART: of.APART, at.TURNED: of.TURNED, at.ALONG: of.ALONG}


def _points(curve: Curve) -> Table:
    values = np.zeros(2 * of.MOST_POINTS)
    values[: 2 * len(curve)] = np.array(curve, dtype=np.float64).ravel()
    return values


def _as_built(mechanism: planar.Config, individual: Individual) -> planar.Config:
    """With the dimensions that the workshop has given it."""
    bodies = tuple(_body(body, individual) for body in mechanism.bodies)
    joints = []
    for joint in mechanism.joints:
        if isinstance(joint, (clearance_revolute.Config, clearance_prismatic.Config, clearance_slot.Config)):
            gap = mechanism.frame.gap(joint.clearance)
            joint = replace(joint, clearance=individual.play(gap) if gap > 0.0 else 0.0)
        elif isinstance(joint, cam.Config):
            joint = replace(joint, base_radius=individual.length(joint.base_radius))
        elif isinstance(joint, belt.Config):
            joint = replace(joint, radii=tuple(individual.length(radius) for radius in joint.radii))
        joints.append(joint)
    return replace(mechanism, bodies=bodies, joints=tuple(joints))


def _body(body: Body, individual: Individual) -> Body:
    mass = individual.mass(body.mass)
    inertia = body.inertia * individual.shape() * mass / body.mass
    points = tuple(replace(point, x=individual.length(point.x)) for point in body.points)
    return replace(body, mass=mass, inertia=inertia, points=points)
