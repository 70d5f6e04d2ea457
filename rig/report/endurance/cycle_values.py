"""What a cycle has of a channel: peak, valley, amplitude, middle or mean, of one channel or of the difference of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rig.report.endurance.cycle_tables import Column, Floats

FIGURES = {"peak": ("max",), "valley": ("min",), "mean": ("mean",), "amplitude": ("min", "max"), "middle": ("min", "max")}
"""What each value is made of; `middle` is halfway between peak and valley, which the samples of a hold do not move."""


@dataclass(frozen=True)
class CycleValue:
    """Of a channel, in its own unit; less: what is taken off it, the same value of another stream."""

    stream: str
    channel: str
    value: str
    less: str = ""

    @property
    def columns(self) -> list[Column]:
        """What it is made of."""
        streams = [self.stream, *([self.less] if self.less else [])]
        return [Column(stream, self.channel, figure) for stream in streams for figure in FIGURES[self.value]]

    def of(self, values: Mapping[Column, Floats]) -> Floats:
        """Of cycles (k,). Raises KeyError for a column that is not there."""
        own = self._one(values, self.stream)
        return own - self._one(values, self.less) if self.less else own

    def _one(self, values: Mapping[Column, Floats], stream: str) -> Floats:
        parts = [values[Column(stream, self.channel, figure)] for figure in FIGURES[self.value]]
        if self.value == "amplitude":
            return np.asarray(0.5 * (parts[1] - parts[0]))
        return np.asarray(0.5 * (parts[1] + parts[0])) if self.value == "middle" else parts[0]
