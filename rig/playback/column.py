"""A column that has been read: checked, in SI, with the rate at which it was sampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNITS = {
    "N": {"N": 1.0, "kN": 1e3, "MN": 1e6, "mN": 1e-3},
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "um": 1e-6, "µm": 1e-6},
    "m/s^2": {"m/s^2": 1.0, "cm/s^2": 1e-2, "g": 9.80665},
}
"""SI unit -> units that a file may have, with their factors."""
GAP = 1.5  # sample distances
UNEVEN = 0.1  # of a sample distance


@dataclass(frozen=True, eq=False)
class Column:
    """values (N,), N >= 2, in `unit` (N, m or m/s^2), sample n at n / rate s. name: as the file has it."""

    name: str
    values: Floats
    unit: str
    rate: float


def checked(name: str, values: Floats, unit: str, rate: float) -> Column:
    """The column in SI. Raises ValueError for too few values, one that is not a number, or a unit that nothing here has."""
    values = np.asarray(values, dtype=np.float64).ravel()
    if len(values) < 2:
        raise ValueError(f"column {name!r} {_too_few(len(values))}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        first = int(wrong[0])
        raise ValueError(
            f"column {name!r} holds {len(wrong)} values that are not numbers, the first at sample {first} ({first / rate:.6g} s)"
        )
    for si, factors in UNITS.items():
        if unit in factors:
            return Column(name, values * factors[unit], si, rate)
    known = ", ".join(unit for factors in UNITS.values() for unit in factors)
    what = f"has the unit {unit!r}" if unit else "has no unit; `unit` says it where the file does not"
    raise ValueError(f"column {name!r} {what}; expected one of {known}")


def _too_few(samples: int) -> str:
    return "is empty; expected at least two samples" if samples == 0 else "has one sample only; expected at least two"


def rate_of(time: Floats) -> float:
    """Sample rate, Hz, of time stamps (N,) in s. Raises ValueError for stamps that are missing, run back, leave gaps or are not even."""
    if len(time) < 2:
        raise ValueError(f"the time column {_too_few(len(time))}")
    if len(wrong := np.flatnonzero(~np.isfinite(time))):
        raise ValueError(f"the time of sample {int(wrong[0])} is not a number")
    steps = np.diff(time)
    if len(back := np.flatnonzero(steps <= 0.0)):
        n = int(back[0])
        raise ValueError(f"time does not rise after sample {n}: {time[n]:.9g} s is followed by {time[n + 1]:.9g} s")
    typical = float(np.median(steps))
    if len(gaps := np.flatnonzero(steps > GAP * typical)):
        n = int(gaps[0])
        many = f"{len(gaps)} gaps, the first" if len(gaps) > 1 else "a gap"
        raise ValueError(f"{many} between {time[n]:.9g} and {time[n + 1]:.9g} s (samples {n} and {n + 1}); they lie {typical:.6g} s apart")
    distance = float(time[-1] - time[0]) / (len(time) - 1)
    away = np.abs(time - time[0] - distance * np.arange(len(time)))
    if (worst := float(away.max())) > UNEVEN * distance:
        at = int(np.argmax(away))
        raise ValueError(f"time is not even: sample {at} lies {worst / distance:.2g} sample distances from where an even rate has it")
    return nominal(1.0 / distance, 2.0 * worst / float(time[-1] - time[0]) + 1e-12)


def nominal(rate: float, tolerance: float) -> float:
    """The shortest number within `tolerance` (relative) of a rate that comes from rounded figures."""
    for digits in range(1, 16):
        if abs((short := float(f"{rate:.{digits}g}")) - rate) <= tolerance * rate:
            return short
    return rate
