"""What inputs show to which nothing is connected: what NI's own simulated devices do.

NI-DAQmx user manual, "Reading and Writing with Simulated Devices": a sine wave with noise of three per cent of full scale; the limits of
the channel set its amplitude, also where a scale lies between (ni/grpc-device, system tests: the sine fills the range from minimum to
maximum); each further channel of a task is five degrees on. How long a period takes is not told: here 0.1 s, on demand a hundred samples.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.channel import AnalogChannel
from drivers.simulated.daqmx.core.values import as_float

Block = NDArray[np.float64]

FREQUENCY = 10.0
PER_SAMPLE = 1e-3
"""How far (s) a sample on demand is on from the one before, for as long as time stands still."""
NOISE = 0.03
STEP = np.radians(5.0)
FINE = 2**24
"""Steps between the limits of a channel whose values are not codes of the converter."""


class Inputs:
    """Unconnected channels of one task; `places`: which of the task's channels they are, from 0."""

    def __init__(self, channels: Sequence[AnalogChannel], places: Sequence[int], *, on_demand: bool) -> None:
        self._on_demand = on_demand
        phases = STEP * np.array(places, dtype=float)
        grids = np.array([_grid(channel) for channel in channels]).reshape(-1, 4)
        self._step, self._zero, self._low, self._high = grids.T
        half = (self._high - self._low) / 2.0
        self._middle, self._noise = self._low + half, NOISE * half
        self._waves = np.array([np.cos(phases), np.sin(phases)]) * half

    def values(self, first: int, times: Block) -> Block:
        """Values (k, channels) of the samples `first` .. at `times` (k,)."""
        angle = 2.0 * np.pi * FREQUENCY * (times + first * PER_SAMPLE if self._on_demand else times)
        codes = np.random.default_rng([len(self._step), first]).random((len(times), len(self._step)))
        codes *= 2.0 * self._noise
        codes += np.column_stack((np.sin(angle), np.cos(angle))) @ self._waves
        codes += self._middle - self._noise
        np.rint(codes, out=codes)
        np.clip(codes, self._low, self._high, out=codes)
        codes *= self._step
        codes += self._zero
        return codes


def _grid(channel: AnalogChannel) -> tuple[float, float, float, float]:
    """Values of a channel are step * code + zero, with codes from low to high: those of its converter within its limits."""
    low, high = _limits(channel)
    step = abs(channel.lsb * channel.gain)
    if channel.curve is None and step > 0.0:
        # As in the range of a converter the highest code lies one below the upper limit (nidaqmx-python, test_in_stream.py).
        first, last = np.ceil((low - channel.offset) / step), np.floor((high - channel.offset) / step) - 1.0
        if first <= last:
            return step, channel.offset, float(first), float(last)
    return (high - low) / FINE, low, 0.0, float(FINE)


def _limits(channel: AnalogChannel) -> tuple[float, float]:
    low, high = channel.asked.get("AI_MIN"), channel.asked.get("AI_MAX")
    if low is None or high is None or not as_float(low) < as_float(high):
        ends = channel.law.forward(np.array([-channel.top, channel.top]))
        return float(ends.min()), float(ends.max())
    return as_float(low), as_float(high)
