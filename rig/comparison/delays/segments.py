"""The part of a long record that its delay is read from: stretches spread evenly over what counts, put behind one another.

A delay is known to hundredths of a sample from some cycles. What limits it is what the model is wrong in, and that comes again in
every cycle: more of them make neither the delay nor its uncertainty any better.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rig.comparison.series import Flags, Floats, Marks, Series

LONGEST = 1 << 20
"""Samples up to which a record is taken whole, and of which there are as many at most in the stretches (20 s at 51.2 kS/s)."""
STRETCHES = 8


def choose(count: int, first: int, last: int, longest: int = LONGEST) -> list[slice]:
    """Return the stretches of a record of `count` samples, of which first .. last - 1 count."""
    if count <= longest:
        return [slice(0, count)]
    if last - first <= longest:
        begin = min(max(0, (first + last - longest) // 2), count - longest)
        return [slice(begin, begin + longest)]
    length = longest // STRETCHES
    starts = np.linspace(first, last - length, STRETCHES).astype(np.int64)
    return [slice(int(start), int(start) + length) for start in starts]


def seams(stretches: list[slice]) -> list[int]:
    """Return where the second stretch begins when they are joined, and those after it."""
    return [int(n) for n in np.cumsum([part.stop - part.start for part in stretches])[:-1]]


def joined(x: Series, stretches: list[slice]) -> Floats:
    """Return the samples of x (N,) in the stretches."""
    return np.concatenate([x[part] for part in stretches])


def joined_marks(kept: Marks, counted: Marks, stretches: list[slice], margin: int) -> Flags:
    """Return where both marks are true in the stretches, `margin` samples at either side of a seam left out."""
    marks = [kept[part] & counted[part] for part in stretches]
    for before, behind in pairwise(marks):
        before[-margin:], behind[:margin] = False, False
    return np.concatenate(marks)
