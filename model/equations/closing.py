"""The forces in joints that close loops, as source: found with the accelerations, softly in a singular pose (model.equations.loops)."""

from __future__ import annotations

from dataclasses import dataclass

from model.assembly.elements import Constraint
from model.equations.expressions import Expression
from model.equations.loops import Factored, Row, rows
from model.equations.motion import Kinematics
from model.equations.plan import WHEN, Plan
from model.equations.writer import Writer


@dataclass(frozen=True)
class Closing:
    """Into one function; stabilisation: 1/s."""

    plan: Plan
    writer: Writer
    kinematics: Kinematics
    stabilisation: float

    def closed(self, masses: Factored, right: list[Expression]) -> tuple[list[Expression], dict[int, list[Expression]]]:
        """(L^-1 of the forces with those that close the loops; these by the id of their joint)."""
        zero, joined = self.writer.algebra.zero, [(joint, row) for joint in self.plan.tree.closing for row in rows(self.kinematics, joint)]
        ways = [masses.forward(row.by) for _, row in joined]
        heavy = [[way * per for way, per in zip(one, masses.inverse, strict=True)] for one in ways]
        matrix = [[sum((a * b for a, b in zip(one, other, strict=True)), zero) for other in ways[: r + 1]] for r, one in enumerate(heavy)]
        lacking = [
            -self._wanted(row) - sum((a * b for a, b in zip(one, right, strict=True)), zero)
            for (_, row), one in zip(joined, heavy, strict=True)
        ]
        forces = self._solved(matrix, lacking, [self._measure(masses, matrix, joined, r) for r in range(len(joined))])
        whole = [sum((force * way[k] for force, way in zip(forces, ways, strict=True)), value) for k, value in enumerate(right)]
        closing: dict[int, list[Expression]] = {}
        for (joint, _), force in zip(joined, forces, strict=True):
            closing.setdefault(id(joint), []).append(force)
        return whole, closing

    def _measure(self, masses: Factored, matrix: list[list[Expression]], joined: list[tuple[Constraint, Row]], r: int) -> Expression:
        """What the point of the joint of row r does under a force, in both directions: what its pivot is measured by."""
        joint, row = joined[r]
        if row.beside is None:
            return sum((matrix[k][k] for k, (other, _) in enumerate(joined) if other is joint), self.writer.algebra.zero)
        way = masses.forward(row.beside)
        return sum((a * a * per for a, per in zip(way, masses.inverse, strict=True)), matrix[r][r])

    def _wanted(self, row: Row) -> Expression:
        kappa = self.writer.algebra.number(self.stabilisation)
        return row.rest + kappa * (self.writer.algebra.literal(2.0) * row.rate + kappa * row.gap)

    def _solved(self, matrix: list[list[Expression]], right: list[Expression], measures: list[Expression]) -> list[Expression]:
        """The forces that close the loops, softly where the pose is singular; as names."""
        writer, size, place = self.writer, len(right), self.plan.room
        if self.plan.redundant:
            return self._shared(matrix, right, measures)
        factored = Factored(matrix)
        text = [[writer.text(value) for value in (*row, b)] for row, b in zip(matrix, right, strict=True)]
        shares = [writer.text(pivot / measure) for pivot, measure in zip(factored.pivots, measures, strict=True)]
        names = [writer.fresh() for _ in right]
        writer.line(f"least = min(1.0, {', '.join(shares)})")
        with writer.block("if least > SINGULAR:"):
            for name, force in zip(names, factored.back(factored.forward(right)), strict=True):
                writer.line(f"{name} = {writer.text(force)}")
        with writer.block("else:"):
            self._note()
            self._put(text, [writer.text(measure) for measure in measures])
            writer.line(f"solve_softly(s, {place}, {size})")
            for r, own in enumerate(names):
                writer.line(f"{own} = s[{place + size * size + r}]")
        return [writer.algebra.name(name) for name in names]

    def _shared(self, matrix: list[list[Expression]], right: list[Expression], measures: list[Expression]) -> list[Expression]:
        """The same where rows follow from others: these share; a pose is singular where more of them do than usual."""
        writer, size, place = self.writer, len(right), self.plan.room
        full = [[matrix[max(r, c)][min(r, c)] for c in range(size)] for r in range(size)]
        table = [[writer.text(value) for value in (*row, b)] for row, b in zip(full, right, strict=True)]
        self._put(table, [writer.text(measure) for measure in measures])
        with writer.block(f"if solve_shared(s, {place}, {size}) > {self.plan.redundant}:"):
            self._note()
        names = [writer.fresh() for _ in range(size)]
        for r, name in enumerate(names):
            writer.line(f"{name} = s[{place + size * size + r}]")
        return [writer.algebra.name(name) for name in names]

    def _note(self) -> None:
        """That a singular pose has been come to: another one, and not its next step."""
        stabilisation, passing = self.writer.text(self.writer.algebra.number(self.stabilisation)), self.plan.passing
        with self.writer.block(f"if s[{passing}] == 0.0 or t - s[{passing + WHEN}] > 1.0 / {stabilisation}:"):
            self.writer.line(f"s[{passing}] += 1.0")
        self.writer.line(f"s[{passing + WHEN}] = t")

    def _put(self, table: list[list[str]], measures: list[str]) -> None:
        """Matrix, right side and measures, as text, to where they are solved."""
        size, place = len(table), self.plan.room
        for r, (row, measure) in enumerate(zip(table, measures, strict=True)):
            for c, value in enumerate(row[:-1]):
                self.writer.line(f"s[{place + size * r + c}] = {value}")
            self.writer.line(f"s[{place + size * size + r}] = {row[-1]}")
            self.writer.line(f"s[{place + size * size + 2 * size + r}] = {measure}")
