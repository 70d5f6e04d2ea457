"""Expressions of which source is written: constants folded, zeros gone, what is asked for twice made once.

A number that comes from the description is data: it goes into the parameters, and what follows from numbers alone is worked out here. So
mechanisms that differ in their numbers share their source, unless one of these is 0, which takes terms away.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

NUMBER, LITERAL, NAME, ADD, SUBTRACT, MULTIPLY, DIVIDE, SINE, COSINE, ROOT, SIZE = (
    "number", "literal", "name", "+", "-", "*", "/", "sine", "cosine", "sqrt", "abs",
)  # fmt: skip
WORKED_OUT: dict[str, Callable[..., float]] = {
    ADD: lambda a, b: a + b,
    SUBTRACT: lambda a, b: a - b,
    MULTIPLY: lambda a, b: a * b,
    DIVIDE: lambda a, b: a / b,
    SINE: math.sin,
    COSINE: math.cos,
    ROOT: math.sqrt,
    SIZE: abs,
}


@dataclass(frozen=True, eq=False)
class Expression:
    """A node: what is done (`kind`) to which others; the value of a number, the text of a name."""

    algebra: Algebra
    kind: str
    of: tuple[Expression, ...] = ()
    value: float = math.nan
    text: str = ""
    number: int = 0
    """How many were made before it."""

    @property
    def known(self) -> bool:
        """Whether it is a number already."""
        return self.kind in (NUMBER, LITERAL)

    @property
    def zero(self) -> bool:
        """Whether it is 0 and takes terms away."""
        return self.known and self.value == 0.0

    def literally(self, value: float) -> bool:
        """Whether the source itself says this value."""
        return self.kind == LITERAL and self.value == value

    def __add__(self, other: Expression) -> Expression:
        if self.zero:
            return other
        if other.kind == MULTIPLY and other.of[0].literally(-1.0):
            return self - other.of[1]
        return self if other.zero else self.algebra.made(ADD, self, other)

    def __sub__(self, other: Expression) -> Expression:
        if other.zero:
            return self
        if self is other:
            return self.algebra.zero
        return -other if self.zero else self.algebra.made(SUBTRACT, self, other)

    def __neg__(self) -> Expression:
        if self.kind == SUBTRACT:
            return self.of[1] - self.of[0]
        return self.algebra.literal(-1.0) * self

    def __mul__(self, other: Expression) -> Expression:
        if self.zero or other.zero:
            return self.algebra.zero
        if self.literally(1.0):
            return other
        if other.literally(1.0):
            return self
        if other.known and not self.known:
            return other * self
        if self.known and other.kind == MULTIPLY and other.of[0].known:
            return (self * other.of[0]) * other.of[1]
        if not self.known and self.kind == MULTIPLY and self.of[0].known:
            return self.of[0] * (self.of[1] * other)
        if not self.known and other.kind == MULTIPLY and other.of[0].known:
            return other.of[0] * (self * other.of[1])
        return self.algebra.made(MULTIPLY, self, other)

    def __truediv__(self, other: Expression) -> Expression:
        if self.zero:
            return self.algebra.zero
        return self.algebra.made(DIVIDE, self, other)

    def root(self) -> Expression:
        """Its square root."""
        return self.algebra.made(ROOT, self)

    def size(self) -> Expression:
        """Its absolute value."""
        return self.algebra.made(SIZE, self)


class Algebra:
    """Makes each expression once."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Expression] = {}
        self.zero, self.one = self.literal(0.0), self.literal(1.0)

    def literal(self, value: float) -> Expression:
        """A number that belongs to the formula: it stands in the source."""
        return self._once((LITERAL, value), LITERAL, value=value)

    def number(self, value: float) -> Expression:
        """A number of the description; the same value is the same number."""
        if value == 0.0:
            return self.zero
        return self._once((NUMBER, float(value)), NUMBER, value=float(value))

    def name(self, text: str) -> Expression:
        """What the source calls so."""
        return self._once((NAME, text), NAME, text=text)

    def made(self, kind: str, *of: Expression) -> Expression:
        """What follows from others; of numbers a number."""
        if all(one.known for one in of):
            value = WORKED_OUT[kind](*(one.value for one in of))
            return self.literal(value) if all(one.kind == LITERAL for one in of) else self.number(value)
        if kind in (ADD, MULTIPLY) and not of[0].known and of[0].number > of[1].number:
            of = (of[1], of[0])
        return self._once((kind, *(one.number for one in of)), kind, of)

    def sine(self, angle: Expression) -> Expression:
        """Its sine, rad; with its cosine it is made in one go."""
        return self.zero if angle.zero else self.made(SINE, angle)

    def cosine(self, angle: Expression) -> Expression:
        """Its cosine."""
        return self.one if angle.zero else self.made(COSINE, angle)

    def _once(
        self, key: tuple[object, ...], kind: str, of: tuple[Expression, ...] = (), value: float = math.nan, text: str = ""
    ) -> Expression:
        if key not in self._made:
            self._made[key] = Expression(self, kind, of, value, text, len(self._made))
        return self._made[key]
