"""Taylor arithmetic: against closed derivatives, and the polynomials that it gives against the functions themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.mechanisms.four_bar.taylor import Jet, angle_of, cosine_sine

Floats = NDArray[np.float64]

ORDER = 6
numbers = st.floats(-2.0, 2.0)


def polynomial(*coefficients: float) -> Jet:
    return Jet(np.array([*coefficients, *[0.0] * (ORDER + 1 - len(coefficients))]))


def test_the_time_itself_has_the_derivatives_of_its_powers() -> None:
    t = polynomial(3.0, 1.0)
    cube = t * t * t
    assert [float(cube.derivative(k)) for k in range(5)] == pytest.approx([27.0, 27.0, 18.0, 6.0, 0.0])
    assert [float((1.0 * t / cube).derivative(k)) for k in range(4)] == pytest.approx([3**-2, -2 * 3**-3, 6 * 3**-4, -24 * 3**-5])
    assert [float((t * t).sqrt().derivative(k)) for k in range(3)] == pytest.approx([3.0, 1.0, 0.0], abs=1e-14)


@given(numbers, st.floats(0.2, 2.0))
def test_sine_and_cosine_follow_their_derivatives_round(phase: float, speed: float) -> None:
    cosine, sine = cosine_sine(polynomial(phase, speed))
    for k in range(ORDER + 1):
        turned = phase + k * math.pi / 2
        assert float(cosine.derivative(k)) == pytest.approx(speed**k * math.cos(turned), abs=1e-11)
        assert float(sine.derivative(k)) == pytest.approx(speed**k * math.sin(turned), abs=1e-11)


@given(numbers, numbers, numbers, numbers)
def test_an_angle_comes_back_from_its_vector(a: float, b: float, c: float, e: float) -> None:
    angle, length = polynomial(a, b, c, e), polynomial(2.0, b, -c)
    cosine, sine = cosine_sine(angle)
    assert np.allclose(angle_of(cosine * length, sine * length).coefficients, angle.coefficients, atol=1e-8)


@given(numbers, numbers, numbers)
def test_operations_undo_each_other_and_commute_with_the_derivative(a: float, b: float, c: float) -> None:
    x, y = polynomial(a, b, c, 0.5), polynomial(3.0, c, a)
    assert np.allclose((x / y * y).coefficients, x.coefficients, atol=1e-9)
    assert np.allclose((y.sqrt() * y.sqrt()).coefficients, y.coefficients, atol=1e-9)
    assert np.allclose((x * y).rate().coefficients, (x.rate() * y + x * y.rate()).coefficients, atol=1e-9)
    assert np.allclose(x.rate().integral(x.value).coefficients, x.coefficients)
    assert np.allclose((1.0 - x).coefficients, (-(x - 1.0)).coefficients)


def test_what_two_jets_know_together_is_the_lower_order() -> None:
    assert (polynomial(1.0, 2.0) * polynomial(1.0).rate()).order == ORDER - 1
    with pytest.raises(IndexError):
        polynomial(1.0).derivative(ORDER + 1)
