"""Cycles of an input that nobody has counted: where it rises through its middle, and how far it is on its way to the next time."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from rig.formats.table import Floats, Values

BLOCK = 1 << 18
BAND = 0.2
"""Of the half range: below minus this it must have been before it counts as risen again, so that noise counts none."""
UNLIKE = 0.2
"""Of the period: a turn that is longer or shorter is none, as at a start, an end or a stop."""
WEAK = 0.1
"""Of the usual half range: a turn whose own is further away is one of a soft start or stop."""


@dataclass(frozen=True)
class Turns:
    """begins: sample (a fraction) at which each turn begins; counted: whether it is a whole cycle. The last begin ends the last turn."""

    begins: Floats
    counted: np.ndarray

    def at(self, first: int, last: int) -> tuple[Floats, Floats]:
        """(phase, cycle) of samples first .. last - 1: phase in rad, going on and on; cycle from 0 on, -1 where none is counted."""
        n = np.arange(first, last, dtype=np.float64)
        if len(self.begins) < 2:
            return np.zeros(last - first), np.full(last - first, -1.0)
        turn = np.searchsorted(self.begins, n, side="right") - 1
        inside = np.clip(turn, 0, len(self.begins) - 2)
        length = np.diff(self.begins)[inside]
        phase = 2.0 * math.pi * (inside + (n - self.begins[inside]) / length)
        number = np.cumsum(self.counted) - 1.0
        there = (turn >= 0) & (turn < len(self.counted))
        cycle = np.where(there & self.counted[inside], number[inside], -1.0)
        return phase, cycle


def turns(values: Values, period: float | None) -> Turns:
    """Of an input (N,). period: samples of one turn, as the experiment states it; None: it has none, and all of it is one cycle."""
    if period is None:
        return Turns(np.array([0.0, float(len(values))]), np.array([True]))
    low, high = _range(values)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    begins, extents = _crossings(values, middle, BAND * half)
    if len(begins) < 2:
        return Turns(np.array(begins), np.zeros(0, dtype=bool))
    lengths, spans = np.diff(begins), np.array(extents)
    even = np.abs(lengths - period) <= UNLIKE * period
    usual = float(np.median(spans[even])) if even.any() else 0.0
    return Turns(np.array(begins), even & (np.abs(spans - usual) <= WEAK * usual))


def _range(values: Values) -> tuple[float, float]:
    """Between which it goes."""
    low, high = math.inf, -math.inf
    for first in range(0, len(values), BLOCK):
        part = np.asarray(values[first : min(first + BLOCK, len(values))])
        low, high = float(np.fmin.reduce(part, initial=low)), float(np.fmax.reduce(part, initial=high))
    return (low, high) if low <= high else (0.0, 0.0)


def _crossings(values: Values, middle: float, band: float) -> tuple[list[float], list[float]]:
    """(where it rises through the middle, in samples; half the range between each two of these)."""
    begins: list[float] = []
    spans: list[float] = []
    armed, crossed, before, low, high = False, -1.0, math.nan, math.inf, -math.inf
    for first in range(0, len(values), BLOCK):
        part = np.asarray(values[first : min(first + BLOCK, len(values))]) - middle
        for k in _looked_at(part, before, band):
            value, last = float(part[k]), float(part[k - 1]) if k else before
            if value < -band:
                armed, crossed = True, -1.0
            elif armed and last < 0.0 <= value:
                crossed = first + k - value / (value - last)
            if armed and value > band and crossed >= 0.0:
                begins.append(crossed)
                armed, crossed = False, -1.0
        before = float(part[-1])
    for a, b in itertools.pairwise(begins):
        low, high = _range(_Part(values, int(a), int(b) + 1))
        spans.append((high - low) / 2.0)
    return begins, spans


def _looked_at(part: Floats, before: float, band: float) -> np.ndarray:
    """Samples at which the state of the counter may change: crossings of the middle, and of either end of the band."""
    longer = np.concatenate([[before], part])
    with np.errstate(invalid="ignore"):
        changes = [np.flatnonzero((longer[:-1] < level) != (longer[1:] < level)) for level in (-band, 0.0)]
        changes.append(np.flatnonzero((longer[:-1] > band) != (longer[1:] > band)))
    return np.unique(np.concatenate([[0], *changes])) if len(part) else np.empty(0, dtype=int)


class _Part:
    """Samples of a column."""

    def __init__(self, values: Values, first: int, end: int) -> None:
        self._values, self._first, self._length = values, first, max(0, end - first)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._length)
        return np.asarray(self._values[self._first + first : self._first + last])
