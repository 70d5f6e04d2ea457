"""What is done to both signals before they are compared, and which samples count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.comparison.filtering import lowpass, usable
from rig.comparison.shifting import shifted

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Settings:
    """How signals are prepared (both sides alike) and how far a delay is searched."""

    lowpass: float | None = 1000.0
    """Corner of the causal 2-pole low-pass on measured and predicted, Hz."""
    discard_cycles: int = 2
    """Counted cycles left out at the beginning."""
    remove_delay: float = 0.0
    """Known delay of the measured channels, s; taken out first, so that `delay_samples` is what remains."""
    max_delay: float = 0.020
    """Range of the delay search to either side, s."""


@dataclass(frozen=True)
class Prepared:
    """Both signals as compared: filtered, known delay taken out, and which samples count; all (N,)."""

    measured: Floats
    predicted: Floats
    kept: Flags


def prepare(measured: Floats, predicted: Floats, cycle: Floats, rate: float, settings: Settings) -> Prepared:
    """Filter both signals alike and choose the samples that count.

    Left out: what is not in a counted cycle (soft start and stop, cycle = -1), the first `discard_cycles` counted cycles, and
    samples that are missing on either side, with the filter's memory of them.
    """
    kept = counted(cycle, settings.discard_cycles)
    m, good = lowpass(measured, rate, settings.lowpass), usable(measured, rate, settings.lowpass)
    late = settings.remove_delay * rate
    if late != 0.0:
        m = shifted(m, -late)
        good = shifted(good.astype(np.float64), -late) > 0.99
        n = np.arange(len(m)) + late
        good &= (n >= 0.0) & (n <= len(m) - 1)
    p = lowpass(predicted, rate, settings.lowpass)
    return Prepared(m, p, kept & good & usable(predicted, rate, settings.lowpass))


def counted(cycle: Floats, discard: int) -> Flags:
    """Return (N,) true in the counted cycles behind the first `discard` ones."""
    whole = np.floor(np.where(np.isfinite(cycle), cycle, -1.0))
    numbers = np.unique(whole[whole >= 0.0])
    if len(numbers) <= discard:
        return np.zeros(len(cycle), dtype=np.bool_)
    return np.asarray(whole >= numbers[discard], dtype=np.bool_)
