"""Hysteresis of a sensor: elements that yield one after the other (Prandtl's), so that small loops are narrower than large ones."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from model.compiled.signatures import REAL, VECTOR, Floats, compiled

YIELDS = np.array([0.125, 0.25, 0.375, 0.5])
"""Of the elements, as shares of full scale; all have yielded by the middle of a loop from end to end."""


@compiled(types.void(VECTOR, VECTOR, REAL, VECTOR))
def _strain(values: Floats, yields: Floats, last: float, strains: Floats) -> None:
    """Replace values (m,) by the sum of what the elements bear; `last`: the value before them; strains (elements,) go along."""
    for i in range(len(values)):
        change, last = values[i] - last, values[i]
        total = 0.0
        for k in range(len(yields)):
            strains[k] = min(max(strains[k] + change, -yields[k]), yields[k])
            total += strains[k]
        values[i] = total


class Hysteresis:
    """`width`: way up against way down in the middle of a loop from end to end, as a share of full scale (V). The ends are right.

    It shows too little on the way up and too much on the way down, as what gives way inside gives back late.
    """

    def __init__(self, width: float, full_scale: float) -> None:
        self._yields = full_scale * YIELDS
        self._strains = np.zeros(len(YIELDS))
        self._lag = width / (2.0 * float(YIELDS.sum()))
        self._slope = 1.0 + 0.5 * width
        self._last = 0.0

    def pass_on(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is shown of values (m,), V, that come after those of the call before."""
        if not len(values):
            return values
        borne = np.ascontiguousarray(values).copy()
        _strain(borne, self._yields, self._last, self._strains)
        self._last = float(values[-1])
        return self._slope * values - self._lag * borne
