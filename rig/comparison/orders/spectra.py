"""Amplitudes of measured and predicted over the order: times a turn of the shaft, or a cycle of the load.

What is locked to a shaft is a line in the order, however the speed varies, and smeared over frequencies. Samples at equal steps of time
are read at equal steps of the angle, by splines of fifth degree. There are so many steps a turn that the slowest turn loses no sample; up
to HIGHEST of the rate of the samples the splines are right to 2e-4. Segments have whole turns, overlap by a half, each without its mean,
behind a Hann window: a whole order is told with its amplitude, one between two lines up to 15 % lower (the window's scalloping).
(Fyfe and Munck, Mech. Syst. Signal Process. 11 (1997) 187, where cubic splines do.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from rig.comparison.series import Flags, Floats

TURN = 2.0 * np.pi
TURNS = (4, 8)
"""Least and most in a segment: a Hann window keeps neighbouring whole orders apart from four on."""
SEGMENTS = 8
"""That are wanted, before a segment has more than the least turns."""
LEAST = 2
MOST = 64
"""Segments that are looked at, evenly spread."""
HIGHEST = 0.2
"""Of the rate of the samples, of the highest order at the greatest speed."""
LONGEST = 1 << 19
"""Steps of the angle in a segment."""
DEGREE: Final = 5
MARGIN = 32
"""Samples at either side of a segment, which its splines want."""


@dataclass(frozen=True, eq=False)
class OrderSpectra:
    """At order (K,), rising, without 0: amplitudes (K,), rms over the segments, of measured, predicted and predicted - measured, in the
    channel's unit. turns: of a segment; segments: how many."""

    order: Floats
    measured: Floats
    predicted: Floats
    difference: Floats
    turns: int
    segments: int

    def largest(self, count: int) -> list[int]:
        """Places of the whole orders that are largest in measured, largest first."""
        whole = np.arange(self.turns - 1, len(self.order), self.turns)
        return [int(k) for k in whole[np.argsort(-self.measured[whole], kind="stable")][:count]]


def order_spectra(measured: Floats, predicted: Floats, angle: Floats, counts: Flags) -> OrderSpectra | None:
    """Of measured and predicted (n,) at angles (n,) rad that go on over turns, where `counts` (n,).

    Segments in which a sample is missing or does not count, or in which the angle does not go one way, are left out. None where fewer than
    LEAST are left.
    """
    known = counts & np.isfinite(angle) & np.isfinite(measured) & np.isfinite(predicted)
    if np.count_nonzero(known) < 2 * MARGIN:
        return None
    first, last = (int(k) for k in np.flatnonzero(known)[[0, -1]])
    turned = (angle if angle[last] >= angle[first] else -angle) / TURN
    inside = slice(first, last + 1)
    whole = float(turned[last] - turned[first])
    turns = min(max(TURNS[0], int(2.0 * whole / (SEGMENTS + 1))), TURNS[1])
    begins = turned[first] + 0.5 * turns * np.arange(max(0, int(np.floor(2.0 * (whole - turns) / turns + 1e-9)) + 1))
    begins = begins[np.unique(np.linspace(0, len(begins) - 1, min(MOST, len(begins))).astype(np.intp))] if len(begins) else begins
    speeds = np.abs(np.diff(turned[inside]))[known[first:last] & known[first + 1 : last + 1]]
    speeds = speeds[speeds > 0.1 * np.median(speeds)]  # where it stands still no segment lies
    steps = round(1.0 / float(np.min(speeds))) if len(speeds) else 0
    if len(begins) < LEAST or not 1 < steps <= LONGEST // turns:
        return None
    kept = slice(0, max(0, int(HIGHEST * turns / float(np.max(speeds)))))
    squares, used = np.zeros((3, steps * turns // 2)), 0
    for begin in begins:
        pair = _read(turned, known, (measured, predicted), float(begin), turns, steps, inside)
        if pair is not None:
            m, p = (_amplitudes(x) for x in pair)
            squares += np.square(np.abs((m, p, p - m)))
            used += 1
    if used < LEAST:
        return None
    found = np.sqrt(squares[:, kept] / used)
    return OrderSpectra(np.arange(1, found.shape[1] + 1) / turns, found[0], found[1], found[2], turns, used)


def _amplitudes(x: Floats) -> np.ndarray:
    """Complex amplitudes (steps // 2,) of a segment, from the first line on."""
    window = scipy.signal.get_window("hann", len(x))
    return np.asarray(2.0 / np.sum(window) * scipy.fft.rfft((x - np.mean(x)) * window)[1 : len(x) // 2 + 1])


def _read(
    turned: Floats, known: Flags, signals: tuple[Floats, Floats], begin: float, turns: int, steps: int, inside: slice
) -> list[Floats] | None:
    """Both signals at `steps` angles a turn, over `turns` of them from `begin` on; None where that cannot be."""
    # Where the angle goes one way a bisection finds the ends; where it does not, the segment is refused below.
    low = inside.start + int(np.searchsorted(turned[inside], begin)) - 1
    high = inside.start + int(np.searchsorted(turned[inside], begin + turns)) + 1
    low, high = max(low, inside.start), min(high, inside.stop)
    stretch = turned[low:high]
    if len(stretch) < 2 * MARGIN or not known[low:high].all() or not np.all(np.diff(stretch) > 0.0):
        return None
    if stretch[0] > begin + 1e-9 or stretch[-1] < begin + turns - 1.5 / steps:
        return None
    places = np.interp(begin + np.arange(steps * turns) / steps, stretch, np.arange(low, high, dtype=np.float64))
    first, last = max(inside.start, low - MARGIN), min(inside.stop, high + MARGIN)
    around = [np.nan_to_num(x[first:last]) for x in signals]
    at = (places - first)[None]
    return [np.asarray(scipy.ndimage.map_coordinates(x, at, order=DEGREE, mode="nearest"), dtype=np.float64) for x in around]
