"""Signals that need not fit into memory: whatever has a length, and gives an array where it is sliced. An array is one itself.

Signals that are made of others (filtered, shifted) are computed where they are sliced, so that a record of any length is
compared piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 16
"""Samples at a time: a few of these arrays stay in a processor's cache."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Sliced(Protocol):
    """(N,) samples; a slice with step 1 gives their array."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> NDArray[Any]: ...


Series = Sliced
"""(N,) floats."""
Marks = Sliced
"""(N,) truth values."""


class Once:
    """A signal (N,) of which the last slice is kept for the next one who asks for it: to read or to filter it takes most of the time."""

    def __init__(self, x: Series) -> None:
        self._x, self._part, self._last = x, slice(0, 0), np.empty(0)

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        if part != self._part:
            self._part, self._last = part, np.asarray(self._x[part])
        return self._last


class Window:
    """Samples first .. end - 1 of a signal (N,)."""

    def __init__(self, x: Series, first: int, end: int) -> None:
        self._x, self._first, self._length = x, first, end - first

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> NDArray[Any]:
        first, last = ends(part, self._length)
        return np.asarray(self._x[self._first + first : self._first + last])


def pieces(first: int, last: int, length: int = PIECE) -> Iterator[slice]:
    """Cut first .. last - 1 into stretches of at most `length` samples, in order."""
    for start in range(first, last, length):
        yield slice(start, min(start + length, last))


def ends(part: slice, count: int) -> tuple[int, int]:
    """(first, behind the last) sample of `part` of `count` samples."""
    first, last, _ = part.indices(count)
    return first, max(first, last)
