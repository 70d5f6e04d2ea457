"""To another rate, band-limited: a polyphase filter, flat to 0.9 of the lower of the two Nyquist frequencies, 100 dB down above."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]
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
