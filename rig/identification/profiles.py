"""Profile of the misfit over one number: by how much the best fit rises where that number is held elsewhere and the others follow.

How far it may rise is not taken from a chi-squared table, as figures are weighed by few specimens: it is by how much right specimens rise
at their own true numbers, 95 % of them (a likelihood ratio with its distribution by simulation; Wilks's is its limit).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.identification.surface import SurfaceFit

Floats = NDArray[np.float64]

PLACES = 81
SHARE = 0.95
"""Of right specimens that rise by less."""


@dataclass(frozen=True)
class Profile:
    """Over shares (n,) of a number's range; rise (n,) of the misfit above its least; level: by how much right specimens rise."""

    shares: Floats
    rise: Floats
    level: float

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Shares between which the rise is below the level; None where it is so to the end of where the model was run."""
        below = np.flatnonzero(self.rise <= self.level)
        if not len(below):
            least = float(self.shares[int(np.argmin(self.rise))])
            return least, least
        first, last = int(below[0]), int(below[-1])
        return self._crossing(first - 1, first), self._crossing(last + 1, last)

    def _crossing(self, outside: int, inside: int) -> float | None:
        if not 0 <= outside < len(self.shares):
            return None
        part = (self.level - self.rise[inside]) / (self.rise[outside] - self.rise[inside])
        return float(self.shares[inside] + part * (self.shares[outside] - self.shares[inside]))


def profiles(fit: SurfaceFit, measured: Floats, specimens: Floats, true: Floats) -> tuple[Profile, ...]:
    """One for each number. measured (d,) and specimens (n, d), whose own numbers are true (p,), as they were fitted."""
    found = []
    least = fit.of(measured)[1]
    lowest = fit.each(specimens)[1]
    for k in range(len(true)):
        shares = fit.places(k, PLACES)
        rise = fit.along(measured, k, shares) - least
        there = fit.along(specimens, k, np.full(len(specimens), true[k])) - lowest
        found.append(Profile(shares, np.maximum(rise, 0.0), max(0.0, float(np.quantile(there, SHARE)))))
    return tuple(found)
