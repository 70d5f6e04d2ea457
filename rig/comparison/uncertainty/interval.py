"""What is known of a figure: its value, how far chance may have moved it, and on which side it is more than chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from drivers.files.plain_values import Json
from rig.comparison.series import Floats

LEAST = 3
"""Replicates that tell a standard deviation."""
DETRENDED = 6
"""Replicates from which on a straight line is taken out of them: what drifts evenly has a mean all the same."""
TOGETHER, APART = 2.0, 0.5
INSIDE = 0.95
LEAST_BATCHES = 10
"""Replicates that are left when neighbours that go together are averaged."""


@dataclass(frozen=True)
class Interval:
    """`value` with the standard deviation `std` of chance, by `dof` degrees of freedom; below, above: what may be wrong with it besides, to
    either side (>= 0)."""

    value: float
    std: float
    dof: float = math.inf
    below: float = 0.0
    above: float = 0.0
    of_counts: float = 0.0
    """Share of the variance that is by the counts of an encoder which leads the model."""

    def bounds(self, risk: float) -> tuple[float, float]:
        """(low, high), each passed with this probability (0 to 0.5) by a figure that is normal."""
        reach = quantile(1.0 - risk, self.dof) * self.std
        return self.value - reach - self.below, self.value + reach + self.above

    @property
    def open(self) -> float:
        """How far apart the ends are between which the figure may be besides chance."""
        return self.below + self.above

    def limits(self) -> tuple[float, float]:
        """(low, high), between which the figure is in 95 of 100 cases, wherever between its open ends it is (Imbens and Manski,
        Econometrica 72 (2004) 1845): of one that is open only one end can be passed by chance."""
        if not self.std > 0.0 or not self.open > 0.0:
            return self.bounds(0.025)
        wide = self.open / self.std

        def short(risk: float) -> float:
            reach = quantile(1.0 - risk, self.dof)
            return share_below(reach + wide, self.dof) - risk - INSIDE

        return self.bounds(float(scipy.optimize.brentq(short, 0.025, 0.05)))

    def to_json(self) -> dict[str, Json]:
        """Return {value, std, low_95, high_95}: two-sided 95 %."""
        low, high = self.limits()
        return {"value": self.value, "std": self.std, "low_95": low, "high_95": high}


NONE = Interval(0.0, 0.0)


@dataclass(frozen=True)
class Raised(Interval):
    """A size, above zero, that noise has raised. square: of the same without noise, its square; the lower bound is the root of its."""

    square: Interval = NONE

    @property
    def open(self) -> float:
        return max(0.0, self.value - math.sqrt(max(0.0, self.square.value - self.square.below)))

    def bounds(self, risk: float) -> tuple[float, float]:
        low, high = super().bounds(risk)
        return min(low, math.sqrt(max(0.0, self.square.bounds(risk)[0]))), high


def share_below(reach: float, dof: float) -> float:
    """Of Student's t, of the normal distribution where dof is not finite."""
    return float(scipy.special.stdtr(dof, reach) if math.isfinite(dof) else scipy.special.ndtr(reach))


def quantile(share: float, dof: float) -> float:
    """Of Student's t, of the normal distribution where dof is not finite."""
    return float(scipy.special.stdtrit(dof, share) if math.isfinite(dof) else scipy.special.ndtri(share))


def interval(value: float, replicates: Floats | Sequence[float]) -> Interval | None:
    """`value` is the mean of figures (G,), in the order in which they were measured, or near it; None for fewer than LEAST of them.

    From DETRENDED replicates on the straight line through them is left out of their scatter. Where neighbours go together (a correlation
    beyond TOGETHER / sqrt(G)) they are averaged in pairs until it is below APART / sqrt(G), while LEAST_BATCHES are left.
    """
    x = np.asarray(replicates, dtype=np.float64)
    x = x[np.isfinite(x)]
    if len(x) < LEAST or not math.isfinite(value):
        return None
    left, dof = _scatter(x)
    least = TOGETHER
    while len(x) >= 2 * LEAST_BATCHES and _correlation(left) > least / math.sqrt(len(x)):
        least = APART
        x = np.mean(x[: len(x) // 2 * 2].reshape(-1, 2), axis=1)
        left, dof = _scatter(x)
    return Interval(value, math.sqrt(float(np.dot(left, left)) / dof / len(x)), dof)


def _scatter(x: Floats) -> tuple[Floats, int]:
    """(what is left of x without its mean, or its line; degrees of freedom)."""
    left = x - np.mean(x)
    if len(x) < DETRENDED:
        return left, len(x) - 1
    along = np.arange(len(x)) - 0.5 * (len(x) - 1)
    return left - along * (np.dot(along, left) / np.dot(along, along)), len(x) - 2


def _correlation(left: Floats) -> float:
    power = float(np.dot(left, left))
    return float(np.dot(left[1:], left[:-1])) / power if power > 0.0 else 0.0
