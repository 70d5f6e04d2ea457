"""The sample rates that a device takes, as its product has them."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.simulated.daqmx.products import TIMEBASE

RATE_MIN = 100e6 / 2**32
"""Lowest rate (S/s) that a counter of 32 bits makes of 100 MHz."""


@dataclass(frozen=True)
class Limits:
    """Rates (S/s) of a device: `highest` with so many channels, `single` with one.

    `grid`: step, None where it divides a `timebase` (Hz); `divisors`: how far `single` is divided where nothing else is possible.
    """

    lowest: float
    highest: float
    single: float
    grid: float | None = None
    timebase: float = TIMEBASE
    divisors: int = 0
