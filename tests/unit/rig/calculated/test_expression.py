"""What an expression may be, and what is refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.calculated.expression import ARITY, Call, Channel, Node, Number, Operation, WrongExpression, channels, parse, written
from tests.each_row import each_row

NUMBERS = st.floats(min_value=0.0, max_value=1e12).map(Number)
NAMES = st.sampled_from(["stroke", "command", "predicted.stroke", "a channel", "predicted.a-b"]).map(Channel)


def _grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    two = st.builds(lambda sign, parts: Operation(sign, parts), st.sampled_from(["+", "-", "*", "/", "**"]), st.tuples(inner, inner))
    one = st.builds(lambda part: Operation("neg", (part,)), inner)
    of = st.builds(lambda name, part: Call(name, (part,)), st.sampled_from(["abs", "peak", "phase", "mean"]), inner)
    return two | one | of


TREES = st.recursive(NUMBERS | NAMES, _grown, max_leaves=8)


@given(TREES)
def test_a_tree_is_read_back_as_it_was_written(tree: Node) -> None:
    assert parse(written(tree)) == tree


def test_quantities_and_names_in_backticks() -> None:
    assert parse("(stroke - 0.2 mm) / `gauge length`") == Operation(
        "/", (Operation("-", (Channel("stroke"), Number(0.2, "mm"))), Channel("gauge length"))
    )
    assert parse("2*x + 9.81 m/s^2") == Operation("+", (Operation("*", (Number(2.0), Channel("x"))), Number(9.81, "m/s^2")))
    assert parse("-2**2") == Operation("neg", (Operation("**", (Number(2.0), Number(2.0))),))  # as Python has it
    assert list(channels(parse("measured - predicted.measured"))) == ["measured", "predicted.measured"]


@each_row(
    "text",
    [
        "__import__('os').system('true')", "stroke.real", "[stroke]", "stroke if 1 else 2", "lambda: 1", "stroke > 1", "'text'", "x[0]",
        "f'{x}'", "(x := 1)", "True", "1j", "1e999", "x @ y", "x // y", "x % y", "x and y", "{x}", "x;y", "", "(", "abs(*x)",
        "abs(x, key=1)",
        "predicted.a.b", "1" * 600, "abs(" * 40 + "x" + ")" * 40, "-" * 100 + "x", "9" * 400,
    ],
)  # fmt: skip
def test_all_else_is_refused(text: str) -> None:
    with pytest.raises(WrongExpression):
        parse(text)


def test_functions_are_named_with_their_arguments() -> None:
    with pytest.raises(WrongExpression, match=r"no function 'eval'; there are abs, sqrt"):
        parse("eval(x)")
    with pytest.raises(WrongExpression, match=r"stiffness: expected 2 arguments, got 1"):
        parse("stiffness(x)")
    with pytest.raises(WrongExpression, match=r"rms: argument 2 has to be a number, got stroke"):
        parse("rms(x, stroke)")
    assert all(low <= high for low, high in ARITY.values())
