"""Load reversals: the zeros of the command, after each of which measured and predicted cross the play.

    s = +-1   sign of the half cycle that begins at a zero
    T         period; of a command that is no pure sine twice the distance to the next zero
    A         amplitude; of a command that is no pure sine the half cycle's own

What the signals do after a zero: `rig.comparison.responses`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.comparison.preparation import whole
from rig.comparison.series import PIECE, Flags, Floats, Marks, Series, pieces

IMPACT_SEARCH = 3.0 / 8.0
"""Share of T after a zero that must count as a whole: the longest time for which anything is looked for."""
NO_COMMAND = 1e-9
"""Share of A below which a command counts as zero: rounding in sin(2 pi k)."""
HELD = 0.02
"""Share of T by which a half cycle lasts longer than it should where the test was held in it; a shorter hold changes hardly anything."""
ROW = np.dtype([("zero", "<f8"), ("sign", "<i8"), ("period", "<f8"), ("amplitude", "<f8"), ("cycle", "<i8")])

Rows = NDArray[Any]
"""Many reversals, 40 bytes each; the fields are those of `Reversal`."""


@dataclass(frozen=True)
class Reversal:
    """One zero of the command, in samples, and its half cycle: sign, period in samples, amplitude, counted cycle."""

    zero: float
    sign: int
    period: float
    amplitude: float
    cycle: int

    def window(self, share: float) -> slice:
        """Samples from the zero on for this share of the period."""
        return slice(int(np.ceil(self.zero)), int(np.floor(self.zero + share * self.period)) + 1)


def reversals(command: Series, cycle: Series, kept: Marks, amplitude: float, period: float | None) -> list[Reversal]:
    """Return the zeros of `command` (N,) whose first 3T/8 lie wholly in `kept` (N,); arguments as in `zeros`."""
    return [Reversal(*row) for row in within(zeros(command, cycle, amplitude, period), kept).tolist()]


def within(rows: Rows, kept: Marks) -> Rows:
    """Return those whose first 3T/8 lie wholly in `kept` (N,)."""
    inside = Inside(rows, len(kept))
    for part in pieces(0, len(kept)):
        inside.add(part.start, kept[part])
    return rows[inside.flags]


class Inside:
    """Which reversals have the first 3T/8 wholly in what counts, while that passes by."""

    def __init__(self, rows: Rows, count: int) -> None:
        """count: N, all samples there are."""
        self._start = np.ceil(rows["zero"]).astype(np.int64)
        self._stop = np.floor(rows["zero"] + IMPACT_SEARCH * rows["period"]).astype(np.int64) + 1
        self.flags: Flags = self._stop <= count

    def add(self, first: int, kept: Flags) -> None:
        """Samples first ..; kept (k,)."""
        bad = np.flatnonzero(~kept) + first
        if len(bad):
            self.flags &= np.searchsorted(bad, self._start) >= np.searchsorted(bad, self._stop)


def zeros(command: Series, cycle: Series, amplitude: float, period: float | None, length: int = PIECE) -> Rows:
    """Return the zeros of `command` (N,), in order.

    period: of a pure sine, in samples; None for any other command. A sine that was held within a half cycle takes longer to its next zero:
    what happens after such a zero happens at another speed, and it is left out.
    """
    found = _Zeros(NO_COMMAND * amplitude)
    for part in pieces(0, len(command), length):
        found.add(part.start, command[part], cycle[part])
    rows = found.rows()
    if period is not None:
        rows = rows[rows["period"] <= (1.0 + HELD) * period]
        rows["period"], rows["amplitude"] = period, amplitude
    return rows


class _Zeros:
    """Zeros of a command that comes piece by piece; it is loaded where it is larger than `least`."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._rows: list[Rows] = []
        self._sign, self._end = 0.0, 0  # of the last loaded sample, and n behind it
        self._last = 0.0  # value of the last sample

    def add(self, first: int, command: Floats, cycle: Floats) -> None:
        """Samples first ..; (k,) each, k > 0."""
        size = np.abs(command)
        signs = np.where(size > self._least, np.sign(command), 0.0)
        loaded = np.flatnonzero(signs)
        if len(loaded):
            before = np.concatenate(([self._sign], signs[loaded[:-1]]))
            turns = loaded[(signs[loaded] != before) & (loaded + first > 0)]  # a command loaded from sample 0 on has no zero there
            self._go_on(size[: turns[0] if len(turns) else None])
            if len(turns):
                self._rows.append(self._turned(first, command, cycle, turns))
            self._sign, self._end = float(signs[loaded[-1]]), first + int(loaded[-1]) + 1
        self._last = float(command[-1])

    def rows(self) -> Rows:
        """All there are; the last half cycle ends where the command was loaded last."""
        rows = np.concatenate([np.empty(0, ROW), *self._rows])
        rows["period"] = 2.0 * np.diff(rows["zero"], append=self._end)
        return rows

    def _go_on(self, size: Floats) -> None:
        """The half cycle that the last piece ended in, its next values."""
        if self._rows and len(size):
            self._rows[-1]["amplitude"][-1] = max(self._rows[-1]["amplitude"][-1], np.max(size))

    def _turned(self, first: int, command: Floats, cycle: Floats, turns: NDArray[np.intp]) -> Rows:
        """The reversals whose first loaded samples these are; the zero lies on the straight line to the sample before."""
        after = command[turns]
        before = np.concatenate(([self._last], command))[turns]
        crossing = before * after < 0.0
        rows = np.zeros(len(turns), ROW)
        rows["zero"] = turns + first - 1 + np.where(crossing, before / np.where(crossing, before - after, 1.0), 0.0)
        rows["sign"] = np.sign(after)
        rows["amplitude"] = np.maximum.reduceat(np.abs(command), turns)
        rows["cycle"] = whole(cycle[turns])
        return rows
