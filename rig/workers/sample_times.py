"""When the samples of a device that runs on by itself are taken, by the clock of this computer, from when its blocks have come."""

from __future__ import annotations

from collections import deque

BLOCKS = 10
"""How many blocks are looked at: one of them comes without delay as a rule."""
ALIKE, APART = 3, 4.0
"""So many blocks in a row that are all late by so many times what they differ in: the device stood still, as a simulated one does with its
host. Those before are forgotten; what a busy computer delays is not so even."""
LEAST = 3e-3  # s of standing still that matter


class SampleTimes:
    """Of samples at `rate` (Hz). A block comes late, never early, and late by milliseconds where the computer is busy: what counts is the
    one of the last BLOCKS that came with the least delay."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._begins: deque[float] = deque(maxlen=BLOCKS)

    def took(self, samples: int, came: float) -> None:
        """So many samples in all had come at `came` (s, by the clock that `of` is to be read by)."""
        self._begins.append(came - samples / self._rate)
        recent = list(self._begins)[-ALIKE:]
        if min(recent) - min(self._begins) > max(LEAST, APART * (max(recent) - min(recent))):
            self._begins = deque(recent, maxlen=BLOCKS)

    def of(self, sample: int) -> float | None:
        """Time (s) of a sample; None before anything has come."""
        return min(self._begins) + sample / self._rate if self._begins else None
