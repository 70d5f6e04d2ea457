"""Amplitude and phase of the wave that the command runs through."""

from __future__ import annotations

import numpy as np

from rig.comparison.series import Floats

LEAST_CONDITION = 1e-6


def basis(phase: Floats) -> Floats:
    """sin, cos of the phase (k,), and 1; (3, k)."""
    return np.stack((np.sin(phase), np.cos(phase), np.ones_like(phase)))


class Waves:
    """Least squares of several signals on sin, cos of the command's phase, and 1, gathered piece by piece."""

    def __init__(self, signals: int) -> None:
        self._gram, self._products = np.zeros((3, 3)), np.zeros((3, signals))
        self._count, self._low, self._high = 0, np.inf, -np.inf

    def add(self, x: Floats, phase: Floats, basis: Floats) -> None:
        """The next samples of x (signals, k), with the phase (k,), rad, and `basis` of it; k > 0."""
        self._gram += np.einsum("ik,jk->ij", basis, basis)  # twice as quick as the product of so flat a matrix with itself
        self._products += basis @ x.T
        self._count += len(phase)
        self._low, self._high = min(self._low, float(np.min(phase))), max(self._high, float(np.max(phase)))

    def solve(self) -> list[complex] | None:
        """Z of each signal, see `fundamental`; None when the phase does not turn."""
        count = self._count
        if count < 3 or (self._high - self._low) * count / (count - 1) < 2.0 * np.pi * (1.0 - 1.0 / count):
            return None
        if np.linalg.eigvalsh(self._gram)[0] < LEAST_CONDITION * count:
            return None
        sine, cosine, _ = np.linalg.solve(self._gram, self._products)
        return [complex(s, c) for s, c in zip(sine, cosine, strict=True)]


def fundamental(x: Floats, phase: Floats) -> complex | None:
    """Return Z such that x (N,) is nearest to Im(Z exp(i phase)) + offset in least squares; None when the phase does not turn.

    phase: (N,) rad of the running wave, so that a sweep's fundamental is followed, too, and a hold stands still.
    |Z| is the amplitude, arg Z the lead over the command's phase. A whole cycle is enough: its samples may end one short of it.
    """
    waves = Waves(1)
    if len(x):
        waves.add(x[None, :], phase, basis(phase))
    found = waves.solve()
    return None if found is None else found[0]


def phase_difference(predicted: complex, measured: complex) -> float:
    """Lead of predicted over measured, deg, in (-180, 180]."""
    return float(np.degrees(np.angle(predicted * measured.conjugate())))
