"""Columns made of columns, (N,) each, read where they are sliced: held, scaled, masked, or placed among missing values."""

from __future__ import annotations

import numpy as np

from rig.formats.table import Floats, Values
from rig.playback.resampling import Resampled
from rig.recorder.reading import LARGEST


class Held:
    """The sample at the time of each one of another rate, or the one before it."""

    def __init__(self, values: Values, source: float, target: float) -> None:
        self._values, self._by = values, target / source
        self._length = len(Resampled(values, source, target))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._length)
        if first >= last:
            return np.empty(0)
        places = np.minimum(np.floor(np.arange(first, last) / self._by + 1e-9).astype(np.int64), len(self._values) - 1)
        return np.asarray(np.asarray(self._values[int(places[0]) : int(places[-1]) + 1])[places - places[0]], dtype=np.float64)


class Scaled:
    """factor * values + zero, (N,)."""

    def __init__(self, values: Values, factor: float, zero: float) -> None:
        self._values, self._factor, self._zero = values, factor, zero

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, part: slice) -> Floats:
        found = self._values[part]
        if self._factor != 1.0:
            found = found * self._factor
        found = found + self._zero if self._zero else found
        with np.errstate(invalid="ignore"):
            return np.where(np.abs(found) <= LARGEST, found, np.nan)  # infinite: it was out of range, or never there


class Masked:
    """values (N,), NaN where another channel is not 0."""

    def __init__(self, values: Values, status: Values) -> None:
        self._values, self._status = values, status

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, part: slice) -> Floats:
        return np.where(np.asarray(self._status[part]) == 0.0, self._values[part], np.nan)


class Placed:
    """values (N,) that begin at sample `first` of M; NaN before and behind."""

    def __init__(self, values: Values, first: int, samples: int) -> None:
        self._values, self._first, self._samples = values, first, samples

    def __len__(self) -> int:
        return self._samples

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._samples)
        out = np.full(max(0, last - first), np.nan)
        begin, end = max(first, self._first), min(last, self._first + len(self._values))
        if begin < end:
            out[begin - first : end - first] = self._values[begin - self._first : end - self._first]
        return out
