"""From volts at the terminals to the values of an analogue input task: quantised to the codes of the range, with saturation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx import shunts, unconnected
from drivers.simulated.daqmx.board import Board
from drivers.simulated.daqmx.channels import AnalogChannel

Block = NDArray[np.float64]

CODES = 65536


class Converter:
    """Sources and scaling of the channels of one task, as arrays."""

    def __init__(self, channels: Sequence[AnalogChannel], board: Board, *, on_demand: bool = False) -> None:
        sources = [board.source(c.physical) for c in channels]
        by_kind: Callable[[str], list[int]] = lambda kind: [i for i, s in enumerate(sources) if s.kind == kind]  # noqa: E731
        self._plant, self._codes, self._open = by_kind("plant"), by_kind("code"), by_kind("open")
        self._columns = [sources[i].column for i in self._plant]
        self._loops = [(i, sources[i].terminal) for i in by_kind("output")]
        self.terminals = tuple(name for _, name in self._loops)
        self._lsb = np.array([c.lsb for c in channels])
        self._limit = np.array([float(c.codes) for c in channels])
        self._scale = self._lsb * np.array([c.gain for c in channels])
        self._shunts = np.array([shunts.shunt_volts(c, board) for c in channels])
        self._offset = np.array([c.offset for c in channels])
        self._curves = [(i, c.curve) for i, c in enumerate(channels) if c.curve is not None]
        self._loose = unconnected.Inputs([channels[i] for i in self._open], self._open, on_demand=on_demand)

    def convert(self, first: int, times: Block, plant: Block, levels: Callable[[str], Block]) -> Block:
        """Values (k, channels) of the samples `first` .. at `times` (k,); `plant` (k, outputs) V; `levels` (k,) V of a terminal."""
        if len(self._open) == len(self._lsb):
            return self._loose.values(first, times)
        volts = np.empty((len(times), len(self._lsb)))
        if self._plant:
            volts[:, self._plant] = plant[:, self._columns]
        for column, name in self._loops:
            volts[:, column] = levels(name)
        if self._codes:
            code = np.arange(first, first + len(times)) % CODES
            volts[:, self._codes] = (-10.0 + code * (20.0 / CODES))[:, None]
        volts[:, self._open] = 0.0
        if self._shunts.any():
            volts += self._shunts
        volts /= self._lsb
        np.rint(volts, out=volts)
        np.clip(volts, -self._limit, self._limit - 1.0, out=volts)
        volts *= self._scale
        volts += self._offset
        for column, curve in self._curves:
            volts[:, column] = curve.forward(volts[:, column])
        if self._open:
            volts[:, self._open] = self._loose.values(first, times)
        return volts
