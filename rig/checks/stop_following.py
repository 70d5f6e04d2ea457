"""Whether the force goes down with the command while a test is stopped: a valve that sticks, or has lost its supply, follows no ramp.

Pure functions of arrays and state.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHARE = 0.25
"""Of the largest force at the begin of the stop, that may be left beyond what is commanded."""
LAG = 0.1
"""s for which a force may still be where the command was: far more than a loop takes."""
LASTS = 0.05
"""s for which it has to be left: an impact is over sooner."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Left:
    """At `sample` the force has been beyond what was commanded within LAG for LASTS; N."""

    sample: int
    force: float
    command: float


class StopCheck:
    """Takes the blocks of a stop in order; least: N that may always be left; rate in Hz. Told once."""

    def __init__(self, least: float, rate: float) -> None:
        self._least, self._rate = least, rate
        self._recent: deque[tuple[int, float, float]] = deque()  # blocks: samples, smallest and largest command
        self._largest = 0.0
        self._seen = 0
        self._since: int | None = None
        self._told = False

    def check(self, first: int, command: Floats, force: Floats) -> Left | None:
        """Samples from `first` on, (k,) each, N."""
        self._recent.append((len(command), float(command.min()), float(command.max())))
        while sum(count for count, _, _ in self._recent) - self._recent[0][0] >= LAG * self._rate:
            self._recent.popleft()
        if self._seen < LAG * self._rate:
            self._largest = max(self._largest, float(np.abs(force).max()))
        self._seen += len(force)
        most = max(self._least, SHARE * self._largest)
        low, high = min(0.0, *(one for _, one, _ in self._recent)), max(0.0, *(one for _, _, one in self._recent))
        inside = (force <= high + most) & (force >= low - most)
        if inside.any():  # a NaN is left, too
            self._since = None if inside[-1] else first + int(np.flatnonzero(inside)[-1]) + 1
        elif self._since is None:
            self._since = first
        end = first + len(force)
        if self._told or self._since is None or end - self._since < LASTS * self._rate:
            return None
        self._told = True
        return Left(end - 1, float(force[-1]), float(command[-1]))
