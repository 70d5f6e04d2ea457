"""When a trajectory next passes through a level, or turns: where a hold is to end that has a place of its own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rig.trajectory.contract import Floats, Trajectory

AT_ONCE = 1 << 16  # samples looked at together
HALVINGS = 60


def passage(level: Callable[[Floats], Floats], begin: float, until: float, rate: float) -> float | None:
    """The first time in [begin, until] (s) at which `level`, a function of times (N,), passes through 0, to rounding; None: never.

    rate: of the samples on which it is looked for, Hz.
    """
    return _first(lambda t: _passed(level, t), begin, until, rate)


def turn(trajectory: Trajectory, begin: float, until: float, rate: float) -> float | None:
    """The first time in [begin, until] (s) at which the trajectory turns, to a sample at `rate` (Hz); None where it does not."""
    return _first(lambda t: _turned(trajectory, t), begin, until, rate)


def _first(look: Callable[[Floats], float | None], begin: float, until: float, rate: float) -> float | None:
    while begin < until:
        t = begin + np.arange(AT_ONCE, dtype=np.float64) / rate
        t = t[t <= until + 1.0 / rate]
        if (found := look(t)) is not None:
            return found if found <= until else None
        begin = float(t[-1]) if len(t) > 2 else math.inf
    return None


def _passed(level: Callable[[Floats], Floats], t: Floats) -> float | None:
    x = level(t)
    at = np.flatnonzero((x[:-1] * x[1:] <= 0.0) & (x[:-1] != 0.0))
    if not len(at):
        return None
    low, high, sign = float(t[at[0]]), float(t[at[0] + 1]), float(np.sign(x[at[0]]))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if float(level(np.array([middle]))[0]) * sign > 0.0 else (low, middle)
    return high


def _turned(trajectory: Trajectory, t: Floats) -> float | None:
    steps = np.diff(trajectory.evaluate(t)[0])
    at = np.flatnonzero(steps[:-1] * steps[1:] < 0.0)
    return float(t[at[0] + 1]) if len(at) else None
