"""A clock of constant rate."""

from __future__ import annotations

import math

import numpy as np

from drivers.simulated.daqmx.core.instants import Times


class Timeline:
    """Clock edges at start + n / rate (bench time in s), n from 0; `ticks` of them have been."""

    def __init__(self, terminal: str, start: float, rate: float) -> None:
        self.terminal, self.start, self.rate = terminal, start, rate
        self.ticks = 0

    def time_of(self, tick: int) -> float:
        """Bench time of an edge."""
        return self.start + tick / self.rate

    def ticks_until(self, time: float) -> int:
        """How many edges there are up to and with `time`: exact, also where n / rate is rounded."""
        count = max(0, math.floor((time - self.start) * self.rate) + 1)
        while self.time_of(count) <= time:
            count += 1
        while count > 0 and self.time_of(count - 1) > time:
            count -= 1
        return count

    def times(self, first: int, end: int) -> Times:
        """Times of the edges first .. end - 1; the very numbers that `time_of` gives."""
        return self.start + np.arange(first, end) / self.rate
