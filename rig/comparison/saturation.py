"""Whether a signal stands still at its end while another one, which it follows, goes on."""

from __future__ import annotations

import numpy as np

from rig.comparison.series import Flags, Floats

TOP = 0.005
"""Share of a signal's range within which it stands at its end."""
GOES_ON = 0.02
"""Share of its range by which the other must change meanwhile."""
LEAST_SHARE = 0.02
"""Share of the samples for which that must be so."""


def saturates(x: Floats, follows: Floats) -> bool:
    """Whether x (N,) does so at one end at least, while `follows` (N,), shifted already, does not."""
    return any(_share(_at_end(sign * x), follows) > LEAST_SHARE for sign in (1.0, -1.0))


def _at_end(x: Floats) -> Flags:
    high = float(np.max(x))
    return np.asarray(x >= high - TOP * (high - float(np.min(x))), dtype=np.bool_)


def _share(still: Flags, follows: Floats) -> float:
    """Share of the samples in stretches of `still` over which the other changes."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], still, [False])).astype(np.int8)))
    starts, stops = edges[::2], edges[1::2]
    if not len(starts):
        return 0.0
    cuts = np.column_stack((starts, stops)).ravel()
    padded = np.append(follows, follows[-1])
    highs, lows = np.maximum.reduceat(padded, cuts)[::2], np.minimum.reduceat(padded, cuts)[::2]
    moved = highs - lows > GOES_ON * float(np.ptp(follows))
    return float(np.sum((stops - starts)[moved])) / len(still)
