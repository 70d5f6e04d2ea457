"""Play and stiffness from the loop of force over displacement, as one takes them by hand: a straight line through each loaded branch.

Where the specimen is pulled and where it is pushed the displacement goes linearly with the force; produced to no force, the two lines are
apart by the play, as the displacement sees it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOADED = 0.5
"""Of the largest force of either sign, above which a branch counts as loaded."""
LEAST = 4
"""Samples of a branch."""


class Loop(NamedTuple):
    """play in the unit of the displacement; compliance of the branch of positive and of negative force, displacement by force."""

    play: float
    positive: float
    negative: float


def loop(displacement: Floats, force: Floats) -> Loop:
    """Of one cycle, (N,) each. Raises ValueError where it is not loaded to both sides."""
    lines = []
    for sign in (1.0, -1.0):
        most = float(np.max(sign * force))
        loaded = sign * force > LOADED * most
        if most <= 0.0 or np.count_nonzero(loaded) < LEAST or np.ptp(force[loaded]) == 0.0:
            raise ValueError(f"a loop of force needs {LEAST} samples loaded to either side, above {LOADED:g} of the largest force there")
        slope, intercept = np.polyfit(force[loaded], displacement[loaded], 1)
        lines.append((float(slope), float(intercept)))
    return Loop(lines[0][1] - lines[1][1], lines[0][0], lines[1][0])
