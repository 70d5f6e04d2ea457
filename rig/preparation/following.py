"""How a position follows its command: gain at rest, from a motion that never comes to rest.

A servo loop that acts on the error with a proportional and an integral part moves as y' = a (G u - y) + b int (G u - y). Integrated
once, only sums of what was sent and measured are left, and no waiting: a loop with integral action overshoots for seconds, and its
gain would otherwise be known only afterwards. A third term, in the command itself, takes up what comes late: valve, filter, the time at
which a value really went out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GAINS = np.linspace(-4.0, 4.0, 401)
FINENESS = 1e-5
_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Following:
    """`gain`: steady-state share of the command that the position takes; `misfit`: rms error of the fit by the motion's rms."""

    gain: float
    misfit: float


def following(command: Floats, mean: Floats, end: Floats, step: Floats | float) -> Following:
    """Gain of a position that was at rest at its command before.

    command (m,), mean (m,): means over m steps of `step` s, one number or (m,); end (m,): the position at the end of each. All are
    deviations from the rest before. Gains from -4 to 4 are looked for.
    """
    sums = _sums(command, mean, step)
    misfits = [_misfit(gain, command, end, *sums) for gain in GAINS]
    best = int(np.argmin(misfits))
    low, high = GAINS[max(best - 1, 0)], GAINS[min(best + 1, len(GAINS) - 1)]
    while high - low > FINENESS:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if _misfit(left, command, end, *sums) < _misfit(right, command, end, *sums):
            high = right
        else:
            low = left
    gain = float(0.5 * (low + high))
    moved = float(np.sqrt(np.mean(end**2)))
    return Following(gain, _misfit(gain, command, end, *sums) / moved if moved > 0.0 else np.inf)


def _sums(command: Floats, mean: Floats, step: Floats | float) -> tuple[Floats, Floats, Floats, Floats]:
    """First and second integrals of command and position at the ends of the steps."""
    u, y = np.cumsum(step * command), np.cumsum(step * mean)
    return u, y, _trapezia(u, step), _trapezia(y, step)


def _trapezia(values: Floats, step: Floats | float) -> Floats:
    return np.asarray(np.cumsum(step * 0.5 * (values + np.concatenate([[0.0], values[:-1]]))))


def _misfit(gain: float, command: Floats, end: Floats, u: Floats, y: Floats, uu: Floats, yy: Floats) -> float:
    """Rms error of the best a, b and lateness for this gain; a loop with an integral part of the wrong sign would not stand."""
    columns = np.column_stack([gain * u - y, gain * command, gain * uu - yy])
    found = np.linalg.lstsq(columns, end, rcond=None)[0]
    if found[2] < 0.0:
        columns = columns[:, :2]
        found = np.linalg.lstsq(columns, end, rcond=None)[0]
    return float(np.sqrt(np.mean((columns @ found - end) ** 2)))
