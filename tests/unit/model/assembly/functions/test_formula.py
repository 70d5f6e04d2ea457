"""Formulas: values and derivatives against those that a text book has; what is none is refused, and never run."""

from __future__ import annotations

import math

import pytest

from model.assembly.functions.formula import formula
from tests.each_row import each_row

CASES = [
    ("0.3*sin(2*t)", lambda t: (0.3 * math.sin(2 * t), 0.6 * math.cos(2 * t), -1.2 * math.sin(2 * t))),
    ("cos(t^2)", lambda t: (math.cos(t * t), -2 * t * math.sin(t * t), -2 * math.sin(t * t) - 4 * t * t * math.cos(t * t))),
    ("exp(-3*t)/2", lambda t: (0.5 * math.exp(-3 * t), -1.5 * math.exp(-3 * t), 4.5 * math.exp(-3 * t))),
    ("log(1+t)", lambda t: (math.log(1 + t), 1 / (1 + t), -1 / (1 + t) ** 2)),
    ("sqrt(4+t)", lambda t: (math.sqrt(4 + t), 0.5 / math.sqrt(4 + t), -0.25 * (4 + t) ** -1.5)),
    ("1/(1+t)", lambda t: (1 / (1 + t), -1 / (1 + t) ** 2, 2 / (1 + t) ** 3)),
    ("t*sin(t)", lambda t: (t * math.sin(t), math.sin(t) + t * math.cos(t), 2 * math.cos(t) - t * math.sin(t))),
    ("tanh(t)", lambda t: (math.tanh(t), 1 / math.cosh(t) ** 2, -2 * math.tanh(t) / math.cosh(t) ** 2)),
    ("atan(t)", lambda t: (math.atan(t), 1 / (1 + t * t), -2 * t / (1 + t * t) ** 2)),
    ("tan(t)", lambda t: (math.tan(t), 1 / math.cos(t) ** 2, 2 * math.tan(t) / math.cos(t) ** 2)),
    ("-(30*deg - t)", lambda t: (t - math.pi / 6, 1.0, 0.0)),
    ("2**3 + t^0", lambda t: (9.0, 0.0, 0.0)),
]  # fmt: skip


@each_row(("text", "exact"), CASES)
@each_row("t", [0.0, 0.37, 1.2])
def test_a_formula_and_its_derivatives_are_those_of_the_books(text: str, exact, t: float) -> None:  # type: ignore[no-untyped-def]
    assert formula(text, "angle")(t) == pytest.approx(exact(t), rel=1e-13, abs=1e-14)


def test_a_rise_begins_and_ends_without_speed_and_acceleration() -> None:
    rise = formula("5*rise(t/0.2)", "angle")
    assert rise(-1.0) == (0.0, 0.0, 0.0) and rise(0.0) == (0.0, 0.0, 0.0)
    assert rise(0.2) == pytest.approx((5.0, 0.0, 0.0), abs=1e-12) and rise(9.0) == (5.0, 0.0, 0.0)
    assert rise(0.1) == pytest.approx((2.5, 5.0 * 1.875 / 0.2, 0.0), abs=1e-12)


@each_row(
    ("text", "said"),
    [
        ("__import__('os').getcwd()", "expected numbers, t,"),
        ("(1).real", "expected numbers, t,"),
        ("open(t)", "there is no function 'open'; there are sin"),
        ("2*x", "there is no 'x'; there are t, pi"),
        ("sin(t", "expected a formula such as"),
        ("sin(t, 2)", "expected one argument, got 2"),
        ("2^t", "expected a number as exponent"),
        ("log(t)", "no value, speed and acceleration at t = 0"),
        ("'5'", "expected numbers, t,"),
        ("True", "expected numbers, t,"),
        ("t if t else 1", "expected numbers, t,"),
        ("1+" * 300 + "1", "at most 500 characters"),
        ("", "expected a formula such as"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"^angle: ") as error:
        formula(text, "angle")
    assert said in str(error.value)
