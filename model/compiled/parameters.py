"""Parameters of a kernel in one array. The names of its places, which the kernel reads it by, are the one definition of their order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from model.floats import Floats

Places = Mapping[int, ArrayLike]
"""Place of a number, or of the first of several."""


def packed(size: int, places: Places) -> Floats:
    """p, (size,): each number at its place; of several numbers the place is that of the first.

    Raises ValueError for a place that nothing is put at, or that two are.
    """
    p, filled = np.zeros(size), np.zeros(size, dtype=np.int64)
    for place, values in places.items():
        numbers = np.ravel(np.asarray(values, dtype=np.float64))
        p[place : place + len(numbers)] = numbers
        filled[place : place + len(numbers)] += 1
    wrong = np.flatnonzero(filled != 1)
    if len(wrong):
        raise ValueError(f"parameters: expected one number at each of {size} places; at place {wrong[0]} there are {filled[wrong[0]]}")
    return p
