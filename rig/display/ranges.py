"""An axis that stays where it is: it widens at once, and narrows only when that has been worth while for some time."""

from __future__ import annotations

import math

PATIENCE = 60  # updates with a smaller signal before the axis narrows
WORTH = 0.6  # share of the present width below which narrowing is worth while
MARGIN = 0.06
PARTS = 16.0  # an end lies on a multiple of the round number next to this part of the width


def rounded(low: float, high: float, minimum: float) -> tuple[float, float]:
    """A range with round ends around low .. high, with some air, at least `minimum` wide."""
    width = max((high - low) * (1.0 + 2.0 * MARGIN), minimum)
    middle = (low + high) / 2.0
    power = 10.0 ** math.floor(math.log10(width / PARTS))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if width / PARTS <= power * factor * (1.0 + 1e-9))
    return step * math.floor((middle - width / 2.0) / step), step * math.ceil((middle + width / 2.0) / step)


class StableRange:
    """Range of one axis."""

    def __init__(self, minimum: float) -> None:
        """At least `minimum` wide: the noise of a channel at rest is not blown up."""
        self.minimum = minimum
        self.low, self.high = rounded(0.0, 0.0, minimum)
        self._small = 0

    def update(self, low: float, high: float) -> bool:
        """Take in the range of what is shown; True when the axis has changed. NaN changes nothing."""
        if not (math.isfinite(low) and math.isfinite(high)):
            return False
        wanted = rounded(low, high, self.minimum)
        width = self.high - self.low
        self._small = self._small + 1 if wanted[1] - wanted[0] < WORTH * width else 0
        if low >= self.low and high <= self.high and self._small < PATIENCE:
            return False
        if self._small < PATIENCE:
            # An end that still holds is left alone, so that a peak moves one end of the axis and not both.
            wanted = min(wanted[0], self.low), max(wanted[1], self.high)
        self._small = 0
        changed = wanted != (self.low, self.high)
        self.low, self.high = wanted
        return changed
