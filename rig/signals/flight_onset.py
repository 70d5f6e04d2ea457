"""Where in the course of an acceleration a flight begins: a change point, by its evidence. Pure functions of arrays; angles in rad.

What is looked at is a stretch before an impact: the measured acceleration less that of the drawing's mechanism without contact. In flight
this is a constant (an offset, an AC coupling), a little of the free course itself (a specimen weighs not what the drawing says) and a
little of its slope (the angle's zero). In contact the joint's force comes on top, which has faded to zero at the loss: a departure that
starts there from zero with some slope, and whose slope wanders. As Gaussian processes (Rasmussen and Williams 2006, 2.7; the departure is
the prior of a cubic smoothing spline, Wahba 1978) each angle of loss has a likelihood that needs no threshold, no window to tune, and does
not ask that the loss is loud: what makes up for noise is the number of samples.

A joint in which the force fades along the link shows next to nothing in one turn. Turns that go alike are therefore averaged first.

Hum or slow noise on the cable would be taken for a departure that lasts nearly to the impact. How much there is, is found first, by the
likelihood of several turns (`picked_up`); it is a further process that goes on in flight and before it. Rough noise, as 1/f, cannot be told
from departures in one turn. But where the mechanism repeats itself, it alone is in the difference of two turns (`wandering`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

WIDTH = np.radians(0.25)
"""rad over which samples are averaged: a quarter of what a loss is told to."""
FEWEST = 3
"""Samples in a width at least; with fewer the width grows."""
MASSES, ZERO = 0.05, np.radians(0.1)
"""How far a specimen's free course is from the drawing's: share of it, and rad along it (1 % in each mass and inertia; a mounted disc)."""
OFFSET = 100.0
"""m/s^2, of the constant: as good as unknown."""
LENGTH = np.radians(120.0)
"""rad over which the slope of the departure wanders by as much as it may be at the loss: a fifth in 5 deg. 30 to 480 deg tell the same."""
SLOPES = np.degrees(2.0 ** np.arange(-1.0, 8.0))
"""Slopes of the departure that are tried, in noise of a sample per rad: from half of it to 128 times it in a degree."""
COARSE, FINE = np.radians(1.0), np.radians(0.1)
"""rad between angles that are tried, for the slope and for the loss."""
LEAST = np.radians(2.0)
"""rad of contact, and WIDTHS of flight, that a stretch has at least."""
WIDTHS = 4
PICK_UP = 4e-3
"""s over which what is picked up hangs together: hum of 50 or 60 Hz changes its sign in 10 or 8 ms."""
LEVELS = 2.0 ** np.arange(-5.0, 5.0)
"""Its rms values that are tried, in noise of a sample."""
ODDS = math.log(225.0)
"""By which it has to be likelier that there is any than that there is none, as everywhere (rig/comparison/explanations.py)."""
TURNS, COARSER = 8, 4
"""Turns, or groups of them, that are asked, and widths in one then."""
LIKE, KNOWN = 9.0, 2.0
"""Turns go alike where they differ by no more than three times the noise, squared; by less where all that is on the cable is known."""
EXPONENTS = (1.0, 2.0)
"""Of the density 1/f^exponent of what wanders: pink, brown."""
TONES, SLOWEST, FASTEST = 256, 0.05, 2.0
"""Frequencies that stand for its spectrum, from so many periods in a stretch on (slower ones make a slope of it), up to one in so many
widths."""
FINER = np.sqrt(2.0) ** np.arange(-10.0, 10.0)
"""Its rms values that are tried, in noise of a sample."""
APART, TWICE = (1, 2, 3), 2.0
"""Turns between two that are taken from each other: a motion may repeat itself every second or third turn only, and is so much more alike
then."""


@dataclass(frozen=True)
class Stretch:
    """Averages over widths of angle (m,): angle in rad, samples in each, difference, free course and its slope per rad (m/s^2)."""

    angle: Samples
    count: Samples
    difference: Samples
    free: Samples
    slope: Samples

    def part(self, first: float, last: float) -> Stretch:
        """What lies between two angles (rad)."""
        inside = (self.angle > first) & (self.angle < last)
        return Stretch(*(values[inside] for values in (self.angle, self.count, self.difference, self.free, self.slope)))


@dataclass(frozen=True)
class PickedUp:
    """Hum or slow noise: rms in m/s^2, and rad over which it hangs together.

    It is smooth, and comes again in each turn, or not: nothing is said of that.
    """

    rms: float = 0.0
    length: float = 1.0

    def covariance(self, angle: Samples) -> Samples:
        """(m, m) at angles (m,) rad: squared exponential (Rasmussen and Williams, 4.2.1)."""
        return np.asarray(self.rms**2 * np.exp(-0.5 * (np.subtract.outer(angle, angle) / self.length) ** 2))


NOTHING = PickedUp()


@dataclass(frozen=True)
class Wandering:
    """Noise that goes another way in each turn: rms in m/s^2, of a density 1/f^exponent between `lowest` and `highest`, per rad; or smooth,
    as `PickedUp`, over a length in rad."""

    rms: float = 0.0
    exponent: float = 1.0
    lowest: float = 1.0
    highest: float = 2.0
    length: float = 0.0

    def covariance(self, angle: Samples) -> Samples:
        """(m, m) at angles (m,) rad, by TONES evenly over the logarithm of the frequency."""
        tones = np.geomspace(self.lowest, self.highest, TONES)
        power = tones ** (1.0 - self.exponent) * np.exp(-0.5 * (2.0 * np.pi * self.length * tones) ** 2)
        turned = 2.0 * np.pi * np.multiply.outer(tones, angle)
        shapes = np.concatenate((np.cos(turned), np.sin(turned)))
        share = np.tile(self.rms**2 * power / np.sum(power), 2)
        return np.asarray(shapes.T @ (share[:, None] * shapes))

    def of_mean(self, turns: int) -> Wandering:
        """In the mean of so many turns."""
        return replace(self, rms=self.rms / math.sqrt(turns))


STILL = Wandering()


def averaged(angle: Samples, difference: Samples, free: Samples) -> Stretch:
    """A stretch of samples (n,) over rising angles, less the mean of its difference. Only whole widths count, and those with a sample."""
    width = max(WIDTH, FEWEST * (angle[-1] - angle[0]) / len(angle))
    place = np.floor(angle / width).astype(np.int64)
    whole = (place > place[0]) & (place < place[-1])
    if np.any(whole):
        angle, difference, free, place = angle[whole], difference[whole], free[whole], place[whole]
    count = np.bincount(place - place[0]).astype(np.float64)
    there = np.flatnonzero(count)
    slope = np.gradient(free, angle) if len(angle) > 1 else np.zeros(len(angle))
    mean, course, along = (np.bincount(place - place[0], w)[there] / count[there] for w in (difference, free, slope))
    return Stretch((there + place[0] + 0.5) * width, count[there], mean - np.mean(mean), course, along)


def alike(stretches: Sequence[Stretch], noise: float, wander: Wandering = STILL) -> list[list[int]]:
    """Stretches that go alike within the noise (of a sample, m/s^2), and what wanders: their numbers, group by group.

    A motion that repeats is one group, one that repeats every second turn is two; what does not repeat is by itself.
    """
    groups: list[list[int]] = []
    means: list[Stretch] = []
    for number, one in enumerate(stretches):
        off = [_off(one, mean, noise, wander, len(group)) for mean, group in zip(means, groups, strict=True)]
        if off and min(off) <= (KNOWN if wander.rms else LIKE):
            nearest = int(np.argmin(off))
            groups[nearest].append(number)
            means[nearest] = together([stretches[k] for k in groups[nearest]])
        else:
            groups.append([number])
            means.append(one)
    return groups


def together(stretches: Sequence[Stretch]) -> Stretch:
    """The mean of stretches over the angles that they have in common."""
    first, last = max(one.angle[0] for one in stretches), min(one.angle[-1] for one in stretches)
    parts = [one.part(first - 0.5 * WIDTH, last + 0.5 * WIDTH) for one in stretches]
    size = min(len(part.angle) for part in parts)
    angle, count, difference, free, slope = (
        np.array([getattr(part, name)[:size] for part in parts]) for name in ("angle", "count", "difference", "free", "slope")
    )
    level = difference - difference.mean(axis=1, keepdims=True)
    return Stretch(angle.mean(0), count.sum(0), level.mean(0), free.mean(0), slope.mean(0))


def picked_up(stretches: Sequence[Stretch], noise: float, speed: float, wanders: Sequence[Wandering] | None = None) -> PickedUp:
    """What is on the cable beside the noise (of a sample, m/s^2) of stretches over a crank that turns with `speed`, rad/s: the likeliest,
    and nothing unless it is ODDS likelier than nothing. wanders: what wanders in each of the stretches."""
    beside = [STILL] * len(stretches) if wanders is None else wanders
    coarse = zip(map(_coarser, stretches), beside, strict=True)
    asked = [(one, wander) for one, wander in coarse if one.angle[-1] - one.angle[0] > LEAST + COARSE][:TURNS]
    levels = [NOTHING, *(PickedUp(rms, PICK_UP * speed) for rms in noise * LEVELS)]
    told = [sum(_likelihood(one, noise, level, wander) for one, wander in asked) for level in levels]
    best = int(np.argmax(told))
    return levels[best] if told[best] > told[0] + ODDS else levels[0]


def wandering(stretches: Sequence[Stretch], noise: float, speed: float) -> Wandering:
    """What goes another way in each turn, beside the noise (of a sample, m/s^2) of stretches in their order over a crank that turns with
    `speed`, rad/s: the likeliest by differences of turns, and nothing unless it is ODDS likelier than nothing, also in the part of them in
    which both are in flight then. There nothing but noise may differ, while in contact the mechanism may."""
    them = {apart: _pairs(stretches, apart) for apart in APART}
    sizes = {apart: _size(pairs, noise) for apart, pairs in them.items()}
    pairs = next(them[apart] for apart in APART if sizes[apart] <= TWICE * min(sizes.values()))
    found = _wanders([pair.apart for pair in pairs], noise, speed)
    if not found.rms:
        return STILL
    asked = {number for pair in pairs for number in pair.of}
    begins = {number: sum(onset_and_doubt(stretches[number], noise, NOTHING, found)) for number in asked}
    flying = [pair.apart.part(max(begins[number] for number in pair.of), np.inf) for pair in pairs]
    return found if _wanders(flying, noise, speed).rms else STILL


def onset(stretch: Stretch, noise: float, beside: PickedUp = NOTHING) -> float:
    """The angle of `onset_and_doubt` alone."""
    return onset_and_doubt(stretch, noise, beside)[0]


def onset_and_doubt(stretch: Stretch, noise: float, beside: PickedUp = NOTHING, wander: Wandering = STILL) -> tuple[float, float]:
    """Angle (rad) at which the flight begins that a stretch ends with, by its likelihood: mean and standard deviation. noise: of a sample,
    m/s^2; beside, wander: what is on the cable besides.

    Not numbers for a stretch that is too short for any contact and flight.
    """
    lowest, highest = stretch.angle[0] + LEAST, stretch.angle[-1] - WIDTHS * WIDTH
    if highest <= lowest:
        return float("nan"), float("nan")
    coarse = np.arange(lowest, highest, COARSE)
    slopes = noise * SLOPES
    slope = slopes[int(np.argmax([np.logaddexp.reduce(evidence(stretch, coarse, noise, one, beside, wander)) for one in slopes]))]
    fine = np.arange(lowest, highest, FINE)
    told = evidence(stretch, fine, noise, slope, beside, wander)
    weight = np.exp(told - told.max())
    mean = float(np.sum(weight * fine) / np.sum(weight))
    return mean, float(np.sqrt(np.sum(weight * (fine - mean) ** 2) / np.sum(weight)))


def evidence(
    stretch: Stretch, losses: Samples, noise: float, slope: float, beside: PickedUp = NOTHING, wander: Wandering = STILL
) -> Samples:
    """Logarithm of the likelihood (k,), up to a constant, of losses (k,) rad; slope: of the departure at the loss, m/s^2 per rad."""
    free, along = stretch.free - stretch.free.mean(), stretch.slope - stretch.slope.mean()
    flight = np.diag(noise**2 / stretch.count) + OFFSET**2 + MASSES**2 * np.outer(free, free) + ZERO**2 * np.outer(along, along)
    if beside.rms:
        flight = flight + beside.covariance(stretch.angle)
    if wander.rms:
        flight = flight + wander.covariance(stretch.angle)
    before = np.maximum(losses[:, None] - stretch.angle, 0.0)
    one, other = before[:, :, None], before[:, None, :]
    near, far = np.minimum(one, other), np.maximum(one, other)
    root = np.linalg.cholesky(flight + slope**2 * (one * other + near**2 * (3.0 * far - near) / (6.0 * LENGTH)))
    wanted = np.broadcast_to(stretch.difference[:, None], (len(losses), len(stretch.angle), 1))
    white = np.linalg.solve(root, wanted)[..., 0]
    return np.asarray(-0.5 * np.sum(white**2, axis=1) - np.sum(np.log(np.diagonal(root, axis1=1, axis2=2)), axis=1))


def _likelihood(stretch: Stretch, noise: float, beside: PickedUp, wander: Wandering) -> float:
    """Its logarithm, with the likeliest slope, over all angles of loss."""
    losses = np.arange(stretch.angle[0] + LEAST, stretch.angle[-1] - WIDTHS * WIDTH, COARSE)
    return max(float(np.logaddexp.reduce(evidence(stretch, losses, noise, slope, beside, wander))) for slope in noise * SLOPES)


def _coarser(stretch: Stretch) -> Stretch:
    """Means over COARSER widths, the last ones left out where they are fewer."""
    whole = len(stretch.angle) // COARSER * COARSER
    count = stretch.count[:whole].reshape(-1, COARSER)

    def mean(values: Samples) -> Samples:
        return np.asarray(np.sum(values[:whole].reshape(-1, COARSER) * count, axis=1) / count.sum(axis=1))

    return Stretch(mean(stretch.angle), count.sum(axis=1), mean(stretch.difference), mean(stretch.free), mean(stretch.slope))


@dataclass(frozen=True)
class _Pair:
    """Two stretches, by their numbers, and one less the other."""

    of: tuple[int, int]
    apart: Stretch


def _pairs(stretches: Sequence[Stretch], apart: int) -> list[_Pair]:
    """TURNS of stretches that are so many turns apart, and overlap."""
    found = []
    for number in range(len(stretches) - apart):
        one, other = _common(stretches[number], stretches[number + apart])
        if len(one.angle) >= 0.5 * len(stretches[number].angle):
            count = 1.0 / (1.0 / one.count + 1.0 / other.count)
            found.append(_Pair((number, number + apart), replace(one, count=count, difference=one.difference - other.difference)))
    return found[:: max(1, len(found) // TURNS)][:TURNS]


def _size(pairs: Sequence[_Pair], noise: float) -> float:
    """Mean square of the differences in that which noise makes; infinite where there is none."""
    each = [float(np.mean((one.apart.difference - np.mean(one.apart.difference)) ** 2 * one.apart.count)) for one in pairs]
    return float(np.mean(each)) / noise**2 if each else math.inf


def _wanders(apart: Sequence[Stretch], noise: float, speed: float) -> Wandering:
    """The likeliest of one turn in differences of two; nothing unless it is ODDS likelier than noise alone."""
    asked = [one for one in apart if len(one.angle) >= WIDTHS]
    if not asked:
        return STILL
    band = SLOWEST / max(float(one.angle[-1] - one.angle[0]) for one in asked), 1.0 / (FASTEST * WIDTH)
    kinds = [*((exponent, *band, 0.0) for exponent in EXPONENTS), (0.0, *band, PICK_UP * speed)]
    levels = [STILL, *(Wandering(rms, *kind) for kind in kinds for rms in noise * FINER)]
    told = [sum(_apart_by_noise(one, noise, level) for one in asked) for level in levels]
    best = int(np.argmax(told))
    return levels[best] if told[best] > told[0] + ODDS else STILL


def _apart_by_noise(apart: Stretch, noise: float, wander: Wandering) -> float:
    """Logarithm of the likelihood, up to a constant, of a difference of two turns in which nothing but noise differs."""
    covariance = np.diag(noise**2 / apart.count) + OFFSET**2 + 2.0 * wander.covariance(apart.angle)
    root = np.linalg.cholesky(covariance)
    white = np.linalg.solve(root, apart.difference)
    return float(-0.5 * np.dot(white, white) - np.sum(np.log(np.diagonal(root))))


def _common(one: Stretch, other: Stretch) -> tuple[Stretch, Stretch]:
    """Both over the angles that they have in common."""
    first, last = max(one.angle[0], other.angle[0]), min(one.angle[-1], other.angle[-1])
    parts = [each.part(first - 0.5 * WIDTH, last + 0.5 * WIDTH) for each in (one, other)]
    size = min(len(part.angle) for part in parts)
    cut = [Stretch(*(getattr(part, field.name)[:size] for field in fields(Stretch))) for part in parts]
    return cut[0], cut[1]


def _off(one: Stretch, mean: Stretch, noise: float, wander: Wandering, turns: int) -> float:
    """Mean square of how far a stretch is from the mean of so many others, in that which noise makes, and what wanders; infinite where
    they hardly overlap."""
    here, there = _common(one, mean)
    if len(here.angle) < 0.5 * max(len(one.angle), len(mean.angle)):
        return float("inf")
    difference = here.difference - there.difference
    usual = noise**2 * (1.0 / here.count + 1.0 / there.count)
    if not wander.rms:
        return float(np.mean((difference - difference.mean()) ** 2 / usual))
    covariance = np.diag(usual) + OFFSET**2 + (1.0 + 1.0 / turns) * wander.covariance(here.angle)
    return float(difference @ np.linalg.solve(covariance, difference)) / len(difference)
