"""Which of several explanations of a difference the samples tell apart.

Of each explanation k, with p_k numbers that were fitted, there is left RSS_k. Samples that hang together count for fewer:

    M = N / (sum over lags of rho^2),    2 ln(likelihood) = -M ln RSS_k

with rho the autocorrelation of what the best explanation leaves (Bartlett). One more fitted number has to raise this by PRICE, the 99.9 %
point of chi^2 with one degree of freedom: in 1 of 1000 cases chance does. An explanation that comes as near as that to the best one is not
told from it: odds of exp(PRICE / 2) = 225 to 1 mislead in at most 1 of 225 cases (Royall, Statistical Evidence, 1997, section 1.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.comparison.series import Floats

PRICE = 10.83
PASSES, SEEN = 3, 9.0
"""How often it is reckoned which lags hang together, and the square of the standard deviations by which they have to stand out."""


@dataclass(frozen=True)
class Explanation:
    """One fault as it fits a difference (N,) best."""

    words: str
    numbers: int
    """How many were fitted."""
    left: float
    """Sum of squares of what it leaves, beside what the nuisance takes."""
    explained: Floats
    """(N,) what it makes of the difference."""
    factors: Floats
    """(k,) of its shapes."""
    simpler: str = ""
    """Words of the explanation that it contains: it is no rival of that one, and has to be needed."""


def fitted(words: str, difference: Floats, shapes: Floats, nuisance: Floats, simpler: str = "") -> Explanation:
    """By least squares of shapes (N, k) beside nuisance (N, m)."""
    columns = np.hstack((shapes, nuisance))
    sizes = np.sqrt(np.einsum("ij,ij->j", columns, columns))
    scaled = columns / np.where(sizes > 0.0, sizes, 1.0)
    factors = np.linalg.lstsq(scaled.T @ scaled, scaled.T @ difference, rcond=1e-12)[0]
    rest = difference - scaled @ factors
    own: Floats = np.where(sizes > 0.0, factors / np.where(sizes > 0.0, sizes, 1.0), 0.0)[: shapes.shape[1]].astype(np.float64)
    return Explanation(words, len(own), float(rest @ rest), shapes @ own, own, simpler)


def independent(rest: Floats) -> float:
    """M: for how many independent samples those of rest (N,) count."""
    n = len(rest)
    power = np.abs(np.fft.rfft(rest - np.mean(rest), 2 * n)) ** 2
    rho = np.fft.irfft(power)[:n]
    if rho[0] <= 0.0:
        return float(n)
    squares, chance = (rho[1:] / rho[0]) ** 2, (n - np.arange(1.0, n)) / n**2
    together = 1.0
    for _ in range(PASSES):  # lags where chance alone makes as much (Bartlett: by `together` as much as of independent ones) are none
        together = 1.0 + 2.0 * float(np.sum(squares, where=squares > SEEN * together * chance))
    return float(n / together)


def told_apart(found: Sequence[Explanation], count: float) -> list[Explanation]:
    """The best one first, then those that the samples do not tell from it; `count`: M.

    Of two where one contains the other, only the simpler one is among them if the other is not needed.
    """

    def cost(one: Explanation) -> float:
        return float(count * np.log(max(one.left, 1e-300)) + PRICE * one.numbers)

    ordered = sorted(found, key=cost)
    near = [one for one in ordered if cost(one) <= cost(ordered[0]) + PRICE]
    words = {one.words for one in near}
    return [ordered[0], *(one for one in near[1:] if one.simpler not in words and one.words != ordered[0].words)]
