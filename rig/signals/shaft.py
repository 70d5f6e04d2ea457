"""The angle and the speed of a shaft from what measures it: an encoder, a pickup once a turn, a tachometer. Pure functions of arrays.

Angles go on over turns (rad), speeds are in rad/s; row n of what is returned belongs to sample n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.signals.butterworth import both_ways, lowpass

Samples = NDArray[np.float64]

TURN = 2.0 * np.pi
CORNER = 200.0
"""Hz: what a shaft of some kg cm^2 does is slower, and the steps of an encoder's counts are faster."""
ORDER = 4
STEADY = 0.25
"""Share by which a turn may last longer or shorter than its neighbours: jitter of the pickup, ripple and drift of the speed."""
NEIGHBOURS = 5
STEEPEST = 1.6
"""Most that a turn may last of its neighbour, or the other way round: what jitter, ripple and drift leave; a missing pulse is 2."""


@dataclass(frozen=True)
class Course:
    """angle (n,) in rad and speed (n,) in rad/s; bridged: samples about which a missing pulse has been put in."""

    angle: Samples
    speed: Samples
    bridged: tuple[int, ...] = ()


def from_encoder(angle: Samples, rate: float, resolution: float, corner: float = CORNER) -> Course:
    """Smooth course behind an encoder's counts, angle (n,) in rad in steps of `resolution` (rad), sampled at `rate` (Hz).

    A count stands for the angles from its own on over one resolution, whichever way the shaft turns, so the middle of them is half a
    resolution on. What is faster than `corner` (Hz) is taken away by a filter without phase (Butterworth, forward and backward), after
    the mean speed has been taken out. Raises ValueError for fewer samples than the filter wants, or a corner beyond half the rate.
    """
    if not 0.0 < corner < 0.5 * rate:
        raise ValueError(f"encoder: the corner must lie between 0 and half the rate, {0.5 * rate:g} Hz; got {corner:g} Hz")
    least = 8 * ORDER
    if len(angle) < least:
        raise ValueError(f"encoder: expected at least {least} samples, got {len(angle)}")
    n = np.arange(len(angle), dtype=np.float64)
    line = np.linspace(angle[0], angle[-1], len(angle))
    reach = min(len(angle) - 1, round(3.0 * rate / corner))
    smooth = line + both_ways(lowpass(ORDER // 2, corner, rate), angle - line, reach) + 0.5 * resolution
    return Course(smooth, np.asarray(np.gradient(smooth, n / rate)))


def from_pickup(pulses: Samples, rate: float, at: float, backward: bool = False, steady: float = STEADY) -> Course:
    """From the pulses of a pickup once a turn, counted: pulses (n,); the edge comes at the angle `at` (rad).

    Between pulses the angle goes on smoothly and without turning back, before the first and after the last one at the speed there. What
    happens within a turn is not seen: a ripple of 1 % four times a turn is 0.14 deg. The first pulse is at `at`, whole turns being
    unknown. Raises ValueError as `edges`.
    """
    times, bridged = edges(pulses, rate, steady)
    way = -TURN if backward else TURN
    n = np.arange(len(pulses)) / rate
    spline = scipy.interpolate.PchipInterpolator(times, at + way * np.arange(len(times)))
    speeds = spline.derivative()
    inside = np.clip(n, times[0], times[-1])
    speed = np.asarray(speeds(inside))
    first, last = way / (times[1] - times[0]), way / (times[-1] - times[-2])
    speed = np.where(n < times[0], first, np.where(n > times[-1], last, speed))
    return Course(np.asarray(spline(inside)) + speed * (n - inside), speed, bridged)


def from_tachometer(speed: Samples, pulses: Samples, rate: float, at: float, steady: float = STEADY) -> Course:
    """From a tachometer's speed (n,) in rad/s, integrated, and a pickup once a turn that tells what this is off.

    The difference at the pulses is made up for along straight lines between them, so that an offset and a wrong scale of the tachometer
    leave nothing behind. Raises ValueError as `edges`, and where the shaft turns too little the one or the other way.
    """
    turned = np.concatenate(([0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1])) / rate))
    times, bridged = edges(pulses, rate, steady)
    n = np.arange(len(pulses)) / rate
    mean = np.interp(times[[0, -1]], n, turned)
    way = np.sign(mean[1] - mean[0]) * TURN
    ratio = abs(mean[1] - mean[0]) / (TURN * (len(times) - 1))
    if abs(ratio - 1.0) > steady:
        raise ValueError(
            f"tachometer: it tells {ratio:.2f} turns from pulse to pulse, expected 1 within {steady:g}; look at its scale and at the pickup"
        )
    off = at + way * np.arange(len(times)) - np.interp(times, n, turned)
    slopes = np.diff(off) / np.diff(times)
    which = np.clip(np.searchsorted(times, n) - 1, 0, len(slopes) - 1)
    return Course(turned + off[which] + slopes[which] * (n - times[which]), speed + slopes[which], bridged)


def edges(pulses: Samples, rate: float, steady: float = STEADY) -> tuple[Samples, tuple[int, ...]]:
    """(times of the pulses in s, samples about which one was put in), of a count (n,) that goes up by one at each pulse.

    A pulse lies half a sample before the first sample that counts it. Where a turn seems to last twice as long as the single ones about
    it one pulse is missing and is put in half-way, also where one in three is missing all along; every second one missing looks like half
    the speed, and nothing in the pulses tells. Raises ValueError, with the time: fewer than two pulses; a turn that is too short (a pulse
    that came twice) or too long (several are missing, or the speed is not steady); a first or last one twice as long as the others,
    which may as well be the shaft running up or coming to rest.
    """
    found = np.flatnonzero(np.diff(pulses) > 0.0) + 1
    if np.any(np.diff(pulses)[found - 1] > 1.0):
        where = found[int(np.argmax(np.diff(pulses)[found - 1] > 1.0))] / rate
        raise ValueError(f"pickup: several pulses within one sample at {where:.6g} s; look at its threshold, or set counter.filter")
    if len(found) < 2:
        raise ValueError(f"pickup: expected at least 2 pulses, got {len(found)} in {len(pulses) / rate:.4g} s")
    times = np.asarray((found - 0.5) / rate, dtype=np.float64)
    periods = np.diff(times)
    usual = np.array([_usual(periods, k) for k in range(len(periods))])
    ratios = periods / usual
    missing = np.abs(ratios - 2.0) <= 2.0 * steady
    wrong = ~missing & (np.abs(ratios - 1.0) > steady)
    if wrong.any():
        raise ValueError(_wrong_ratio(float(ratios[wrong][0]), float(times[:-1][wrong][0]), usual[wrong][0]))
    _refuse_ends(times, ratios, missing, len(pulses) / rate, steady)
    between = 0.5 * (times[:-1] + times[1:])[missing]
    whole = np.sort(np.concatenate([times, between]))
    _refuse_jumps(whole)
    return whole, tuple(round(float(time) * rate) for time in between)


def _refuse_ends(times: Samples, ratios: Samples, missing: NDArray[np.bool_], duration: float, steady: float) -> None:
    """Raise ValueError where the shaft may stand, run up or come to rest at an end of the record: nobody can count its turns there."""
    turns = np.diff(times)
    for where, rest, turn in (("before the first", times[0], turns[0]), ("after the last", duration - times[-1], turns[-1])):
        if rest > (1.0 + steady) * turn:
            raise ValueError(
                f"pickup: {rest:.4g} s {where} pulse, where a turn lasts {turn:.4g} s: pulses are missing there, or the shaft "
                "stands or runs up; take a part at steady speed"
            )
    for which, at in (("first", 0), ("last", -1)):
        if missing[at]:
            raise ValueError(
                f"pickup: the {which} turn, from {times[:-1][at]:.6g} s on, lasts {ratios[at]:.2f} of those beside it: a missing pulse, "
                "or a shaft that runs up or comes to rest; take a part at steady speed"
            )


def _refuse_jumps(times: Samples) -> None:
    """Raise ValueError where a turn lasts much longer or shorter than the one before it, by the times of all pulses."""
    steps = np.diff(times)[1:] / np.diff(times)[:-1]
    if (jumps := np.flatnonzero((steps > STEEPEST) | (steps < 1.0 / STEEPEST))).size:
        at, ratio = times[jumps[0] + 1], steps[jumps[0]]
        raise ValueError(
            f"pickup: the turn that begins at {at:.6g} s lasts {ratio:.2f} of the one before it: pulses are missing in a row, or the "
            "speed is not steady: look at the pickup's gap, or take a part at steady speed"
        )


def _usual(periods: Samples, k: int) -> float:
    """What a turn lasts about turn k: the middle one of its neighbours and itself, or, where every other one lasts twice as long (one
    pulse in three is missing), the shorter."""
    first = max(0, min(k - NEIGHBOURS // 2, len(periods) - NEIGHBOURS))
    about = periods[first : first + NEIGHBOURS]
    middle, shortest = float(np.median(about)), float(np.min(about))
    long = about > 1.5 * shortest
    alternate = len(about) > 2 and bool(np.all(long[1:] != long[:-1])) and bool(np.all(about[long] < 2.5 * shortest))
    return shortest if alternate else middle


def _wrong_ratio(ratio: float, time: float, usual: float) -> str:
    text = f"pickup: the turn that begins at {time:.6g} s lasts {ratio:.2f} of the {usual:.4g} s about it; "
    if ratio < 1.0:
        return text + "a pulse came twice, or the speed is not steady: look at the pickup's threshold, or set counter.filter"
    return text + "pulses are missing, or the speed is not steady: look at the pickup's gap, or take a part at steady speed"
