"""What is done to both signals before they are compared, and which samples count."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.comparison.delays.fractional_shift import REACH, Shifted
from rig.comparison.filtering import Bandpassed, Lowpassed, Usable, slowest
from rig.comparison.series import PIECE, Flags, Floats, Marks, Series, ends, pieces


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
    band: tuple[float, float] | None = None
    """Edges (Hz) of the band whose level is told of both."""
    delay: bool = True
    """False: no delay is looked for, which takes most of the time."""


@dataclass(frozen=True)
class Prepared:
    """Both signals as compared: filtered, known delay taken out, and which samples can be compared; all (N,), computed where sliced."""

    measured: Series
    predicted: Series
    known: Marks
    band: Prepared | None = None
    """The same of a band, past the low-pass and without regard to a known delay, which no level depends on."""


def prepare(measured: Series, predicted: Series, rate: float, settings: Settings) -> Prepared:
    """Filter both signals alike; known leaves out samples that are missing on either side, with the filter's memory of them."""
    m: Series = Lowpassed(measured, rate, settings.lowpass)
    good: Marks = Usable(measured, rate, settings.lowpass)
    late = settings.remove_delay * rate
    if late != 0.0:
        m, good = Shifted(m, -late), _ShiftedMarks(good, late)
    p = Lowpassed(predicted, rate, settings.lowpass)
    return Prepared(m, p, Both(good, Usable(predicted, rate, settings.lowpass)), _prepare_band(measured, predicted, rate, settings.band))


def _prepare_band(measured: Series, predicted: Series, rate: float, band: tuple[float, float] | None) -> Prepared | None:
    if band is None or band[1] >= 0.5 * rate:
        return None
    corner = slowest(band)
    known = Both(Usable(measured, rate, corner), Usable(predicted, rate, corner))
    return Prepared(Bandpassed(measured, rate, band), Bandpassed(predicted, rate, band), known)


class Both:
    """(N,) true where both are."""

    def __init__(self, one: Marks, other: Marks) -> None:
        self._one, self._other = one, other

    def __len__(self) -> int:
        return len(self._one)

    def __getitem__(self, part: slice) -> Flags:
        return np.asarray(self._one[part] & self._other[part], dtype=np.bool_)


class _ShiftedMarks:
    """Marks (N,) of a signal of which `late` samples of delay are taken out: all samples that one is made of are there, and good."""

    def __init__(self, good: Marks, late: float) -> None:
        self._good, self._whole = good, round(late)
        self._reach = 0 if late == self._whole else REACH

    def __len__(self) -> int:
        return len(self._good)

    def __getitem__(self, part: slice) -> Flags:
        first, last = ends(part, len(self))
        begin, end = first + self._whole - self._reach, last + self._whole + self._reach
        there = np.zeros(end - begin, np.bool_)
        inside = slice(max(begin, 0), min(end, len(self)))
        if inside.start < inside.stop:
            there[inside.start - begin : inside.stop - begin] = self._good[inside]
        missing = np.concatenate(([0], np.cumsum(~there)))
        width = 2 * self._reach + 1
        return np.asarray(missing[width:] == missing[: len(missing) - width], dtype=np.bool_)


class Counted:
    """(N,) true in the counted cycles behind the first `discard` ones; soft start and stop (cycle = -1) do not count."""

    def __init__(self, cycle: Series, discard: int, length: int = PIECE) -> None:
        self._cycle = cycle
        numbers, starts = _runs(cycle, length)
        there = np.unique(numbers[numbers >= 0.0])
        self._least = float(there[discard]) if len(there) > discard else math.inf
        self.numbers = there[discard:]
        """Of the cycles that count, in order."""
        counting = np.flatnonzero(numbers >= self._least)
        stops = np.append(starts[1:], len(cycle))
        self.samples = int(np.sum((stops - starts)[counting]))
        """How many count; fewer than `extent` has where ramps, which do not, lie between cycles that do."""
        self.extent = range(int(starts[counting[0]]), int(stops[counting[-1]])) if len(counting) else range(0)
        """From the first sample that counts to the last one; empty when there is none."""

    def __len__(self) -> int:
        return len(self._cycle)

    def __getitem__(self, part: slice) -> Flags:
        return np.asarray(whole(self._cycle[part]) >= self._least, dtype=np.bool_)


def whole(cycle: Floats) -> Floats:
    """Number of the cycle, (N,) as it is streamed; -1 where it is missing."""
    return np.floor(np.where(np.isfinite(cycle), cycle, -1.0))


def _runs(cycle: Series, length: int) -> tuple[Floats, NDArray[np.int64]]:
    """(number, first sample) of every run of samples of the same cycle."""
    found, starts, last = [np.empty(0)], [np.empty(0, np.int64)], math.nan
    for part in pieces(0, len(cycle), length):
        numbers = whole(cycle[part])
        new = np.flatnonzero(np.concatenate(([numbers[0] != last], numbers[1:] != numbers[:-1])))
        found.append(numbers[new])
        starts.append(new + part.start)
        last = float(numbers[-1])
    return np.concatenate(found), np.concatenate(starts)
