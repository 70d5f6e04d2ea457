"""Lines of source for expressions: each is worked out once, where it is first asked for, if that is not within another branch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from model.equations.expressions import COSINE, LITERAL, NAME, NUMBER, ROOT, SINE, SIZE, Algebra, Expression

CALLS = {ROOT: "math.sqrt({})", SIZE: "abs({})"}
INDENT = "    "


class Parameters:
    """The numbers of a mechanism in the order in which its source asks for them."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self._places: dict[Expression, int] = {}

    def place(self, number: Expression) -> int:
        """Of a number."""
        if number not in self._places:
            self._places[number] = self.table([number.value])
        return self._places[number]

    def table(self, values: list[float]) -> int:
        """Place of the first of several that stay together."""
        self.values += values
        return len(self.values) - len(values)


class Writer:
    """The body of one function."""

    def __init__(self, algebra: Algebra, parameters: Parameters) -> None:
        self.algebra, self.parameters = algebra, parameters
        self.lines: list[str] = []
        self._scopes: list[dict[Expression, str]] = [{}]
        self._count = 0

    def line(self, text: str) -> None:
        """A statement."""
        self.lines.append(INDENT * len(self._scopes) + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below `head`; what they work out is not known afterwards."""
        self.line(head)
        self._scopes.append({})
        yield
        self._scopes.pop()

    def fresh(self) -> str:
        """A name that nothing has yet."""
        self._count += 1
        return f"x{self._count}"

    def kept(self, value: Expression) -> Expression:
        """The same as a name."""
        return self.algebra.name(self.text(value))

    def text(self, one: Expression) -> str:
        """What the source calls it; the lines that it needs are written first."""
        if one.kind == NAME:
            return one.text
        if one.kind == NUMBER:
            return f"p[{self.parameters.place(one)}]"
        if one.kind == LITERAL:
            return repr(one.value)
        for scope in self._scopes:
            if one in scope:
                return scope[one]
        of = [self.text(part) for part in one.of]
        if one.kind in (SINE, COSINE):
            return self._both(one, of[0])
        name = self._scopes[-1][one] = self.fresh()
        said = CALLS[one.kind].format(*of) if one.kind in CALLS else f"{of[0]} {one.kind} {of[1]}"
        self.line(f"{name} = {said}")
        return name

    def _both(self, one: Expression, angle: str) -> str:
        sine, cosine = self.fresh(), self.fresh()
        self.line(f"{sine}, {cosine} = sincos({angle})")
        self._scopes[-1][self.algebra.sine(one.of[0])] = sine
        self._scopes[-1][self.algebra.cosine(one.of[0])] = cosine
        return self._scopes[-1][one]
