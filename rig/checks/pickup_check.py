"""Pulses that a pickup should have given, or should not, by the encoder on its shaft: one can be bridged or left out, but it is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

MISSING, EXTRA = "missing_pulse", "extra_pulse"
NEAR = 0.5
"""Share of a pulse's angle: two pulses further apart than one and this lack one between them, nearer than this one is too many."""
TURNED_BACK = 0.05
"""Share of a pulse's angle by which a shaft that turned back may give a pulse again: a tooth has two flanks."""


@dataclass(frozen=True)
class Wrong:
    """By `sample`, `in_all` pulses were missing, or too many (`kind`); the shaft had passed `expected` by then."""

    sample: int
    kind: str
    in_all: int
    expected: int


class PickupCheck:
    """Takes blocks in order. pitch: angle (rad) from pulse to pulse. Tells of the first wrong one of a kind, then at each doubling."""

    def __init__(self, pitch: float) -> None:
        self._pitch = pitch
        self._pulses, self._at = np.nan, np.nan  # at the last sample; angle of the last pulse
        self._furthest = 0.0  # pulses' angles that the shaft has been away from there
        self._expected = 0
        self._in_all, self._next = {MISSING: 0, EXTRA: 0}, {MISSING: 1, EXTRA: 1}

    def check(self, first: int, pulses: Samples, angle: Samples) -> list[Wrong]:
        """The next samples (k,) of both, from sample `first` on; pulses are counted, angle in rad."""
        if not len(pulses):
            return []
        before = pulses[0] if np.isnan(self._pulses) else self._pulses
        self._pulses = float(pulses[-1])
        new = np.diff(pulses, prepend=before)
        found: list[Wrong] = []
        begin = 0
        for n in map(int, np.flatnonzero(new > 0.0)):
            self._look(angle[begin : n + 1])
            begin = n
            found += self._pulse(first + n, float(angle[n]), round(float(new[n])))
        self._look(angle[begin:])
        return found

    def _look(self, angle: Samples) -> None:
        if not np.isnan(self._at):
            self._furthest = max(self._furthest, float(np.max(np.abs(angle - self._at), initial=0.0)) / self._pitch)

    def _pulse(self, sample: int, angle: float, new: int) -> Iterator[Wrong]:
        """`new` pulses at this sample: all but one of them are too many."""
        apart = abs(angle - self._at) / self._pitch
        extra = new - 1
        if apart < NEAR and self._furthest - apart < TURNED_BACK:
            extra = new  # the one before was this turn's: it stays where it was
        else:
            self._at, self._furthest = angle, 0.0
        if apart >= NEAR:  # not the first one: where the one before it would have been, nobody knows
            self._expected += max(1, round(apart))
            yield from self._count(sample, MISSING, max(0, int(apart - NEAR)))
        yield from self._count(sample, EXTRA, extra)

    def _count(self, sample: int, kind: str, more: int) -> Iterator[Wrong]:
        self._in_all[kind] += more
        if more and self._in_all[kind] >= self._next[kind]:
            self._next[kind] = 2 * self._in_all[kind]
            yield Wrong(sample, kind, self._in_all[kind], self._expected)
