"""Where a joint with clearance loses contact, found in a measured acceleration over the crank's angle. Pure functions of arrays.

What can be seen, and what not. A contact loss itself is quiet: the joint's force fades to zero and the acceleration joins the course that
the link has without it, with no more than a kink (model.mechanisms.four_bar.flight tells that course). The end of the flight is loud: an
impact, a spike within a few samples. So `impacts` needs nothing but the acceleration, and tells where the joint hits; that is what
zhang1995 reads off its figure 8. `losses` wants the free course beside it, as the sensor would have shown it: a flight is a stretch on
that course that ends suddenly. Its end is the impact; its beginning, by the likelihood of each angle (`flight_onset`), is the loss.
Turns that go alike are averaged for it and have one angle. A flight that ends softly, below some mm/s, cannot be told from a force that
turns through the link's own direction, where it does not show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.signals import flight_onset

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
LOUD = 5.0
"""An impact is at least so many times what is quiet."""
BRIEF, LEFT = 1e-3, 0.5
"""s after which an impact's force is gone again, but for this share of its peak at the most. Friction that turns round where the links'
angles do makes a step as sudden, and that stays."""
RISES, FALLS = 3.0, 8.0
"""Time constants of a sensor's low-pass in which it has risen, and in which it has fallen after that."""
AVERAGED = 0.15e-3
"""s over which noise is averaged where a flight begins, which is soft."""
REACH = np.radians(22.0)
"""rad before an impact in which its flight's beginning is looked for, more where the flight is seen to be longer."""
RINGING, SHARP = np.radians(0.5), np.radians(0.15)
"""rad after an impact in which a sensor still shows it; before one, in which it may show already."""


@dataclass(frozen=True)
class Losses:
    """Of each loss its turn (m,) counted from 0, the angle (m,) of the loss and of the first impact after it, rad from 0 to 2 pi; doubts:
    standard deviations (m,) of the losses by their likelihoods, rad; none where they are known."""

    turns: Indices
    loss: Samples
    impact: Samples
    doubts: Samples | None = None

    @classmethod
    def none(cls) -> Losses:
        """No loss at all."""
        return cls(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))

    def near(self, angle: float, within: float) -> Losses:
        """Those whose loss lies within `within` (rad) of `angle`."""
        kept = np.abs(wrapped(self.loss - angle)) <= within
        return Losses(self.turns[kept], self.loss[kept], self.impact[kept], None if self.doubts is None else self.doubts[kept])

    @property
    def mean(self) -> float:
        """Mean angle of the losses, rad; not a number where there is none."""
        return centre(self.loss)

    @property
    def doubt(self) -> float:
        """Of their mean, rad: that of one of them, as what a cable picks up draws all of them to the same side."""
        return 0.0 if self.doubts is None or not len(self.doubts) else float(np.sqrt(np.mean(self.doubts**2)))

    @property
    def scatter(self) -> float:
        """Standard deviation of the losses about their mean, rad; not a number for fewer than two."""
        return spread(self.loss)


def losses(
    angle: Samples, acceleration: Samples, free: Samples, rate: float, quiet: float, settled: float = SETTLED, shortest: float = SHORTEST,
    rise: float = 0.0,
) -> Losses:  # fmt: skip
    """Contact losses in an acceleration (n,) at crank angles (n,) rad, beside its course without contact, free (n,), both m/s^2.

    rate: Hz. quiet: change of the difference (m/s^2) that is none, several times the noise. The difference need not be zero in flight,
    only stand still: an AC coupling moves the measured course as a whole, and no specimen is to the gram what its drawing says. A flight
    stands still for at least `shortest` (s) and ends with an impact, LOUD times `quiet` within SUDDEN and gone within BRIEF; a loss is
    one before which contact has lasted `settled` (rad). `rise` (s): time constant of the sensor's low-pass, behind which an impact comes
    and goes more slowly. A flight that the record begins with is left out. Raises ValueError for arrays
    that do not fit each other.
    """
    if not len(angle) == len(acceleration) == len(free):
        raise ValueError(f"contact loss: expected arrays of one length, got {len(angle)}, {len(acceleration)} and {len(free)}")
    difference = acceleration - free
    least = max(1, round(shortest * rate))
    over = max(1, round(AVERAGED * rate))
    fine = quiet / over**0.5
    begins, ends = [0], [0]
    sudden, peak, gone = (max(2, round(time * rate)) for time in (SUDDEN, SUDDEN + RISES * rise, BRIEF + FALLS * rise))
    for end in _hits(difference, least, sudden, peak, gone, quiet):
        calm = _mean(difference[ends[-1] : end] - float(np.median(difference[end - least : end])), over)
        begins.append(_begin(calm[:-over], fine) + ends[-1])  # the last of it may be the impact's already
        ends.append(int(end))
    first, last = np.array(begins[1:], dtype=np.int64), np.array(ends, dtype=np.int64)
    kept = np.flatnonzero((first > last[:-1]) & (np.abs(angle[first] - angle[last[:-1]]) >= settled))
    flights = [(int(last[k]), int(first[k]), int(last[k + 1])) for k in kept]
    at, doubts = _onsets(angle, difference, free, flights, quiet, rate)
    settling = np.abs(at - angle[last[kept]]) >= settled
    return _losses(angle, at[settling], last[kept + 1][settling], doubts[settling])


def openings(angle: Samples, in_contact: Samples, rate: float, settled: float = SETTLED, shortest: float = SHORTEST) -> Losses:
    """The same of a motion whose contact is known: in_contact (n,) is 1 or 0 at crank angles (n,) rad.

    A flight that the record ends with is left out. Raises ValueError for arrays that do not fit each other.
    """
    if len(angle) != len(in_contact):
        raise ValueError(f"contact loss: expected arrays of one length, got {len(angle)} and {len(in_contact)}")
    steps = np.diff((in_contact > 0.5).astype(np.int8))
    begins, ends = np.flatnonzero(steps == -1) + 1, np.flatnonzero(steps == 1) + 1
    ends = ends[ends > begins[0]] if len(begins) else ends[:0]
    begins = begins[: len(ends)]
    long = ends - begins >= shortest * rate
    begins, ends = begins[long], ends[long]
    before = np.concatenate(([0], ends))[: len(begins)]
    kept = np.abs(angle[begins] - angle[before]) >= settled
    return _losses(angle, angle[begins][kept], ends[kept])


def impacts(acceleration: Samples, rate: float, threshold: float, window: float = WINDOW, apart: float = SHORTEST) -> Indices:
    """Samples (m,) at which impacts begin: spikes by more than `threshold` (m/s^2) over the smooth course, at least `apart` (s) apart."""
    smooth = scipy.ndimage.median_filter(acceleration, size=2 * max(1, round(0.5 * window * rate)) + 1, mode="nearest")
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


def _losses(angle: Samples, loss: Samples, impacts: Indices, doubts: Samples | None = None) -> Losses:
    first = int(np.floor(angle[0] / TURN)) if len(angle) else 0
    return Losses(np.floor(loss / TURN).astype(np.int64) - first, loss % TURN, angle[impacts] % TURN, doubts)


def _hits(difference: Samples, least: int, sudden: int, peak: int, brief: int, quiet: float) -> Indices:
    """Samples (m,) at which a stretch of `least` samples that stood still ends by LOUD times `quiet` within `sudden` samples, with a peak
    within `peak` of them that is gone after `brief` more."""
    if len(difference) <= least:
        return np.empty(0, dtype=np.int64)
    behind = (least - 1) // 2  # the window is of the `least` samples before and with each
    high = scipy.ndimage.maximum_filter1d(difference, least, origin=behind)
    low = scipy.ndimage.minimum_filter1d(difference, least, origin=behind)
    still = high - low < 2.0 * quiet
    still[: least - 1] = False
    ends = np.flatnonzero(still[:-1] & ~still[1:]) + 1
    hits = [_is_hit(difference[end : end + peak + brief] - difference[end - 1], sudden, peak, quiet) for end in ends]
    return np.asarray(ends[np.array(hits, dtype=np.bool_)], dtype=np.int64)


def _is_hit(jump: Samples, sudden: int, peak: int, quiet: float) -> bool:
    """Whether a change (n,) from what stood still is as loud as an impact within `sudden` samples, and goes back after its peak, within
    `peak`; one that the record ends with is taken for one."""
    at = int(np.argmax(np.abs(jump[:peak])))
    share = jump / jump[at] if jump[at] else jump
    return bool(np.max(np.abs(jump[:sudden])) >= LOUD * quiet and (len(jump) <= peak or np.min(share[at:]) <= LEFT))


def _mean(difference: Samples, over: int) -> Samples:
    """Moving mean of (n,) over `over` samples about each, (n,); at the ends over as many as there are."""
    total = np.concatenate(([0.0], np.cumsum(difference)))
    n, half = np.arange(len(difference)), over // 2
    first, last = np.maximum(n - half, 0), np.minimum(n + half + 1, len(difference))
    return np.asarray((total[last] - total[first]) / (last - first))


def _begin(difference: Samples, quiet: float) -> int:
    """First sample from which on the difference (n,) stays near 0."""
    out = np.flatnonzero(np.abs(difference) >= quiet)
    return int(out[-1]) + 1 if len(out) else 0


def _onsets(
    angle: Samples, difference: Samples, free: Samples, flights: list[tuple[int, int, int]], quiet: float, rate: float
) -> tuple[Samples, Samples]:
    """Angles (m,) of the losses of flights (sample of the impact before, of the loss as first seen, of the impact), and their standard
    deviations (m,), rad."""
    at, doubts = np.array([angle[begin] for _, begin, _ in flights]), np.zeros(len(flights))
    way = np.sign(angle[-1] - angle[0]) if len(angle) else 1.0
    noise = max(noise_of(difference), quiet / 20.0)
    turns = np.array([TURN * np.floor(angle[end] / TURN) for _, _, end in flights])
    stretches = [_stretch(way * (angle - turn), difference, free, *flight) for turn, flight in zip(turns, flights, strict=True)]
    speed = abs(float(angle[-1] - angle[0])) * rate / max(len(angle) - 1, 1) if len(angle) else 0.0
    wander = flight_onset.wandering(stretches, noise, speed)
    groups = sorted(flight_onset.alike(stretches, noise, wander), key=len, reverse=True)
    together = [flight_onset.together([stretches[k] for k in group]) for group in groups]
    wanders = [wander.of_mean(len(group)) for group in groups]
    beside = flight_onset.picked_up(together, noise, speed, wanders)
    for group, one, own in zip(groups, together, wanders, strict=True):
        found, doubt = flight_onset.onset_and_doubt(one, noise, beside, own)
        if np.isfinite(found):
            at[group], doubts[group] = way * found + turns[group], doubt
    return at, doubts


def _stretch(angle: Samples, difference: Samples, free: Samples, before: int, begin: int, end: int) -> flight_onset.Stretch:
    """What a flight's loss is looked for in: all that it may be, and contact before it; without the impacts at either end."""
    from_angle = min(angle[begin] - SETTLED, angle[end] - REACH)
    first = before + int(np.searchsorted(angle[before:end], max(from_angle, angle[before] + RINGING)))
    last = before + int(np.searchsorted(angle[before:end], angle[end] - SHARP))
    first = max(before, min(first, last - 1))
    return flight_onset.averaged(angle[first:last], difference[first:last], free[first:last])


def noise_of(difference: Samples) -> float:
    """Of a sample, from how much neighbours differ."""
    return 1.4826 * float(np.median(np.abs(np.diff(difference)))) / 2.0**0.5 if len(difference) > 1 else 0.0
