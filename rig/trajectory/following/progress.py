"""How far a trajectory has come at each sample: at its own pace, faster or slower by a factor, or standing.

A hold is a pace of 0, a change of frequency one of f'/f. From one pace p to another in T s it goes as p + (p' - p) S(t/T),
S(x) = 3 x^2 - 2 x^3, so the command stays on the trajectory f: its value is one that the trajectory has, its rate f' p is never above the
trajectory's own at the larger of the two paces, and its acceleration f'' p^2 + f' p' adds at most 3/2 |p' - p| / T times the rate.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEEPEST = 1.5  # max S'
NEAR = 1e-6  # of a sample: rounding


@dataclass(frozen=True)
class Piece:
    """From sample `first` on, at which the trajectory has come to `start` samples of its own: from pace `before` to `after` in `length`
    samples (a fraction of one, too), and on at that."""

    first: int
    start: float
    before: float
    after: float
    length: float = 0.0

    def at(self, n: NDArray[np.int64]) -> Floats:
        """Samples of the trajectory at samples n (k,) of the command."""
        since = (n - self.first).astype(np.float64)
        if not self.length:
            return self.start + since * self.after
        x = np.minimum(since / self.length, 1.0)
        gone = self.before * np.minimum(since, self.length) + (self.after - self.before) * self.length * x**3 * (1.0 - 0.5 * x)
        return np.asarray(self.start + gone + self.after * np.maximum(since - self.length, 0.0))

    def pace(self, n: int) -> float:
        """At a sample."""
        x = min((n - self.first) / self.length, 1.0) if self.length else 1.0
        return self.before + (self.after - self.before) * x * x * (3.0 - 2.0 * x)

    @property
    def settled(self) -> float:
        """Sample from which on the pace does not change any more."""
        return self.first + self.length


class Progress:
    """Counts in samples: `at(n)` of the trajectory for sample n of the command, 0 at 0, at a pace of 1 until something else is said.

    standing: the sample of the trajectory that it stands at, until it is told to go on; begin: that it begins with; `pace`: at which it
    goes then.
    """

    def __init__(self, standing: float | None = None, pace: float = 1.0, begin: float = 0.0) -> None:
        self._pieces = [Piece(0, begin, pace, pace) if standing is None else Piece(0, standing, 0.0, 0.0)]
        self.pace = pace
        """At which it goes on after a hold."""

    def at(self, n: NDArray[np.int64]) -> Floats:
        """(k,) for n (k,), which rises."""
        begin = max(bisect_right(self._pieces, int(n[0]), key=lambda piece: piece.first) - 1, 0) if len(n) else 0
        found = self._pieces[begin].at(n)
        for piece in self._pieces[begin + 1 :]:
            if piece.first > n[-1]:
                break
            found = np.where(n >= piece.first, piece.at(n), found)
        return found

    def reaches(self, at: float) -> float:
        """Sample of the command at which the trajectory has come to its sample `at`, at least; inf where it stands before that."""
        last = self._pieces[-1]
        there = float(last.at(np.array([math.ceil(last.settled)]))[0])
        if at > there:
            return math.ceil(last.settled) + (at - there) / last.after if last.after > 0.0 else math.inf
        low, high = 0, math.ceil(last.settled)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if float(self.at(np.array([middle]))[0]) >= at else (middle + 1, high)
        return float(low)

    @property
    def stands(self) -> bool:
        """Whether it stands in the end."""
        return self._pieces[-1].after == 0.0

    @property
    def settled(self) -> float:
        """Sample from which on the pace does not change any more."""
        return self._pieces[-1].settled

    def hold(self, n: int, length: float, at: float | None = None) -> None:
        """Stand within `length` samples from sample n on; with `at`: exactly at that sample of the trajectory, however long that takes.

        Raises ValueError where it is nearer than the way that `length` takes.
        """
        pace, here = self._cut(n)
        if at is None:
            self._pieces.append(Piece(n, here, pace, 0.0, length))
            return
        spare = at - here - 0.5 * pace * length
        if pace <= 0.0 or spare < -NEAR:
            raise ValueError(f"it is {at - here:g} samples away, of which {0.5 * pace * length:g} are needed")
        wait = math.floor(max(spare, 0.0) / pace)
        self._pieces.append(Piece(n, here, pace, pace))
        begun = here + pace * wait
        self._pieces.append(Piece(n + wait, begun, pace, 0.0, 2.0 * (at - begun) / pace))

    def go_on(self, n: int, length: float) -> None:
        """At `pace` again within `length` samples from sample n on."""
        before, here = self._cut(n)
        self._pieces.append(Piece(n, here, before, self.pace, length))

    def change_pace(self, n: int, pace: float, length: float) -> None:
        """Another pace within `length` samples from sample n on; one that stands goes on at it later."""
        self.pace = pace
        if not self.stands:
            self.go_on(n, length)

    def rebase(self, n: int, start: float, stretch: float, length: float) -> None:
        """From sample n on count on from `start` in a trajectory of which `stretch` samples are run in the time of one; at `pace` of that
        one within `length` samples. What stands goes on standing.

        What has been at earlier samples is forgotten.
        """
        before = self._cut(n)[0] * stretch
        if self.stands or before == self.pace:
            self._pieces = [Piece(n, start, before, before)]
        else:
            self._pieces = [Piece(n, start, before, self.pace, length)]

    def _cut(self, n: int) -> tuple[float, float]:
        """(pace, sample of the trajectory) at sample n; what was to come from there on does not."""
        while len(self._pieces) > 1 and self._pieces[-1].first > n:
            del self._pieces[-1]
        last = self._pieces[-1]
        return last.pace(n), float(last.at(np.array([n]))[0])


def acceleration(rate: float, acceleration: float, before: float, after: float, time: float) -> float:
    """Bound of |acceleration| of a trajectory of at most `rate` and `acceleration` while its pace changes within `time` s."""
    pace = max(before, after)
    return acceleration * pace**2 + rate * STEEPEST * abs(after - before) / time
