"""To another rate, band-limited: a polyphase filter, flat to 0.9 of the lower of the two Nyquist frequencies, 100 dB down above."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Sliced(Protocol):
    """(N,) numbers, read where they are sliced."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> Floats: ...


LARGEST = 50_000  # of the two whole numbers whose ratio the rates are; the rates that a device makes of 100 MHz are in no simpler one
LONGEST = 1 << 26  # samples: 22 minutes at 51.2 kHz, half a gigabyte in each process that plays them
SAME = 1e-9
REACH = 96  # zero crossings of the filter to either side
WINDOW = ("kaiser", 10.0)
EDGE = 0.95  # of the Nyquist frequency: half way down; a tenth of it wide


def ratio(source: float, target: float) -> Fraction:
    """target / source. Raises ValueError for rates that are in no ratio of whole numbers."""
    found = Fraction(target / source).limit_denominator(LARGEST)
    if found.numerator == 0 or found.numerator > LARGEST or abs(float(found) * source / target - 1.0) > SAME:
        raise ValueError(f"from {source:.9g} to {target:.9g} Hz: expected rates in a ratio of whole numbers up to {LARGEST}")
    return found


def resample(values: Floats, source: float, target: float, periodic: bool = False) -> Floats:
    """values (N,) at rate `source` as (M,) at rate `target`, Hz, beginning at the same time, M about N target / source.

    Beyond its ends a signal stands still, or begins again where it is periodic. Equal rates: the same values to the last bit.
    Raises ValueError for rates that are in no ratio of whole numbers, for a period that is no whole number of samples, and for too many.
    """
    by = ratio(source, target)
    if by == 1:
        return values
    up, down = by.numerator, by.denominator
    if (count := len(values) * up // down) > LONGEST:
        raise ValueError(
            f"{len(values)} samples at {source:.9g} Hz are {count} at {target:.9g} Hz, expected at most {LONGEST}; play it in parts"
        )
    if periodic and len(values) * up % down:
        raise ValueError(f"a period of {len(values)} samples at {source:.9g} Hz is no whole number of samples at {target:.9g} Hz")
    margin = down * -(-2 * REACH * max(1, -(-down // up)) // down)  # whole output samples, and longer than the filter
    padded = np.pad(values, margin, mode="wrap" if periodic else "edge")
    half = down * -(-REACH * max(up, down) // down)  # the filter's delay, whole output samples
    taps = up * scipy.signal.firwin(2 * half + 1, EDGE / max(up, down), window=WINDOW)
    first, count = (half + margin * up) // down, -(-len(values) * up // down)
    return np.asarray(scipy.signal.upfirdn(taps, padded, up, down), dtype=np.float64)[first : first + count]


TABLED = 1024  # points of the filter between two of the samples that it makes
HALF = 1 << 22  # taps of one that is kept whole


class Resampled:
    """values (N,) at another rate, (M,), read where it is sliced: as `resample` has it, whatever its length. A value that would be made of
    one that is missing is missing.

    Rates in a ratio of small whole numbers: to the bits of `resample`. Others: the same filter, tabled, its error below 1e-5.
    """

    def __init__(self, values: Sliced, source: float, target: float) -> None:
        """Raises ValueError for a rate that is none."""
        if not 0.0 < target < np.inf:
            raise ValueError(f"to {target:g} Hz: expected a rate above 0")
        self._values, self._by = values, target / source
        found = Fraction(self._by).limit_denominator(LARGEST)
        exact = (
            found.numerator > 0
            and abs(float(found) / self._by - 1.0) <= SAME
            and 2 * REACH * max(found.numerator, found.denominator) <= HALF
        )
        self._ratio = found if exact else None
        self._length = -(-len(values) * found.numerator // found.denominator) if exact else int(np.ceil(len(values) * self._by))
        self._wide = max(1.0, 1.0 / self._by)  # input samples between two zeros of the filter
        if self._ratio is not None:
            up, down = self._ratio.numerator, self._ratio.denominator
            self._half = down * -(-REACH * max(up, down) // down)
            self._taps = up * scipy.signal.firwin(2 * self._half + 1, EDGE / max(up, down), window=WINDOW)
        else:
            grid = np.linspace(-REACH, REACH, 2 * REACH * TABLED + 1)
            window = scipy.signal.windows.kaiser(len(grid), WINDOW[1])
            self._grid, self._kernel = grid, EDGE * np.sinc(EDGE * grid) * window / self._wide

    @property
    def words(self) -> str:
        """The filter in words."""
        if self._ratio == 1:
            return "none: the rate is the same"
        how = f"polyphase {self._ratio}" if self._ratio is not None else f"tabled at {TABLED} points a sample"
        return f"linear-phase FIR, zero delay, Kaiser {WINDOW[1]:g}, half way down at {EDGE:g} of the lower Nyquist frequency; {how}"

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(self._length)
        if first >= last:
            return np.empty(0)
        if self._ratio == 1:
            return self._values[first:last]
        return self._polyphase(first, last) if self._ratio is not None else self._tabled(first, last)

    def _polyphase(self, first: int, last: int) -> Floats:
        assert self._ratio is not None
        up, down = self._ratio.numerator, self._ratio.denominator
        begin = down * ((first * down // up - self._half // up - 1) // down)  # a whole number of output samples before
        end = (last * down + self._half) // up + 2
        given = self._around(begin, end)
        skip = (self._half - begin * up) // down + first
        return np.asarray(scipy.signal.upfirdn(self._taps, given, up, down), dtype=np.float64)[skip : skip + last - first]

    def _tabled(self, first: int, last: int) -> Floats:
        reach = int(np.ceil(REACH * self._wide))
        out = np.empty(last - first)
        rows = max(1, (1 << 21) // (2 * reach))
        for at in range(first, last, rows):
            places = np.arange(at, min(at + rows, last)) / self._by
            base = np.floor(places).astype(np.int64)
            near = np.arange(1 - reach, reach + 1)
            given = self._around(int(base[0]) + 1 - reach, int(base[-1]) + reach + 1)
            index = (base - base[0])[:, None] + np.arange(2 * reach)
            weights = np.interp((places - base)[:, None] - near, self._grid * self._wide, self._kernel, left=0.0, right=0.0)
            weights /= weights.sum(axis=1, keepdims=True)  # what is constant stays so, to the last bit but some
            out[at - first : at - first + len(places)] = np.einsum("ij,ij->i", given[index], weights)
        return out

    def _around(self, begin: int, end: int) -> Floats:
        """Values begin .. end - 1; beyond its ends the signal stands still."""
        length = len(self._values)
        there = np.asarray(self._values[min(max(begin, 0), length - 1) : max(min(end, length), 1)], dtype=np.float64)
        return np.pad(there, (max(0, min(0, end - 1) - begin), max(0, end - max(length, begin + 1))), mode="edge")
