"""What a digital filter lets through: a level passes once the filter clock has seen it without a break for the minimum pulse width.

"X Series User Manual", PFI Filters: with N clocks a pulse of N / timebase passes for sure, one of (N - 1) / timebase does not; what
passes comes N clocks late.
"""

from __future__ import annotations

import math
import re

import numpy as np

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice

ROUNDING = 1e-12
"""Time (s) by which a pulse may be too short through rounding."""
CLOCKS_KEPT = 2**32
"""Most filter clocks that a pulse can be asked to have: a 32-bit counter makes them ("Digital Filtering Considerations", NI-DAQmx)."""
OUTSIDE = re.compile(r"pfi\d+|rtsi\d|pxi_trig\d|pxi_star|pxie_dstar[ab]|port\d+/line\d+")
"""Terminals that have a filter, without their device: pins, not signals from inside it."""


def inner_rate(source: str) -> float | None:
    """Frequency (Hz) of an internal timebase by its name, None for any other terminal."""
    found = re.fullmatch(r"(\d+)([mk])hztimebase", source.rpartition("/")[2].lower())
    return float(found[1]) * (1e6 if found[2] == "m" else 1e3) if found else None


def whole(width: float, rate: float) -> float:
    """A minimum pulse width (s) as the filter has it: whole cycles of its clock (Hz); as it was asked for where those are too many."""
    cycles = width * rate * (1.0 - 1e-12)
    return math.ceil(cycles) / rate if cycles <= CLOCKS_KEPT else width


class Filter:
    """One filter over the pieces of a run; `pin`: the terminal (canonical) that it is at, where one asks by another name."""

    def __init__(self, width: float, pin: str = "") -> None:
        self.width, self.pin = width, pin
        self._out: bool | None = None
        self._pending: float | None = None
        """Since when the input has not been what the output is."""

    @property
    def waits(self) -> bool:
        """Whether a change is yet to come through, should it last."""
        return self._pending is not None

    def through(self, piece: TimeSlice, signal: Edges) -> Edges:
        """What comes through in a piece."""
        if self._out is None:
            self._out = bool(signal.high)
        before = self._out
        changes = np.sort(np.concatenate([signal.rises, signal.falls]))
        passed: list[tuple[float, bool]] = []
        for when in [*map(float, changes), np.inf]:
            if self._pending is not None and self._pending + self.width <= min(when, piece.end) + ROUNDING:
                self._out = not self._out
                passed.append((min(self._pending + self.width, piece.end), self._out))
                self._pending = None
            if when < np.inf:
                self._pending = when if self._pending is None else None
        times, ups = np.array([t for t, _ in passed]), np.array([up for _, up in passed], dtype=bool)
        return Edges(before, times[ups], times[~ups])
