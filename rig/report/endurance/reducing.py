"""A million cycles to as many points as a picture can show: smallest and largest of each stretch of cycles. No outlier is lost."""

from __future__ import annotations

import numpy as np

from rig.report.endurance.cycle_tables import Floats, Whole

STRETCHES = 1500


class Reduced:
    """One value of cycles first .. last, which come block by block."""

    def __init__(self, first: int, last: int, stretches: int = STRETCHES) -> None:
        self._first, count = first, last - first + 1
        self._length = -(-count // stretches)
        self.low, self.high = (np.full(-(-count // self._length), np.nan) for _ in range(2))

    def add(self, cycle: Whole, values: Floats) -> None:
        """Values (k,) of those cycles (k,); a NaN says nothing."""
        into = (cycle - self._first) // self._length
        inside = (into >= 0) & (into < len(self.low))
        into, values = into[inside], np.where(np.isfinite(values[inside]), values[inside], np.nan)
        if not len(into):
            return
        starts = np.flatnonzero(np.diff(into, prepend=into[0] - 1))
        at = into[starts]
        np.fmin.at(self.low, at, np.fmin.reduceat(values, starts))
        np.fmax.at(self.high, at, np.fmax.reduceat(values, starts))

    def curve(self) -> tuple[Floats, Floats]:
        """(cycle, value) to be drawn as one line; a stretch of more than one cycle from its smallest to its largest."""
        cycles = self._first + self._length * np.arange(len(self.low), dtype=np.float64) + 0.5 * (self._length - 1)
        if self._length == 1:
            return cycles, self.low
        return np.repeat(cycles, 2), np.stack((self.low, self.high), axis=1).ravel()
