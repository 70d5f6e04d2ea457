"""Sampled input between its samples: the cubic through the four samples around an instant, compiled.

The window u is [index of its first sample, rate in Hz, samples ...]; t = n / rate. Error of a sine of frequency f: (2 pi f/rate)^4/43.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numpy.typing import ArrayLike

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

HEADER = 2
FIRST, RATE = range(HEADER)


def window(first: float, rate: float, samples: ArrayLike) -> Floats:
    """u of samples (k,), the first of which has that index."""
    return np.concatenate([[first, rate], samples])


def begun(rate: float, samples: Floats) -> Floats:
    """u of the first samples, with the one before them on the cubic through the first four."""
    return window(-1.0, rate, [4.0 * (samples[0] + samples[2]) - 6.0 * samples[1] - samples[3], *samples])


@compiled(INDEX(VECTOR, REAL))
def interval(u: Floats, t: float) -> int:
    """Place in u of the sample before t (s) whose cubic holds there; the same sample for any window, to the last bit of t."""
    n = math.floor(t * u[RATE]) - u[FIRST]
    return HEADER + int(min(max(n, 1.0), u.size - HEADER - 3.0))


PIECE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
COURSE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]


@compiled(PIECE(VECTOR, REAL))
def piece(u: Floats, t: float) -> tuple[float, float, float, float, float]:
    """The cubic that holds at t (s): x in samples from the one before, then its coefficients from the constant one up."""
    j = interval(u, t)
    x = t * u[RATE] - (u[FIRST] + (j - HEADER))
    before, left, right, after = u[j - 1], u[j], u[j + 1], u[j + 2]
    third = (after - before + 3.0 * (left - right)) / 6.0
    second = 0.5 * (before - 2.0 * left + right)
    return x, left, right - left - second - third, second, third


@compiled(REAL(VECTOR, REAL))
def sample(u: Floats, t: float) -> float:
    """Value at t (s); outside the window that of its first or last cubic."""
    x, left, first, second, third = piece(u, t)
    return float(left + x * (first + x * (second + x * third)))


@compiled(REAL(VECTOR, REAL))
def slope(u: Floats, t: float) -> float:
    """Time derivative at t (s), per s."""
    x, _, first, second, third = piece(u, t)
    return float((first + x * (2.0 * second + x * 3.0 * third)) * u[RATE])


@compiled(COURSE(VECTOR, REAL))
def course(u: Floats, t: float) -> tuple[float, float, float]:
    """(value, first and second time derivative) at t (s): of what turns as the samples say."""
    x, left, first, second, third = piece(u, t)
    value = left + x * (first + x * (second + x * third))
    return value, (first + x * (2.0 * second + x * 3.0 * third)) * u[RATE], (2.0 * second + 6.0 * x * third) * u[RATE] * u[RATE]
