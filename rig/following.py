"""How an axis followed its setpoints, from what it told on its serial line (pure functions of arrays)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOVING = 1e-3  # share of the largest setpoint rate below which it counts as at rest
FEWEST = 20  # samples of a moving axis from which a skew can be told


def rms(setpoint: Floats, position: Floats) -> float | None:
    """Root mean square of position - setpoint (N,), in their unit; None where the axis told no position."""
    error = (position - setpoint)[np.isfinite(position)]
    return float(np.sqrt(np.mean(error**2))) if len(error) else None


def skew(time: Floats, setpoint: Floats, position: Floats) -> float | None:
    """How much faster than the sample clock an axis' own clock runs, 1; None where it cannot be told.

    time (N,) in s, setpoint and position (N,) in rad of an axis that is commanded by velocity and turns as many steps as its own clock
    counts: while it moves at a steady rate position grows by (1 + skew) of what the setpoint does. Least squares; a jitter of the
    stamps of d s costs about d sqrt(12/N)/T of it over T s.
    """
    told = np.isfinite(position) & np.isfinite(setpoint)
    time, setpoint, position = time[told], setpoint[told], position[told]
    steady = _steady(time, setpoint)
    if steady.sum() < FEWEST:
        return None
    x, y = setpoint[steady], position[steady]
    spread = x - x.mean()
    grown = float(spread @ spread)
    return float(spread @ (y - x)) / grown if grown > 0.0 else None


def wave_skew(time: Floats, feedback: Floats, frequency: float) -> float | None:
    """How much faster than the sample clock the clock of a controller runs that generates a wave of `frequency` (Hz) by itself, 1; None
    where it cannot be told.

    time (N,) in s, feedback (N,) while the wave ran. Its fundamental sin(w t + p + d t) is, for a small drift d of the phase, sin and cos
    of w t and the same times t, in which it is linear: least squares, skew = d/w.
    """
    if len(time) < FEWEST:
        return None
    angle, since = 2.0 * math.pi * frequency * time, time - time.mean()
    sine, cosine = np.sin(angle), np.cos(angle)
    a, b, c, d, _ = np.linalg.lstsq(np.stack([sine, cosine, since * sine, since * cosine, np.ones_like(time)], axis=1), feedback)[0]
    power = float(a * a + b * b)
    return float(a * d - b * c) / power / (2.0 * math.pi * frequency) if power > 0.0 else None


def _steady(time: Floats, setpoint: Floats) -> NDArray[np.bool_]:
    """Where the setpoint moves at its largest rate, (N,)."""
    if len(time) < FEWEST:
        return np.zeros(len(time), dtype=np.bool_)
    rate = np.gradient(setpoint, time)
    most = float(np.max(np.abs(rate)))
    return np.asarray(np.abs(np.abs(rate) - most) <= MOVING * most) if most > 0.0 and math.isfinite(most) else np.zeros(len(time), np.bool_)
