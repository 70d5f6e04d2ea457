"""Mean waves before they are compared: predicted as late as measured, and measured without a zero that drifts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.comparison.series import Floats
from rig.comparison.uncertainty.folding import Waves
from rig.comparison.uncertainty.interval import LEAST

STEPS, MOST, NEAR = 4, 0.05, 1.0
"""By which a shift is searched; the farthest, in turns, that is one; and how near to an unknown part of a turn nothing is shifted, in
parts. Only what is left of a shift is told by a slope: beside a corner a straight line is wrong."""


NOTHING = np.zeros(1)
MOSTLY = 0.5


@dataclass(frozen=True)
class Aligned:
    """Waves of which predicted comes as late as measured, in the parts (K,) of a turn that are `known` of both."""

    waves: Waves
    known: NDArray[np.bool_]
    found: bool = True
    """Whether a shift was found: else one may be left."""
    drift: float = 0.0
    """Of the zero of measured, in a cycle."""
    ramp: Floats = field(default_factory=lambda: NOTHING)
    """(K,) or one: what the zero does within each cycle, where it drifts on and on and not from one cycle to the next."""

    def undrifted(self) -> Waves:
        """With the zero as it is in the middle of the test."""
        at = self.waves.along(len(self.waves.measured))
        drift = self.drift * (at - self.waves.mean(at))
        return self.waves._replace(measured=self.waves.measured - drift[:, None] - self.ramp)


def aligned(waves: Waves) -> Aligned:
    """As they are where no shift is found."""
    known = np.isfinite(waves.measured[0])
    late = _late(np.mean(waves.measured, axis=0), np.mean(waves.predicted, axis=0), known)
    if late is not None:
        predicted = np.array([_Later(one, known)(late)[0] for one in waves.predicted])
        known = known & _reached(known, late)
        waves = waves._replace(predicted=np.where(known, predicted, np.nan))
    return Aligned(waves, known, late is not None, *_drift(waves, known))


def _drift(waves: Waves, known: NDArray[np.bool_]) -> tuple[float, Floats]:
    """(by how much the zero of measured drifts in a cycle, (K,) what of that it does within each).

    A ramp has something of a sine; so it is taken for one only where what it has besides is there.
    """
    zeros = np.mean((waves.measured - waves.predicted)[:, known], axis=1)
    if len(zeros) < LEAST or not known.any():
        return 0.0, NOTHING
    slope = float(np.polyfit(waves.along(len(zeros)), zeros, 1)[0])
    ramp = slope * ((np.arange(len(known)) + 0.5) / len(known) - 0.5)
    model = np.mean(waves.predicted, axis=0)[known]
    shapes = np.stack((model, np.gradient(model), np.ones(len(model)), ramp[known]), axis=1)
    scale = np.max(np.abs(shapes), axis=0) + 1e-300
    share = np.linalg.lstsq(shapes / scale, np.mean(waves.measured, axis=0)[known], rcond=None)[0][3] / scale[3]
    return slope, ramp if share >= MOSTLY else NOTHING


def _late(measured: Floats, predicted: Floats, known: NDArray[np.bool_]) -> float | None:
    """Parts of a turn by which measured's mean wave (K,) comes after that of predicted, at the best gain; None where none is."""
    late, later = 0.0, _Later(predicted, known)
    for _ in range(STEPS):
        model, slope = later(late)
        there = known & _reached(known, late)
        shapes = np.stack((model, slope, np.ones(len(model))), axis=1)[there]
        if len(shapes) < 8 or not (size := float(np.std(shapes[:, 0]))) > 0.0:
            return None
        gain, turned, _ = np.linalg.lstsq(shapes / size, measured[there], rcond=None)[0]
        if not gain > 0.0:
            return None
        late -= float(turned / gain)
        if abs(late) > MOST * len(model):  # they do not go together
            return None
    return late


def _reached(known: NDArray[np.bool_], late: float) -> NDArray[np.bool_]:
    """(K,) parts whose values, so many parts earlier, are known all around."""
    if known.all():
        return known
    low, high = int(np.floor(-late - NEAR)), int(np.ceil(-late + NEAR))
    return np.asarray(np.all([np.roll(known, -k) for k in range(low, high + 1)], axis=0), dtype=np.bool_)


class _Later:
    """A wave (K,), and its slope, so many parts of a turn later; straight over what is not known."""

    def __init__(self, wave: Floats, known: NDArray[np.bool_]) -> None:
        parts = len(wave)
        self._at = np.arange(parts, dtype=np.float64)
        filled = np.interp(self._at, self._at[known], wave[known], period=parts)
        self._spline = scipy.interpolate.CubicSpline(np.arange(parts + 1), np.append(filled, filled[0]), bc_type="periodic")

    def __call__(self, late: float) -> tuple[Floats, Floats]:
        at = self._at - late
        return np.asarray(self._spline(at)), np.asarray(self._spline(at, 1))
