"""A periodic curve through values and slopes on an even grid, cubic in between: cheap to evaluate, its extremes known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDING = 1e-12  # relative to the largest: what evaluation in floating point may add


@dataclass(frozen=True, eq=False)
class PeriodicCubic:
    """values (M,) in a unit, slopes (M,) in that unit/s, at t = i period / M, i = 0..M-1."""

    values: Floats
    slopes: Floats
    period: float

    @property
    def step(self) -> float:
        """Distance of the grid, s."""
        return self.period / len(self.values)

    def evaluate(self, t: Floats) -> tuple[Floats, Floats]:
        """(value, rate) at t (N,) in s, any t."""
        at = np.mod(t, self.period) / self.step
        i = np.floor(at).astype(np.intp) % len(self.values)
        u = at - np.floor(at)
        a, b, c, d = self._coefficients(i)
        return a + u * (b + u * (c + u * d)), (b + u * (2.0 * c + u * 3.0 * d)) / self.step

    @cached_property
    def extremes(self) -> tuple[float, float, float]:
        """(min, max, max |rate|), attained."""
        a, b, c, d = self._coefficients(np.arange(len(self.values)))
        low, high = float(a.min()), float(a.max())
        for root in _roots(b, 2.0 * c, 3.0 * d):  # of the rate; a nan is neither least nor largest
            inside = np.where((root > 0.0) & (root < 1.0), root, 0.0)
            value = a + inside * (b + inside * (c + inside * d))
            low, high = min(low, float(value.min())), max(high, float(value.max()))
        with np.errstate(divide="ignore", invalid="ignore"):
            vertex = -c / (3.0 * d)
        inside = np.where((vertex > 0.0) & (vertex < 1.0), vertex, 0.0)
        fastest = max(float(np.abs(b).max()), float(np.abs(b + inside * (2.0 * c + inside * 3.0 * d)).max()))
        tiny = ROUNDING * max(-low, high, 0.0)
        return low - tiny, high + tiny, fastest / self.step * (1.0 + ROUNDING)

    @cached_property
    def sharpest(self) -> float:
        """max |second derivative|: straight within an interval, so at one of its ends."""
        _, _, c, d = self._coefficients(np.arange(len(self.values)))
        return 2.0 * max(float(np.abs(c).max()), float(np.abs(c + 3.0 * d).max())) / self.step**2

    def _coefficients(self, i: NDArray[np.intp]) -> tuple[Floats, Floats, Floats, Floats]:
        """Of a + b u + c u^2 + d u^3, 0 <= u < 1, from grid point i (N,) on."""
        j = (i + 1) % len(self.values)
        y0, y1, m0, m1 = self.values[i], self.values[j], self.slopes[i] * self.step, self.slopes[j] * self.step
        return y0, m0, 3.0 * (y1 - y0) - 2.0 * m0 - m1, 2.0 * (y0 - y1) + m0 + m1


def _roots(p: Floats, q: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Both roots of p + q u + r u^2 (N,), nan where there are none; without cancellation, so that r = 0 is nothing special."""
    with np.errstate(divide="ignore", invalid="ignore"):
        half = -0.5 * (q + np.copysign(np.sqrt(q * q - 4.0 * p * r), q))
        return half / r, p / half
