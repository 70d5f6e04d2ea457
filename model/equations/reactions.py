"""Forces in the ideal joints of a tree, as expressions: what the bodies beyond a joint need more than what acts on them (Newton, Euler)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from model.assembly import layout as at
from model.assembly.elements import Constraint
from model.equations.acting import Pair, Single
from model.equations.expressions import Expression
from model.equations.motion import Kinematics
from model.equations.plane import Vector
from model.equations.tree import Arms, Edge, joined


class Reactions:
    """Of every row of a joint or drive, on its second body."""

    def __init__(
        self,
        kinematics: Kinematics,
        masses: Sequence[tuple[float, float]],
        weight: tuple[float, float],
        acting: Iterable[Pair | Single],
        accelerations: Sequence[Expression],
        closing: Mapping[int, Sequence[Expression]],
    ) -> None:
        """As `Equations`; accelerations: of the coordinates; closing: by the id of a joint that closes a loop the forces of its rows."""
        self._closing = closing
        self.kinematics, self.tree, self.algebra = kinematics, kinematics.tree, kinematics.algebra
        self._zero = Vector(self.algebra.zero, self.algebra.zero)
        self._forces, self._moments = self._needed(masses, weight, accelerations)
        for one in acting:
            self._take(one)
        self._edges = {id(edge): self._force(edge) for edge in self.tree.edges}
        self._balance()

    def row(self, joint: Constraint, axis: int) -> Expression:
        """Of the first (0) or second (1) row of this constraint."""
        if id(joint) in self._closing:
            return self._closing[id(joint)][axis]
        if joint.kind == at.ANGLE:
            turn = next(turn for turn in self.tree.turns if turn.joint is joint)
            moment = self._beyond(turn.child, self._turned, turn.joint)
            return moment if turn.child == joint.j.body else -moment
        edge = next(edge for edge in self.tree.edges if edge.joint is joint or any(line is joint for line in edge.lines))
        force = self._on_second(edge)
        if joint.kind == at.COINCIDENT:
            return force.y if axis else force.x
        return self._direction(joint).dot(force)

    def _needed(
        self, masses: Sequence[tuple[float, float]], weight: tuple[float, float], accelerations: Sequence[Expression]
    ) -> tuple[list[Vector], list[Expression]]:
        """m a - weight and J theta'' of each body, and of the ground nothing."""
        number, forces, moments = self.algebra.number, [], []
        falls = Vector(number(weight[0]), number(weight[1]))
        for body, (mass, inertia) in enumerate(masses):
            group, _, arms = self.tree.bodies[body]
            forces.append((self.kinematics.acceleration(arms, accelerations) - falls).times(number(mass)))
            moments.append(number(inertia) * self.kinematics.spinning(group, accelerations))
        return [*forces, self._zero], [*moments, self.algebra.zero]

    def _take(self, one: Pair | Single) -> None:
        ends = [(one.on, one.force, one.moment)] if isinstance(one, Single) else [
            (one.i, -one.force, one.moment_i), (one.j, one.force, one.moment_j),
        ]  # fmt: skip
        for end, force, moment in ends:
            self._lessen(end.body, self.tree.arm(end), force, moment)

    def _lessen(self, body: int, arms: Arms, force: Vector, moment: Expression) -> None:
        arm = self.kinematics.place(arms)
        self._forces[body] = self._forces[body] - force
        self._moments[body] = self._moments[body] - (moment + arm.cross(force))

    def _force(self, edge: Edge) -> Vector:
        """On what is beyond the edge."""
        total = self._forces[edge.child]
        for other in self.tree.edges:
            if other.parent == edge.child:
                total = total + self._force(other)
        return total

    def _on_second(self, edge: Edge) -> Vector:
        force = self._edges[id(edge)]
        return force if edge.child == edge.joint.j.body else -force

    def _direction(self, line: Constraint) -> Vector:
        group, _, _ = self.tree.bodies[line.i.body]
        return self.kinematics.carried((group, None), self.tree.world(line.i.body, complex(*line.e)))

    def _balance(self) -> None:
        """What the joints' forces leave of the moments; a slide's force acts at its second point, on both bodies."""
        left = list(self._moments)
        for edge in self.tree.edges:
            joint, force = edge.joint, self._on_second(edge)
            at_i = self.tree.arm(joint.i)
            if joint.kind != at.COINCIDENT:
                at_i = joined(at_i, self.tree.apart(joint.i, joint.j))
            left[joint.i.body] = left[joint.i.body] + self.kinematics.place(at_i).cross(force)
            left[joint.j.body] = left[joint.j.body] - self.kinematics.place(self.tree.arm(joint.j)).cross(force)
        self._turned = left

    def _beyond(self, body: int, values: Sequence[Expression], through: Constraint) -> Expression:
        """Sum over the bodies that are turned with this one, away from the row `through`."""
        total = values[body]
        for turn in self.tree.turns:
            if turn.parent == body and turn.joint is not through:
                total = total + self._beyond(turn.child, values, turn.joint)
        return total
