"""What acts on the bodies, as source: loads, springs, contacts. Each leaves a force on its second point and moments, by name.

The laws are those of model.joints, model.contact, model.friction and, for springs that are more than a straight line, of model.assembly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.assembly import layout as at
from model.assembly.elements import End, Load, Spring, Touch
from model.contact.force import PARAMETERS as EACH
from model.equations.expressions import Expression
from model.equations.motion import Kinematics
from model.equations.plane import Vector
from model.equations.writer import Writer
from model.joints import translational
from model.stepping.crushing import CRUSHED


@dataclass(frozen=True)
class Pair:
    """force on body j at its point j, its opposite on body i at its point i; moments besides."""

    i: End
    j: End
    force: Vector
    moment_i: Expression
    moment_j: Expression


@dataclass(frozen=True)
class Single:
    """On one body."""

    on: End
    force: Vector
    moment: Expression


@dataclass(frozen=True)
class Joint:
    """The contacts between two points: that of a pin, or those of a slider's corners. `first`: number of the first one."""

    touches: tuple[Touch, ...]
    first: int

    @property
    def pin(self) -> bool:
        """Whether it is a journal in its bearing."""
        return self.touches[0].kind == at.PIN


def joints(touches: Sequence[Touch]) -> list[Joint]:
    """The contacts, those of a guide together."""
    found: list[Joint] = []
    for number, touch in enumerate(touches):
        if found and touch.kind > 0.0 and not found[-1].pin:
            found[-1] = Joint((*found[-1].touches, touch), found[-1].first)
        else:
            found.append(Joint((touch,), number))
    return found


class Acting:
    """Writes what acts into a function whose kinematics are given."""

    def __init__(self, writer: Writer, kinematics: Kinematics) -> None:
        self.writer, self.kinematics, self.algebra = writer, kinematics, writer.algebra
        self.pulls: list[Expression] = []
        """What each spring pulls with, in the order in which they were written."""

    def load(self, load: Load) -> Single:
        """A force and a torque, perhaps times a factor that goes by time."""
        number = self.algebra.number
        force, torque = Vector(number(load.force[0]), number(load.force[1])), number(load.torque)
        if load.curve:
            place = self._points(load.curve)
            first, last = (self.writer.text(number(load.curve[k][0])) for k in (0, -1))
            share = self.writer.fresh()
            self.writer.line(f"{share} = on_curve(p, {len(load.curve)}, {place}, min(max(t, {first}), {last}))")
            force, torque = force.times(self.algebra.name(share)), torque * self.algebra.name(share)
        return Single(load.on, force, torque)

    def spring(self, spring: Spring) -> Pair:
        """Pulls its points together, or turns its bodies back."""
        zero, kinematics = self.algebra.zero, self.kinematics
        bodies = kinematics.tree.bodies
        if spring.way == at.TURNED:
            (gi, ai, _), (gj, aj, _) = bodies[spring.i.body], bodies[spring.j.body]
            angle = kinematics.angle(gj) - kinematics.angle(gi) + self.algebra.number(aj - ai)
            moment = self._tension(spring, angle, kinematics.turning(gj) - kinematics.turning(gi))
            self.pulls.append(moment)
            return Pair(spring.i, spring.j, Vector(zero, zero), moment, -moment)
        arms = kinematics.tree.apart(spring.i, spring.j)
        way, rate = kinematics.place(arms), kinematics.speed(arms)
        if spring.way == at.ALONG:
            group = bodies[spring.i.body][0]
            e = kinematics.carried((group, None), kinematics.tree.world(spring.i.body, complex(*spring.e)))
            along = e.dot(way)
            pull = self._tension(spring, along, e.dot(rate) + kinematics.turning(group) * e.cross(way))
            self.pulls.append(pull)
            force = -e.times(pull)
            return Pair(spring.i, spring.j, force, -way.cross(force), zero)
        length = self.writer.kept(way.dot(way).root())
        name = self.writer.fresh()
        self.writer.line(f"{name} = 0.0")
        with self.writer.block(f"if {self.writer.text(length)} > SHORTEST:"):
            pull = self._tension(spring, length, way.dot(rate) / length) / length
            self.writer.line(f"{name} = {self.writer.text(pull)}")
        self.pulls.append(self.algebra.name(name) * length)
        return Pair(spring.i, spring.j, -way.times(self.algebra.name(name)), zero, zero)

    def _tension(self, spring: Spring, way: Expression, rate: Expression) -> Expression:
        if spring.given:
            return -self.algebra.name("given")
        number = self.algebra.number
        longer = way - number(spring.length)
        if not spring.curve and spring.side == 0:
            return number(spring.preload) + number(spring.stiffness) * longer + number(spring.damping) * rate
        row = np.zeros(at.SPRING_COLUMNS)
        row[[at.STIFFNESS, at.DAMPING, at.PRELOAD, at.SIDE, at.BY_RATE, at.POINTS]] = (
            spring.stiffness, spring.damping, spring.preload, spring.side, spring.by_rate, len(spring.curve),
        )  # fmt: skip
        row[at.CURVE : at.CURVE + 2 * len(spring.curve)] = np.ravel(spring.curve)
        place, name = self.writer.parameters.table(row.tolist()), self.writer.fresh()
        self.writer.line(f"{name} = tension(p, {place}, {self.writer.text(longer)}, {self.writer.text(rate)})")
        return self.algebra.name(name)

    def _points(self, curve: Sequence[tuple[float, float]]) -> int:
        return self.writer.parameters.table([value for point in curve for value in point])

    def joint(self, joint: Joint) -> tuple[Pair, Expression]:
        """A joint with clearance: what acts while it touches, and the sum of what its contacts press with."""
        return self._pin(joint) if joint.pin else self._guide(joint)

    def approach(self, touch: Touch) -> tuple[Vector, Vector]:
        """From point i to point j, and its rate."""
        arms = self.kinematics.tree.apart(touch.i, touch.j)
        return self.kinematics.place(arms), self.kinematics.speed(arms)

    def omega(self, end: End) -> Expression:
        """Angular speed of its body."""
        return self.kinematics.turning(self.kinematics.tree.bodies[end.body][0])

    def friction(self, touch: Touch) -> tuple[bool, str]:
        """Whether it rubs, and its parameters in the source."""
        values = np.asarray(touch.columns[at.C_FRICTION], dtype=np.float64).tolist()
        if values[0] == 0.0:
            return False, ""
        place = self.writer.parameters.table(values)
        return True, f"p[{place}:{place + 3}]"

    @staticmethod
    def radii(touch: Touch) -> tuple[float, float]:
        """Of bearing and journal, m."""
        bearing, journal = np.ravel(touch.columns[at.C_SIZE]).tolist()
        return bearing, journal

    def _pin(self, joint: Joint) -> tuple[Pair, Expression]:
        touch, writer, text = joint.touches[0], self.writer, self.writer.text
        names = [writer.fresh() for _ in range(5)]
        fx, fy, moment_i, moment_j, pressing = names
        radius_i, radius_j = (text(self.algebra.number(radius)) for radius in self.radii(touch))
        rubs, friction = self.friction(touch)
        writer.line(f"{' = '.join(names)} = 0.0")
        with writer.block(f"if s[{EACH * joint.first + EACH - 1}] > 0.0:"):
            way, rate = self.approach(touch)
            asked = ", ".join(map(text, (way.x, way.y, rate.x, rate.y, self.omega(touch.i), self.omega(touch.j))))
            depth, closing, nx, ny, sliding = (writer.fresh() for _ in range(5))
            writer.line(f"{depth}, {closing}, {nx}, {ny}, {sliding} = revolute.approach({asked}, {radius_i}, {radius_j})")
            writer.line(f"{pressing} = force({depth}, {closing}, s[{EACH * joint.first}:{EACH * (joint.first + 1)}])")
            with writer.block(f"if {depth} > {CRUSHED!r} * {radius_i}:"):
                writer.line(f"{pressing} = math.nan  # which no step survives")
            if rubs:
                writer.line(f"rub = velocity_window.force({sliding}, 1.0, {friction})")
                writer.line(f"ux, uy, ui, uj = revolute.loads({nx}, {ny}, 1.0, rub, {radius_i}, {radius_j})")
                writer.line(f"{moment_i}, {moment_j} = {pressing} * ui, {pressing} * uj")
                writer.line(f"{fx}, {fy} = -{pressing} * ux, -{pressing} * uy")
            else:
                writer.line(f"{fx}, {fy} = -{pressing} * {nx}, -{pressing} * {ny}")
        found = [self.algebra.name(name) for name in names]
        zero = self.algebra.zero
        moments = (found[2], found[3]) if rubs else (zero, zero)
        return Pair(touch.i, touch.j, Vector(found[0], found[1]), *moments), found[4]

    def guided(self, touch: Touch) -> tuple[Vector, Vector, Vector, Expression, Expression]:
        """(direction of the guide; place and speed of the slider's middle in its axes as (along, across); cosine and sine of the slider's
        angle in it as a vector; its angular speed in it; across)."""
        kinematics, columns = self.kinematics, touch.columns
        line, axis = (complex(*np.ravel(columns[place]).tolist()) for place in (at.C_LINE, at.C_AXIS))
        tree, (gi, gj) = kinematics.tree, (kinematics.tree.bodies[end.body][0] for end in (touch.i, touch.j))
        e = kinematics.carried((gi, None), tree.world(touch.i.body, line))
        along = kinematics.carried((gj, None), tree.world(touch.j.body, axis))
        way, rate = self.approach(touch)
        turning = kinematics.turning(gi)
        speed = rate - way.turned().times(turning)
        across = e.cross(way)
        return e, Vector(e.dot(speed), e.cross(speed)), Vector(e.dot(along), e.cross(along)), kinematics.turning(gj) - turning, across

    def corner(self, touch: Touch, guide: int) -> str:
        """(d, d', v_t, r_x, r_y) of a corner, as a call; guide: place of its parameters."""
        text = self.writer.text
        _, speed, angle, omega, across = self.guided(touch)
        asked = ", ".join(map(text, (across, speed.x, speed.y, angle.y, angle.x, omega)))
        return f"translational.corner({int(touch.kind)}, {asked}, p[{guide}:{guide + translational.PARAMETERS}])"

    def guide(self, touch: Touch) -> int:
        """Place of the parameters of a guide."""
        return self.writer.parameters.table(np.asarray(touch.columns[at.C_GUIDE], dtype=np.float64).tolist())

    def _guide(self, joint: Joint) -> tuple[Pair, Expression]:
        touch, writer, text = joint.touches[0], self.writer, self.writer.text
        names = [writer.fresh() for _ in range(5)]
        fx, fy, moment_i, moment_j, total = names
        writer.line(f"{' = '.join(names)} = 0.0")
        guide = self.guide(touch)
        rubs = float(np.ravel(touch.columns[at.C_GUIDE])[translational.FRICTION]) > 0.0
        closed = " or ".join(f"s[{EACH * (joint.first + k) + EACH - 1}] > 0.0" for k in range(len(joint.touches)))
        with writer.block(f"if {closed}:"):
            e = self.guided(touch)[0]
            along, across, moment = (writer.fresh() for _ in range(3))
            writer.line(f"{along} = {across} = {moment} = 0.0")
            calls = [self.corner(one, guide) for one in joint.touches]
            for k, call in enumerate(calls):
                with writer.block(f"if s[{EACH * (joint.first + k) + EACH - 1}] > 0.0:"):
                    writer.line(f"depth, rate, sliding, rx, ry = {call}")
                    writer.line(f"normal = translational.normal(depth, rate, p[{guide}:{guide + translational.PARAMETERS}])")
                    writer.line("rub = 0.0")
                    if rubs:
                        own = f"p[{guide + translational.FRICTION}:{guide + translational.PARAMETERS}]"
                        writer.line(f"rub = velocity_window.force(sliding, normal, {own})")
                    sign = "-" if joint.touches[k].kind >= 2.0 else "+"
                    writer.line(f"{along} += rub")
                    writer.line(f"{across} {sign}= normal")
                    writer.line(f"{moment} += rx * ({sign}normal) - ry * rub")
                    writer.line(f"{total} += abs(normal)")
            force = Vector(self.algebra.name(along), self.algebra.name(across)).rotated(e)
            way, _ = self.approach(touch)
            own_moment = self.algebra.name(moment)
            for name, value in ((fx, force.x), (fy, force.y), (moment_j, own_moment), (moment_i, -(own_moment + way.cross(force)))):
                writer.line(f"{name} = {text(value)}")
        found = [self.algebra.name(name) for name in names]
        return Pair(touch.i, touch.j, Vector(found[0], found[1]), found[2], found[3]), found[4]
