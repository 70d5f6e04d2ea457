"""Sensor noise as a pure function of seed, signal and instant.

Whoever samples the same instant gets the same value, however the time before it was cut into pieces and whatever else was sampled.
"""

from __future__ import annotations

import functools
import math

import numba
import numpy as np
from numpy.typing import NDArray

NANOSECONDS = 1e9
ROUNDING = 0.3  # and not a half: instants n / 51.2 kHz are at quarters of a nanosecond, so that halves would fall either way

_F = numba.float64
_compiled = functools.partial(numba.njit, cache=True, nogil=True)


def _mixed(x: np.uint64) -> np.uint64:
    """The finaliser of SplitMix64: 64 bits in, 64 well mixed bits out."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


mixed = _compiled(numba.uint64(numba.uint64))(_mixed)


def _gaussian(seed: int, signal: int, time: float) -> float:
    """One standard normal value for `signal` at `time` (s, resolved to a nanosecond)."""
    instant = np.uint64(np.int64(np.floor(time * NANOSECONDS + ROUNDING)))
    key = mixed(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(signal + 1))
    first = mixed(key ^ instant)
    second = mixed(first + np.uint64(0x9E3779B97F4A7C15))
    # 53 bits each, shifted by half a unit: never 0, so that the logarithm is finite.
    u = (float(first >> np.uint64(11)) + 0.5) * 2.0**-53
    v = float(second >> np.uint64(11)) * 2.0**-53
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


gaussian = _compiled(_F(numba.int64, numba.int64, _F))(_gaussian)


def _add_noise(
    out: NDArray[np.float64], times: NDArray[np.float64], rms: NDArray[np.float64], ages: NDArray[np.float64], seed: int
) -> None:
    """Add noise to `out` (m, signals) at `times` (m,), s; `rms` (signals,) in the unit of `out`.

    ages (signals,), s: how old what comes out is; the noise of a delayed signal was made before the delay.
    """
    for signal in range(out.shape[1]):
        if rms[signal] > 0.0:
            for i in range(out.shape[0]):
                out[i, signal] += rms[signal] * gaussian(seed, signal, times[i] - ages[signal])


add_noise = _compiled(numba.void(_F[:, ::1], _F[::1], _F[::1], _F[::1], numba.int64))(_add_noise)
