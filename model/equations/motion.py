"""Kinematics of a tree as expressions, and its equations of motion by d'Alembert's principle.

| symbol | meaning |
|---|---|
| W_E = (c'' + 2i theta' c' + i theta'' c - theta'^2 c) exp(i theta) a | what an arm adds to an acceleration (model.equations.tree) |
| delta_Ek = dc_E/du_k + i c_E d theta_E/du_k | what it adds to a velocity, by the coordinate's |
| H_EF = sum over b of m_b conj(a_bE) a_bF | kg m^2, kg m or kg: a number |

Sum over b of m_b (d r_b/du_k) . r_b'' = Q_k: with H the sum over bodies is worked out beforehand, and what is left goes over the arms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from model.equations.expressions import Algebra, Expression
from model.equations.plane import Vector, known
from model.equations.tree import COURSE, FIXED, TURNS, Arms, Tree

Arm = tuple[int, int | None]


@dataclass(frozen=True)
class Course:
    """x and its first and second time derivative."""

    x: Expression
    rate: Expression
    second: Expression


class Kinematics:
    """Places, speeds and accelerations of whatever a sum of arms says, for coordinates u, rates v and accelerations."""

    def __init__(self, algebra: Algebra, tree: Tree, course: Course) -> None:
        self.algebra, self.tree, self.course = algebra, tree, course
        count = len(tree.coordinates)
        self.u = [algebra.name(f"q{k}") for k in range(count)]
        self.v = [algebra.name(f"v{k}") for k in range(count)]

    def angle(self, group: int) -> Expression:
        """theta, rad."""
        found = self.tree.groups[group]
        own = self.algebra.zero if found.coordinate is None else self.u[found.coordinate]
        return own + self.algebra.number(found.value) + self.algebra.number(found.rate) * self.course.x

    def turning(self, group: int) -> Expression:
        """theta', rad/s."""
        found = self.tree.groups[group]
        own = self.algebra.zero if found.coordinate is None else self.v[found.coordinate]
        return own + self.algebra.number(found.rate) * self.course.rate

    def spinning(self, group: int, accelerations: Sequence[Expression] | None = None) -> Expression:
        """theta''; without accelerations: what is left where those of the coordinates are 0."""
        found = self.tree.groups[group]
        own = self.algebra.zero if found.coordinate is None or accelerations is None else accelerations[found.coordinate]
        return own + self.algebra.number(found.rate) * self.course.second

    def direction(self, group: int) -> Vector:
        """(cos theta, sin theta)."""
        if group == FIXED:
            return Vector(self.algebra.one, self.algebra.zero)
        return Vector(self.algebra.cosine(self.angle(group)), self.algebra.sine(self.angle(group)))

    def carried(self, arm: Arm, value: complex) -> Vector:
        """exp(i theta) a."""
        return known(self.algebra, value).rotated(self.direction(arm[0]))

    def scalar(self, arm: Arm, accelerations: Sequence[Expression] | None = None) -> tuple[Expression, Expression, Expression]:
        """c, c', c''."""
        zero = self.algebra.zero
        if arm[1] is None:
            return self.algebra.one, zero, zero
        if arm[1] == COURSE:
            return self.course.x, self.course.rate, self.course.second
        return self.u[arm[1]], self.v[arm[1]], zero if accelerations is None else accelerations[arm[1]]

    def place(self, arms: Arms) -> Vector:
        """Of a sum of arms, m."""
        return self._sum(self.carried(arm, a).times(self.scalar(arm)[0]) for arm, a in arms.items())

    def speed(self, arms: Arms) -> Vector:
        """m/s."""
        found = []
        for arm, a in arms.items():
            c, rate, _ = self.scalar(arm)
            along = self.carried(arm, a)
            found.append(along.times(rate) + along.turned().times(self.turning(arm[0]) * c))
        return self._sum(found)

    def acceleration(self, arms: Arms, accelerations: Sequence[Expression] | None = None) -> Vector:
        """m/s^2."""
        return self._sum(self._part(arm, a, accelerations) for arm, a in arms.items())

    def _part(self, arm: Arm, a: complex, accelerations: Sequence[Expression] | None) -> Vector:
        along = self.carried(arm, a)
        inward, across = self.local(arm, accelerations)
        return along.times(inward) + along.turned().times(across)

    def local(self, arm: Arm, accelerations: Sequence[Expression] | None = None) -> tuple[Expression, Expression]:
        """W as multiples of exp(i theta) a and of that turned by 90 degrees."""
        c, rate, second = self.scalar(arm, accelerations)
        turning = self.turning(arm[0])
        double = self.algebra.literal(2.0) * turning * rate
        return second - turning * turning * c, double + self.spinning(arm[0], accelerations) * c

    def virtual(self, arm: Arm, k: int) -> tuple[Expression, Expression]:
        """delta_Ek as multiples of exp(i theta) a and of that turned."""
        zero, one = self.algebra.zero, self.algebra.one
        if self.tree.coordinates[k].kind == TURNS:
            return zero, self.scalar(arm)[0] if self.tree.groups[arm[0]].coordinate == k else zero
        return one if arm[1] == k else zero, zero

    def _sum(self, parts: Iterable[Vector]) -> Vector:
        total = Vector(self.algebra.zero, self.algebra.zero)
        for part in parts:
            total = total + part
        return total


class Equations:
    """Mass matrix and generalised forces; forces are added one after the other, then it is solved."""

    def __init__(self, kinematics: Kinematics, masses: Sequence[tuple[float, float]], weight: tuple[float, float]) -> None:
        """masses: mass and inertia of each body; weight: acceleration of what falls, m/s^2."""
        self.kinematics, algebra, tree = kinematics, kinematics.algebra, kinematics.tree
        size = range(len(tree.coordinates))
        products = _products(tree, masses)
        self.matrix = [[self._mass(products, k, n) if n <= k else algebra.zero for n in size] for k in size]
        self.forces = [-self._inertia(products, k) for k in size]
        for body, (_, inertia) in enumerate(masses):
            group = tree.groups[tree.bodies[body][0]]
            if group.coordinate is not None:
                k, number = group.coordinate, algebra.number(inertia)
                self.matrix[k][k] = self.matrix[k][k] + number
                self.forces[k] = self.forces[k] - number * kinematics.spinning(tree.bodies[body][0])
        for arm, total in _moments(tree, masses).items():
            if any(weight):
                falls = Vector(algebra.number(weight[0]), algebra.number(weight[1]))
                self.push({arm: total}, falls)

    def push(self, arms: Arms, force: Vector) -> None:
        """Add a force at the place that the arms say, or at one end of their way against the other."""
        kinematics = self.kinematics
        for arm, a in arms.items():
            along = kinematics.carried(arm, a)
            for k in range(len(self.forces)):
                straight, turned = kinematics.virtual(arm, k)
                self.forces[k] = self.forces[k] + straight * along.dot(force) + turned * along.cross(force)

    def turn(self, body: int, moment: Expression) -> None:
        """Add a moment on a body; the ground's number: on nothing."""
        coordinate = self.kinematics.tree.groups[self.kinematics.tree.bodies[body][0]].coordinate
        if coordinate is not None:
            self.forces[coordinate] = self.forces[coordinate] + moment

    def _mass(self, products: dict[tuple[Arm, Arm], complex], k: int, n: int) -> Expression:
        total = self.kinematics.algebra.zero
        for (e, f), product in products.items():
            left, right = self.kinematics.virtual(e, k), self.kinematics.virtual(f, n)
            total = total + self._between(e, f, product, left, right)
        return total

    def _inertia(self, products: dict[tuple[Arm, Arm], complex], k: int) -> Expression:
        """What the bodies' accelerations need of the force k where those of the coordinates are 0."""
        total = self.kinematics.algebra.zero
        for (e, f), product in products.items():
            total = total + self._between(e, f, product, self.kinematics.virtual(e, k), self.kinematics.local(f))
        return total

    def _between(
        self, e: Arm, f: Arm, product: complex, left: tuple[Expression, Expression], right: tuple[Expression, Expression]
    ) -> Expression:
        """Re(conj(left exp(i theta_e)) product right exp(i theta_f))."""
        algebra = self.kinematics.algebra
        if (left[0].zero and left[1].zero) or (right[0].zero and right[1].zero):
            return algebra.zero
        moved = Vector(*right).rotated(known(algebra, product))
        if e[0] != f[0]:
            moved = moved.rotated(self.kinematics.direction(f[0])).back(self.kinematics.direction(e[0]))
        return left[0] * moved.x + left[1] * moved.y


def _products(tree: Tree, masses: Sequence[tuple[float, float]]) -> dict[tuple[Arm, Arm], complex]:
    """H."""
    found: dict[tuple[Arm, Arm], complex] = {}
    for (mass, _), (_, _, arms) in zip(masses, tree.bodies, strict=False):
        for e, a in arms.items():
            for f, b in arms.items():
                found[e, f] = found.get((e, f), 0.0) + mass * a.conjugate() * b
    return found


def _moments(tree: Tree, masses: Sequence[tuple[float, float]]) -> Arms:
    """Sum over the bodies of mass times arm."""
    found: Arms = {}
    for (mass, _), (_, _, arms) in zip(masses, tree.bodies, strict=False):
        for e, a in arms.items():
            found[e] = found.get(e, 0.0) + mass * a
    return found
