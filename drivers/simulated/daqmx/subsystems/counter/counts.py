"""What counters count: edges up and down, and positions by the signals of an encoder.

"X Series User Manual", Counters: edge counting with direction, pause and count reset; quadrature encoders with X1, X2 and X4 decoding
and reload by channel Z; two-pulse encoders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.edges import Edges
from drivers.simulated.daqmx.core.instants import NEVER, Times

X1, X2, X4, TWO_PULSE = (
    ni.EncoderType.X_1.value, ni.EncoderType.X_2.value, ni.EncoderType.X_4.value, ni.EncoderType.TWO_PULSE_COUNTING.value,
)  # fmt: skip
FACTORS = {X1: 1, X2: 2, X4: 4, TWO_PULSE: 1}
"""Counts of one cycle of an encoder."""
PHASES = {10040: (True, True), 10041: (True, False), 10042: (False, True), 10043: (False, False)}
"""Levels of A and B in the phase in which channel Z reloads."""

Counts = NDArray[np.int64]
TOUCH = 1e-3
"""Share of a tick by which an instant may miss it through rounding."""


@dataclass(frozen=True)
class Passing:
    """How far the count goes on in a piece: by `signs` at the instants `times`."""

    times: Times
    signs: Counts

    @property
    def total(self) -> int:
        """Count of the whole piece."""
        return int(np.sum(self.signs))

    def upto(self, times: Times | float, behind: bool) -> Counts:
        """Count from the beginning of the piece up to the instants, or with what comes at them."""
        sums = np.concatenate(([0], np.cumsum(self.signs)))
        side: Literal["left", "right"] = "right" if behind else "left"
        return np.asarray(sums[np.searchsorted(self.times, times, side)])


@dataclass(frozen=True)
class Ticking:
    """The same of a timebase of `rate` (Hz) from `start` to `end` (s), whose edges need not be made one by one."""

    rate: float
    start: float
    end: float
    sign: int

    @property
    def total(self) -> int:
        """See `Passing`."""
        return int(self.upto(self.end, behind=True))

    def upto(self, times: Times | float, behind: bool) -> Counts:
        """See `Passing`."""
        first = np.floor(self.start * self.rate + TOUCH)
        ticks = np.floor(np.maximum(times, self.start) * self.rate + (TOUCH if behind else -TOUCH))
        return np.asarray(self.sign * np.maximum(ticks - first, 0.0)).astype(np.int64)


class Count:
    """A running count that some instants set to a value: `value` now, `turns` how often it went over its end, `size` (0: it has none)."""

    def __init__(self, start: int, size: int = 2**32) -> None:
        self.value = start
        self.turns = 0
        self._size = size

    def go(self, passing: Passing | Ticking, resets: Times, to: int, at: Times) -> Counts:
        """Counts at the instants `at`, as they are up to them; the count goes on to the end of the piece."""
        if not len(resets):
            found = self.value + passing.upto(at, behind=False)
            self._leave(self.value + passing.total)
            return np.asarray(found)
        base = np.concatenate(([self.value], to - passing.upto(resets, behind=True)))
        found = base[np.searchsorted(resets, at, "left")] + passing.upto(at, behind=False)
        self._leave(int(base[-1]) + passing.total)
        return np.asarray(found)

    def _leave(self, value: int) -> None:
        if self._size:
            self.turns += abs(value // self._size)
            value %= self._size
        self.value = value


def counted(source: Edges, rising: bool, direction: Edges | int, held: list[Edges], after: float | None) -> Passing:
    """Edges of a source: `direction` +1, -1 or a signal that is high for up; `held` are signals that hold the count while they are high."""
    times = source.active(rising)
    if after is not None:
        times = times[times > after]
    for signal in held:
        times = times[~signal.at(times, behind=True)]
    if isinstance(direction, int):
        return Passing(times, np.full(len(times), direction, dtype=np.int64))
    return Passing(times, np.where(direction.at(times), 1, -1))


def decoded(kind: int, a: Edges, b: Edges, after: float | None) -> Passing:
    """Steps of an encoder."""
    parts: list[tuple[Times, NDArray[np.int64] | NDArray[np.float64]]]
    if kind == TWO_PULSE:
        parts = [(a.rises, np.ones(len(a.rises))), (b.rises, -np.ones(len(b.rises)))]
    else:
        # Up while A leads B: A rises with B low, B rises with A high, A falls with B high, B falls with A low.
        rises, falls = np.where(b.at(a.rises), -1, 1), np.where(b.at(a.falls), 1, -1)
        if kind == X1:
            parts = [(a.rises[rises > 0], rises[rises > 0]), (a.falls[falls < 0], falls[falls < 0])]
        else:
            parts = [(a.rises, rises), (a.falls, falls)]
        if kind == X4:
            parts += [(b.rises, np.where(a.at(b.rises), 1, -1)), (b.falls, np.where(a.at(b.falls), -1, 1))]
    times, signs = np.concatenate([t for t, _ in parts]), np.concatenate([s for _, s in parts]).astype(np.int64)
    order = np.argsort(times, kind="stable")
    times, signs = times[order], signs[order]
    return Passing(times, signs) if after is None else Passing(times[times > after], signs[times > after])


class Index:
    """Reloads by channel Z: when it is high in a phase of A and B."""

    def __init__(self, phase: int) -> None:
        self._a, self._b = PHASES[phase]
        self._in = False

    def reloads(self, a: Edges, b: Edges, z: Edges, start: float, after: float | None) -> Times:
        """When the phase with Z begins, in a piece that begins at `start`."""
        if z.steady and not z.high:  # as it is nearly all the time
            self._in = False
            return NEVER
        changes = np.unique(np.concatenate([s for e in (a, b, z) for s in (e.rises, e.falls)]))
        times = np.concatenate(([start if after is None else after], changes if after is None else changes[changes > after]))
        inside = (a.at(times, True) == self._a) & (b.at(times, True) == self._b) & z.at(times, True)
        before = np.concatenate(([self._in], inside[:-1]))
        self._in = bool(inside[-1])
        return np.asarray(times[inside & ~before])
