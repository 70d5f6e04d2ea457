"""What a shifted prediction explains of a measured signal, over a fixed template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import scipy

from rig.comparison.delays.fractional_shift import TAPS, shifted, weights
from rig.comparison.series import Flags, Floats

BLOCK = 1 << 15
LEAST_RATIO = 3.0
"""Standard deviations by which one fit must be better than another."""
NEIGHBOURS = 4
"""Lines, as far apart as the template resolves them, at either side of one that a residual's power there is averaged over."""
ROUNDING = 1e-9
"""Share of the measured signal's power below which two fits do not differ."""


class Fits:
    """Measured m over the template w (0 outside, no mean) and predicted p, (N,) each; what one explains of the other.

    seams: samples at which another stretch of a record begins.
    """

    def __init__(self, m: Floats, p: Floats, w: Flags, seams: Sequence[int] = ()) -> None:
        self.m, self.p, self.w = m, p, w
        self._seams, self._there = list(seams), np.flatnonzero(w)
        self.power = float(np.dot(m, m))

    @property
    def nothing(self) -> Floats:
        """The fit that explains nothing."""
        return np.zeros(len(self.m))

    def at(self, samples: float, sign: float = 1.0) -> Floats:
        """(N,) predicted that much later, gain and offset at their best, the gain of this sign or zero; 0 outside the template."""
        fit = self.nothing
        x = shifted(self.p, samples)[self.w]
        x = x - np.mean(x)
        power = float(np.dot(x, x))
        gain = float(np.dot(x, self.m[self.w])) / power if power > 0.0 else 0.0
        if sign * gain > 0.0:
            fit[self.w] = gain * x
        return fit

    def slope(self, samples: float) -> Floats:
        """Change of predicted, that much later, from sample to sample of the template."""
        return np.asarray(np.gradient(shifted(self.p, samples))[self.w])

    def refined(self, whole: int) -> float | None:
        """The minimum near `whole`, from the exact sums over 9 neighbouring shifts; None where it runs away."""
        for _ in range(4):
            gram = self._gram(whole)
            found = scipy.optimize.minimize_scalar(
                _residual_at, bounds=(-1.0, 1.0), args=(gram,), method="bounded", options={"xatol": 1e-6}
            )
            fraction = float(found.x)
            if abs(fraction) < 0.75:
                return whole + fraction
            whole += int(np.sign(fraction))
        return None

    def _gram(self, whole: int) -> Floats:
        """Sums of products (11, 11) of p(n - whole - k) for the nine k, m(n) and 1, over the template."""
        gram = np.zeros((len(TAPS) + 2, len(TAPS) + 2))
        for start in range(0, len(self._there), BLOCK):
            n = self._there[start : start + BLOCK]
            rows = np.stack([self.p[n - whole - k] for k in TAPS] + [self.m[n], np.ones(len(n))])
            gram += rows @ rows.T
        return gram

    def deviation(self, residual: Floats, other: Floats) -> float:
        """Standard deviation of the sum of their products, by their autocovariances. Of several stretches the deviations are added."""
        return sum(float(np.sqrt(_variance(a, b, int(np.count_nonzero(w))))) for a, b, w in self.stretches(residual, other))

    def stretches(self, *signals: Floats) -> Iterator[tuple[Floats, ...]]:
        """Each of the record's stretches of signals (N,), and of the template, where that has a sample."""
        for cut in zip(*(np.split(x, self._seams) for x in (*signals, self.w)), strict=True):
            if cut[-1].any():
                yield cut

    def tells(self, better: Floats, other: Floats) -> bool:
        """Whether the one fit is surely better than the other."""
        residual, apart = self.m - better, better - other
        gained = float(np.dot(apart, apart)) + 2.0 * float(np.dot(residual, apart))
        return gained > ROUNDING * self.power and gained > 2.0 * LEAST_RATIO * self.deviation(residual, apart)


def _residual_at(fraction: float, gram: Floats) -> float:
    """Residual sum of squares with p shifted by `fraction` more, gain and offset at their best."""
    weight = weights(fraction)
    k = len(weight)
    pp, pm, p1 = weight @ gram[:k, :k] @ weight, weight @ gram[:k, k], weight @ gram[:k, k + 1]
    mm, m1, count = gram[k, k], gram[k, k + 1], gram[k + 1, k + 1]
    return float(mm - m1**2 / count - (pm - p1 * m1 / count) ** 2 / (pp - p1**2 / count))


def _variance(residual: Floats, other: Floats, count: int) -> float:
    """Variance of the sum of their products over one stretch, of which `count` samples are in the template.

    The residual's spectrum is averaged over neighbouring lines: the fit has taken out of it just what the other one is made of, so
    that the lines themselves would say that there is no noise there.
    """
    size = scipy.fft.next_fast_len(len(residual), real=True)
    noise = averaged(np.abs(scipy.fft.rfft(residual, size)) ** 2, lines(size, count))
    power = noise * np.abs(scipy.fft.rfft(other, size)) ** 2
    return both_sides(power) / (size * count)


def lines(size: int, count: int) -> float:
    """Lines of a spectrum of `size` samples to either side of one, so that it has NEIGHBOURS as far apart as `count` samples resolve."""
    return (NEIGHBOURS + 0.5) * size / count


def both_sides(spectrum: Floats) -> float:
    """Sum over the lines of a real signal's spectrum and those that mirror them."""
    return float(2.0 * np.sum(spectrum) - spectrum[0])


def averaged(spectrum: Floats, reach: float) -> Floats:
    """Mean over `reach` lines to either side of the middle of each; the spectrum of a real signal is mirrored at its ends."""
    margin = int(np.ceil(reach))
    sums = np.cumsum(np.concatenate(([0.0], np.pad(spectrum, margin, mode="reflect"))))
    middle, edges = np.arange(len(spectrum)) + margin + 0.5, np.arange(len(sums))
    return np.asarray((np.interp(middle + reach, edges, sums) - np.interp(middle - reach, edges, sums)) / (2.0 * reach))
