"""Averaged amplitude spectrum of what a source holds before some moment; each stretch is transformed once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rig.display.sources.source import Floats, Source, Trace

STRETCH = 1.28  # s, about; the resolution is its inverse
KEPT = 6  # stretches that the mean is taken over, each half over the next
NEW = 1  # transforms a call: the picture must not wait for more

BROADER = 1.5  # lines that a Hann window spreads the power of one over

Power = NDArray[np.float64]


class AveragedSpectrum:
    """Of one trace. Amplitudes are those of a sine: a line of 10 kN reads 10 kN at its frequency (Hann window)."""

    def __init__(self, trace: Trace, rate: float) -> None:
        self.trace = trace
        self.length = 2 ** max(4, round(math.log2(STRETCH * rate)))
        self._hop = self.length // 2
        self._window = np.hanning(self.length + 1)[:-1]
        self._known: dict[int, Power | None] = {}
        self.frequencies = np.fft.rfftfreq(self.length, 1.0 / rate)

    def update(self, source: Source, now: int, new: int = NEW) -> bool:
        """Transform at most `new` of the stretches that end before `now`, the latest first; True when the mean has changed."""
        newest = (now - self.length) // self._hop
        wanted = [index for index in range(newest, newest - KEPT, -1) if index >= 0]
        kept = {index: power for index, power in self._known.items() if index in wanted}
        changed = len(kept) < len(self._known)
        self._known = kept
        for index in [index for index in wanted if index not in kept][:new]:
            self._known[index] = self._power(source, index * self._hop)
            changed = True
        return changed

    @property
    def averaged(self) -> int:
        """Stretches in the mean."""
        return sum(power is not None for power in self._known.values())

    def amplitudes(self) -> Power | None:
        """(F,) at `frequencies`, in the unit of the trace; None when nothing could be transformed."""
        powers = [power for power in self._known.values() if power is not None]
        return np.sqrt(np.mean(powers, axis=0)) if powers else None

    def level(self, low: float, high: float) -> float | None:
        """Rms of what lies between two frequencies, Hz, in the unit of the trace; None when nothing could be transformed."""
        if (amplitudes := self.amplitudes()) is None:
            return None
        there = (self.frequencies >= low) & (self.frequencies <= high)
        return float(np.sqrt(0.5 * np.sum(np.square(amplitudes[there])) / BROADER))

    def _power(self, source: Source, first: int) -> Power | None:
        begin, values = source.samples(self.trace, first, first + self.length)
        if begin != first or len(values) < self.length or not np.isfinite(values).all():
            return None
        lines = np.fft.rfft((values - np.mean(values, dtype=float)) * self._window)
        power: Power = (2.0 / self._window.sum() * np.abs(lines)) ** 2
        return power


def columns(frequencies: Floats, low: float, pixels: int) -> tuple[NDArray[np.intp], Floats]:
    """(first line of each bin, its frequency) for a logarithmic axis from `low` Hz that is so many pixels wide: one bin a pixel."""
    begin = min(max(1, int(np.searchsorted(frequencies, low))), len(frequencies) - 1)
    wanted = np.geomspace(frequencies[begin], frequencies[-1], pixels)
    starts = np.unique(np.searchsorted(frequencies, wanted, side="left"))
    return starts, frequencies[starts]
