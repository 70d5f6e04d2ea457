"""Laws between what lies at a terminal and what a channel reads, and their chains.

A law that is a straight line stays one (`value = gain x + offset`), so that chains of lines cost nothing and lose nothing; any other is a
pair of functions of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drivers.simulated.daqmx.status.errors import DaqmxError

Block = NDArray[np.float64]
Curve = Callable[[Block], Block]


@dataclass(frozen=True)
class Law:
    """`gain` and `offset` of a line; or `curve` and, the other way, `inverse`."""

    gain: float = 1.0
    offset: float = 0.0
    curve: Curve | None = None
    inverse: Curve | None = None

    @property
    def linear(self) -> bool:
        return self.curve is None

    def forward(self, x: ArrayLike) -> Block:
        """Values of `x`."""
        values = np.asarray(x, dtype=float)
        return np.asarray(self.gain * values + self.offset) if self.curve is None else self.curve(values)

    def back(self, y: ArrayLike) -> Block:
        """What gives the values `y`."""
        values = np.asarray(y, dtype=float)
        return np.asarray((values - self.offset) / self.gain) if self.inverse is None else self.inverse(values)

    def then(self, other: Law) -> Law:
        """This law, and `other` of what it gives."""
        if self.linear and other.linear:
            return Law(other.gain * self.gain, other.gain * self.offset + other.offset)
        return Law(curve=lambda x: other.forward(self.forward(x)), inverse=lambda y: self.back(other.back(y)))


def polynomial(forward: Sequence[float], reverse: Sequence[float]) -> Law:
    """y = f0 + f1 x + ..., x = r0 + r1 y + ...; a line where the first is one. Raises DaqmxError."""
    _check_polynomial(forward, reverse)
    f, r = np.trim_zeros(np.asarray(forward, dtype=float), "b"), np.asarray(reverse, dtype=float)
    if len(f) == 2:
        return Law(float(f[1]), float(f[0]))
    return Law(
        curve=lambda x: np.asarray(np.polynomial.polynomial.polyval(x, f)),
        inverse=lambda y: np.asarray(np.polynomial.polynomial.polyval(y, r)),
    )


def table(x: Sequence[float], y: Sequence[float]) -> Law:
    """Straight lines between the points; values beyond the ends are those of the ends. Raises DaqmxError."""
    _check_table(x, y)
    points = sorted(zip(map(float, x), map(float, y), strict=True))
    xs, ys = np.array([p[0] for p in points]), np.array([p[1] for p in points])
    order = np.argsort(ys)
    return Law(curve=lambda v: np.asarray(np.interp(v, xs, ys)), inverse=lambda v: np.asarray(np.interp(v, ys[order], xs[order])))


def clipped(law: Law, low: float, high: float) -> Law:
    """The same with values held between `low` and `high`."""
    return Law(curve=lambda x: np.asarray(np.clip(law.forward(x), low, high)), inverse=law.back)


def _check_polynomial(forward: Sequence[float], reverse: Sequence[float]) -> None:
    """Raise the DaqmxError for coefficients that convert nothing, forward or back."""
    if not forward and not reverse:
        raise DaqmxError(-200404)
    if not forward:
        raise DaqmxError(-200405)
    if not reverse:
        raise DaqmxError(-200406)
    if not any(forward):
        raise DaqmxError(-200407)
    if not any(reverse):
        raise DaqmxError(-200408)


def _check_table(before: Sequence[float], after: Sequence[float]) -> None:
    """Raise the DaqmxError for points that no lines can be drawn between."""
    if not before:
        raise DaqmxError(-200349)
    if not after:
        raise DaqmxError(-200348)
    if len(before) != len(after):
        raise DaqmxError(-200350)
    if len(before) < 2:
        raise DaqmxError(-200434)
    if len(set(before)) < len(before):
        raise DaqmxError(-200598)
