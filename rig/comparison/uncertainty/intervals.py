"""Intervals of the figures that criteria judge, from how they differ between cycles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rig.comparison.fundamental import phase_difference
from rig.comparison.series import Floats
from rig.comparison.uncertainty.alignment import Aligned, aligned
from rig.comparison.uncertainty.folding import Waves
from rig.comparison.uncertainty.interval import LEAST, Interval, Raised, interval

GROUPS = 64
"""Of consecutive cycles, at the most."""
THREE = 3.0


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


def nrms(levels: Floats, waves: Waves | None) -> Interval | None:
    """Of rms(difference) / rms(measured). levels (C, 3): number of the cycle, rms of the difference, rms of measured.

    What differs from cycle to cycle is in the difference without being an error of the model, where it is noise. So the lower bound is
    that of the part that comes again in each cycle, by the mean waves, in the parts of a turn that are known. Where there are none,
    nobody can tell what of it is noise, and all of it counts.
    """

    def figure(sums: Floats) -> float:
        return float(np.sqrt(sums[0] / sums[1])) if sums[1] > 0.0 else np.nan

    if (found := of_sums(np.square(levels[:, 1:]), figure)) is None:
        return None
    again = None if waves is None else _again(waves, float(np.mean(np.square(levels[:, 2]))))
    return found if again is None else Raised(found.value, found.std, found.dof, square=again)


def _again(waves: Waves, power: float) -> Interval | None:
    """Mean square of what the difference does alike in each group of cycles, over `power`: products of different groups alone, in which
    what does not come again has no mean (jackknife)."""
    apart = waves.measured - waves.predicted
    known = np.isfinite(apart).all(axis=0)
    apart, power = apart[:, known], power / max(1e-9, float(np.mean(known)))
    count, whole, each = len(apart), np.sum(apart, axis=0), np.mean(np.square(apart), axis=1)

    def alike(total: Floats, squares: float, groups: int) -> float:
        return (float(np.mean(np.square(total))) - squares) / (groups * (groups - 1)) / power

    if count < LEAST or not power > 0.0:
        return None
    value, squares = alike(whole, float(np.sum(each)), count), float(np.sum(each))
    left_out = [alike(whole - one, squares - own, count - 1) for one, own in zip(apart, each, strict=True)]
    return interval(value, [count * value - (count - 1) * one for one in left_out])


def level_error(levels: Floats) -> Interval | None:
    """Of rms(predicted) / rms(measured) - 1. levels (C, 3): number of the cycle, rms of measured, rms of predicted."""

    def figure(sums: Floats) -> float:
        return float(np.sqrt(sums[1] / sums[0])) - 1.0 if sums[0] > 0.0 else np.nan

    return of_sums(np.square(levels[:, 1:]), figure)


def share(sums: Floats, apart: float) -> Interval | None:
    """Of a share of the samples. sums (C, 3): number of the cycle, samples, how many of them are in it.

    apart: samples that tell as much as one, behind a low-pass. Where hardly any was missed, cycles that are all alike do not show how many
    might have been: three in all, with 95 % (the rule of three), are open below; and above, where none was met.
    """
    total, met = float(np.sum(sums[:, 1])), float(np.sum(sums[:, 2]))
    found = of_sums(sums[:, 1:], lambda one: float(one[1] / one[0]))
    if found is None:
        return None
    rare = min(1.0, THREE * apart / total)
    missed = 1.0 - found.value
    return replace(found, below=max(0.0, rare - missed), above=max(0.0, rare - found.value) if met < total else 0.0)


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

    Both are fitted by predicted's mean wave of all groups, so that its noise does not flatten the line. A zero that drifts goes on within
    a cycle, too: its ramp there, which has something of a sine, is taken out before the gain is told.
    """
    there = aligned(waves)
    if (lines := _Lines.of(there)) is None:
        return {}
    gains, offsets = lines.fitted(waves.measured - there.ramp)
    at = waves.along(len(offsets))
    each: dict[str, Interval | None] = {}
    for name, values in zip(("gain", "offset"), (gains, offsets), strict=True):
        each[name] = interval(waves.mean(values), values)
        each[f"{name}_drift"] = drift(values, at)
    return each


@dataclass(frozen=True)
class _Lines:
    """Least squares of waves on predicted's mean wave, 1 and that wave's slope, where all parts of the turn are known."""

    known: NDArray[np.bool_]
    shapes: Floats
    own: Floats
    turned: float
    """What a shift that is left takes from the gain: so much of the square of what it gives to the slope."""

    @classmethod
    def of(cls, there: Aligned) -> _Lines | None:
        """None where predicted does not vary."""
        known, waves = there.known, there.waves
        model = np.mean(waves.predicted, axis=0)
        slope = (np.roll(model, -1) - np.roll(model, 1))[known]
        slope = np.where(np.isfinite(slope), slope, 0.0)
        shapes = np.stack((model[known], np.ones(np.count_nonzero(known)), slope), axis=1)
        if np.linalg.matrix_rank(shapes[:, :2] / (np.max(np.abs(shapes[:, :2]), axis=0) + 1e-300)) < 2:
            return None
        middle = model[known] - np.mean(model[known])
        own = _fit(shapes, waves.predicted[:, known])
        return cls(known, shapes, own, 0.0 if there.found else float(np.dot(slope, slope) / np.dot(middle, middle)))

    def fitted(self, measured: Floats) -> tuple[Floats, Floats]:
        """(gains, offsets), (G,) each, of waves (G, K)."""
        found = _fit(self.shapes, measured[:, self.known])
        gains = np.copysign(np.sqrt(found[0] ** 2 + self.turned * found[2] ** 2), found[0]) / self.own[0]
        return gains, found[1] - gains * self.own[1]


def _fit(shapes: Floats, waves: Floats) -> Floats:
    """(S, G) coefficients of shapes (K, S) in waves (G, K)."""
    scale = np.max(np.abs(shapes), axis=0) + 1e-300
    return np.asarray(np.linalg.lstsq(shapes / scale, waves.T, rcond=None)[0] / scale[:, None])


def drift(values: Floats, at: Floats) -> Interval | None:
    """Slope of the straight line through figures (G,), per cycle; at (G,): of which cycles they are."""
    if (count := len(values)) < LEAST + 1:
        return None
    along = at - np.mean(at)
    slope = float(np.dot(along, values) / np.dot(along, along))
    left = values - np.mean(values) - slope * along
    return Interval(slope, float(np.sqrt(np.dot(left, left) / (count - 2) / np.dot(along, along))), count - 2)


def noise(waves: Waves) -> float:
    """Rms of what differs from cycle to cycle, typical of the parts of a turn."""
    return float(np.sqrt(waves.cycles * np.nanmean(np.var(waves.measured - waves.predicted, axis=0, ddof=1))))
