"""Sampled input between its samples: the cubic through the four samples around an instant, compiled.

The window u is [index of its first sample, rate in Hz, samples ...]; t = n / rate. Error of a sine of frequency f: (2 pi f/rate)^4/43.
"""

from __future__ import annotations

import math

import numba as nb

from model.signatures import REAL, VECTOR

HEADER = 2
FIRST, RATE = range(HEADER)


@nb.njit(REAL(VECTOR, REAL), cache=True, error_model="numpy")
def sample(u, t):
    """Value at t (s); outside the window that of its first or last cubic."""
    place = t * u[1] - u[0]
    i = min(max(math.floor(place), 1), u.size - 5)
    x = place - i
    j = int(i) + 2
    before, left, right, after = u[j - 1], u[j], u[j + 1], u[j + 2]
    third = (after - before + 3.0 * (left - right)) / 6.0
    second = 0.5 * (before - 2.0 * left + right)
    first = right - left - second - third
    return left + x * (first + x * (second + x * third))


@nb.njit(REAL(VECTOR, REAL), cache=True, error_model="numpy")
def slope(u, t):
    """Time derivative at t (s), per s."""
    place = t * u[1] - u[0]
    i = min(max(math.floor(place), 1), u.size - 5)
    x = place - i
    j = int(i) + 2
    before, left, right, after = u[j - 1], u[j], u[j + 1], u[j + 2]
    third = (after - before + 3.0 * (left - right)) / 6.0
    second = 0.5 * (before - 2.0 * left + right)
    first = right - left - second - third
    return (first + x * (2.0 * second + x * 3.0 * third)) * u[1]
