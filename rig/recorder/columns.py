"""The datasets of one stream: one per channel, written a whole chunk at a time past HDF5's chunk cache.

Row n of every dataset is sample n. The chunk that is being filled is kept here, NaN where nothing has come yet. It is written when
it is full, or as it stands when it has waited too long; so in the ordinary course every sample is written to the file once.
"""

from __future__ import annotations

from collections.abc import Mapping

import h5py
import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.host import clock
from rig.recorder.description import StreamShape

CHUNK = 0.08  # s in one chunk; below the longest time between two flushes, which then find whole chunks


def chunk_rows(rate: float) -> int:
    """Samples in one chunk at `rate` (Hz)."""
    return max(1, round(CHUNK * rate))


class Columns:
    """One stream in the file."""

    def __init__(
        self,
        group: h5py.Group,
        shape: StreamShape,
        attributes: dict[str, dict[str, float]],
        compression: str = "none",
        origin: int = 0,
    ) -> None:
        """origin: sample of row 0; all the numbers of samples here are counted from it."""
        self.shape, self.end = shape, 0
        self._write = _write_as_it_is if compression == "none" else _write_compressed
        self.rows = 0  # in the file
        self.waiting_since = 0.0  # clock.now() at which the oldest pending sample came
        self._chunk = chunk_rows(shape.rate)
        self._start = 0  # n of the first row of the chunk being filled
        self._buffer = np.full((len(shape.channels), self._chunk), np.nan)
        self._datasets = []
        for number, (name, unit) in enumerate(zip(shape.channels, shape.units, strict=True)):
            label = f"{shape.name} {name} ({unit})"
            told: dict[str, Json] = {"units": unit, "rate": shape.rate, "long_name": label, "column": number}
            told |= {"first_sample": origin} if origin else {}
            self._datasets.append(column(group, name, self._chunk, told, compression))
        for name, more in attributes.items():
            if name in group:
                group[name].attrs.update(more)

    @property
    def pending(self) -> int:
        """Samples that are not in the file yet."""
        return self.end - self.rows

    def append(self, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .., block (k, channels); rows that are skipped stay NaN. Whole chunks go to the file at once."""
        if not self.pending:
            self.waiting_since = clock.now()
        done = 0
        while done < len(block):
            n = first + done
            if n >= self._start + self._chunk:
                self.put()
                self._start = n - n % self._chunk
                self._buffer.fill(np.nan)
            offset = n - self._start
            count = min(self._chunk - offset, len(block) - done)
            self._buffer[:, offset : offset + count] = block[done : done + count].T
            done += count
            self.end = n + count
            if offset + count == self._chunk:
                self.put()
                self.waiting_since = clock.now()

    def skip(self, end: int) -> None:
        """Rows up to `end` stay NaN."""
        self.end = max(self.end, end)

    def put(self) -> None:
        """Write what is pending; HDF5's own buffers are the caller's to flush."""
        if not self.pending:
            return
        for dataset, values in zip(self._datasets, self._buffer, strict=True):
            dataset.set_extent((self.end,))
            self._write(dataset, self._start, self.end, values)
        self.rows = self.end


def _write_as_it_is(dataset: h5py.h5d.DatasetID, start: int, end: int, chunk: NDArray[np.float64]) -> None:
    dataset.write_direct_chunk((start,), chunk)


def _write_compressed(dataset: h5py.h5d.DatasetID, start: int, end: int, chunk: NDArray[np.float64]) -> None:
    """Through HDF5's filters, which a chunk that is written directly goes past."""
    count = min(end - start, len(chunk))  # behind a gap the stream ends further on
    rows = dataset.get_space()
    rows.select_hyperslab((start,), (count,))
    dataset.write(h5py.h5s.create_simple((count,)), rows, chunk[:count])


class TimeColumn:
    """/entry/time: n / rate, as long as the longest stream. A chunk is written whole, once; the extent grows over it."""

    def __init__(self, group: h5py.Group, rate: float, origin: int = 0, sparse: bool = False) -> None:
        """origin: sample of row 0; sparse: NaN where no sample was kept, as a week of times would take more than what is."""
        self._sparse = sparse
        self._rate, self._chunk, self._origin = rate, chunk_rows(rate), origin
        told: dict[str, Json] = {"units": "s", "rate": rate, "long_name": "time (s)", **({"first_sample": origin} if origin else {})}
        self._dataset = column(group, "time", self._chunk, told)
        self._written = 0
        self.end = 0

    def extend(self, end: int) -> None:
        if end <= self.end:
            return
        self._dataset.set_extent((end,))
        while self._written < end and not self._sparse:
            self._put(self._written)
            self._written += self._chunk
        self.end = end

    def cover(self, first: int, count: int) -> None:
        """Rows first .. have samples."""
        if not self._sparse or count == 0:
            return
        self.end = max(self.end, first + count)
        self._dataset.set_extent((self.end,))
        for start in range(max(self._written, first - first % self._chunk), first + count, self._chunk):
            self._put(start)
            self._written = start + self._chunk

    def _put(self, start: int) -> None:
        values = np.arange(self._origin + start, self._origin + start + self._chunk) / self._rate
        self._dataset.write_direct_chunk((start,), values)


def column(group: h5py.Group, name: str, chunk: int, attributes: Mapping[str, Json], compression: str = "none") -> h5py.h5d.DatasetID:
    """An empty float64 dataset that can grow; returns its low-level id."""
    options: dict[str, object] = {}
    if compression == "bitshuffle_lz4":
        import hdf5plugin  # takes its time, and is needed where it is asked for only

        options = dict(hdf5plugin.Bitshuffle(cname="lz4"))
    dataset = group.create_dataset(name, (0,), "<f8", maxshape=(None,), chunks=(chunk,), fillvalue=np.nan, **options)
    dataset.attrs.update({"first_sample": 0, **attributes})
    return dataset.id
