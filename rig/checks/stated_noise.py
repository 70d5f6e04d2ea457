"""Channels that are dead from the beginning: they show less noise than their sensor's record says that it has. Pure functions of arrays.

Whatever moves only adds to what a sensor shows, so too little noise is no sensor: a wire off, no supply, a converter that
repeats its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LOOKED = 0.1
"""s that are looked at."""
LEFT = 0.1
"""Share of the stated noise, less of which is none: a record may have been made with another filter."""
STEPS = 2.0**16
"""Of the range, which a converter tells apart at least. Noise below one of them need not be seen."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Quiet:
    """Channel `column` has shown noise of `rms` (its unit), and its sensor is said to have `stated`."""

    column: int
    rms: float
    stated: float


def resolved(noise: float | None, ends: tuple[float, float]) -> float:
    """The stated noise of a channel that can show `ends`; 0 where none is stated, or a converter need not show it."""
    return noise if noise is not None and noise > (ends[1] - ends[0]) / STEPS else 0.0


def too_quiet(deviation: Sequence[float] | Floats, stated: Sequence[float]) -> list[Quiet]:
    """deviation (channels,): standard deviation over LOOKED; stated: as `resolved`."""
    return [Quiet(k, float(rms), noise) for k, (rms, noise) in enumerate(zip(deviation, stated, strict=True)) if rms < LEFT * noise]


class StatedNoiseCheck:
    """Takes blocks in order, and judges the first LOOKED s, once; rate in Hz."""

    def __init__(self, stated: Sequence[float], rate: float) -> None:
        self._stated, self._wanted = list(stated), round(LOOKED * rate)
        self._kept: list[Floats] = []

    def check(self, block: Floats) -> list[Quiet]:
        """Block (k, channels)."""
        if self._wanted <= 0 or not any(self._stated):
            return []
        self._kept.append(block)
        self._wanted -= len(block)
        if self._wanted > 0:
            return []
        kept, self._kept = np.concatenate(self._kept), []
        return too_quiet(kept.std(axis=0), self._stated)
