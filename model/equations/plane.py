"""Vectors in the plane whose components are expressions."""

from __future__ import annotations

from dataclasses import dataclass

from model.equations.expressions import Algebra, Expression


@dataclass(frozen=True)
class Vector:
    """x and y."""

    x: Expression
    y: Expression

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    @property
    def zero(self) -> bool:
        """Whether nothing is left of it."""
        return self.x.zero and self.y.zero

    def times(self, factor: Expression) -> Vector:
        """Longer by a factor."""
        return Vector(factor * self.x, factor * self.y)

    def turned(self) -> Vector:
        """Turned by +90 degrees."""
        return Vector(-self.y, self.x)

    def rotated(self, by: Vector) -> Vector:
        """Turned by the angle whose cosine and sine `by` has."""
        return Vector(by.x * self.x - by.y * self.y, by.y * self.x + by.x * self.y)

    def back(self, by: Vector) -> Vector:
        """Turned back by it."""
        return Vector(by.x * self.x + by.y * self.y, by.x * self.y - by.y * self.x)

    def dot(self, other: Vector) -> Expression:
        """Scalar product."""
        return self.x * other.x + self.y * other.y

    def cross(self, other: Vector) -> Expression:
        """The component of the vector product that there is."""
        return self.x * other.y - self.y * other.x


def known(algebra: Algebra, value: complex) -> Vector:
    """Of numbers."""
    return Vector(algebra.number(value.real), algebra.number(value.imag))
