"""A block of samples, as expressions see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """The next k samples: `values` (k,) by channel, in SI; `phase` (k,) of the command in rad, and `cycle` (k,), below 0 where none is
    counted."""

    values: Mapping[str, Floats]
    phase: Floats
    cycle: Floats

    def __len__(self) -> int:
        return len(self.phase)
