"""Damage by Miner's rule from closed rainflow cycles, online (fatpack, four-point method; Amzallag et al., Int. J. Fatigue 16, 1994).

What is not closed yet stays in the residue, which is as long as there are classes at most, and goes before the next reversals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import fatpack
import numpy as np

from rig.calculated.rows import Floats

PART = 4096
"""Samples that are counted at once: the value moves on with each."""
CLASSES = 64
"""Of the reference range: a range is rounded to them, and what is smaller than one does no damage."""


SHORT = 3
"""Values that close no cycle."""


class Damage:
    """Sum of (range / reference)**slope over closed cycles: 1 after one cycle of the reference's range. A NaN stays: nobody knows what
    was missed."""

    def __init__(self, slope: float, reference: float) -> None:
        self._slope, self._reference = slope, reference
        self._class = abs(reference) / CLASSES
        self._waiting = np.empty(0)
        self._residue = np.empty(0)
        self._value = 0.0

    def memory(self) -> list[float | None]:
        """The sum so far (None: unknown for ever), then the reversals that close no cycle yet. What waits to be counted is not in it: less
        than a part."""
        return [self._value if math.isfinite(self._value) else None, *self._residue.tolist()]

    def recall(self, memory: Sequence[float | None]) -> None:
        """Go on with what another one had come to."""
        value, *residue = memory
        self._value, self._residue = math.nan if value is None else value, np.array(residue, dtype=np.float64)

    def take(self, x: Floats) -> Floats:
        """Damage at each of the next samples (k,), of whole parts."""
        before = len(self._waiting)
        longer = np.concatenate([self._waiting, x])
        whole = len(longer) // PART
        values = [self._value, *(self._counted(longer[n * PART : (n + 1) * PART]) for n in range(whole))]
        self._waiting = longer[whole * PART :].copy()
        return np.array(values)[(before + 1 + np.arange(len(x))) // PART]

    def _counted(self, part: Floats) -> float:
        if not np.isfinite(part).all() or not self._class > 0.0:
            self._value = math.nan
        else:
            points = _reversals(np.concatenate([self._residue, np.round(part / self._class) * self._class]))
            cycles, self._residue = fatpack.find_rainflow_cycles(points) if len(points) > SHORT else ([], points)
            if len(cycles):
                ranges = np.abs(cycles[:, 1] - cycles[:, 0]) / abs(self._reference)
                self._value += float((ranges**self._slope).sum())
        return self._value


def _reversals(x: Floats) -> Floats:
    """Where it turns, its first value and its last one. The library's own search for them expects that there are some in every part, and
    what joins two parts loses a step between them."""
    moved = x[np.insert(np.diff(x) != 0.0, 0, True)]
    up = np.diff(moved) > 0.0
    turns = np.concatenate([[True], up[1:] != up[:-1], [True]]) if len(moved) >= SHORT else np.ones(len(moved), np.bool_)
    return np.asarray(moved[turns], dtype=np.float64)
