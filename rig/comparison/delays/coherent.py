"""What tells a shift, in those lines of the spectrum only in which measured and predicted go together.

With J the slope of predicted, m' that of measured and r what a fit leaves, the shift is short by -sum(J r) / sum(J m'). Noise of
predicted makes its slope steeper without telling anything, the more so the higher its frequency; in sum(J m') it does not count, as that of
measured is another one, and in lines in which the two are not coherent there is nothing but noise, or what the model puts elsewhere. The
variance of sum(J r) is that of the residual's spectrum, averaged over neighbouring lines, with what the fit took out of these put back: of
white noise a fit of orthonormal u_j leaves count - sum |U_j|^2 in a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from rig.comparison.delays.fits import averaged, both_sides, lines
from rig.comparison.series import Flags, Floats

COHERENT = 0.8
"""Squared coherence, over 2 NEIGHBOURS + 1 lines, from which on two signals go together: unrelated ones pass it 3 in a million times."""
LEAST_LEFT = 0.2
"""Share of a line's noise that a fit leaves at the least."""
ROUNDING = 1e-9


class Coherent(NamedTuple):
    """Sums over the coherent lines of one stretch: of J r, its standard deviation, and of J m'."""

    draw: float
    deviation: float
    curvature: float


def coherent(residual: Floats, sensitivity: Floats, measured: Floats, late: Floats, w: Flags) -> Coherent:
    """residual: r; sensitivity: J; measured: m'; late: predicted as late as measured; (N,) each, 0 outside the template w (N,)."""
    size, count = scipy.fft.next_fast_len(len(w), real=True), int(np.count_nonzero(w))
    reach = lines(size, count)
    left, slope, other = (scipy.fft.rfft(x, size) for x in (residual, sensitivity, measured))
    cross = np.conj(slope) * other
    together = averaged(cross.real, reach) ** 2 + averaged(cross.imag, reach) ** 2
    inside = together > COHERENT * averaged(np.abs(slope) ** 2, reach) * averaged(np.abs(other) ** 2, reach)
    fitted = _orthonormal((sensitivity, late, w.astype(np.float64)))
    taken = averaged(np.sum([np.abs(scipy.fft.rfft(u, size)) ** 2 for u in fitted], axis=0), reach)
    noise = averaged(np.abs(left) ** 2, reach) / np.maximum(count - taken, LEAST_LEFT * count)
    return Coherent(
        draw=both_sides(np.where(inside, (np.conj(slope) * left).real, 0.0)) / size,
        deviation=float(np.sqrt(both_sides(np.where(inside, noise * np.abs(slope) ** 2, 0.0)) / size)),
        curvature=both_sides(np.where(inside, cross.real, 0.0)) / size,
    )


def _orthonormal(vectors: Sequence[Floats]) -> list[Floats]:
    found: list[Floats] = []
    for vector in vectors:
        rest = vector - sum((np.dot(u, vector) * u for u in found), start=np.zeros(len(vector)))
        size = float(np.linalg.norm(rest))
        if size > ROUNDING * float(np.linalg.norm(vector)):
            found.append(rest / size)
    return found
