"""Intervals of the figures that criteria judge, from how they differ between cycles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rig.comparison.fundamental import phase_difference
from rig.comparison.series import Floats
from rig.comparison.uncertainty.folding import Waves
from rig.comparison.uncertainty.interval import LEAST, Interval, interval

GROUPS = 64
"""Of consecutive cycles, at the most."""


def of_sums(rows: Floats, figure: Callable[[Floats], float]) -> Interval | None:
    """A figure of sums over cycles; rows (C, k): what each cycle adds to these, in order.

    Each cycle, or group of cycles, tells what it moves the figure by (jackknife pseudo-values).
    """
    count = min(len(rows), GROUPS)
    if count < 2:
        return None
    sums = np.add.reduceat(rows, np.arange(count) * len(rows) // count, axis=0)
    total = np.sum(sums, axis=0)
    whole = figure(total)
    return interval(whole, [count * whole - (count - 1) * figure(total - one) for one in sums])


def nrms(levels: Floats, noise: float) -> Interval | None:
    """Of rms(difference) / rms(measured). levels (C, 3): number of the cycle, rms of the difference, rms of measured.

    noise: rms of what differs from cycle to cycle, which is in the difference without being an error of the model: how far that may have
    lifted the figure is open below.
    """

    def figure(sums: Floats) -> float:
        return float(np.sqrt(sums[0] / sums[1])) if sums[1] > 0.0 else np.nan

    if (found := of_sums(np.square(levels[:, 1:]), figure)) is None:
        return None
    power, whole = np.mean(np.square(levels[:, 1:]), axis=0)
    without = np.sqrt(max(0.0, power - noise**2) / whole)
    return Interval(found.value, found.std, found.dof, below=max(0.0, found.value - float(without)))


def level_error(levels: Floats) -> Interval | None:
    """Of rms(predicted) / rms(measured) - 1. levels (C, 3): number of the cycle, rms of measured, rms of predicted."""

    def figure(sums: Floats) -> float:
        return float(np.sqrt(sums[1] / sums[0])) - 1.0 if sums[0] > 0.0 else np.nan

    return of_sums(np.square(levels[:, 1:]), figure)


def share(levels: Floats) -> Interval | None:
    """Of a share of the samples. levels (C, >= 2): number of the cycle, square root of the share in it."""
    return None if len(levels) < 2 else interval(float(np.mean(levels[:, 1] ** 2)), levels[:, 1] ** 2)


def wave(waves: Waves, fundamental_error: float | None, phase_error_deg: float | None) -> dict[str, Interval | None]:
    """Of the error of the fundamental and of its phase, deg, by the groups' own."""
    found: dict[str, Interval | None] = {}
    measured, predicted = (np.fft.rfft(x, axis=1)[:, 1] for x in (waves.measured, waves.predicted))
    if fundamental_error is None or phase_error_deg is None or not np.all(np.abs(measured)) or not np.all(np.abs(predicted)):
        return found
    found["fundamental"] = interval(fundamental_error, np.abs(predicted) / np.abs(measured) - 1.0)
    middle = complex(np.mean(measured * np.conj(predicted)))
    turned = [phase_difference(p * middle, m * abs(middle)) for p, m in zip(predicted, measured, strict=True)]
    found["phase"] = interval(phase_error_deg, turned)
    return found


def straight_line(waves: Waves) -> dict[str, Interval | None]:
    """Of gain and offset of measured = gain predicted + offset, predicted as late as measured, and of what both drift by in a cycle.

    Both are fitted by predicted's mean wave of all groups, so that its noise does not flatten the line.
    """
    known = np.isfinite(waves.measured[0])
    measured, model = waves.measured[:, known], np.mean(waves.predicted, axis=0)
    slope = (np.roll(model, -1) - np.roll(model, 1))[known]
    slope = np.where(np.isfinite(slope), slope, 0.0)
    shapes = np.stack((model[known], np.ones(np.count_nonzero(known)), slope), axis=1)
    if np.linalg.matrix_rank(shapes[:, :2] / (np.max(np.abs(shapes[:, :2]), axis=0) + 1e-300)) < 2:
        return {}
    scale = np.max(np.abs(shapes), axis=0) + 1e-300
    found, own = (np.linalg.lstsq(shapes / scale, x.T, rcond=None)[0] / scale[:, None] for x in (measured, waves.predicted[:, known]))
    middle = model[known] - np.mean(model[known])
    turned = float(np.dot(slope, slope) / np.dot(middle, middle))  # a shift takes from the gain what it gives to the slope
    gains = np.copysign(np.sqrt(found[0] ** 2 + turned * found[2] ** 2), found[0]) / own[0]
    offsets = found[1] - gains * own[1]
    each: dict[str, Interval | None] = {}
    for name, values in zip(("gain", "offset"), (gains, offsets), strict=True):
        each[name] = interval(float(np.mean(values)), values)
        each[f"{name}_drift"] = drift(values, waves.cycles)
    return each


def drift(values: Floats, apart: float) -> Interval | None:
    """Slope of the straight line through figures (G,), per cycle, which lie `apart` cycles from one another."""
    if (count := len(values)) < LEAST + 1:
        return None
    along = (np.arange(count) - 0.5 * (count - 1)) * apart
    slope = float(np.dot(along, values) / np.dot(along, along))
    left = values - np.mean(values) - slope * along
    return Interval(slope, float(np.sqrt(np.dot(left, left) / (count - 2) / np.dot(along, along))), count - 2)


def noise(waves: Waves) -> float:
    """Rms of what differs from cycle to cycle, typical of the parts of a turn."""
    return float(np.sqrt(waves.cycles * np.nanmean(np.var(waves.measured - waves.predicted, axis=0, ddof=1))))
