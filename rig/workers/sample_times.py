"""When the samples of a device that runs on by itself are taken, by the clock of this computer, from when its blocks have come."""

from __future__ import annotations

import math
from collections import deque

PIECES = 10
"""Into which the time that is looked back on is cut; each is forgotten as a whole."""
HARDWARE = 3.0
"""Time (s) to look back on where the device is a real one: longer than a computer is busy, while two clocks come apart by less than
they can be told to (150 us, where they differ by 50 ppm)."""
BY_HAND = 0.1
"""The same where the device may stand still unseen, as one does that somebody simulates on a host that is not this program's."""


class SampleTimes:
    """Of samples at `rate` (Hz). A block comes late, never early, and late by milliseconds where the computer is busy: what counts is the
    one that came with the least delay within the last `memory` s; infinite for a device that goes by the very clock that is read here."""

    def __init__(self, rate: float, memory: float = math.inf) -> None:
        self._rate, self._piece = rate, memory * rate / PIECES
        self._begins: deque[float] = deque(maxlen=PIECES)  # the least of each piece
        self._since = 0

    def took(self, samples: int, came: float) -> None:
        """So many samples in all had come at `came` (s, by the clock that `of` is to be read by)."""
        begin = came - samples / self._rate
        if not self._begins or samples - self._since >= self._piece:
            self._begins.append(begin)
            self._since = samples
        else:
            self._begins[-1] = min(self._begins[-1], begin)

    def of(self, sample: int) -> float | None:
        """Time (s) of a sample; None before anything has come."""
        return min(self._begins) + sample / self._rate if self._begins else None
