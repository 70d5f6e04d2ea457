"""WAV by scipy: each channel from -1 to 1 of full scale; the file knows neither units nor when it began."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from rig.formats.reading import explained
from rig.formats.table import Contents, Floats, Found

UNKNOWN = "non-data"
"""In what is said of chunks that are not sound, which programs keep their own things in."""


class Sound:
    """A channel (N,), as a share of full scale."""

    def __init__(self, numbers: np.ndarray, number: int) -> None:
        self._numbers, self._number = numbers, number

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, part: slice) -> Floats:
        values = np.asarray(self._numbers[part, self._number], dtype=np.float64)
        kind = self._numbers.dtype
        if kind.kind == "u":
            return (values - 128.0) / 128.0
        return values / 2.0 ** (8 * kind.itemsize - 1) if kind.kind == "i" else values


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    with explained("a WAV file"), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            rate, numbers = wavfile.read(path, mmap=True)
        except ValueError as error:
            if "mmap" not in str(error):  # numbers of 24 bits are none of numpy's
                raise
            rate, numbers = wavfile.read(path)
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    found = [Found(f"channel_{k + 1}", "", Sound(numbers, k), float(rate)) for k in range(numbers.shape[1])]
    said = [str(one.message) for one in warned if UNKNOWN not in str(one.message)]
    yield Contents("wav", found, said=(f"{numbers.dtype}, {rate} Hz, full scale is 1", *said))
