"""The nine criteria of the benchmark (Silva et al. 2020, eq 12 to 20): three of the tracking, six of the whole test.

J1 is a delay in s (the paper: ms), the others are shares (the paper: %). They are numbered as in the equations. The paper's Table 3 and its
package have the first floor's peak fifth: their J5, J6, J7 are J7, J5, J6 here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.realtime.tracking import rms

Floats = NDArray[np.float64]

NAMES = tuple(f"J{k}" for k in range(1, 10))
LAGS = 50  # samples over which the package looks for the delay, from 0


def criteria(floors: Floats, measured: Floats, reference: Floats, rate: float) -> dict[str, float]:
    """floors: (N, 3) of the computed structure, the first of which is the target. measured: (N,). reference: (N, 3) of the structure
    that is not divided. All m, at `rate`, Hz. Raises ValueError where one of these does not move."""
    target = floors[:, 0]
    if not (np.any(target) and np.all(np.any(reference, axis=0))):
        raise ValueError("the criteria are relative to a motion; expected floors that move, got one that stands still")
    came = np.column_stack([measured, floors[:, 1:]])
    errors = came - reference
    shares = [rms(errors[:, k]) / rms(reference[:, k]) for k in range(3)]
    peaks = [float(np.max(np.abs(errors[:, k])) / np.max(np.abs(reference[:, k]))) for k in range(3)]
    off = measured - target
    first = [delay(target, measured, rate), rms(off) / rms(target), float(np.max(np.abs(off)) / np.max(np.abs(target)))]
    return dict(zip(NAMES, [*first, *shares, *peaks], strict=True))


def delay(target: Floats, measured: Floats, rate: float) -> float:
    """s: the whole number of samples, 0 to 49, by which the measured displacement correlates best with the target (eq 12)."""
    correlations = [float(np.corrcoef(measured[k:], target[: len(target) - k])[0, 1]) for k in range(min(LAGS, len(target) - 2))]
    return float(np.argmax(correlations)) / rate


def as_printed(values: dict[str, float]) -> Sequence[float]:
    """In the order and the units of the paper's Table 3: ms and %."""
    order = ("J1", "J2", "J3", "J4", "J7", "J5", "J6", "J8", "J9")
    return [values["J1"] * 1e3, *(100.0 * values[name] for name in order[1:])]
