"""What a run shows of a fault: its channels as they are compared, at a rate that is enough for what the low-pass leaves of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rig.comparison.filtering import Lowpassed
from rig.comparison.preparation import Counted, Settings, whole
from rig.comparison.series import Floats, Series

MOST = 1 << 18
"""Samples of the record that are looked at, the first of the cycles."""
LEAST = 1 << 8
DENSE = 8.0
"""Rate that is kept, over the corner of the low-pass."""


@dataclass(frozen=True)
class Evidence:
    """Measured and predicted by channel, all (N,), behind the comparison's low-pass, and the command, from the first cycle on."""

    rate: float
    """Hz, of what is kept."""
    begin: float
    """Time of the first sample since the record began, s."""
    command: Floats
    cycle: Floats
    """Number of the cycle of each sample."""
    first: float
    """Number of the first cycle that counts."""
    measured: Mapping[str, Floats]
    predicted: Mapping[str, Floats]

    @property
    def counted(self) -> slice:
        """The samples that count: all from the first one on."""
        return slice(int(np.searchsorted(self.cycle, self.first)), len(self.cycle))


def evidence(
    command: Series,
    cycle: Series,
    measured: Mapping[str, Series],
    predicted: Mapping[str, Series],
    rate: float,
    settings: Settings,
    approach: bool = False,
) -> Evidence | None:
    """Of channels (N,) at `rate`, Hz; those of which nothing is there are left out. None where fewer than LEAST samples count.

    approach: the way up to the first cycle comes before it.
    """
    counted, cycles = Counted(cycle, settings.discard_cycles).extent, Counted(cycle, 0).extent
    end = min(counted.stop, counted.start + MOST)
    if end - counted.start < LEAST:
        return None
    part = slice(0 if approach else max(cycles.start, end - MOST), end)
    every = 1 if settings.lowpass is None else max(1, int(rate / (DENSE * settings.lowpass)))

    def kept(series: Mapping[str, Series]) -> dict[str, Floats]:
        there = {name: x for name, x in series.items() if np.isfinite(x[part]).any()}
        return {name: Lowpassed(x, rate, settings.lowpass)[part][::every] for name, x in there.items()}

    numbers = whole(np.asarray(cycle[part], dtype=np.float64))[::every]
    return Evidence(
        rate=rate / every,
        begin=part.start / rate,
        command=np.asarray(command[part], dtype=np.float64)[::every],
        cycle=numbers,
        first=float(whole(np.asarray(cycle[counted.start : counted.start + 1], dtype=np.float64))[0]),
        measured=kept(measured),
        predicted=kept(predicted),
    )
