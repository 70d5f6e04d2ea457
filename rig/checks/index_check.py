"""What an encoder's index has put right: counts that were lost since it passed last, or that noise has made. It is told as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

TURN = 2.0 * np.pi
LEAST = 2.5
"""Counts: a smaller step is what two edges do that come between two samples."""
UNEVEN = 0.05
"""Share of what the shaft usually turns in a sample by which it may turn more or less in the next."""
BESIDE = 5
"""Samples at either side that tell how far the shaft turns in one."""


@dataclass(frozen=True)
class Corrected:
    """At `sample` the angle was put right by `counts`; so far that has happened `in_all` times."""

    sample: int
    counts: int
    in_all: int


class IndexCheck:
    """Takes blocks in order. index: its angle; resolution: angle of one count (rad). Tells of the first one, then at each doubling.

    The first time that the index passes it puts right whatever the angle at the start was wrong by: that is none.
    """

    def __init__(self, index: float, resolution: float) -> None:
        self._index, self._resolution = index, resolution
        self._kept = np.empty(0)  # the last samples: what is beside those that come next
        self._passed = False
        self._low, self._high = np.inf, -np.inf  # how far the shaft has been
        self._in_all, self._next = 0, 1

    def check(self, first: int, angle: Samples) -> list[Corrected]:
        """The next samples (k,) of the angle, rad, from sample `first` on; the last BESIDE of them are looked at with the next ones."""
        angle = np.concatenate((self._kept, angle))
        begin = first - len(self._kept)
        self._kept = angle[-2 * BESIDE - 1 :]
        found = []
        steps = np.diff(angle)
        inside = slice(BESIDE, len(steps) - BESIDE)
        if inside.start >= inside.stop:
            return []
        away = np.abs((angle[1:] - self._index + np.pi) % TURN - np.pi)
        near = (away <= np.abs(steps) + 2.0 * self._resolution) & (np.abs(steps) > LEAST * self._resolution)
        for n in np.flatnonzero(near[inside]) + BESIDE:
            usual = float(np.median(np.concatenate((steps[n - BESIDE : n], steps[n + 1 : n + 1 + BESIDE]))))
            by = float(steps[n]) - usual
            if abs(by) <= LEAST * self._resolution + UNEVEN * abs(usual) or away[n] > abs(usual) + 2.0 * self._resolution:
                continue
            if self._passed or self._been(angle[: n + 1]) > TURN:
                self._in_all += 1
                if self._in_all >= self._next:
                    self._next = 2 * self._in_all
                    found.append(Corrected(int(begin + n + 1), round(by / self._resolution), self._in_all))
            self._passed = True
        self._been(angle[: inside.stop])
        return found

    def _been(self, angle: Samples) -> float:
        """From where to where the shaft has been, rad, with these samples."""
        self._low, self._high = min(self._low, float(np.min(angle))), max(self._high, float(np.max(angle)))
        return self._high - self._low
