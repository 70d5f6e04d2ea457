"""Pulses that a pickup should have given, by the encoder on its shaft: one that is missing can be bridged, but it is told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

MISSING = 0.5
"""Share of a pulse's angle by which two pulses may lie further apart before one between them counts as missing."""


@dataclass(frozen=True)
class Missing:
    """Just before `sample` pulses were missing; `in_all` of `expected` by then."""

    sample: int
    in_all: int
    expected: int


class PulseCheck:
    """Takes blocks in order. pitch: angle (rad) from pulse to pulse. Tells of the first missing one, then at each doubling."""

    def __init__(self, pitch: float) -> None:
        self._pitch = pitch
        self._pulses, self._at = np.nan, np.nan  # at the last sample; angle of the last pulse
        self._missing = self._expected = 0
        self._next = 1

    def check(self, first: int, pulses: Samples, angle: Samples) -> list[Missing]:
        """The next samples (k,) of both, from sample `first` on; pulses are counted, angle in rad."""
        if not len(pulses):
            return []
        before = pulses[0] if np.isnan(self._pulses) else self._pulses
        self._pulses = float(pulses[-1])
        found = []
        for n in np.flatnonzero(np.diff(pulses, prepend=before) > 0.0):
            apart, self._at = abs(float(angle[n]) - self._at) / self._pitch, float(angle[n])
            if np.isnan(apart):  # the first pulse: where the one before would have been, nobody knows
                continue
            here = max(0, int(apart - MISSING))
            self._expected += max(1, round(apart))
            self._missing += here
            if here and self._missing >= self._next:
                self._next = 2 * self._missing
                found.append(Missing(first + int(n), self._missing, self._expected))
        return found
