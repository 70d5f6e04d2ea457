"""Where a joint with clearance loses contact, found in a measured acceleration over the crank's angle. Pure functions of arrays.

What can be seen, and what not. A contact loss itself is quiet: the joint's force fades to zero and the acceleration joins the course that
the link has without it, with no more than a kink (model.mechanisms.four_bar_flight tells that course). The end of the flight is loud: an
impact, a spike within a few samples. So `impacts` needs nothing but the acceleration, and tells where the joint hits; that is what
zhang1995 reads off its figure 8. `losses` wants the free course beside it, as the sensor would have shown it: a flight is a stretch on
that course that ends suddenly. Its end is the impact; its beginning, extrapolated from the last of the force, is the loss. A flight that
ends softly, below some mm/s, cannot be told from a force that turns through the link's own direction, where it does not show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

Samples = NDArray[np.float64]
Indices = NDArray[np.int64]

TURN = 2.0 * np.pi
SHORTEST = 0.5e-3
"""s: a shorter stretch on the free course is no flight, the joint's force may go through zero crosswise."""
SETTLED = np.radians(5.0)
"""rad that contact has lasted before a loss; what comes sooner is the same loss, bouncing."""
WINDOW = 4e-3
"""s over which a smooth course is the middle of what is measured: longer than a spike, shorter than what the links do."""
SUDDEN = 0.15e-3
"""s within which an impact shows; a force that goes through zero crosswise takes longer."""
LOUD = 20.0
"""An impact is at least so many times what is quiet."""
FADING = 4.0
"""The last of the force that a loss is extrapolated from: up to so many times what is quiet."""


@dataclass(frozen=True)
class Losses:
    """Of each loss its turn (m,) counted from 0, the angle (m,) of the loss and of the first impact after it, rad from 0 to 2 pi."""

    turns: Indices
    loss: Samples
    impact: Samples

    def near(self, angle: float, within: float) -> Losses:
        """Those whose loss lies within `within` (rad) of `angle`."""
        kept = np.abs(wrapped(self.loss - angle)) <= within
        return Losses(self.turns[kept], self.loss[kept], self.impact[kept])

    @property
    def mean(self) -> float:
        """Mean angle of the losses, rad; not a number where there is none."""
        return centre(self.loss)

    @property
    def scatter(self) -> float:
        """Standard deviation of the losses about their mean, rad; not a number for fewer than two."""
        return spread(self.loss)


def losses(
    angle: Samples, acceleration: Samples, free: Samples, rate: float, quiet: float, settled: float = SETTLED, shortest: float = SHORTEST
) -> Losses:
    """Contact losses in an acceleration (n,) at crank angles (n,) rad, beside its course without contact, free (n,), both m/s^2.

    rate: Hz. quiet: difference (m/s^2) that is none, several times the noise. A flight is at least `shortest` (s) of it and ends with an
    impact, LOUD times as much within SUDDEN; a loss is one before which contact has lasted `settled` (rad). A flight that the record
    begins or ends with is left out. Raises ValueError for arrays that do not fit each other.
    """
    if not len(angle) == len(acceleration) == len(free):
        raise ValueError(f"contact loss: expected arrays of one length, got {len(angle)}, {len(acceleration)} and {len(free)}")
    difference = acceleration - free
    begins, ends = _runs(np.abs(difference) < quiet, max(1, round(shortest * rate)))
    hit = np.array([_ends_with_a_hit(difference, end, quiet, rate) for end in ends], dtype=np.bool_)
    begins, ends = begins[hit], ends[hit]
    inside = begins > 0
    lasted = np.abs(angle[begins] - angle[np.concatenate(([0], ends))[: len(begins)]])
    kept = inside & (lasted >= settled)
    at = np.array([_extrapolated(angle, difference, int(begin), quiet) for begin in begins[kept]])
    turns = np.floor(at / TURN).astype(np.int64) - int(np.floor(angle[0] / TURN)) if len(angle) else np.empty(0, dtype=np.int64)
    return Losses(turns, at % TURN, angle[ends[kept]] % TURN)


def impacts(acceleration: Samples, rate: float, threshold: float, window: float = WINDOW, apart: float = SHORTEST) -> Indices:
    """Samples (m,) at which impacts begin: spikes by more than `threshold` (m/s^2) over the smooth course, at least `apart` (s) apart."""
    smooth = median_filter(acceleration, size=2 * max(1, round(0.5 * window * rate)) + 1, mode="nearest")
    loud = np.flatnonzero(np.abs(acceleration - smooth) > threshold)
    if not len(loud):
        return np.empty(0, dtype=np.int64)
    first = np.concatenate(([True], np.diff(loud) > apart * rate))
    return np.asarray(loud[first], dtype=np.int64)


def centre(angles: Samples) -> float:
    """Mean direction of angles (m,), rad from 0 to 2 pi; not a number where there is none."""
    return float(np.angle(np.mean(np.exp(1j * angles))) % TURN) if len(angles) else float("nan")


def spread(angles: Samples) -> float:
    """Standard deviation (rad) of angles (m,) about their mean direction; not a number for fewer than two."""
    return float(np.sqrt(np.sum(wrapped(angles - centre(angles)) ** 2) / (len(angles) - 1))) if len(angles) > 1 else float("nan")


def wrapped(angle: Samples) -> Samples:
    """The same angle from -pi to pi."""
    return np.asarray((angle + np.pi) % TURN - np.pi)


def _runs(quiet: NDArray[np.bool_], least: int) -> tuple[Indices, Indices]:
    """(first, one behind the last) of the runs of at least `least` samples; a single sample that is out does not end one."""
    mended = quiet.copy()
    mended[1:-1] |= quiet[:-2] & quiet[2:]
    steps = np.diff(np.concatenate(([0], mended.astype(np.int8), [0])))
    begins, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    kept = ends - begins >= least
    return begins[kept], ends[kept]


def _ends_with_a_hit(difference: Samples, end: int, quiet: float, rate: float) -> bool:
    behind = difference[end : end + max(2, round(SUDDEN * rate))]
    return bool(len(behind)) and float(np.max(np.abs(behind))) >= LOUD * quiet


def _extrapolated(angle: Samples, difference: Samples, begin: int, quiet: float) -> float:
    """Where the difference that fades before `begin` would be zero: on the straight line through the last of it."""
    first = begin
    while first > 0 and quiet <= abs(difference[first - 1]) <= FADING * quiet and difference[first - 1] * difference[begin - 1] > 0.0:
        first -= 1
    if begin - first < 2:
        return float(angle[begin])
    slope, level = np.polyfit(angle[first:begin] - angle[begin], difference[first:begin], 1)
    ahead = -level / slope if slope else 0.0
    most = abs(angle[begin] - angle[first]) / (FADING - 1.0) * 2.0  # a line that hardly falls tells nothing
    return float(angle[begin] + np.clip(ahead, -most, most))
