"""Channels that show nothing while the rig moves: shorted, not connected, an encoder without pulses (pure functions of arrays).

A shaft that turns steadily has a steady speed, so a cycle without change says nothing by itself. It does where the channel has never
changed, from rest on, and where it has just fallen still. And where it repeats one value after cycles that each changed alike: what a
steady speed still shows is its noise, which does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHORTEST = 0.2
"""s over which a channel is looked at, at least; whole cycles."""
FALLEN = 10.0
"""A channel that has changed by less than its least has fallen still where it changed by so many times that over one of
the last two before: it may have died in mid-cycle."""
ALIKE = 3
"""Cycles that have changed alike, before the one in which it may have died: a speed that settles does not, its change fades away."""
FACTOR = 2.0
"""The largest of alike changes is no more than so many times the least."""
STEPS = 1.5
"""Steps of its converter by which a channel has changed in each of them, two and what scaling leaves of them: one that has seen two values
only may stand between them for long, and live."""


@dataclass(frozen=True)
class Watched:
    """Channel in `column`; `least`: change (its unit) from lowest to highest over a cycle that one which lives has; `step`: of its
    converter (its unit)."""

    column: int
    least: float
    step: float


@dataclass(frozen=True)
class Dead:
    """A channel that changed by no more than `change` over the cycles that end at `sample`."""

    sample: int
    watched: Watched
    change: float


class DeadCheck:
    """Takes blocks in order, from rest on; rate in Hz. Each channel is told of once."""

    def __init__(self, watched: Sequence[Watched], rate: float) -> None:
        self._watched, self._shortest = tuple(watched), round(SHORTEST * rate)
        self._columns = [one.column for one in watched]
        self._least, self._step = np.array([one.least for one in watched]), np.array([one.step for one in watched])
        self._ever = _nothing(len(watched))
        self._before: list[NDArray[np.float64]] = []  # changes over the last cycles before
        self._cycles = _nothing(len(watched))
        self._begun: tuple[int, float] | None = None  # sample and number of the cycle with which the present ones began
        self._told = np.zeros(len(watched), np.bool_)

    def check(self, first: int, cycle: NDArray[np.float64], block: NDArray[np.float64]) -> list[Dead]:
        """Block (k, channels) from sample `first` on; cycle (k,): number of the cycle, below 0 where none is counted."""
        if not self._columns or not len(block):
            return []
        looked = block[:, self._columns]
        low, high = looked.min(axis=0), looked.max(axis=0)
        self._ever = _wider(self._ever, low, high)
        present, end = float(cycle[-1]), first + len(block)
        if present < 0.0:
            self._begun, self._before = None, []
        elif self._begun is None:
            self._begin(first, present, low, high)
        elif present > self._begun[1] and end - self._begun[0] >= self._shortest:
            found = self._judge(first)
            self._begin(first, present, low, high)
            return found
        else:
            self._cycles = _wider(self._cycles, low, high)
        return []

    def _begin(self, first: int, cycle: float, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        self._begun, self._cycles = (first, cycle), np.stack([low, high])

    def _judge(self, sample: int) -> list[Dead]:
        change, ever = np.ptp(self._cycles, axis=0), np.ptp(self._ever, axis=0)
        fallen = np.any([before > FALLEN * self._least for before in self._before[-2:]], axis=0)
        dead = ((change < self._least) & ((ever < self._least) | fallen)) | self._repeats(change)
        dead &= ~self._told
        self._told |= dead
        self._before = [*self._before[-ALIKE:], change]
        return [Dead(sample, self._watched[k], float(change[k])) for k in np.flatnonzero(dead)]

    def _repeats(self, change: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each has had one value only over these cycles, and changed alike before."""
        if len(self._before) <= ALIKE:
            return np.zeros(len(change), np.bool_)
        alike = np.array(self._before[:ALIKE])  # the last one may have died in mid-cycle
        return np.asarray((change == 0.0) & (alike.min(0) >= STEPS * self._step) & (alike.max(0) <= FACTOR * alike.min(0)))


def _nothing(channels: int) -> NDArray[np.float64]:
    return np.stack([np.full(channels, np.inf), np.full(channels, -np.inf)])


def _wider(span: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.minimum(span[0], low), np.maximum(span[1], high)])
