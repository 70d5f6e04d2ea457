"""Iteration of a drive: what a whole pass missed is put into the next one through the inverse of the loop's response.

    u' = u + a F^-1[ W(f) C(f) / H(f) F[w e] ],   e = target - measured

a gain, H the identified response, C its coherence (a Wiener inverse: where noise or non-linearity made the estimate poor, less is
learned), W 1 up to the upper edge of the band, then falling to 0 within `TAPER` of it; below the lower edge, where the mean and slow
parts are, the response of the lowest line is used. w is 1 in the counted part and falls to 0 over the nearer halves of soft start and
soft stop, so that the ramps from and to zero teach nothing and the drive begins and ends as the target does.

On a linear loop with the true response H0 the error of a line shrinks by |1 - a W C H0/H| a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.control.response import Complex, Response

MARGIN = 1.5  # by which the identification's noise reaches beyond the band on both sides
TAPER = 0.4  # of the upper edge of the band
SMOOTH = 5  # lines over which a response is taken from one pass
GROWTH = 1.5  # times the best error so far: diverging at once
WORSE = 1.02  # times the error before: grew
WORSE_PASSES = 2  # in a row: diverging
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Band:
    """In Hz."""

    low: float
    high: float

    @property
    def widened(self) -> tuple[float, float]:
        """Edges of what the identification excites."""
        return self.low / MARGIN, self.high * MARGIN

    def holds(self, frequency: Floats) -> NDArray[np.bool_]:
        """Which of frequency (K,) lie in the band."""
        return (frequency >= self.low * (1.0 - 1e-9)) & (frequency <= self.high * (1.0 + 1e-9))

    def lines(self, samples: int, rate: float) -> tuple[NDArray[np.bool_], Floats]:
        """Which lines of rfft over `samples` lie in the band, and their frequencies."""
        frequency = scipy.fft.rfftfreq(samples, 1.0 / rate)
        inside = self.holds(frequency)
        return inside, frequency[inside]

    def weight(self, frequency: Floats) -> Floats:
        """W: 1 up to the upper edge, falling to 0."""
        beyond = np.clip((frequency - self.high) / (TAPER * self.high), 0.0, 1.0)
        return np.asarray(0.5 * (1.0 + np.cos(np.pi * beyond)))


@dataclass(frozen=True)
class Errors:
    """Of the counted part, as shares of the target's rms about its mean; `outside`: what the band does not hold, mean included."""

    full: float
    in_band: float
    outside: float
    mean: float


def window(counted: NDArray[np.bool_]) -> Floats:
    """w (N,) for samples of which `counted` (N,) count, in one piece."""
    inside = np.flatnonzero(counted)
    first, last = int(inside[0]), int(inside[-1]) + 1
    w = np.zeros(len(counted))
    w[first:last] = 1.0
    for length, part in ((first, slice(first - first // 2, first)), (len(w) - last, slice(last, last + (len(w) - last) // 2))):
        rise = 0.5 * (1.0 - np.cos(np.pi * (np.arange(length // 2) + 0.5) / max(length // 2, 1)))
        w[part] = rise if part.stop == first else rise[::-1]
    return w


def correction(error: Floats, w: Floats, response: Response, band: Band, rate: float) -> Floats:
    """What a gain of 1 adds to the drive, (N,), for an error (N,)."""
    size = scipy.fft.next_fast_len(len(error) + round(rate), real=True)  # a second of rest: what wraps around meets nothing
    frequency = scipy.fft.rfftfreq(size, 1.0 / rate)
    inverse = band.weight(frequency) * response.coherence_at(frequency) / response.at(frequency)
    return np.asarray(w * scipy.fft.irfft(inverse * scipy.fft.rfft(w * error, size), size)[: len(error)])


def errors(target: Floats, measured: Floats, band: Band, rate: float) -> Errors:
    """Of the counted part, (N,) each."""
    error = target - measured
    level = float(np.std(target))
    inside, _ = band.lines(len(error), rate)
    lines = scipy.fft.rfft(error)[inside] / len(error)
    in_band = float(np.sqrt(2.0 * np.sum(np.abs(lines) ** 2)))
    full = float(np.sqrt(np.mean(error**2)))
    return Errors(full / level, in_band / level, float(np.sqrt(max(full**2 - in_band**2, 0.0))) / level, float(np.mean(error)) / level)


@dataclass(frozen=True, eq=False)
class Pass:
    """Spectra of one pass on the lines of the band, (K,): drive, measured, error."""

    frequency: Floats
    drive: Complex
    measured: Complex
    error: Complex


def spectra(target: Floats, drive: Floats, measured: Floats, band: Band, rate: float) -> Pass:
    """Of the counted part, (N,) each."""
    inside, frequency = band.lines(len(target), rate)
    u, y, r = (scipy.fft.rfft(x)[inside] for x in (drive, measured, target))
    return Pass(frequency, u, y, r - y)


def estimate(now: Pass, before: Pass | None) -> Complex:
    """The response that the passes show, (K,): of what changed from the pass before, else of the pass itself, over `SMOOTH` lines.

    What changed is what the next change will be like: on a loop that is not linear the two are not the same.
    """
    u, y = (now.drive, now.measured) if before is None else (now.drive - before.drive, now.measured - before.measured)
    taps = np.hanning(SMOOTH + 2)[1:-1]
    cross, own = (np.convolve(x, taps, "full")[SMOOTH // 2 : SMOOTH // 2 + len(u)] for x in (y * np.conj(u), np.abs(u) ** 2))
    return np.asarray(cross / np.maximum(own, 1e-300))


def line_contraction(real: Complex, used: Response, frequency: Floats, gain: float) -> Floats:
    """|1 - a C H0/H| of the lines of the band, (K,), for the response `real` (K,) and the one `used`."""
    return np.asarray(np.abs(1.0 - gain * used.coherence_at(frequency) * real / used.at(frequency)))


def contraction(lines: Floats, error: Complex) -> float:
    """Of the rms over the band: what lines (K,) that shrink so much each leave of an error (K,)."""
    return float(np.sqrt(np.sum(np.abs(lines * error) ** 2) / np.sum(np.abs(error) ** 2)))


def diverging(in_band: Sequence[float]) -> str:
    """Why the errors of the passes so far, in order, show that iteration diverges; empty when they do not."""
    if len(in_band) < 2:
        return ""
    best = min(in_band[:-1])
    if in_band[-1] > GROWTH * best:
        return f"the error in the band grew from {best:.3%} to {in_band[-1]:.3%}"
    grew = [after > WORSE * before for before, after in pairwise(in_band)]
    if len(grew) >= WORSE_PASSES and all(grew[-WORSE_PASSES:]):
        return f"the error in the band grew in {WORSE_PASSES} passes one after the other, to {in_band[-1]:.3%}"
    return ""


def within(drive: Floats, step: Floats, limit: tuple[float, float, float], rate: float) -> float:
    """The largest share of `step` (N,) that may be added to `drive` (N,) with its value in low..high and its |rate| below the last.

    limit: low, high, rate. `drive` itself keeps them. The bounds are convex, so that every smaller share keeps them as well.
    """
    low, high, fastest = limit
    slope, change = np.diff(drive) * rate, np.diff(step) * rate
    share = 1.0
    for value, by, bottom, top in ((drive, step, low, high), (slope, change, -fastest, fastest)):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # beyond any number is no limit: "inf" is right
            room = np.where(by > 0.0, (top - value) / by, np.where(by < 0.0, (bottom - value) / by, np.inf))
        share = min(share, float(np.min(room, initial=np.inf)))
    return max(share, 0.0)
