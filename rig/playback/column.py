"""A column that has been read: checked, in SI, with the rate at which it was sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.playback.units import factor, not_a_unit

Floats = NDArray[np.float64]

LARGEST = 1 << 24
"""Samples of a column: five and a half minutes at 51.2 kHz, four and a half hours at 1 kHz."""
RATES = (1e-6, 1e9)  # Hz
GAP = 1.5  # sample distances
UNEVEN = 0.1  # of a sample distance
BLOCK = 1 << 20  # samples that are looked at at a time: what is worked out beside a column stays small


@dataclass(frozen=True, eq=False)
class Column:
    """values (N,), N >= 2, in `unit` (N, m or m/s^2), sample n at n / rate s. name: as the file has it."""

    name: str
    values: Floats
    unit: str
    rate: float


def checked(name: str, values: Floats, unit: str, rate: float, times: float = 1.0) -> Column:
    """The column in SI. Raises ValueError for too few values, one that is not a number, or a unit that nothing here has.

    times: factor of the values before they are in `unit`.
    """
    values = np.asarray(values, dtype=np.float64).ravel()
    if len(values) < 2:
        raise ValueError(f"column {name!r} {_too_few(len(values))}")
    if not RATES[0] <= rate <= RATES[1]:
        raise ValueError(f"column {name!r} is sampled at {rate:g} Hz, expected {RATES[0]:g} to {RATES[1]:g} Hz")
    if (known := factor(unit)) is None:
        raise not_a_unit(name, unit)
    si, by = known[0], known[1] * times
    with np.errstate(over="ignore"):  # said below
        found = values if by == 1.0 else values * by
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        first = int(wrong[0])
        where = f"the first at sample {first} ({first / rate:.6g} s)"
        if np.all(np.isfinite(values[wrong])):
            of = f"{values[first]:g} {unit}" if times == 1.0 else f"{values[first]:g} times {times:g} {unit}"
            raise ValueError(f"column {name!r} holds {len(wrong)} values that are too large for a number in {si}, {where}: {of}")
        large = ", which is infinite or too large for one" if np.isinf(values[first]) else ""
        raise ValueError(f"column {name!r} holds {len(wrong)} values that are not numbers, {where}{large}")
    return Column(name, found, si, rate)


def enough(name: str, samples: int) -> int:
    """The number of samples of a column. Raises ValueError for more than are played."""
    if samples > LARGEST:
        raise ValueError(f"column {name!r} has {samples} samples, expected at most {LARGEST}; cut it, or sample it at a lower rate")
    return samples


def _too_few(samples: int) -> str:
    return "is empty; expected at least two samples" if samples == 0 else "has one sample only; expected at least two"


def rate_of(time: Floats) -> float:
    """Sample rate, Hz, of time stamps (N,) in s. Raises ValueError for stamps that are missing, run back, leave gaps or are not even."""
    if len(time) < 2:
        raise ValueError(f"the time column {_too_few(len(time))}")
    for first, part in _parts(time):
        if len(wrong := np.flatnonzero(~np.isfinite(part))):
            raise ValueError(f"the time of sample {first + int(wrong[0])} is not a number")
    for first, part in _parts(time):
        if len(back := np.flatnonzero(np.diff(part) <= 0.0)):
            n = first + int(back[0])
            raise ValueError(f"time does not rise after sample {n}: {time[n]:.9g} s is followed by {time[n + 1]:.9g} s")
    _refuse_gaps(time)
    return _even_rate(time)


def _parts(time: Floats) -> Iterator[tuple[int, Floats]]:
    """(number of its first sample, part); each begins with the last sample of the one before."""
    for first in range(0, len(time) - 1, BLOCK):
        yield first, time[first : first + BLOCK + 1]


def _refuse_gaps(time: Floats) -> None:
    every = -(-len(time) // BLOCK)
    typical = float(np.median(time[1::every] - time[:-1:every][: len(time[1::every])]))
    gaps = [first + int(n) for first, part in _parts(time) for n in np.flatnonzero(np.diff(part) > GAP * typical)[:BLOCK]]
    if gaps:
        n, many = gaps[0], f"{len(gaps)} gaps, the first" if len(gaps) > 1 else "a gap"
        raise ValueError(f"{many} between {time[n]:.9g} and {time[n + 1]:.9g} s (samples {n} and {n + 1}); they lie {typical:.6g} s apart")


def _even_rate(time: Floats) -> float:
    length = float(time[-1] - time[0])
    distance = length / (len(time) - 1)
    if not np.isfinite(length) or not 0.0 < 1.0 / distance < np.inf:
        raise ValueError(f"time runs from {time[0]:.9g} to {time[-1]:.9g} s, which is no rate")
    worst, at = 0.0, 0
    for first, part in _parts(time):
        away = np.abs(part - time[0] - distance * np.arange(first, first + len(part)))
        if (largest := float(away.max())) > worst:
            worst, at = largest, first + int(np.argmax(away))
    if worst > UNEVEN * distance:
        raise ValueError(f"time is not even: sample {at} lies {worst / distance:.2g} sample distances from where an even rate has it")
    return nominal(1.0 / distance, 2.0 * worst / length + 1e-12)


def nominal(rate: float, tolerance: float) -> float:
    """The shortest number within `tolerance` (relative) of a rate that comes from rounded figures."""
    for digits in range(1, 16):
        if abs((short := float(f"{rate:.{digits}g}")) - rate) <= tolerance * rate:
            return short
    return rate
