"""Where a channel stands between its limits (pure)."""

from __future__ import annotations

import math
from typing import NamedTuple

NEAR = 0.8  # share of the way to a limit from which it is said to be near


class Level(NamedTuple):
    """The last moments of one channel, SI: mean, smallest, largest."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan


def state(level: Level, minimum: float | None, maximum: float | None) -> str:
    """`over` when a limit is reached, `near` from NEAR of the way to it, `unknown` without samples, `none` without limits, else `good`.

    The way begins half between two limits, at zero where there is one only.
    """
    if minimum is None and maximum is None:
        return "none"
    if not (math.isfinite(level.low) and math.isfinite(level.high)):
        return "unknown"
    middle = 0.0 if minimum is None or maximum is None else 0.5 * (minimum + maximum)
    ways = []
    if maximum is not None:
        ways.append(_way(level.high - middle, maximum - middle))
    if minimum is not None:
        ways.append(_way(middle - level.low, middle - minimum))
    return "over" if max(ways) >= 1.0 else "near" if max(ways) >= NEAR else "good"


def _way(gone: float, length: float) -> float:
    """Share of the way; a limit on the other side of zero has no way to it, only a side."""
    if length > 0.0:
        return gone / length
    return 1.0 if gone >= length else 0.0


def ends(minimum: float | None, maximum: float | None, scale: float | None) -> tuple[float, float] | None:
    """Ends of a channel's bar: its limits; a missing one is put opposite the other; without any the sensor's range, if known."""
    if minimum is None and maximum is None:
        return (-scale, scale) if scale else None
    if minimum is not None and maximum is not None:
        return (minimum, maximum) if minimum < maximum else None
    one = maximum if maximum is not None else minimum or 0.0
    other = -one if one else (scale or 1.0)
    return min(one, other), max(one, other)
