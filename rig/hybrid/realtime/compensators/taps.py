"""Compensators that weigh the targets of the last samples: none at all, polynomial extrapolation, and the plant's inverse.

extrapolation   x(t + tau) of the polynomial through x(t), x(t - tau), ... (Horiuchi, Inoue, Konno, Namita, Earthq. Eng. Struct. Dyn. 28
                (1999) 1121, eq 6 to 8)
inverse         a_0 x + a_1 x' + a_2 x'' (+ a_3 x''') of the plant's inverse, its first powers of s, by backward differences (Carrion,
                Spencer, NSEL Report 006 (2007); Phillips, Spencer, NSEL Report 030 (2012): feed-forward of reduced order)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.compiled.signatures import compiled
from rig.hybrid.realtime.compensators.contract import SIGNATURE, Compensator

Floats = NDArray[np.float64]

DIFFERENCES = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0], [1.0, -2.0, 1.0, 0.0], [1.0, -3.0, 3.0, -1.0]])
"""Row i over step^i is the i-th backward difference of (x_k, x_k-1, x_k-2, x_k-3)."""


@compiled(SIGNATURE)
def step(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """State: the last targets, newest first. Parameters: (lag in samples, weight), one pair after the other."""
    for k in range(state.size - 1, 0, -1):
        state[k] = state[k - 1]
    state[0] = target
    command = 0.0
    for k in range(0, parameters.size, 2):
        command += parameters[k + 1] * state[int(parameters[k])]
    return command


def weighted(name: str, lags: Floats, weights: Floats) -> Compensator:
    """The sum of the targets of `lags` samples ago, weighted."""
    parameters = np.column_stack([lags, weights]).ravel()
    return Compensator(name, step, np.ascontiguousarray(parameters), np.zeros(int(max(lags)) + 1))


def none() -> Compensator:
    """The target itself is commanded."""
    return weighted("none", np.zeros(1), np.ones(1))


def extrapolation(delay: float, rate: float, order: int = 3) -> Compensator:
    """A polynomial of that order; `delay` in s is taken to a whole number of samples at `rate`, Hz, 1 at least."""
    spacing = max(round(delay * rate), 1)
    k = np.arange(order + 1)
    weights = [np.prod([(1.0 + j) / (j - i) for j in k if j != i]) for i in k]  # Lagrange, at one spacing ahead
    return weighted("extrapolation", (k * spacing).astype(np.float64), np.array(weights, dtype=np.float64))


def inverse(coefficients: Floats, rate: float) -> Compensator:
    """Command over displacement in rising powers of s (transfer_system.denominator), as many as shall count, four at most."""
    order = len(coefficients) - 1
    weights = (coefficients * rate ** np.arange(order + 1)) @ DIFFERENCES[: order + 1, : order + 1]
    return weighted(f"inverse_{order}", np.arange(order + 1, dtype=np.float64), weights)
