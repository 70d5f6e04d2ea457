"""Spikes of a signal over its smooth course, one for a burst of them, and which of two signals' spikes belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

WINDOW = 4e-3
"""s over which a smooth course is the middle of the signal: longer than a spike, shorter than what the links do."""
QUIET = 10.0
"""An impact is at least so many times the scatter about the smooth course."""
SHARE = 0.1
"""And at least this share of the strongest one."""
SPREAD = 1.4826
"""Standard deviation of normal noise, in its median deviations."""


@dataclass(frozen=True)
class Spikes:
    """at (m,): samples of the peaks, in order; strength (m,): how far each is from the smooth course, in the signal's unit; area (m,): that
    summed over the samples of the impact, from the first beyond the threshold to the last."""

    at: Indices
    strength: Floats
    area: Floats

    def __len__(self) -> int:
        return len(self.at)


def rough(x: Floats, rate: float) -> Floats:
    """(N,) how far a signal is from its smooth course; nothing within half a window of its ends, where a slope has no middle."""
    half = max(1, round(0.5 * WINDOW * rate))
    off = np.abs(x - scipy.ndimage.median_filter(x, size=2 * half + 1, mode="nearest"))
    off[:half] = off[-half:] = 0.0
    return np.asarray(off)


def white(x: Floats) -> float:
    """Standard deviation of the white noise in a signal (N,), by its second differences: on a slope steeper than the noise the smooth
    course is the signal itself, and how far that is from it says nothing."""
    return SPREAD * float(np.median(np.abs(np.diff(x, 2)))) / np.sqrt(6.0) if len(x) > 2 else 0.0


def threshold(off: Floats) -> float:
    """What an impact in a signal as far `off` (N,) its smooth course has at least."""
    return max(QUIET * SPREAD * float(np.median(off)), SHARE * float(np.max(off))) if len(off) else 0.0


def spikes(off: Floats, least: float, apart: int) -> Spikes:
    """Peaks above `least`; those that follow each other within `apart` samples are one impact, as strong as the strongest of them."""
    loud = np.flatnonzero(off > least)
    if not len(loud) or not least > 0.0:
        return Spikes(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))
    bursts = np.split(loud, np.flatnonzero(np.diff(loud) > apart) + 1)
    at = np.array([burst[int(np.argmax(off[burst]))] for burst in bursts], dtype=np.int64)
    return Spikes(at, np.asarray(off[at]), np.array([np.sum(off[burst[0] : burst[-1] + 1]) for burst in bursts]))


def matched(first: Indices, second: Indices, within: float) -> tuple[Indices, Indices]:
    """Places (k,) in both of spikes at most `within` samples from each other, one to one, the nearest pairs first; in order of `first`."""
    pairs = list[tuple[int, int, int]]()
    for i, at in enumerate(first.tolist()):
        low, high = np.searchsorted(second, [at - within, at + within + 1e-9])
        pairs += [(abs(int(second[j]) - at), i, j) for j in range(int(low), int(high)) if abs(int(second[j]) - at) <= within]
    taken: tuple[set[int], set[int]] = (set(), set())
    kept = list[tuple[int, int]]()
    for _, i, j in sorted(pairs):
        if i not in taken[0] and j not in taken[1]:
            kept.append((i, j))
            taken[0].add(i)
            taken[1].add(j)
    kept.sort()
    return np.array([i for i, _ in kept], dtype=np.int64), np.array([j for _, j in kept], dtype=np.int64)
