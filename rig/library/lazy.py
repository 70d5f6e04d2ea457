"""Samples that are read where they are used, and times that are computed: nothing of a long record is in memory before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xarray import Coordinates
from xarray.backends import BackendArray
from xarray.core.indexing import ExplicitIndexer, IndexingSupport, IndexSelResult, LazilyIndexedArray, explicit_indexing_adapter
from xarray.indexes import RangeIndex

TIME = "time"
PIECE = 2**20  # samples read at once where every k-th is asked for
ROUNDING = 1e-6  # of a sample: a time that is written as 0.3 s means that sample
Samples = NDArray[np.float64]
Read = Callable[[int, int], Samples]
"""(first, count) -> those samples of a channel."""


class Channel(BackendArray):  # type: ignore[misc]  # xarray tells no types for it
    """One channel, (N,), for xarray: a slice reads its samples and no others; every k-th is read piece by piece."""

    def __init__(self, read: Read, length: int) -> None:
        self._read = read
        self.shape, self.dtype = (length,), np.dtype(np.float64)

    def __getitem__(self, key: ExplicitIndexer) -> Any:
        """Samples for one of xarray's keys."""
        return explicit_indexing_adapter(key, self.shape, IndexingSupport.BASIC, self._basic)

    def _basic(self, key: tuple[int | slice, ...]) -> Any:
        (at,) = key
        if not isinstance(at, slice):
            return self._read(range(self.shape[0])[at], 1)[0]
        wanted = range(self.shape[0])[at]
        if not len(wanted):
            return np.empty(0)
        if wanted.step == 1:
            return self._read(wanted.start, len(wanted))
        return self._thinned(wanted)  # a step back xarray takes by itself

    def _thinned(self, wanted: range) -> Samples:
        if wanted.step >= PIECE:
            return np.concatenate([self._read(n, 1) for n in wanted])
        count = PIECE // wanted.step
        pieces = (wanted[k : k + count] for k in range(0, len(wanted), count))
        return np.concatenate([self._read(one.start, one[-1] - one.start + 1)[:: wanted.step] for one in pieces])


def channel(read: Read, length: int) -> Any:
    """Data of a variable, (length,)."""
    return LazilyIndexedArray(Channel(read, length))


class SampleTimes(RangeIndex):
    """Times of samples, s; `sel(time=slice(1.0, 2.0))` takes those from 1 to 2 s, both counted in, as other indexes of xarray do."""

    def sel(self, labels: dict[Any, Any], method: Any = None, tolerance: Any = None) -> IndexSelResult:
        """Positions of times; one that is no sample's needs method="nearest"."""
        label = labels[self.dim]
        if not isinstance(label, slice) or method is not None:
            return super().sel(labels, method=method, tolerance=tolerance)
        first = 0 if label.start is None else math.ceil((label.start - self.start) / self.step - ROUNDING)
        end = self.size if label.stop is None else math.floor((label.stop - self.start) / self.step + ROUNDING) + 1
        return IndexSelResult({self.dim: slice(max(first, 0), max(end, 0), label.step)})

    def isel(self, indexers: Mapping[Any, Any]) -> Any:
        """The index of a part."""
        found = super().isel(indexers)
        return SampleTimes(found.transform) if isinstance(found, RangeIndex) else found


def times(first: int, length: int, rate: float) -> Coordinates:
    """Coordinate `time` of samples first .. first + length - 1 at `rate` Hz."""
    made = SampleTimes(RangeIndex.arange(first / rate, (first + length) / rate, 1.0 / rate, dim=TIME).transform)
    if made.size != length:  # rounding at the end
        made = SampleTimes(RangeIndex.linspace(first / rate, (first + length) / rate, length, dim=TIME).transform)
    found = Coordinates.from_xindex(made)
    found[TIME].attrs.update(units="s", long_name="time")
    return found
