"""A channel against a reference: the straight line through its points, what it leaves over, and the uncertainty that follows.

Quantities are those of the channel. A residual is what the channel would show less the reference. Linearity and hysteresis as in
ISO 376 and VDI/VDE 2646, uncertainty as in the GUM (JCGM 100:2008): F.1.2 for the line, G.3 for the few points that it rests on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

COVERAGE = 2.0
COVERED = 0.9545
"""Probability that a coverage factor of 2 stands for, of a normal distribution."""
NOT_FOLLOWING = 0.1
"""Share of the span that the points may scatter about the line; more is no calibration but a wrong cable, or a wrong channel."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """One point: the reference, the mean of the sensor's output (V), its standard deviation over the reading (V)."""

    reference: float
    volts: float
    sd: float


@dataclass(frozen=True)
class Reference:
    """Expanded uncertainty (k = 2) of what the channel is compared with: a share of its reading, and that of its zero."""

    share: float
    zero: float
    what: str


@dataclass(frozen=True)
class Line:
    """value = sensitivity * volts + offset, and what it leaves over.

    residuals (n,) and rising (n,) by point; nonlinearity: largest residual of both directions' mean; hysteresis: largest difference of
    the two directions, None without a way back; uncertainty (share of the reading) and zero_uncertainty, expanded with k = 2, None from
    two points, which leave nothing over.
    """

    sensitivity: float
    offset: float
    residuals: tuple[float, ...]
    rising: tuple[bool, ...]
    low: float
    high: float
    nonlinearity: float
    hysteresis: float | None
    uncertainty: float | None
    zero_uncertainty: float | None

    @property
    def span(self) -> float:
        """Between the smallest and the largest reference."""
        return self.high - self.low


def fit(points: Sequence[Point], reference: Reference) -> Line:
    """Least squares of the reference over the volts. Raises ValueError in words for points that make no line."""
    x, y = np.array([p.volts for p in points]), np.array([p.reference for p in points])
    if len(points) < 2 or np.ptp(y) == 0.0:
        raise ValueError("a line takes two points with different references at least; take more")
    if np.ptp(x) == 0.0:
        raise ValueError("the channel shows the same at every point; look at its cable, and whether it is the channel of that sensor")
    sensitivity, offset = (float(value) for value in np.polyfit(x, y, 1))
    residuals = sensitivity * x + offset - y
    if np.std(residuals) > NOT_FOLLOWING * np.ptp(y):
        raise ValueError(
            f"the channel does not follow the reference: the points are off their line by {np.abs(residuals).max() / np.ptp(y):.0%} of the "
            "span; look at the cables, at units, and whether it is the channel of that sensor"
        )
    rising = _rising(y)
    mean, between = _directions(y, residuals, rising)
    spread = _spread(x, residuals)
    return Line(
        sensitivity, offset, tuple(residuals.tolist()), tuple(rising.tolist()), float(y.min()), float(y.max()),
        float(np.abs(mean).max()), None if between is None else float(np.abs(between).max()),
        None if spread is None else reference.share, None if spread is None else math.hypot(spread, reference.zero),
    )  # fmt: skip


def _rising(references: Floats) -> NDArray[np.bool_]:
    """Whether each point was come to from below; the first one as the second, an equal one as the one before it."""
    steps = np.sign(np.diff(references))
    for i in range(1, len(steps)):
        steps[i] = steps[i] or steps[i - 1]
    first = next((step for step in steps if step), 1.0)
    return np.concatenate([[first], np.where(steps == 0.0, first, steps)]) > 0.0


def _directions(references: Floats, residuals: Floats, rising: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
    """(mean of both directions, up less down) of the residuals where both are known; the turning points belong to both."""
    turning = np.flatnonzero(rising[1:] != rising[:-1])
    up, down = rising.copy(), ~rising
    up[turning] = down[turning] = True
    if not len(turning):
        return residuals, None
    grid = [r for r in references if all(references[side].min() <= r <= references[side].max() for side in (up, down))]
    ways = [_at(np.array(grid), references[side], residuals[side]) for side in (up, down)]
    return 0.5 * (ways[0] + ways[1]), ways[0] - ways[1]


def _at(grid: Floats, references: Floats, residuals: Floats) -> Floats:
    """Residuals of one direction at other references, repetitions averaged, linear between."""
    known = np.unique(references)
    means = np.array([residuals[references == one].mean() for one in known])
    return np.asarray(np.interp(grid, known, means))


def _spread(volts: Floats, residuals: Floats) -> float | None:
    """Expanded uncertainty of one value read off the line within its points; None of two points.

    The standard deviation about the line is known by n - 2 degrees of freedom only: Student's factor instead of 2 makes up for it, so
    that the result may be called k = 2.
    """
    n = len(volts)
    if n < 3:
        return None
    deviation = math.sqrt(float(residuals @ residuals) / (n - 2))
    away = volts - volts.mean()
    leverage = 1.0 / n + float((away**2).max() / (away @ away))
    return float(scipy.stats.t.ppf(0.5 * (1.0 + COVERED), n - 2)) * deviation * math.sqrt(1.0 + leverage)
