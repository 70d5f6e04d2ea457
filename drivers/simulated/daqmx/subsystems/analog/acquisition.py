"""From volts at the terminals to the values of an analogue input task: quantised to the codes of the range, with saturation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.alias_filter import REACH
from drivers.simulated.daqmx.core.channel import AC, AnalogChannel
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.terminal_io import Board
from drivers.simulated.daqmx.core.values import as_float
from drivers.simulated.daqmx.products import AnalogInputs
from drivers.simulated.daqmx.subsystems.analog import open_inputs, shunts
from drivers.simulated.daqmx.subsystems.analog.coupling import HighPass
from drivers.simulated.signals.played import TASK, Played

Block = NDArray[np.float64]

CODES = 65536
CURRENTS = (ni.UsageTypeAI.CURRENT.value, ni.UsageTypeAI.CURRENT_ACRMS.value)
EVERY = slice(None)
ON_DEMAND = 1000.0
"""Rate (S/s) by which a corner is judged where there is none: of a first sample there is nothing left but 0 V."""


class _Playing:
    """Channels to which a signal is played. `since`: when a task's own time began; its first sample where nobody has told."""

    def __init__(self, channels: Sequence[tuple[int, AnalogChannel, Played]], since: float | None) -> None:
        self._channels = [
            (column, played, as_float(channel.attributes["AI_EXCIT_VAL"]) if played.of_excitation else 1.0)
            for column, channel, played in channels
        ]
        self._since = since

    def put(self, volts: Block, times: Block) -> None:
        """Volts (k, channels) at `times` (k,): the columns of these channels."""
        if not self._channels or not len(times):
            return
        if self._since is None:
            self._since = float(times[0])
        for column, played, excitation in self._channels:
            begin = played.delay + (self._since if played.begin == TASK else 0.0)
            volts[:, column] = played.volts(times - begin) * excitation


class Converter:
    """Sources and scaling of the channels of one task, as arrays.

    `inputs`: of each channel's device; `rate`: of the samples (S/s), 0 on demand; `since`: bench time (s) of the task's first sample, where
    there has been one. `overloaded`: which channels had more than their range.
    """

    def __init__(
        self, channels: Sequence[AnalogChannel], board: Board, inputs: Sequence[AnalogInputs], rate: float = 0.0,
        since: float | None = None,
    ) -> None:  # fmt: skip
        sources = [board.source(c.physical) for c in channels]
        by_kind: Callable[[str], list[int]] = lambda kind: [i for i, s in enumerate(sources) if s.kind == kind]  # noqa: E731
        self._plant, self._codes, self._open = by_kind("plant"), by_kind("code"), by_kind("open")
        self._columns = [sources[i].column for i in self._plant]
        self._loops = [(i, sources[i].terminal) for i in by_kind("output")]
        self.delta_sigma: dict[str, list[int]] = {}
        """Outputs that are wired to converters with a filter, and the columns that see each."""
        for i, name in self._loops:
            if inputs[i].filter_delay >= REACH:
                self.delta_sigma.setdefault(name, []).append(i)
        self._played = _Playing([(i, channels[i], s.played) for i, s in enumerate(sources) if s.played is not None], since)
        self.terminals = tuple(name for _, name in self._loops)
        self._lsb = np.array([c.lsb for c in channels])
        self._limit = np.array([float(c.codes) for c in channels])
        self._scale = self._lsb * np.array([c.gain for c in channels])
        self._shunts = np.array([shunts.shunt_volts(c, board) for c in channels])
        self._offset = np.array([c.offset for c in channels])
        self._curves = [(i, c.curve) for i, c in enumerate(channels) if c.curve is not None]
        self._board, self._terminals = board, [terminal(c.physical) for c in channels]
        self._channels = channels
        self._loose = open_inputs.Inputs([channels[i] for i in self._open], self._open, on_demand=not rate)
        self._corners = [
            part.corner if c.attributes["AI_COUPLING"] == AC and board.is_direct(source) else 0.0
            for c, part, source in zip(channels, inputs, sources, strict=True)
        ]
        self._rate = rate
        self._coupling = HighPass(self._corners, rate or ON_DEMAND)
        self._watches = any("overloaded" in part.reports for part in inputs)
        self.overloaded = np.zeros(len(channels), dtype=np.bool_)
        self.filtered: HighPass | None = None
        self.lazy = False
        """Whether all values come out of a filter, and nobody looks at them before."""

    def convert(self, first: int, times: Block, plant: Block, levels: Callable[[str], Block]) -> Block:
        """Values (k, channels) of the samples `first` .. at `times` (k,); `plant` (k, outputs) V; `levels` (k,) V of a terminal."""
        values = self._converted(first, times, plant, levels)
        self._break(values)
        return values

    def _break(self, values: Block) -> None:
        """Columns whose sensor is broken show that."""
        for column, name in enumerate(self._terminals) if self._board.cut and len(values) else ():
            if name in self._board.cut:
                volts, values[:, column] = _broken(self._channels[column])
                self.overloaded[column] |= self._watches and volts > 0.0

    def _converted(self, first: int, times: Block, plant: Block, levels: Callable[[str], Block]) -> Block:
        if len(self._open) == len(self._lsb):
            return self._loose.values(first, times)
        if self.lazy:
            return np.zeros((len(times), len(self._lsb)))
        volts = np.empty((len(times), len(self._lsb)))
        if self._plant:
            volts[:, self._plant] = plant[:, self._columns]
        for column, name in self._loops:
            volts[:, column] = levels(name)
        if self._codes:
            code = np.arange(first, first + len(times)) % CODES
            volts[:, self._codes] = (-10.0 + code * (20.0 / CODES))[:, None]
        self._played.put(volts, times)
        volts[:, self._open] = 0.0
        if self._shunts.any():
            volts += self._shunts
        self._coupling.apply(volts)
        values = self._scaled(volts)
        if self._open:
            values[:, self._open] = self._loose.values(first, times)
        return values

    def _scaled(self, volts: Block, columns: Sequence[int] | slice = EVERY) -> Block:
        """From volts of some columns to values, in place."""
        limit = self._limit[columns]
        volts /= self._lsb[columns]
        np.rint(volts, out=volts)
        if self._watches and len(volts):
            self.overloaded[columns] |= (volts.max(axis=0) > limit - 1.0) | (volts.min(axis=0) < -limit)
        np.clip(volts, -limit, limit - 1.0, out=volts)
        volts *= self._scale[columns]
        volts += self._offset[columns]
        for column, curve in self._curves:
            place = column if isinstance(columns, slice) else columns.index(column) if column in columns else None
            if place is not None:
                volts[:, place] = curve.forward(volts[:, place])
        return volts

    def replace(self, rows: Block, volts: Mapping[int, Block]) -> None:
        """Columns of `rows` (k, channels) are measured anew, from what a filter has made of their volts (k,)."""
        columns = list(volts)
        if self.filtered is None:
            self.filtered = HighPass([self._corners[column] for column in columns], self._rate)
        anew = np.empty((len(rows), len(columns)))
        for place, column in enumerate(columns):
            np.add(volts[column], self._shunts[column], out=anew[:, place])
        self.filtered.apply(anew)
        rows[:, columns] = self._scaled(anew, columns)
        self._break(rows)


def _broken(channel: AnalogChannel) -> tuple[float, float]:
    """V at a channel whose sensor is broken off, and what it shows.

    No current flows in a loop; nothing comes through a coupling for alternating voltages; the current that a module looks for open
    thermocouples with, as any other excitation, drives the input to the end of its range ("NI 9213E Operating Instructions", Circuitry).
    """
    none = channel.attributes["AI_COUPLING"] == AC or channel.attributes["AI_MEAS_TYPE"] in CURRENTS
    volts = 0.0 if none else channel.lsb * (channel.codes - 1)
    return volts, float(channel.law.forward(np.array([volts]))[0])
