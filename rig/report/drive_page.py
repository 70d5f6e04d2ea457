"""What the picture of an iterated drive shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.control.passes import Lines, Row, Target
from rig.control.response import Response

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DrivePage:
    """target, first and best (N,): asked, and measured of pass 0 and of pass `best_pass`, in `unit`."""

    title: str
    subtitle: str
    unit: str
    target: Target
    first: Floats
    best: Floats
    best_pass: int
    rows: Sequence[Row]
    lines: Sequence[Lines]
    response: Response
    tolerance: float
