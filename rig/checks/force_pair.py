"""Force at both ends of a piston: what the load cell shows, and what the pressure difference gives. Within inertia and friction they are
one force, so that a cell that shows nothing is told before the loop that closes on it has torn the specimen. Pure functions of arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHARE = 0.2
"""Of the larger of both, by which they may differ beside the share of full scale."""
WINDOW = 0.02
"""s over which both are averaged: an impact moves the masses between them for a millisecond."""


@dataclass(frozen=True)
class Apart:
    """At `sample` the two are so many N."""

    sample: int
    cell: float
    piston: float


class ForcePairCheck:
    """Takes blocks in order; least: N by which they may always differ; rate in Hz. Told once."""

    def __init__(self, least: float, rate: float) -> None:
        self._least, self._window = least, max(1, round(WINDOW * rate))
        self._kept = np.empty((0, 2))
        self._told = False

    def check(self, first: int, cell: NDArray[np.float64], piston: NDArray[np.float64]) -> Iterable[Apart]:
        """Samples from `first` on, (k,) each, N."""
        both = np.concatenate([self._kept, np.column_stack([cell, piston])])
        first -= len(self._kept)
        whole = len(both) // self._window
        self._kept = both[whole * self._window :].copy()
        means = both[: whole * self._window].reshape(whole, self._window, 2).mean(axis=1)
        apart = ~(np.abs(means[:, 0] - means[:, 1]) <= self._least + SHARE * np.abs(means).max(axis=1))
        if self._told or not apart.any():
            return []
        self._told = True
        at = int(np.argmax(apart))
        return [Apart(first + (at + 1) * self._window - 1, *(float(one) for one in means[at]))]
