"""What tells a shift, by how far measured and predicted go together in each line of the spectrum.

With J the slope of predicted, m' that of measured and r what a fit leaves, the shift is short by -sum(J r) / sum(J m'). Noise of
predicted makes its slope steeper without telling anything, the more so the higher its frequency; in sum(J m') it does not count, as that of
measured is another one. Lines in which the two are not coherent have nothing but noise, or what the model puts elsewhere: each line has its
squared coherence, over 2 NEIGHBOURS + 1 lines, as weight. The variance of sum(J r) is that of the residual's spectrum, averaged over
neighbouring lines, with what the fit took out of these put back: of white noise a fit of orthonormal u_j leaves count - sum |U_j|^2 in a
line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from rig.comparison.delays.fits import averaged, both_sides, lines
from rig.comparison.series import Flags, Floats

LEAST_LEFT = 0.2
"""Share of a line's noise that a fit leaves at the least."""
FITTED, FEWEST = 3.0, 2.0
"""Degrees of freedom that gain, offset and shift take; and what is left at the least."""
ROUNDING = 1e-9
"""Share of a norm, and, of two spectra's product, of its largest line, below which there is nothing."""


class Coherent(NamedTuple):
    """Sums over the lines of one stretch, by their weight: of J r, its standard deviation, and of J m'; and by how many degrees of freedom
    that standard deviation is known."""

    draw: float
    deviation: float
    curvature: float
    dof: float


def coherent(residual: Floats, sensitivity: Floats, measured: Floats, late: Floats, w: Flags) -> Coherent:
    """residual: r; sensitivity: J; measured: m'; late: predicted as late as measured; (N,) each, 0 outside the template w (N,), the
    residual outside one that may reach farther."""
    size, count = scipy.fft.next_fast_len(len(w), real=True), int(np.count_nonzero(w))
    reach = lines(size, count)
    left, slope, other = (scipy.fft.rfft(x, size) for x in (residual, sensitivity, measured))
    cross = np.conj(slope) * other
    together = averaged(cross.real, reach) ** 2 + averaged(cross.imag, reach) ** 2
    apart = averaged(np.abs(slope) ** 2, reach) * averaged(np.abs(other) ** 2, reach)
    there = apart > ROUNDING * float(np.max(apart))
    weight = np.where(there, np.minimum(together / np.where(there, apart, 1.0), 1.0), 0.0)
    fitted = _orthonormal((sensitivity, late, w.astype(np.float64)))
    taken = averaged(np.sum([np.abs(scipy.fft.rfft(u, size)) ** 2 for u in fitted], axis=0), reach)
    known = max(count, int(np.count_nonzero(residual)))
    noise = averaged(np.abs(left) ** 2, reach) / np.maximum(known - taken, LEAST_LEFT * known)
    power = weight**2 * np.abs(slope) ** 2
    return Coherent(
        draw=both_sides(weight * (np.conj(slope) * left).real) / size,
        deviation=float(np.sqrt(both_sides(noise * power) / size)),
        curvature=both_sides(weight * cross.real) / size,
        dof=_freedom(averaged(power, reach) * noise, known / size),
    )


def _freedom(parts: Floats, apart: float) -> float:
    """Degrees of freedom of a sum over lines, `apart` of which tell as much as one; parts: what each line of the residual, which has two,
    adds to it in the mean (Satterthwaite); less those that the fit took."""
    squares = float(np.sum(np.square(parts)))
    found = 2.0 * apart * float(np.sum(parts)) ** 2 / squares if squares > 0.0 else np.inf
    return max(FEWEST, found - FITTED)


def _orthonormal(vectors: Sequence[Floats]) -> list[Floats]:
    found: list[Floats] = []
    for vector in vectors:
        rest = vector - sum((np.dot(u, vector) * u for u in found), start=np.zeros(len(vector)))
        size = float(np.linalg.norm(rest))
        if size > ROUNDING * float(np.linalg.norm(vector)):
            found.append(rest / size)
    return found
