"""A drive as it was worked out sample by sample: value, phase and cycle from a .npy file, float64 (N, 3), at its own rate.

At the rate of the file every sample is met exactly; in between values run straight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tokenize import TokenError

import numpy as np
from numpy.typing import NDArray

from drivers.files.text_files import Unusable, need_file
from rig.errors import ConfigError
from rig.trajectory.naming import TrajectorySettings

Floats = NDArray[np.float64]
MOST = 10_000_000
LARGEST = 1e40


@dataclass(frozen=True)
class Config(TrajectorySettings):
    """The file as it is seen from where the program runs."""

    file: str
    rate: float = field(metadata={"unit": "Hz", "over": 0.0})

    def create(self) -> Drive:
        """The trajectory."""
        return Drive(self)


def _read(path: Path) -> Floats:
    """The table of a file, which is as long as its own head says. Raises ConfigError."""
    try:
        need_file(path, "drive")
        with path.open("rb") as file:
            np.lib.format.read_magic(file)
            shape, by_columns, kind = np.lib.format.read_array_header_1_0(file)
            size = path.stat().st_size - file.tell()
            if len(shape) != 2 or shape[1] != 3 or shape[0] < 2 or kind != np.float64 or by_columns:
                raise ValueError(f"expected float64 (N, 3), row by row, got {kind} {shape}")
            if size != 24 * shape[0] or shape[0] > MOST:
                raise ValueError(f"expected {24 * shape[0]} bytes for {shape[0]} samples (at most {MOST}), got {size}")
            table = np.fromfile(file, dtype=np.float64).reshape(shape)
        if not np.all(np.abs(table) < LARGEST):
            raise ValueError(f"expected numbers below {LARGEST:g}, got others")
    except Unusable as error:
        raise ConfigError(f"trajectory.file: {error}") from None
    except (OSError, ValueError, SyntaxError, TypeError, TokenError) as error:  # NumPy takes a head apart as Python
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"trajectory.file: {path}: not a drive that can be played ({why}); expected drive.npy of an iteration") from None
    return table


@dataclass(frozen=True)
class Drive:
    """The trajectory; the file is read when a value is asked for."""

    config: Config
    frequency: float | None = None

    @cached_property
    def _table(self) -> Floats:
        return _read(Path(self.config.file))

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
