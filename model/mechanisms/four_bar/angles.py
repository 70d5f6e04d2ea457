"""Zeros of a function of the crank angle over one revolution, and distances between angles."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from model.floats import Floats

TURN = 2.0 * math.pi
GRID = 7200  # angles at which signs are compared: two zeros within 0.05 deg may be missed
HALVINGS = 48  # of the grid's step: down to rounding


def grid(count: int = GRID) -> Floats:
    """Crank angles of one revolution, rad, its end left out."""
    return TURN * np.arange(count) / count


def zeros(function: Callable[[Floats], Floats], rising: bool = False) -> Floats:
    """Angles in [0, 2 pi) at which `function` (vectorised, periodic) changes its sign, sorted; only those from below if `rising`."""
    before = grid()
    negative = function(before) < 0.0
    after = np.roll(negative, -1)
    found = (negative & ~after) if rising else (negative != after)
    early, sign = before[found], np.where(negative[found], -1.0, 1.0)
    if not len(early):
        return early
    step = TURN / GRID
    for _ in range(HALVINGS):
        step *= 0.5
        early = np.where(sign * function(early + step) > 0.0, early + step, early)
    return np.sort(np.mod(early + 0.5 * step, TURN))


def apart(one: Floats | float, other: Floats | float) -> Floats:
    """From `one` to `other` the shorter way round, rad, positive forwards."""
    return np.asarray(np.mod(np.asarray(other) - np.asarray(one) + math.pi, TURN) - math.pi)
