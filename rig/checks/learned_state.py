"""Where a limit stands that judges by what it has learned: what it learned, whether it is armed, how far the last cycle is (SI)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class LearnedState:
    """`what` it looks at; `learned` of `learn` cycles, behind `settling` that are still left out; `since`: cycle from which on it judges,
    None while it learns; the last whole `cycle` has `value`, which may be between `low` and `high`; `outside`: that it is not."""

    what: str
    learned: int
    learn: int
    settling: int
    since: int | None = None
    armed: bool = False
    baseline: float | None = None
    low: float | None = None
    high: float | None = None
    value: float | None = None
    cycle: int | None = None
    outside: bool = False

    @property
    def share(self) -> float | None:
        """Of the way from the middle of the band to its end: above 1 it is outside. None while there is no band, or no value in it."""
        if self.low is None or self.high is None or self.value is None:
            return None
        half = 0.5 * (self.high - self.low)
        off = abs(self.value - (self.low + half))
        return off / half if half > 0.0 else (math.inf if off > 0.0 else 0.0)


def nearest_first(states: list[LearnedState]) -> list[LearnedState]:
    """Those that are outside first, then by how near they are to their bound; those that still learn at the end."""
    return sorted(states, key=lambda one: (not one.outside, one.share is None, -(one.share or 0.0)))
