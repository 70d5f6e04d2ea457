"""When the samples of a column were taken: an even rate, and where samples are missing on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rig.formats.table import Floats, Values
from rig.playback.column import UNEVEN, nominal

BLOCK = 1 << 18
MOST_GAPS = 100_000
LONGEST_GAP = 1 << 28
"""Samples: a stamp that lies years ahead is damage."""


@dataclass(frozen=True)
class Axis:
    """rate, Hz; begin: of the first sample, s; samples: with those that are missing; gaps: (sample of the grid, how many are missing)."""

    rate: float
    begin: float
    samples: int
    gaps: tuple[tuple[int, int], ...] = ()


class OnGrid:
    """values (N,) on the axis's grid (M,): NaN where samples are missing."""

    def __init__(self, values: Values, axis: Axis) -> None:
        self._values, self._samples = values, axis.samples
        begins = np.array([first for first, _ in axis.gaps], dtype=np.int64)
        counts = np.array([count for _, count in axis.gaps], dtype=np.int64)
        self._begins, self._ends, self._missing = begins, begins + counts, np.concatenate([[0], np.cumsum(counts)])

    def __len__(self) -> int:
        return self._samples

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._samples)
        out = np.full(max(0, last - first), np.nan)
        at = first
        while at < last:
            behind = int(np.searchsorted(self._ends, at, side="right"))  # gaps that end before it
            if behind < len(self._begins) and self._begins[behind] <= at:
                at = int(self._ends[behind])
                continue
            end = int(self._begins[behind]) if behind < len(self._begins) else self._samples
            end, row = min(end, last), at - int(self._missing[behind])
            out[at - first : end - first] = self._values[row : row + end - at]
            at = end
        return out


def axis_of(times: Values, what: str) -> Axis:
    """Of stamps (N,), s. what: which they are, in words. Raises ValueError for stamps that are missing, do not rise, or are not even."""
    count = len(times)
    if count < 2:
        raise ValueError(f"{what} has {count} samples, expected at least two")
    typical = float(np.median(np.diff(times[0 : min(count, BLOCK)])))
    steps = lost = 0
    gaps: list[tuple[int, int]] = []
    for first, part in _parts(times):
        if len(wrong := np.flatnonzero(~np.isfinite(part))):
            raise ValueError(f"{what}: the time of sample {first + int(wrong[0])} is not a number")
        apart = np.diff(part)
        if len(back := np.flatnonzero(apart <= 0.0)):
            n = first + int(back[0])
            more = '; where its digits are too few, time = "" and rate in the map say how it was sampled' if apart[back[0]] == 0.0 else ""
            raise ValueError(f"{what} does not rise after sample {n}: {part[back[0]]:.9g} s is followed by {part[back[0] + 1]:.9g} s{more}")
        whole = np.maximum(np.rint(apart / typical), 1.0)
        for k in np.flatnonzero(whole > 1.0):
            missing = int(whole[k]) - 1
            if missing > LONGEST_GAP or len(gaps) >= MOST_GAPS:
                raise ValueError(
                    f"{what} jumps from {part[k]:.9g} to {part[k + 1]:.9g} s after sample {first + k}, samples lie {typical:.6g} s apart"
                )
            gaps.append((first + int(k) + 1 + lost, missing))
            lost += missing
        steps += int(whole.sum())
    begin, length = float(times[0:1][0]), float(times[count - 1 : count][0] - times[0:1][0])
    worst = _worst(times, begin, length / steps, gaps, what)
    return Axis(nominal(steps / length, 2.0 * worst / length + 1e-12), begin, steps + 1, tuple(gaps))


def _parts(times: Values) -> Iterator[tuple[int, Floats]]:
    """(number of its first sample, part); each begins with the last sample of the one before."""
    for first in range(0, len(times) - 1, BLOCK):
        yield first, times[first : first + BLOCK + 1]


def _worst(times: Values, begin: float, distance: float, gaps: list[tuple[int, int]], what: str) -> float:
    """Largest distance of a stamp from where an even rate has it, s. Raises ValueError for more than a tenth of a sample."""
    worst, ends = 0.0, np.array([first for first, _ in gaps], dtype=np.int64)
    missing = np.concatenate([[0], np.cumsum([count for _, count in gaps])]).astype(np.int64)
    rows_at = ends - missing[:-1] if len(ends) else ends  # row of the file behind each gap
    for first, part in _parts(times):
        rows = np.arange(first, first + len(part))
        grid = rows + missing[np.searchsorted(rows_at, rows, side="right")]
        away = np.abs(part - begin - distance * grid)
        if (largest := float(away.max())) > UNEVEN * distance:
            at = int(np.argmax(away))
            raise ValueError(
                f"{what} is not even: sample {first + at} lies {largest / distance:.2g} sample distances from where an even rate of "
                f"{1.0 / distance:.6g} Hz has it; bring it to an even rate first"
            )
        worst = max(worst, largest)
    return worst
