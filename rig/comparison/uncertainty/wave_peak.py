"""The largest value of measured, and how far predicted's is from it, without what noise adds to the largest of many samples.

The largest of n samples lies above the largest of the signal by some standard deviations of the noise, however many cycles there are. So it
is not looked for in samples, but in the mean wave of the cycles, from which is taken what chance may have made:

0. A zero that drifts is taken out of measured, and predicted is put as late as measured (`alignment`);
1. measured - predicted, mean over the cycles, is fitted by a gain, an offset, a shift and the fundamental;
2. of what is left those harmonics are kept that the scatter between cycles does not explain;
3. and of what is left then, in windows of any length, whatever the same scatter does not explain.

Predicted and that sum is the measured wave. The steps are linear in the waves once it is known what is kept, so that each group of cycles
tells what it adds to the result: how sure it is comes from leaving out one group after the other (jackknife). A narrow feature that
predicted does not have is seen only beyond some standard deviations of the noise; where there is one at all, HIDDEN of them are added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.comparison.series import Floats
from rig.comparison.uncertainty.alignment import aligned
from rig.comparison.uncertainty.folding import Waves
from rig.comparison.uncertainty.interval import LEAST, Interval, interval

CHANCE = 1e-2
"""Probability that any harmonic is kept by chance."""
BEYOND = 5.0
"""Standard deviations of a window's mean that chance does not reach, in some thousand windows."""
NEIGHBOURS = 4
HIDDEN = 2.0
"""Standard deviations of the mean wave that stay open where measured has another shape than predicted."""
SAME = 5e-4
"""Share of a wave's rms by which its cycles may differ and still be the same one."""
TOLD_APART = 3.0
"""Standard deviations by which one side of a wave must be the larger one. Below it the middle of both is taken: so a wave whose sides are
alike has no bias. One whose sides differ by less is told too small, by up to half of that, for which the bounds are open below."""
ALIKE = 0.98
"""Share of the largest predicted value that a group reaches which tells of the peak."""
Linear = Callable[[Floats], Floats]


class WavePeak(NamedTuple):
    """Largest |value| of measured and predicted without noise, and error of predicted, with its interval."""

    measured: float
    predicted: float
    error: Interval


def wave_peak(waves: Waves) -> WavePeak | None:
    """None where fewer than three groups of cycles reach the peak, or measured is nothing but zero."""
    sizes = np.max(np.abs(waves.predicted), axis=1)
    high = sizes >= ALIKE * np.max(sizes)
    shown = aligned(waves).undrifted()
    measured, predicted = shown.measured[high], shown.predicted[high]
    count = len(measured)
    if count < LEAST:
        return None
    scatter = float(np.mean(np.var(measured - predicted, axis=0, ddof=1)))
    if _noisy(predicted):  # of a model that a noisy channel leads
        predicted = _smoothing(predicted, np.zeros(predicted.shape[1]))[0](predicted)
    apart = measured - predicted
    smooth, another_shape = _smoothing(apart, np.mean(predicted, axis=0))
    each = smooth(apart)
    mean, model = np.mean(each, axis=0), np.mean(predicted, axis=0)

    left_out = [((count * mean - d) / (count - 1), (count * model - p) / (count - 1)) for d, p in zip(each, predicted, strict=True)]
    alike, larger = _sides_alike(mean + model, [d + p for d, p in left_out])
    whole = _error(mean + model, model, alike)
    found = interval(whole, [count * whole - (count - 1) * _error(d + p, p, alike) for d, p in left_out])
    if found is None:
        return None
    peak = float(np.max(np.abs(model + mean)))
    hidden = HIDDEN * float(np.sqrt(scatter / count)) / peak if another_shape else 0.0
    return WavePeak(peak, float(np.max(np.abs(model))), replace(found, below=hidden + larger / peak, above=hidden))


def _noisy(waves: Floats) -> bool:
    """Whether waves (G, K) differ by more than where samples fall in the parts of a turn."""
    scatter = float(np.mean(np.var(waves, axis=0, ddof=1)))
    return scatter > (SAME**2) * float(np.mean(np.square(waves)))


def _sides(wave: Floats) -> Floats:
    """(2,) how far it goes to either side."""
    return np.array([np.max(wave), np.max(-wave)])


def _sides_alike(wave: Floats, left_out: Sequence[Floats]) -> tuple[bool, float]:
    """(whether chance may have made one side the larger one, by how much the larger one is beyond their middle, more than chance says).

    To take the larger one then would raise the peak by half a standard deviation.
    """
    apart, count = float(np.diff(_sides(wave))[0]), len(left_out)
    found = interval(apart, [count * apart - (count - 1) * float(np.diff(_sides(one))[0]) for one in left_out])
    if found is None or abs(apart) >= TOLD_APART * found.std:
        return False, 0.0
    return True, 0.5 * max(0.0, abs(apart) - found.std)


def _error(measured: Floats, predicted: Floats, alike: bool) -> float:
    """Of predicted's peak: of both sides together where they are alike."""
    gather = np.sum if alike else np.max
    peak = float(gather(_sides(measured)))
    return float(gather(_sides(predicted))) / peak - 1.0 if peak > 0.0 else np.nan


def _smoothing(difference: Floats, model: Floats) -> tuple[Linear, bool]:
    """(what is kept of differences (G, K) from predicted's mean wave (K,); whether that is more than the first step)."""
    bins = len(model)
    turn = 2.0 * np.pi * (np.arange(bins) + 0.5) / bins
    slope = np.roll(model, -1) - np.roll(model, 1)
    shapes, _ = np.linalg.qr(np.stack((np.ones(bins), np.cos(turn), np.sin(turn), *_unlike(model, slope)), axis=1))
    fitted = difference @ shapes @ shapes.T
    left = difference - fitted
    kept = _beyond_chance(left)

    def harmonics(x: Floats) -> Floats:
        return np.asarray(np.fft.irfft(np.where(kept, np.fft.rfft(x, axis=-1), 0.0), bins, axis=-1))

    windows = _windows(left - harmonics(left))

    def smooth(x: Floats) -> Floats:
        first = x @ shapes @ shapes.T
        second = harmonics(x - first)
        rest, local = x - first - second, np.zeros_like(x)
        for length, there in windows:
            found = np.where(there, _moving_mean(rest, length), 0.0)
            local, rest = local + found, rest - found
        return np.asarray(first + second + local)

    return smooth, bool(kept.any() or windows)


def _unlike(*signals: Floats) -> list[Floats]:
    """Those that vary."""
    return [x - np.mean(x) for x in signals if np.ptp(x) > 1e-12 * (np.max(np.abs(x)) or 1.0)]


def _beyond_chance(left: Floats) -> NDArray[np.bool_]:
    """(H,) harmonics of the mean of (G, K) that their scatter between groups does not explain: |mean|^2 / variance of the mean has an
    exponential distribution there."""
    count = len(left)
    spectrum = np.fft.rfft(left, axis=1)
    mean = np.mean(spectrum, axis=0)
    scatter = np.sum(np.abs(spectrum - mean) ** 2, axis=0) / (count - 1) / count
    smooth = _moving_mean(scatter, 2 * NEIGHBOURS + 1)
    return np.asarray(np.abs(mean) ** 2 > np.log(len(mean) / CHANCE) * np.maximum(smooth, scatter), dtype=np.bool_)


def _windows(left: Floats) -> list[tuple[int, NDArray[np.bool_]]]:
    """(length, middles (K,)) of windows whose mean over the groups their scatter does not explain; the longest first."""
    count, bins = left.shape
    mean = np.mean(left, axis=0)
    apart, found = left - mean, []
    length = 1 << max(0, int(np.log2(bins)) - 3)
    while length >= 1:
        scatter = np.sum(_moving_mean(apart, length) ** 2, axis=0) / (count - 1) / count
        near = _moving_mean(scatter, min(bins, 2 * length + 1))
        level = _moving_mean(mean, length)
        there = np.abs(level) > BEYOND * np.sqrt(np.maximum(np.mean(scatter), near))
        if there.any():
            found.append((length, there))
            mean = mean - np.where(there, level, 0.0)
        length //= 2
    return found


def _moving_mean(x: Floats, length: int) -> Floats:
    """Over `length` values about each, along the last axis, whose ends are joined."""
    if length <= 1:
        return x
    ahead = length // 2
    padded = np.concatenate((x[..., -ahead:], x, x[..., : length - 1 - ahead]), axis=-1)
    sums = np.cumsum(np.concatenate((np.zeros((*x.shape[:-1], 1)), padded), axis=-1), axis=-1)
    return np.asarray((sums[..., length:] - sums[..., :-length]) / length)
