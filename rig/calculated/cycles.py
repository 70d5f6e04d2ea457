"""Values of a whole cycle: they stand from the first sample of the next one on, and stay where no cycle is counted.

A cycle is taken in parts of a fixed number of samples from its own first one on, so that results do not depend on blocks. Samples at which
the command's phase stands still, as in a hold, belong to no cycle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rig.calculated.rows import Floats, Rows

PART = 1024
"""Samples that are summed up at once."""
STEPS, OCTAVES = 8, 40
"""Of a force: steps to an octave, and octaves above and below 1 N (or 1 N m) that are told apart."""
ALL = 2 * OCTAVES * STEPS
Figures = NDArray[np.float64]
Reduce = Callable[[NDArray[np.float64]], Figures]
"""(k, columns), the phase last -> figures of these rows."""


class CycleValue:
    """`reduce` gives the figures of a part, `join` puts two together, `result` makes the value of a whole cycle's."""

    def __init__(self, reduce: Reduce, join: Callable[[Figures, Figures], Figures], result: Callable[[Figures], float]) -> None:
        self._reduce, self._join, self._result = reduce, join, result
        self._value = math.nan
        self._number = -1.0  # of the cycle that goes on
        self._phase = math.nan  # of the sample before
        self._moved = False
        self._whole = False  # it has been seen from its beginning
        self._figures: Figures | None = None
        self._waiting: list[NDArray[np.float64]] = []
        self._seen = 0
        self.begun: int | None = None
        self.ended: list[tuple[int, Figures]] = []
        """(sample at which the next one begins, figures) of the cycles that ended in the last rows."""

    def take(self, columns: Sequence[Floats], rows: Rows, ready: int | None) -> Floats:
        """The value at each of the next samples (k,); columns: (k,) each, which have values from sample `ready` on (None: not yet)."""
        out = np.empty(len(rows))
        self.ended = []
        moving = self._moving(rows.phase)
        table = np.column_stack([*columns, rows.phase])
        borders = [0, *(np.flatnonzero(np.diff(rows.cycle) != 0.0) + 1), len(rows)]
        for first, last in itertools.pairwise(borders):
            if first == last:
                continue
            if (number := float(rows.cycle[first])) != self._number:
                self._turn(number, self._seen + int(first), ready)
            if number >= 0.0:
                self._add(table[first:last][moving[first:last]])
            out[first:last] = self._value
        self._seen += len(rows)
        return out

    def _moving(self, phase: Floats) -> NDArray[np.bool_]:
        """Where the phase goes on; everywhere while it has never gone on, as along a path."""
        before = np.concatenate([[self._phase], phase[:-1]])
        moving: NDArray[np.bool_] = phase != before
        if len(phase):
            self._phase = float(phase[-1])
        if not self._moved:
            begun = np.flatnonzero(moving & np.isfinite(before))
            self._moved = len(begun) > 0
            moving[: begun[0] if len(begun) else len(moving)] = True
        return moving

    def _turn(self, number: float, sample: int, ready: int | None) -> None:
        """Another cycle begins; the one before it counts when it was whole: the next number follows."""
        if self._whole and number == self._number + 1.0 and (figures := self._all()) is not None:
            self._value = self._result(figures)
            self.ended.append((sample, figures))
            if self.begun is None:
                self.begun = sample
        known = ready is not None and ready <= sample
        self._whole = known and number >= 0.0 and (number == 0.0 or number == self._number + 1.0)
        self._number, self._figures, self._waiting = number, None, []

    def _add(self, table: NDArray[np.float64]) -> None:
        table = np.concatenate([*self._waiting, table])
        end = len(table) - len(table) % PART
        for first in range(0, end, PART):
            self._join_in(table[first : first + PART])
        self._waiting = [table[end:].copy()]

    def _join_in(self, part: NDArray[np.float64]) -> None:
        figures = self._reduce(np.ascontiguousarray(part))
        self._figures = figures if self._figures is None else self._join(self._figures, figures)

    def _all(self) -> Figures | None:
        for part in self._waiting:
            if len(part):
                self._join_in(part)
        return self._figures


def peak() -> CycleValue:
    """Largest value."""
    return CycleValue(lambda t: t[:, 0].max(keepdims=True), np.maximum, lambda f: float(f[0]))


def valley() -> CycleValue:
    """Smallest value."""
    return CycleValue(lambda t: t[:, 0].min(keepdims=True), np.minimum, lambda f: float(f[0]))


def amplitude() -> CycleValue:
    """Half of what is between peak and valley."""

    def reduce(table: NDArray[np.float64]) -> Figures:
        return np.array([table[:, 0].max(), -table[:, 0].min()])

    return CycleValue(reduce, np.maximum, lambda f: 0.5 * float(f[0] + f[1]))


def mean() -> CycleValue:
    """Mean of the samples."""
    return CycleValue(lambda t: np.array([len(t), t[:, 0].sum()]), np.add, lambda f: float(f[1] / f[0]))


def rms() -> CycleValue:
    """Root of the mean square."""
    return CycleValue(lambda t: np.array([len(t), (t[:, 0] * t[:, 0]).sum()]), np.add, lambda f: math.sqrt(f[1] / f[0]))


def fundamental() -> CycleValue:
    """Amplitude at the command's frequency: 2/n |sum x exp(-i phase)|."""
    return CycleValue(_correlated, np.add, lambda f: 2.0 * math.hypot(f[1], f[2]) / float(f[0]))


def phase() -> CycleValue:
    """By how much the fundamental leads the command's, rad, within -pi to pi."""
    return CycleValue(_correlated, np.add, lambda f: math.atan2(f[2], f[1]))


def _correlated(table: NDArray[np.float64]) -> Figures:
    x, angle = table[:, 0], table[:, -1]
    return np.array([len(table), (x * np.sin(angle)).sum(), (x * np.cos(angle)).sum()])


def stiffness() -> CycleValue:
    """Slope of the first column over the second by least squares, over the loop of a cycle: its secant."""

    def reduce(table: NDArray[np.float64]) -> Figures:
        force, stroke = table[:, 0], table[:, 1]
        return np.array([len(table), force.sum(), stroke.sum(), (force * stroke).sum(), (stroke * stroke).sum()])

    def result(f: Figures) -> float:
        n, force, stroke, both, square = (float(one) for one in f)
        spread = n * square - stroke * stroke
        return (n * both - force * stroke) / spread if spread > 0.0 else math.nan

    return CycleValue(reduce, np.add, result)


def play() -> CycleValue:
    """Distance at no force of the straight lines through both loaded branches of a cycle's loop, first column over second: of each sign
    what is above about half of its largest force."""
    return CycleValue(lambda table: _by_force(table[:, 1], table[:, 0]), np.add, lambda f: _line(f, 0)[0] - _line(f, 1)[0])


def loaded_stiffness() -> CycleValue:
    """Slope of the first column over the second along the loaded branches of a cycle's loop, as `play` takes them; by the mean of both
    compliances."""
    return CycleValue(lambda table: _by_force(table[:, 0], table[:, 1]), np.add, lambda f: 2.0 / (_line(f, 0)[1] + _line(f, 1)[1]))


def _by_force(force: Floats, displacement: Floats) -> Figures:
    """Sums (5, steps) of both, for each step of the force; those of negative force behind those of positive.

    Which force is the largest is known when the cycle has ended; so there are eight steps to an octave, and no sample is kept.
    """
    with np.errstate(divide="ignore"):
        step = np.floor(STEPS * (np.log2(np.abs(force)) + OCTAVES))
    place = np.clip(np.nan_to_num(step, nan=0.0, neginf=0.0, posinf=ALL - 1.0), 0, ALL - 1).astype(np.int64) + ALL * (force < 0.0)
    rows = [np.ones_like(force), force, displacement, force * force, force * displacement]
    return np.stack([np.bincount(place, row, 2 * ALL) for row in rows])


def _line(f: Figures, side: int) -> tuple[float, float]:
    """(displacement at no force, compliance) of the line through what is loaded to one side; NaN where nothing is."""
    f = f[:, side * ALL : (side + 1) * ALL]
    there = np.flatnonzero(f[0])
    if not len(there):
        return math.nan, math.nan
    n, force, displacement, square, both = (float(one) for one in f[:, max(0, int(there[-1]) - STEPS) :].sum(axis=1))
    spread = n * square - force * force
    if not spread > 0.0:
        return math.nan, math.nan
    return (displacement * square - force * both) / spread, (n * both - force * displacement) / spread
