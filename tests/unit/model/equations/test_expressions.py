"""Expressions: what is known is worked out, what is 0 is gone, what is the same is made once."""

from __future__ import annotations

import numpy as np
import pytest

from model.equations.expressions import NUMBER, Algebra, Expression
from model.equations.loops import Factored
from model.equations.writer import Parameters, Writer


def value(one: Expression, **names: float) -> float:
    writer = Writer(one.algebra, Parameters())
    text = writer.text(one)
    space: dict[str, object] = {"p": writer.parameters.values, "math": __import__("math"), **names}
    exec("\n".join(line.strip() for line in writer.lines), space)
    return float(eval(text, space))


def test_numbers_are_worked_out_and_zeros_take_terms_away() -> None:
    a = Algebra()
    x, two, three = a.name("x"), a.number(2.0), a.number(3.0)
    assert (two * three).kind == NUMBER and (two * three).value == 6.0
    assert (x * a.zero).zero and x + a.zero is x and (x - x).zero and a.one * x is x
    assert two * (three * x) is (two * three) * x
    assert (x * two) * (three * x) is a.number(6.0) * (x * x)
    assert x - two is not two - x and -(x - two) is two - x
    assert a.cosine(a.zero) is a.one and a.number(0.0) is a.zero


def test_what_is_written_is_what_was_meant() -> None:
    a = Algebra()
    x, y = a.name("x"), a.name("y")
    one = (x * a.number(1.5) - y / x) * (x * a.number(1.5) - y / x).root() - (-y) + a.literal(2.0) * (x - y).size()
    held = 1.5 * 3.0 - 0.7 / 3.0
    assert value(one, x=3.0, y=0.7) == pytest.approx(held * held**0.5 + 0.7 + 2.0 * 2.3, rel=1e-15)


def test_a_sum_that_is_asked_for_in_a_branch_is_made_again_outside() -> None:
    a = Algebra()
    writer, total = Writer(a, Parameters()), a.name("x") + a.name("y")
    with writer.block("if x > 0.0:"):
        within = writer.text(total)
    assert writer.text(total) != within and writer.text(total) == writer.text(total)


def test_the_solution_of_a_symmetric_matrix() -> None:
    rng, a = np.random.default_rng(2), Algebra()
    root = rng.normal(size=(5, 5))
    matrix, right = root @ root.T, rng.normal(size=5)
    lower = [[a.number(v) for v in row] for row in matrix]
    factored = Factored(lower)
    found = [one.value for one in factored.back(factored.forward([a.number(v) for v in right]))]
    assert found == pytest.approx(np.linalg.solve(matrix, right), rel=1e-10)
