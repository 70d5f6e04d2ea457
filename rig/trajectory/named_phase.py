"""Where a trajectory next has a phase that a hold is to end in: its zero, its mean, its peak."""

from __future__ import annotations

import math

import numpy as np

from rig.trajectory.contract import Floats, Trajectory

NOW = "now"
PHASES = ("zero", "mean", "peak")
AT_ONCE = 1 << 16  # samples looked at together
HALVINGS = 60


def following(
    trajectory: Trajectory, name: str, begin: float, until: float, rate: float, mean: float = 0.0, turning: bool = False
) -> float | None:
    """The first time in [begin, until] (s) at which the trajectory passes through 0, through `mean`, or turns; None where it does not.

    rate: of the samples on which it is looked for, Hz; a turn is found to a sample, what is passed through to rounding. turning: the
    value does not come back: its zero is that of the phase, once a turn.
    """
    until = min(until, trajectory.duration)
    while begin < until:
        t = begin + np.arange(AT_ONCE, dtype=np.float64) / rate
        t = t[t <= until + 1.0 / rate]
        found = _turn(trajectory, t) if name == "peak" else _passage(trajectory, t, 0.0 if name == "zero" else mean, turning)
        if found is not None:
            return found if found <= until else None
        begin = float(t[-1]) if len(t) > 2 else math.inf
    return None


def _level(trajectory: Trajectory, t: Floats, level: float, turning: bool) -> Floats:
    """What changes its sign where `level` is passed."""
    value, phase, _ = trajectory.evaluate(t)
    return np.sin(0.5 * phase) if turning else value - level


def _passage(trajectory: Trajectory, t: Floats, level: float, turning: bool) -> float | None:
    x = _level(trajectory, t, level, turning)
    moving = np.abs(np.diff(x)) > 0.0
    at = np.flatnonzero((x[:-1] * x[1:] <= 0.0) & moving & (x[:-1] != 0.0))
    if not len(at):
        return None
    low, high = float(t[at[0]]), float(t[at[0] + 1])
    sign = float(np.sign(x[at[0]]))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        ahead = float(_level(trajectory, np.array([middle]), level, turning)[0])
        low, high = (middle, high) if ahead * sign > 0.0 else (low, middle)
    return high


def _turn(trajectory: Trajectory, t: Floats) -> float | None:
    steps = np.diff(trajectory.evaluate(t)[0])
    at = np.flatnonzero(steps[:-1] * steps[1:] < 0.0)
    return float(t[at[0] + 1]) if len(at) else None
