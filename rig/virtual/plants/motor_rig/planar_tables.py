"""From a planar mechanism's description to the tables of its laboratory's linkage, as one workpiece has come out of the workshop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, Curve, Elements, End, Load, Rub
from model.assembly.joints import clearance_prismatic, clearance_revolute
from model.compiled.parameters import packed
from model.mechanisms.planar import config as planar
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.surfaces import CONTACT_STATES, Surfaces

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Stiffness:
    """Of what the description calls rigid; damping as a share of the critical one of the two bodies."""

    pin: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "of a pin, and of a slide across"})
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


class Linkage:
    """Tables of one individual. Raises ValueError for a description that it cannot build."""

    def __init__(self, mechanism: planar.Config, surfaces: Surfaces, stiffness: Stiffness, individual: Individual) -> None:
        self._surfaces, self._stiffness = surfaces, stiffness
        self.mechanism = one = _as_built(mechanism, individual)
        self.bodies, self.frame = one.bodies, one.frame
        self.parts = [(item, item.elements(self.frame)) for item in (*one.joints, *one.forces)]
        self._individual, self._strained = individual, 0
        self.bushes: dict[str, int] = {}
        """Number of each pin's bush."""
        self.springs: dict[str, int] = {}
        """Number of the first spring of each force that has some."""
        self.tables: dict[int, list[Table]] = {place: [] for place in COUNTS}
        for body in self.bodies:
            row = {kernel.B_MASS: body.mass, kernel.B_INERTIA: body.inertia}
            self.tables[kernel.AT_BODIES].append(packed(kernel.BODY_COLUMNS, row))
        for item, part in self.parts:
            _refuse(item.name, part)
            if isinstance(item, (clearance_revolute.Config, clearance_prismatic.Config)) and part.contacts:
                self._touching(item, part)
            elif part.contacts:
                raise ValueError(f"mechanism: {item.name}: this plant has no slots with clearance and no cams; {HAS}")
            for constraint in part.constraints:
                self._held(item.name, constraint, next((rub for rub in part.rubs if rub.pressed == constraint), None))
            self.springs |= {item.name: len(self.tables[kernel.AT_SPRINGS])} if part.springs else {}
            self._pulled(part)

    def parameters(self, axes: Sequence[Turned], sensors: Sequence[Seen]) -> Table:
        """p of the kernel."""
        for axis in axes:
            inertia = self._reduced(axis.row, "inertia", axis.inertia)
            self.tables[kernel.AT_AXES].append(packed(kernel.AXIS_COLUMNS, {
                kernel.A_INERTIA: axis.inertia, kernel.A_VISCOUS: axis.viscous, kernel.A_COULOMB: axis.coulomb,
                kernel.A_I: axis.row.i.body, kernel.A_J: axis.row.j.body, kernel.A_STIFFNESS: self._stiffness.shaft,
                kernel.A_DAMPING: self._damping(self._stiffness.shaft, inertia),
            }))  # fmt: skip
        for seen in sensors:
            self.tables[kernel.AT_SENSORS].append(packed(kernel.SENSOR_COLUMNS, {
                kernel.S_KIND: seen.kind, kernel.S_OF: seen.of, kernel.S_POINT: seen.point, kernel.S_DIRECTION: seen.direction,
                kernel.S_FEELS: seen.feels,
            }))  # fmt: skip
        contacts = len(self.tables[kernel.AT_JOURNALS]) + len(self.tables[kernel.AT_CORNERS])
        strains = 2 * len(axes) + 2 + kernel.BODY_STATES * (len(self.bodies) + 1) + CONTACT_STATES * contacts
        for row in (*self.tables[kernel.AT_BUSHES], *self.tables[kernel.AT_LINES]):
            row[kernel.RUB_STATE] += strains  # of one that does not rub nobody asks
        header, place = np.zeros(kernel.HEADER), kernel.HEADER
        for at_table, count in COUNTS.items():
            header[count], header[at_table] = len(self.tables[at_table]), place
            place += sum(len(row) for row in self.tables[at_table])
        header[kernel.WEIGHT : kernel.WEIGHT + 2] = self.mechanism.weight
        return np.concatenate([header, *(row for at_table in COUNTS for row in self.tables[at_table])])

    def state(self, q: Table, axes: Sequence[Turned]) -> Table:
        """y of the kernel with the bodies at q (3 bodies,), the axes where their bodies have them, all at rest."""
        contacts = len(self.tables[kernel.AT_JOURNALS]) + len(self.tables[kernel.AT_CORNERS])
        first = 2 * len(axes) + 2
        y = np.zeros(first + kernel.BODY_STATES * (len(self.bodies) + 1) + CONTACT_STATES * contacts + self._strained + 1)
        for n, place in enumerate(q.reshape(-1, 3)):
            y[first + kernel.BODY_STATES * n :][:3] = place
        angles = [*q[2::3], 0.0]
        y[: len(axes)] = [angles[axis.row.j.body] - angles[axis.row.i.body] for axis in axes]
        return y

    def rates(self, axes: int) -> list[int]:
        """Places in y of all speeds, those of the axes first."""
        first = 2 * axes + 2
        return [
            *range(axes, 2 * axes),
            *(first + kernel.BODY_STATES * n + k for n in range(len(self.bodies)) for k in (kernel.VX, kernel.VY, kernel.W)),
        ]

    def _rubbing(self, rub: Rub | None, stiffness: float) -> dict[int, ArrayLike]:
        """Dry friction of one bush or slide; its strain's place in y is known when all contacts are (`parameters`)."""
        if rub is None:
            return {kernel.RUB_MU: 0.0, kernel.RUB_STIFFNESS: stiffness, kernel.RUB_STATE: 0}
        self._strained += 1
        sliding = self._individual.friction(rub.coefficient * rub.arm)
        return {kernel.RUB_MU: sliding, kernel.RUB_STIFFNESS: stiffness, kernel.RUB_STATE: self._strained - 1}

    def _held(self, name: str, c: Constraint, rub: Rub | None) -> None:
        stiff = self._stiffness
        if c.kind == at.COINCIDENT:
            self.bushes[name] = len(self.tables[kernel.AT_BUSHES])
            own = self._rubbing(rub, stiff.tilt) | {kernel.OFFSET: c.e}
            self._between(
                kernel.AT_BUSHES, kernel.BUSH_COLUMNS, c.i, c.j, stiff.pin, self._damping(stiff.pin, self._reduced(c, "mass")), own
            )
        elif c.kind == at.LINE:
            line = self._rubbing(rub, stiff.pin) | {kernel.DIRECTION: c.e, kernel.PLACE: c.value}
            damping = self._damping(stiff.pin, self._reduced(c, "mass"))
            self._between(kernel.AT_LINES, kernel.LINE_COLUMNS, c.i, c.j, stiff.pin, damping, line)
        else:
            damping = self._damping(stiff.tilt, self._reduced(c, "inertia"))
            self._between(kernel.AT_TWISTS, kernel.TWIST_COLUMNS, c.i, c.j, stiff.tilt, damping, {kernel.ANGLE: c.value})

    def _pulled(self, part: Elements) -> None:
        for spring in part.springs:
            length: dict[int, ArrayLike] = {
                kernel.LENGTH: spring.length, kernel.WAY: WAYS[spring.way], kernel.HEADING: spring.e, kernel.PRELOAD: spring.preload,
                kernel.ONE_SIDED: spring.side, kernel.BY_RATE: spring.by_rate, kernel.POINTS: len(spring.curve),
                kernel.SHAPE: _points(spring.curve),
            }  # fmt: skip
            stiffness = self._individual.mass(spring.stiffness)
            self._between(kernel.AT_SPRINGS, kernel.SPRING_COLUMNS, spring.i, spring.j, stiffness, spring.damping, length)
        for load in part.loads:
            self.act(load)

    def act(self, load: Load) -> int:
        """A load on it; returns its number."""
        self.tables[kernel.AT_LOADS].append(packed(kernel.LOAD_COLUMNS, {
            kernel.L_BODY: load.on.body, kernel.L_POINT: (load.on.x, load.on.y), kernel.L_FORCE: load.force,
            kernel.L_TORQUE: load.torque, kernel.L_POINTS: len(load.curve), kernel.L_SHAPE: _points(load.curve),
        }))  # fmt: skip
        return len(self.tables[kernel.AT_LOADS]) - 1

    def _touching(self, item: clearance_revolute.Config | clearance_prismatic.Config, part: Elements) -> None:
        touch, gap = part.contacts[0], self.frame.gap(item.clearance)
        friction = self.frame.rubbing(item.friction)
        friction = (self._individual.friction(friction[0]), *friction[1:])
        restitution = self._surfaces.lossy(self._individual.restitution())
        if isinstance(item, clearance_revolute.Config):
            stiffness, bearing = self._individual.mass(self._surfaces.hertz(item.bearing_radius, gap)), item.bearing_radius
            law = self._surfaces.columns(stiffness, self._surfaces.exponent, restitution, friction)
            own: dict[int, ArrayLike] = {kernel.RADIUS_I: bearing, kernel.RADIUS_J: bearing - gap, kernel.LAW: law}
            self._between(kernel.AT_JOURNALS, kernel.JOURNAL_COLUMNS, touch.i, touch.j, 0.0, 0.0, own)
            return
        softness = 2.0 * (1.0 - self._surfaces.poisson_ratio**2) / self._surfaces.youngs_modulus
        law = self._surfaces.columns(item.half_perimeter / (0.475 * softness), 1.0, restitution, friction)
        direction, axis = item.direction, item.direction - item.angle
        for side in (-1.0, 1.0):
            for end in (-1.0, 1.0):
                self._between(kernel.AT_CORNERS, kernel.CORNER_COLUMNS, touch.i, touch.j, 0.0, 0.0, {
                    kernel.GUIDE: (math.cos(direction), math.sin(direction)), kernel.SLIDER: (math.cos(axis), math.sin(axis)),
                    kernel.END: end, kernel.SIDE: side, kernel.HALF_LENGTH: 0.5 * item.length, kernel.HALF_HEIGHT: 0.5 * item.height,
                    kernel.GAP: gap, kernel.CORNER_LAW: law,
                })  # fmt: skip

    def _between(self, table: int, columns: int, i: End, j: End, stiffness: float, damping: float, own: Mapping[int, ArrayLike]) -> None:
        places: dict[int, ArrayLike] = {
            kernel.BODY_I: i.body, kernel.BODY_J: j.body, kernel.SI: (i.x, i.y), kernel.SJ: (j.x, j.y), kernel.STIFFNESS: stiffness,
            kernel.DAMPING: damping,
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
        for table in (kernel.AT_BUSHES, kernel.AT_LINES):
            for row in self.tables[table]:
                for number, point in ((kernel.BODY_I, kernel.SI), (kernel.BODY_J, kernel.SJ)):
                    if (n := int(row[number])) < len(each):
                        body, lever = self.bodies[n], float(np.sum(row[point : point + 2] ** 2))
                        each[n] += row[kernel.STIFFNESS] * (1.0 / body.mass + lever / body.inertia)
        for row in self.tables[kernel.AT_TWISTS]:
            for number in (kernel.BODY_I, kernel.BODY_J):
                if (n := int(row[number])) < len(each):
                    each[n] += row[kernel.STIFFNESS] / self.bodies[n].inertia
        return math.sqrt(2.0 * float(np.max(each, initial=0.0)))

    def refuse_step(self, step: float) -> None:
        """Raise ValueError for a step (s) that is too long for its joints."""
        if (reached := step * self.fastest()) > STABLE:
            least = step * STABLE / reached
            raise ValueError(f"step: {step * 1e6:g} us is too long for these joints; expected at most {least * 1e6:.2g} us")


STABLE = 0.7
"""Largest step times circular frequency of a joint."""
HAS = "its specimens have pins, slides, slots without clearance and springs"


def _refuse(name: str, part: Elements) -> None:
    """Raise ValueError for what this laboratory's specimen has no part for."""
    rolls = [c for c in part.constraints if c.kind >= at.MESH]
    moves = [load for load in part.loads if load.way is not None]
    if rolls or moves or part.actuators:
        what = "gears, belts, curves and cams" if rolls else "loads that move" if moves else "motors by their equations"
        raise ValueError(f"mechanism: {name}: this plant has no {what}; {HAS}")


COUNTS = {
    kernel.AT_AXES: kernel.AXES, kernel.AT_BODIES: kernel.BODIES, kernel.AT_BUSHES: kernel.BUSHES, kernel.AT_LINES: kernel.LINES,
    kernel.AT_TWISTS: kernel.TWISTS, kernel.AT_JOURNALS: kernel.JOURNALS, kernel.AT_CORNERS: kernel.CORNERS,
    kernel.AT_SPRINGS: kernel.SPRINGS, kernel.AT_LOADS: kernel.LOADS, kernel.AT_SENSORS: kernel.SENSORS,
}  # fmt: skip


WAYS = {at.APART: kernel.APART, at.TURNED: kernel.TURNED, at.ALONG: kernel.ALONG}


def _points(curve: Curve) -> Table:
    values = np.zeros(2 * kernel.MOST_POINTS)
    values[: 2 * len(curve)] = np.array(curve, dtype=np.float64).ravel()
    return values


def _as_built(mechanism: planar.Config, individual: Individual) -> planar.Config:
    """With the dimensions that the workshop has given it."""
    bodies = tuple(_body(body, individual) for body in mechanism.bodies)
    joints = []
    for joint in mechanism.joints:
        if isinstance(joint, (clearance_revolute.Config, clearance_prismatic.Config)):
            gap = mechanism.frame.gap(joint.clearance)
            joint = replace(joint, clearance=individual.play(gap) if gap > 0.0 else 0.0)
        joints.append(joint)
    return replace(mechanism, bodies=bodies, joints=tuple(joints))


def _body(body: Body, individual: Individual) -> Body:
    mass = individual.mass(body.mass)
    inertia = body.inertia * individual.shape() * mass / body.mass
    points = tuple(replace(point, x=individual.length(point.x)) for point in body.points)
    return replace(body, mass=mass, inertia=inertia, points=points)
