"""Joints that close loops of a tree: what they ask of the coordinates, row by row, and the forces that see to it.

With G the rows' Jacobian by the coordinates, M u'' = Q + G^T lam and G u'' = b; b takes back what is violated as the tables' kernel does it
(model.mechanisms.planar.kernel). S lam = b - G M^-1 Q with S = G M^-1 G^T, as L D L^T. A pose is singular where a pivot is next to nothing
beside what the joint's point would do in both directions; there S is solved softly (model.equations.soft), as the tables' matrix is
(model.assembly.solving).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.assembly import layout as at
from model.assembly.elements import Constraint
from model.equations.acting import Pair
from model.equations.expressions import Expression
from model.equations.motion import Kinematics
from model.equations.plane import Vector


@dataclass(frozen=True)
class Row:
    """Phi, Phi', what is left of Phi'' where the coordinates' accelerations are 0, and G by each coordinate."""

    gap: Expression
    rate: Expression
    rest: Expression
    by: tuple[Expression, ...]
    beside: tuple[Expression, ...] | None = None
    """Of a joint with one row: what its point does square to that."""


def rows(kinematics: Kinematics, joint: Constraint) -> list[Row]:
    """Of a joint that closes a loop: those of model.assembly.constraints."""
    algebra, tree = kinematics.algebra, kinematics.tree
    number, arms = algebra.number, tree.apart(joint.i, joint.j)
    way, rate, rest = kinematics.place(arms), kinematics.speed(arms), kinematics.acceleration(arms)
    count = range(len(tree.coordinates))
    by = [_moved(kinematics, arms, k) for k in count]
    if joint.kind == at.COINCIDENT:
        gap = way - Vector(number(joint.e[0]), number(joint.e[1]))
        return [
            Row(gap.x, rate.x, rest.x, tuple(one.x for one in by)),
            Row(gap.y, rate.y, rest.y, tuple(one.y for one in by)),
        ]
    group = tree.bodies[joint.i.body][0]
    e = kinematics.carried((group, None), tree.world(joint.i.body, complex(*joint.e)))
    turning, along, across = kinematics.turning(group), e.dot(way), e.cross(way)
    course, speed = kinematics.course, number(joint.rate)
    twice = algebra.literal(2.0) * turning * e.cross(rate)
    second = e.dot(rest) + twice - turning * turning * along + kinematics.spinning(group) * across - speed * course.second
    coordinate = tree.groups[group].coordinate
    turned = [across if k == coordinate else algebra.zero for k in count]
    return [
        Row(
            along - number(joint.value) - speed * course.x,
            e.dot(rate) + turning * across - speed * course.rate,
            second,
            tuple(e.dot(one) + more for one, more in zip(by, turned, strict=True)),
            tuple(e.cross(one) for one in by),
        )
    ]


def _moved(kinematics: Kinematics, arms: dict[tuple[int, int | None], complex], k: int) -> Vector:
    """By the coordinate k."""
    total = Vector(kinematics.algebra.zero, kinematics.algebra.zero)
    for arm, a in arms.items():
        straight, turned = kinematics.virtual(arm, k)
        along = kinematics.carried(arm, a)
        total = total + along.times(straight) + along.turned().times(turned)
    return total


def pulled(kinematics: Kinematics, joint: Constraint, forces: Sequence[Expression]) -> Pair:
    """What the forces of its rows do to the bodies."""
    zero = kinematics.algebra.zero
    if joint.kind == at.COINCIDENT:
        return Pair(joint.i, joint.j, Vector(forces[0], forces[1]), zero, zero)
    group = kinematics.tree.bodies[joint.i.body][0]
    force = kinematics.carried((group, None), kinematics.tree.world(joint.i.body, complex(*joint.e))).times(forces[0])
    way = kinematics.place(kinematics.tree.apart(joint.i, joint.j))
    return Pair(joint.i, joint.j, force, -way.cross(force), zero)


class Factored:
    """A symmetric matrix, of which the lower half is given, as L D L^T; `pivots` beside its diagonal."""

    def __init__(self, matrix: Sequence[Sequence[Expression]]) -> None:
        self.lower: list[list[Expression]] = []
        self.pivots: list[Expression] = []
        self.inverse: list[Expression] = []
        for r, row in enumerate(matrix):
            parts: list[Expression] = []
            for c in range(r):
                total = row[c]
                for k in range(c):
                    total = total - parts[k] * self.lower[c][k]
                parts.append(total)
            shares = [part * self.inverse[c] for c, part in enumerate(parts)]
            pivot = row[r]
            for part, share in zip(parts, shares, strict=True):
                pivot = pivot - part * share
            self.lower.append(shares)
            self.pivots.append(pivot)
            self.inverse.append(pivot.algebra.one / pivot)

    def forward(self, right: Sequence[Expression]) -> list[Expression]:
        """L^-1 of it."""
        x = list(right)
        for r in range(len(x)):
            for c in range(r):
                x[r] = x[r] - self.lower[r][c] * x[c]
        return x

    def back(self, x: Sequence[Expression]) -> list[Expression]:
        """L^-T D^-1 of it."""
        found = [value * per for value, per in zip(x, self.inverse, strict=True)]
        for r in range(len(found) - 1, -1, -1):
            for c in range(r + 1, len(found)):
                found[r] = found[r] - self.lower[c][r] * found[c]
        return found
