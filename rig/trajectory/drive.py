"""A drive as it was worked out sample by sample: value, phase and cycle from a .npy file, float64 (N, 3), at its own rate.

At the rate of the file every sample is met exactly; in between values run straight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config:
    """The file as it is seen from where the program runs."""

    file: str
    rate: float = field(metadata={"unit": "Hz", "over": 0.0})


@dataclass(frozen=True)
class Drive:
    """The trajectory; the file is read when a value is asked for."""

    config: Config
    frequency: float | None = None

    @cached_property
    def _table(self) -> Floats:
        table = np.load(Path(self.config.file))
        if table.ndim != 2 or table.shape[1] != 3 or len(table) < 2 or table.dtype != np.float64 or not np.all(np.isfinite(table)):
            raise ValueError(f"file: expected finite float64 (N, 3) in {self.config.file}, got {table.dtype} {table.shape}")
        return np.asarray(table)

    @property
    def duration(self) -> float:
        """From the first sample to the last, s."""
        return (len(self._table) - 1) / self.config.rate

    @cached_property
    def cycles(self) -> int:
        """Counted cycles."""
        return len(np.unique(self._table[self._table[:, 2] >= 0.0, 2]))

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase, cycle) at t (N,) in s."""
        table = self._table
        at = np.clip(np.asarray(t, dtype=np.float64) * self.config.rate, 0.0, len(table) - 1.0)
        nearest = np.rint(at)
        at = np.where(np.abs(at - nearest) < 1e-6, nearest, at)  # a sample's own time, up to rounding
        whole = np.minimum(at.astype(np.int64), len(table) - 2)
        share = at - whole
        value, phase = ((1.0 - share) * table[whole, i] + share * table[whole + 1, i] for i in (0, 1))
        return value, phase, table[nearest.astype(np.int64), 2]

    def bounds(self) -> tuple[float, float, float]:
        """(min, max, max |rate|), attained."""
        value = self._table[:, 0]
        return float(value.min()), float(value.max()), float(np.abs(np.diff(value)).max()) * self.config.rate

    def steady(self) -> Drive:
        """The drive itself."""
        return self


def create(config: Config) -> Drive:
    """The trajectory."""
    return Drive(config)
