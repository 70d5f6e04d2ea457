"""When the samples of a device that runs on by itself are taken, by the clock of this computer, from when its blocks have come."""

from __future__ import annotations

from collections import deque

BLOCKS = 10
"""How many blocks are looked at: one of them comes without delay as a rule, and a simulated device that stood still is soon followed."""


class SampleTimes:
    """Of samples at `rate` (Hz). A block comes late, never early, and late by milliseconds where the computer is busy: what counts is the
    one of the last BLOCKS that came with the least delay."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._begins: deque[float] = deque(maxlen=BLOCKS)

    def took(self, samples: int, came: float) -> None:
        """So many samples in all had come at `came` (time.monotonic(), s)."""
        self._begins.append(came - samples / self._rate)

    def of(self, sample: int) -> float | None:
        """Time (s) of a sample; None before anything has come."""
        return min(self._begins) + sample / self._rate if self._begins else None
