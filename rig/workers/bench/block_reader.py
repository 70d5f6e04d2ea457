"""Blocks as the device has them: one at a time while the worker keeps up, several in one call when it is behind.

A call takes as long for four blocks as for one, so a computer that is a tenth too slow for a call a block keeps up with a call for two.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from rig.host import clock as host_clock
from rig.workers.bench.sample_times import SampleTimes

WAITED = 0.5
"""A read that took so much of a block's time has waited for its last sample, the newest there is; or a call takes that long."""
LONG = 1.05
"""Times what was read, from the arrival before: a turn that took so much longer waited for nothing, or the device stood still."""

Block = NDArray[np.float64]


class Reading:
    """Gives out blocks of `block` samples at `rate` (Hz), fetched `most` at a time at most; `clock` counts s.

    `left`: blocks that have been fetched and not yet been given out. `times`: when its samples are taken.
    """

    def __init__(self, daq: Daq, block: int, rate: float, most: int = 1, clock: Callable[[], float] = host_clock.now) -> None:
        self._daq, self._block, self._rate, self._most, self._clock = daq, block, rate, most, clock
        self._fetched = np.empty((0, 0))
        self._read = 0
        self._begin = math.inf  # by `clock`, of the first sample: no later than this
        self._came = -math.inf
        self.left = 0
        self.times = SampleTimes(rate)

    def next(self) -> Block:
        """The next block of every channel: (block, channels)."""
        if not self.left:
            self._fetch()
        first = len(self._fetched) - self.left * self._block
        self.left -= 1
        return self._fetched[first : first + self._block]

    def _fetch(self) -> None:
        blocks = min(max(1, self._waiting() // self._block), self._most)
        asked, before = self._clock(), self._came
        self._fetched = self._daq.read(blocks * self._block)
        came = self._came = self._clock()
        self._read += blocks * self._block
        self.left = blocks
        waited = came - asked > WAITED * self._block / self._rate
        self.times.took(self._read, came, waited)
        begin = came - self._read / self._rate
        if not waited:
            self._begin = min(self._begin, begin)
        elif came - before <= LONG * blocks * self._block / self._rate or self._most == 1:
            # What had to be waited for tells where the device is now; its clock may have stood still, or go at another rate than this one.
            self._begin = begin
        else:
            self._begin = self._clock() - (self._read + self._daq.samples_waiting()) / self._rate

    def _waiting(self) -> int:
        """How many samples the device should have by now that have not been read."""
        return 0 if math.isinf(self._begin) else int((self._clock() - self._begin) * self._rate) - self._read
