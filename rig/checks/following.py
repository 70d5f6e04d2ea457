"""How an axis followed its setpoints, from what it told on its serial line (pure functions of arrays)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOVING = 1e-3  # share of the largest setpoint rate below which it counts as at rest
HARMONICS = 9  # of a wave, that are told from a drift
FEWEST_OF_WAVE = 60  # readings of a wave from which a skew can be told
ALIKE = 1e-9  # share of the largest singular value below which columns are the same
CERTAIN = 10e-6  # standard deviation of a wave's skew above which it is not told
OUTLYING = 4.0  # medians of what a first line leaves, beyond which a reading is far off
FEWEST = 20  # samples of a moving axis from which a skew can be told
ASTRAY_FOR = 0.1  # s for which an axis that does not follow is off all the time
BUSY = "this computer is too slow or too busy"
AT_ONCE = 3.0  # times the largest error allowed, at which it does not follow without waiting


def rms(setpoint: Floats, position: Floats) -> float | None:
    """Root mean square of position - setpoint (N,), in their unit; None where the axis told no position."""
    error = (position - setpoint)[np.isfinite(position)]
    return float(np.sqrt(np.mean(error**2))) if len(error) else None


def astray(newest_first: Iterable[tuple[float, float]], most: float) -> float | None:
    """The newest error of (time in s, error) if the axis does not follow: more than `most` for `ASTRAY_FOR`, or `AT_ONCE` times as much.

    As drives reckon it (IEC 61800-7-201, CiA 402: following error window 6065h and time-out 6066h). A setpoint that came late, as a
    busy computer's do, makes an error that is gone with the next ones; an axis that is blocked, or has lost steps, stays off.
    """
    newest, last = None, math.inf
    for time, error in newest_first:
        if newest is None:
            newest, last = error, time - ASTRAY_FOR
            if abs(error) > AT_ONCE * most:
                return newest
        if not abs(error) > most:
            return None
        if time <= last:
            return newest
    return None


def late(times: Sequence[float] | Floats, interval: float, most: float) -> str:
    """In words that setpoints, sent at `times` (s), came more than `most` intervals (s) apart; empty where they did not."""
    longest = float(np.max(np.diff(times), initial=0.0))
    if longest <= most * interval:
        return ""
    return f"setpoints came up to {longest * 1e3:.0f} ms apart, for {interval * 1e3:.3g} ms: {BUSY}"


def dry(longest: float, interval: float) -> str:
    """In words that for up to `longest` s there were no setpoints to send; empty where it was no more than an interval (s)."""
    return f"setpoints ran out for up to {longest * 1e3:.0f} ms: {BUSY}" if longest > interval else ""


def restamp(sample: Floats, told: Floats, setpoint: Floats) -> Floats:
    """Setpoints (N,) at samples (N,) that are known better than those (N,) with which the setpoints (N,) were told."""
    if not len(told):
        return setpoint
    order = np.argsort(told)
    return np.interp(sample, told[order], setpoint[order])


def skew(time: Floats, setpoint: Floats, position: Floats, trip: Floats | None = None) -> float | None:
    """How much faster than the sample clock an axis' own clock runs, 1; None where it cannot be told.

    time (N,) in s, setpoint and position (N,) in rad of an axis that is commanded by velocity and turns as many steps as its own clock
    counts: while it moves at a steady rate position grows by (1 + skew) of what the setpoint does. Least squares, in which readings that
    came far off count for nothing (a busy computer is late, and at times later than at others); a jitter of the stamps of d s costs about
    d sqrt(12/N)/T of it over T s. trip (N,): s from question to answer, of which the quicker half counts: a stamp half-way is off by
    half of it at the most.
    """
    told = np.isfinite(position) & np.isfinite(setpoint)
    time, setpoint, position = time[told], setpoint[told], position[told]
    steady = _steady(time, setpoint)
    if trip is not None and np.sum(steady) >= 2 * FEWEST:
        steady &= trip[told] <= np.median(trip[told][steady])
    x, drift = setpoint[steady], (position - setpoint)[steady]
    if len(x) < FEWEST or np.ptp(x) == 0.0:
        return None
    _, left = _line(x, drift)
    far = np.abs(left - np.median(left))
    near = far <= OUTLYING * np.median(far)
    return _line(x[near], drift[near])[0]


def _line(x: Floats, y: Floats) -> tuple[float, Floats]:
    """Slope of the line of least squares, and what it leaves."""
    spread = x - x.mean()
    slope = float(spread @ y) / float(spread @ spread)
    return slope, y - slope * spread


def wave_skew(time: Floats, feedback: Floats, frequency: float) -> float | None:
    """How much faster than the sample clock the clock of a controller runs that generates a wave of `frequency` (Hz) by itself, 1; None
    where it cannot be told, as from a short test, or one with strong impacts.

    time (N,) in s, feedback (N,) while the wave ran. Its fundamental sin(w t + p + d t) is, for a small drift d of the phase, sin and cos
    of w t and the same times t, in which it is linear: least squares, skew = d/w. What play does to the wave repeats with it, and is fitted
    by its harmonics; what is left over gives the standard deviation of d, from which it is known whether d means anything.
    """
    if len(time) < FEWEST_OF_WAVE:
        return None
    angle, since = 2.0 * math.pi * frequency * time, time - time.mean()
    repeated = [f(k * angle) for k in range(1, HARMONICS + 1) for f in (np.sin, np.cos)]
    columns = np.stack([since * np.sin(angle), since * np.cos(angle), *repeated, np.ones_like(time)], axis=1)
    inverse = np.linalg.pinv(columns, rcond=ALIKE)  # readings at even times cannot tell some harmonics from others
    c, d = (found := inverse @ feedback)[:2]
    a, b, _ = np.linalg.lstsq(columns[:, [2, 3, -1]], feedback)[0]
    left = feedback - columns @ found
    power, omega = float(a * a + b * b), 2.0 * math.pi * frequency
    if power == 0.0:
        return None
    slope = (a * inverse[1] - b * inverse[0]) / power / omega  # of the skew, over each reading
    scatter = float(np.linalg.norm(slope)) * float(np.linalg.norm(left)) / math.sqrt(len(time) - columns.shape[1])
    return float(a * d - b * c) / power / omega if scatter < CERTAIN else None


def _steady(time: Floats, setpoint: Floats) -> NDArray[np.bool_]:
    """Where the setpoint moves at its largest rate, (N,)."""
    if len(time) < FEWEST:
        return np.zeros(len(time), dtype=np.bool_)
    rate = np.gradient(setpoint, time)
    most = float(np.max(np.abs(rate)))
    return np.asarray(np.abs(np.abs(rate) - most) <= MOVING * most) if most > 0.0 and math.isfinite(most) else np.zeros(len(time), np.bool_)
