"""What a run shows of a fault: its channels as they are compared, at a rate that is enough for what the low-pass leaves of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rig.comparison.filtering import Bandpassed, Lowpassed
from rig.comparison.preparation import Counted, Settings, whole
from rig.comparison.series import Floats, Series, pieces

MOST = 1 << 18
"""Samples of the record that are looked at: of the longest stretch of cycles without a break, or the first that is as long as this."""
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
    breaks: Sequence[tuple[int, int]] = (),
    in_band: bool = False,
) -> Evidence | None:
    """Of channels (N,) at `rate`, Hz; those of which nothing is there are left out. None where fewer than LEAST samples count.

    approach: the way up to the first cycle comes before it. breaks: (first, behind the last) samples of what is not there, or not compared,
    in order: every shape of a fault is one over time, and what lies behind a break is at another time.
    """
    counted, cycles = Counted(cycle, settings.discard_cycles), Counted(cycle, 0).extent
    stretch = _stretch(counted, breaks)
    end = min(stretch.stop, stretch.start + MOST)
    if end - stretch.start < LEAST:
        return None
    begin = max((behind for _, behind in breaks if behind <= stretch.start), default=0)
    part = slice(begin if approach else max(cycles.start, begin, end - MOST), end)
    band = settings.band if in_band else None
    corner = settings.lowpass if band is None else band[1]
    every = 1 if corner is None else max(1, int(rate / (DENSE * corner)))

    def filtered(x: Series) -> Series:
        return Lowpassed(x, rate, settings.lowpass) if band is None else Bandpassed(x, rate, band)

    def kept(series: Mapping[str, Series]) -> dict[str, Floats]:
        there = {name: x for name, x in series.items() if np.isfinite(x[part]).any()}
        return {name: np.asarray(filtered(x)[part])[::every] for name, x in there.items()}

    numbers = whole(np.asarray(cycle[part], dtype=np.float64))[::every]
    return Evidence(
        rate=rate / every,
        begin=part.start / rate,
        command=np.asarray(command[part], dtype=np.float64)[::every],
        cycle=numbers,
        first=float(whole(np.asarray(cycle[stretch.start : stretch.start + 1], dtype=np.float64))[0]),
        measured=kept(measured),
        predicted=kept(predicted),
    )


def _stretch(counted: Counted, breaks: Sequence[tuple[int, int]]) -> range:
    """The longest part of what counts that no break lies in, or the first that is long enough, from a sample on that counts."""
    all_of_it = counted.extent
    begins = [all_of_it.start, *(behind for _, behind in breaks if all_of_it.start < behind < all_of_it.stop)]
    ends = [*(first for first, _ in breaks if all_of_it.start < first < all_of_it.stop), all_of_it.stop]
    parts = [range(_first(counted, begin, end), end) for begin, end in zip(begins, ends, strict=True)]
    return next((part for part in parts if len(part) >= MOST), max(parts, key=len, default=range(0)))


def _first(counted: Counted, begin: int, end: int) -> int:
    """The first sample that counts; `end` where none does."""
    for part in pieces(begin, end):
        at = np.flatnonzero(counted[part])
        if len(at):
            return int(part.start) + int(at[0])
    return end
