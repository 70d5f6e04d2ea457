"""The ground under the structure: its acceleration from a file. The displacement of the structure is then that relative to the ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig import playback
from rig.errors import ConfigError
from rig.playback import SUFFIXES

UNIT = "m/s^2"


@dataclass(frozen=True)
class Ground:
    """A column of a file, found from where the experiment file is; straight between its samples, 0 after the last."""

    file: str = field(metadata={"file": True, "doc": f"ends in {SUFFIXES}"})
    column: str = field(metadata={"doc": "header without unit; path of the dataset; number or first line of the function"})
    unit: str | None = field(default=None, metadata={"doc": "of a column whose file does not say it: m/s^2, cm/s^2, g"})
    scale: float = 1.0
    sha256: str = field(default="", metadata={"digest_of": "file", "doc": "what the file must be; by itself what it was when checked"})

    def acceleration(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """m/s^2 at times (N,) in s. Raises ConfigError."""
        column = playback.read(self.file, self.column, self.unit, self.sha256)
        values = self.scale * column.values
        return np.asarray(np.interp(times, np.arange(len(values)) / column.rate, values, right=0.0))

    def faults(self) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) with the file."""
        if another := playback.another(self.file, self.sha256):
            yield "sha256", another
            return
        try:
            column = playback.read(self.file, self.column, self.unit, self.sha256)
        except ConfigError as error:
            yield "file", str(error)
            return
        if column.unit != UNIT:
            yield "column", f"{column.name} is in {column.unit}; expected an acceleration, in {UNIT}"
