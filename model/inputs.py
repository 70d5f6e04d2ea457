"""Sampled input between its samples: the cubic through the four samples around an instant, compiled.

The window u is [index of its first sample, rate in Hz, samples ...]; t = n / rate. Error of a sine of frequency f: (2 pi f/rate)^4/43.
"""

from __future__ import annotations

import math

from model.signatures import REAL, VECTOR, Floats, compiled

HEADER = 2
FIRST, RATE = range(HEADER)


@compiled(REAL(VECTOR, REAL))
def sample(u: Floats, t: float) -> float:
    """Value at t (s); outside the window that of its first or last cubic."""
    place = t * u[1] - u[0]
    i = min(max(math.floor(place), 1), u.size - 5)
    x = place - i
    j = int(i) + 2
    before, left, right, after = u[j - 1], u[j], u[j + 1], u[j + 2]
    third = (after - before + 3.0 * (left - right)) / 6.0
    second = 0.5 * (before - 2.0 * left + right)
    first = right - left - second - third
    return float(left + x * (first + x * (second + x * third)))


@compiled(REAL(VECTOR, REAL))
def slope(u: Floats, t: float) -> float:
    """Time derivative at t (s), per s."""
    place = t * u[1] - u[0]
    i = min(max(math.floor(place), 1), u.size - 5)
    x = place - i
    j = int(i) + 2
    before, left, right, after = u[j - 1], u[j], u[j + 1], u[j + 2]
    third = (after - before + 3.0 * (left - right)) / 6.0
    second = 0.5 * (before - 2.0 * left + right)
    first = right - left - second - third
    return float((first + x * (2.0 * second + x * 3.0 * third)) * u[1])
