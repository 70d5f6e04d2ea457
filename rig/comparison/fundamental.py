"""Amplitude and phase of the wave that the command runs through."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEAST_CONDITION = 1e-6


def fundamental(x: NDArray[np.float64], phase: NDArray[np.float64]) -> complex | None:
    """Return Z such that x (N,) is nearest to Im(Z exp(i phase)) + offset in least squares; None when the phase does not turn.

    phase: (N,) rad of the running wave, so that a sweep's fundamental is followed, too, and a hold stands still.
    |Z| is the amplitude, arg Z the lead over the command's phase. A whole cycle is enough: its samples may end one short of it.
    """
    count = len(x)
    if count < 3 or np.ptp(phase) * count / (count - 1) < 2.0 * np.pi * (1.0 - 1.0 / count):
        return None
    basis = np.stack((np.sin(phase), np.cos(phase), np.ones_like(phase)))
    gram = basis @ basis.T
    if np.linalg.eigvalsh(gram)[0] < LEAST_CONDITION * count:
        return None
    sine, cosine, _ = np.linalg.solve(gram, basis @ x)
    return complex(sine, cosine)


def phase_difference(predicted: complex, measured: complex) -> float:
    """Lead of predicted over measured, deg, in (-180, 180]."""
    return float(np.degrees(np.angle(predicted * measured.conjugate())))
