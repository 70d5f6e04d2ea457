"""Cycles of a held test: which of them were run at the trajectory's own pace, and how far measured and predicted are apart in each.

Pure functions of the record's arrays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PACE = 0.999
"""Of the phase's step in the same cycle of a test that is not held: slower than that is held. A median of the held test's own steps will
not do: ten holds of some seconds make it slower than half of its samples, and cycles at nine tenths of the pace passed for whole ones."""


def slowest_steps(cycle: Floats, phase: Floats) -> dict[int, float]:
    """Cycle -> its smallest step of the phase from sample to sample (rad); of counted cycles."""
    return {number: float(np.min(np.diff(phase[cycle == number]))) for number in range(int(cycle.max()) + 1)}


def at_full_pace(steps: Mapping[int, float], unheld: Mapping[int, float]) -> set[int]:
    """Cycles that were nowhere held or slowed down, nor was the one before. unheld: steps of a test without a hold."""
    full = {number for number, step in steps.items() if step >= PACE * unheld[number]}
    return {number for number in full if number == 0 or number - 1 in full}


def errors(cycle: Floats, measured: Floats, predicted: Floats) -> dict[int, float]:
    """Cycle -> rms of predicted - measured over rms of measured."""
    found = {}
    for number in range(int(cycle.max()) + 1):
        at = cycle == number
        found[number] = float(np.sqrt(np.mean((predicted[at] - measured[at]) ** 2) / np.mean(measured[at] ** 2)))
    return found
