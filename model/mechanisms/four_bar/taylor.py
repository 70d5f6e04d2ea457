"""Truncated Taylor series in time, many at once: exact derivatives of closed forms, by recurrences and without differences.

A jet holds the coefficients c_k = f^(k)(t)/k!, shape (order + 1, ...); operations between two keep the lower order.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from model.floats import Floats


class Jet:
    """`coefficients` (order + 1, ...) of a function of time at many points."""

    __array_ufunc__ = None  # array * jet is the jet's business

    def __init__(self, coefficients: Floats) -> None:
        self.coefficients = coefficients

    @property
    def order(self) -> int:
        """Highest derivative that is known."""
        return len(self.coefficients) - 1

    def derivative(self, k: int) -> Floats:
        """k-th time derivative, unit of the function per s^k. Raises IndexError beyond the order."""
        return np.asarray(math.factorial(k) * self.coefficients[k])

    @property
    def value(self) -> Floats:
        """The function itself."""
        return np.asarray(self.coefficients[0])

    def rate(self) -> Jet:
        """The time derivative, of one order less."""
        return Jet(self.coefficients[1:] * _numbers(self.order, self.coefficients.ndim))

    def integral(self, value: Floats) -> Jet:
        """The function of which this is the rate, from its value."""
        rest = self.coefficients / _numbers(self.order + 1, self.coefficients.ndim)
        return Jet(np.concatenate([np.asarray(value)[None], rest]))

    def __neg__(self) -> Jet:
        return Jet(-self.coefficients)

    def __add__(self, other: Jet | float) -> Jet:
        if isinstance(other, Jet):
            size = min(len(self.coefficients), len(other.coefficients))
            return Jet(self.coefficients[:size] + other.coefficients[:size])
        total = np.array(self.coefficients)
        total[0] += other
        return Jet(total)

    __radd__ = __add__

    def __sub__(self, other: Jet | float) -> Jet:
        return self + (-other)

    def __rsub__(self, other: float) -> Jet:
        return -self + other

    def __mul__(self, other: Jet | float) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.coefficients * other)
        size = min(len(self.coefficients), len(other.coefficients))
        a, b = self.coefficients, other.coefficients
        return _series(size, lambda k, _: sum((a[i] * b[k - i] for i in range(1, k + 1)), a[0] * b[k]))

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | float) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.coefficients / other)
        size = min(len(self.coefficients), len(other.coefficients))
        a, b = self.coefficients, other.coefficients
        return _series(size, lambda k, c: (a[k] - sum(c[i] * b[k - i] for i in range(k))) / b[0])

    def sqrt(self) -> Jet:
        """Square root of a positive function."""
        a = self.coefficients
        root = np.sqrt(a[0])
        return _series(len(a), lambda k, c: (a[k] - sum(c[i] * c[k - i] for i in range(1, k))) / (2.0 * root) if k else root)


def _numbers(count: int, dimensions: int) -> Floats:
    """1, 2, ... count along the first of so many dimensions."""
    return np.arange(1.0, count + 1.0).reshape(-1, *[1] * (dimensions - 1))


def _series(size: int, coefficient: Callable[[int, list[Floats]], Floats | float]) -> Jet:
    """A jet coefficient by coefficient, each from those before it."""
    found: list[Floats] = []
    for k in range(size):
        found.append(np.asarray(coefficient(k, found)))
    return Jet(np.array(found))


def cosine_sine(angle: Jet) -> tuple[Jet, Jet]:
    """(cos, sin) of an angle in rad."""
    a = angle.rate().coefficients
    cosine, sine = [np.cos(angle.value)], [np.sin(angle.value)]
    for k in range(1, angle.order + 1):
        cosine.append(np.asarray(-sum(a[i] * sine[k - 1 - i] for i in range(k)) / k))
        sine.append(np.asarray(sum(a[i] * cosine[k - 1 - i] for i in range(k)) / k))
    return Jet(np.array(cosine)), Jet(np.array(sine))


def angle_of(x: Jet, y: Jet) -> Jet:
    """Angle of the vector (x, y), rad, its value between -pi and pi."""
    value = np.asarray(np.arctan2(y.value, x.value))
    if min(x.order, y.order) == 0:
        return Jet(value[None])
    return ((x * y.rate() - y * x.rate()) / (x * x + y * y)).integral(value)
