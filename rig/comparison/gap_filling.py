"""Samples that are missing: straight lines over them, and how many would have counted."""

from __future__ import annotations

import numpy as np

from rig.comparison.series import Flags, Floats, Series, ends, pieces


class GapFilled:
    """A signal (N,) with samples that are not finite replaced by straight lines; end values are held, all missing are zeros."""

    def __init__(self, x: Series) -> None:
        self._x = x
        # What the last searches found: a long gap is looked through once, not once for every piece of it.
        self._before = (-1, 0)  # (p, n): p is the last finite sample before n, -1 for none
        self._behind = (0, -1)  # (n, p): p is the first finite sample from n on, N for none

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, len(self))
        x = np.asarray(self._x[first:last], dtype=np.float64)
        finite = np.isfinite(x)
        if finite.all():
            return x
        known = np.flatnonzero(finite) + first
        left = [] if finite[0] else [self._known_before(first)]
        right = [] if finite[-1] else [self._known_from(last)]
        left, right = ([n for n in one if 0 <= n < len(self)] for one in (left, right))
        if not len(left) + len(known) + len(right):
            return np.zeros(last - first)
        values = [self._x[n : n + 1] for n in left] + [x[finite]] + [self._x[n : n + 1] for n in right]
        lines = np.interp(np.arange(first, last), np.concatenate((left, known, right)), np.concatenate(values))
        return np.asarray(lines, dtype=np.float64)

    def _known_before(self, n: int) -> int:
        """The last finite sample before n, -1 where there is none."""
        found, until = self._before
        floor = until if found < until <= n else 0
        for part in reversed(list(pieces(floor, n))):
            if len(known := np.flatnonzero(np.isfinite(self._x[part]))):
                found = part.start + int(known[-1])
                break
        else:
            found = found if floor else -1
        self._before = (found, n)
        return found

    def _known_from(self, n: int) -> int:
        """The first finite sample from n on, N where there is none."""
        begin, found = self._behind
        if begin <= n <= found:
            return found
        found = len(self)
        for part in pieces(n, len(self)):
            if len(known := np.flatnonzero(np.isfinite(self._x[part]))):
                found = part.start + int(known[0])
                break
        self._behind = (n, found)
        return found


MISSING = "samples are missing"


class Missing:
    """Of both sides, counted while a record passes by."""

    def __init__(self, measured: Series, predicted: Series) -> None:
        self._sides = {"measured": measured, "predicted": predicted}
        self._counts = dict.fromkeys(self._sides, 0)

    def add(self, part: slice, counted: Flags) -> None:
        """Samples of `part`, (k,) true where they would count."""
        for side, series in self._sides.items():
            self._counts[side] += int(np.count_nonzero(counted & ~np.isfinite(series[part])))

    def words(self, counted: int, compared: int) -> tuple[str, ...]:
        """What there is to say when `compared` of `counted` samples were compared; nothing where none were, which is told as such."""
        told = [f"{count} of {side}" for side, count in self._counts.items() if count]
        left_out = f"{counted - compared} of {counted} samples do not count, those with which the filter remembers them included"
        return (f"{MISSING}: {', '.join(told)}; {left_out}",) if told and compared else ()
