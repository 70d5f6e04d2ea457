"""Sensor noise as a pure function of seed, signal and instant.

Whoever samples the same instant gets the same value, however the time before it was cut into pieces and whatever else was sampled.
"""

from __future__ import annotations

import math

import model  # noqa: F401 - sets numba's cache folder before numba is imported
import numba
import numpy as np

NANOSECONDS = 1e9


def _mixed(x: np.uint64) -> np.uint64:
    """The finaliser of SplitMix64: 64 bits in, 64 well mixed bits out."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


_mixed_compiled = numba.njit(numba.uint64(numba.uint64), cache=True, nogil=True)(_mixed)


def _gaussian(seed: int, signal: int, time: float) -> float:
    """One standard normal value for `signal` at `time` (s, resolved to a nanosecond)."""
    instant = np.uint64(np.int64(np.floor(time * NANOSECONDS + 0.5)))
    key = _mixed_compiled(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(signal + 1))
    first = _mixed_compiled(key ^ instant)
    second = _mixed_compiled(first + np.uint64(0x9E3779B97F4A7C15))
    # 53 bits each, shifted by half a unit: never 0, so that the logarithm is finite.
    u = (float(first >> np.uint64(11)) + 0.5) * 2.0**-53
    v = float(second >> np.uint64(11)) * 2.0**-53
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


gaussian = numba.njit(numba.float64(numba.int64, numba.int64, numba.float64), cache=True, nogil=True)(_gaussian)
