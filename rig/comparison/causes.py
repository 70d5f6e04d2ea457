"""What a difference looks like: whether it goes as a known fault of a sensor, cable or conditioner would make it.

Shapes: `rig.comparison.shapes`; which of them the samples tell apart: `rig.comparison.explanations`. Shapes of specimen and loop are none
of these, so a difference that none explains comes from there, or is noise: that does not come again from one cycle to the next.
What a load frame's other channels say besides: `rig.comparison.load_frame`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from rig.comparison.explanations import PRICE, Explanation, independent, told_apart
from rig.comparison.series import Floats
from rig.comparison.shapes import OFF, explanations

ENOUGH = 0.6
"""Share of the difference that a fault has to explain to be named."""
AGAIN = 0.3
"""Correlation of one cycle's difference with the next one's below which it is noise."""
NOISY, PARTS = 0.1, 50
"""Power that is left by the best explanation and does not come again, over what it explains, above which that is noise, too; seen in
means over so many parts of a cycle."""
SLOW = 0.5
"""Share of it that such means still have, below which it is the noise of readings, which every channel has."""

FRESH = 0.5
"""Share of the difference's power that must be another in each cycle for it to be noise: knocks of a joint scatter, and come again."""

OWN = 3.0
"""What the model scatters counts so often: once itself, and twice for a specimen, of which nobody knows how much it does."""
LEAST_CYCLES = 4
"""Beginnings of cycles from which on it is said."""

NOISE = "noise: it does not come again from cycle to cycle"
BEYOND = "no fault of sensor, cable or conditioner that has a known shape; look at the specimen, its play first, at grips and loop"


@dataclass(frozen=True)
class Cause:
    """What a difference looks like, in words, and the share of its power that this explains (0: nothing of a known shape does)."""

    words: str
    share: float
    explained: Floats | None = None
    """(N,) the difference as this makes it."""
    figures: str = ""
    """What else is said of it, with numbers."""
    named: tuple[str, ...] = ()
    """The faults that `words` puts together."""
    off: float = 0.0
    """By how much what leads the model is read too far, SI, where that is what it looks like."""


def likely_cause(
    measured: Floats,
    reference: Floats,
    others: Mapping[str, Floats],
    cycle: Floats,
    rate: float,
    nuisance: Floats | None = None,
    lead: Floats | None = None,
    scatter: float = 0.0,
) -> Cause:
    """Of measured (N,) and what it should be, filtered alike; others: further measured channels (N,), by name.

    cycle (N,): number of the cycle of each sample; rate in Hz; nuisance (N, k): what the difference may have besides. Faults that the
    samples do not tell apart are named together. lead (N,): see `rig.comparison.shapes.explanations`. scatter: sum of squares of what
    measured and reference have anew in each cycle by themselves (`own_scatter`): as much of a difference is no noise.
    """
    nuisance = np.zeros((len(measured), 0)) if nuisance is None else nuisance
    difference = without(measured - reference, nuisance)
    power = float(difference @ difference)
    if power == 0.0:
        return Cause(BEYOND, 0.0)
    found = list(explanations(measured - reference, reference, others, cycle, rate, nuisance, lead))
    raw = measured - reference
    count = independent(without(raw - min(found, key=lambda one: one.left).explained, nuisance))

    def rest(one: Explanation) -> Floats:
        return without(raw - one.explained, nuisance)

    seen = [one for one in found if count * np.log(power / max(one.left, 1e-300)) > PRICE * one.numbers + 2.0 * np.log(len(found))]
    # Most of it; or all of it that comes again, as of a fault that shows here and there only, beside the readings' noise.
    enough = [one for one in seen if 1.0 - one.left / power >= ENOUGH or _comes_again(rest(one), cycle) < AGAIN]
    if enough:
        named = told_apart(enough, count)
        slow, fast = _novelty(rest(named[0]), cycle, PARTS), _novelty(rest(named[0]), cycle, 0)
        if slow < max(NOISY * (power - named[0].left), SLOW * fast, scatter):
            off = next((float(one.factors[0]) for one in named if one.words == OFF), 0.0)
            words = tuple(one.words for one in named)
            return Cause(" or ".join(words), 1.0 - named[0].left / power, named[0].explained, named=words, off=off)
    elif _comes_again(difference, cycle) >= AGAIN:
        return Cause(BEYOND, 0.0)
    fresh = _novelty(difference, cycle, 0) - scatter >= FRESH * power
    return Cause(NOISE, 0.0, difference) if fresh else Cause(BEYOND, 0.0)


def own_scatter(reference: Floats, cycle: Floats) -> float:
    """Sum of squares by which a model (N,) and a specimen of its kind differ as both have something anew in each cycle, such as impacts:
    OWN times that of the model. 0 where cycles are too few, or of unlike lengths, to say so.

    Cycles begin between samples; taken from the next sample on, a periodic signal would seem to scatter.
    """
    starts = np.flatnonzero(np.diff(cycle)) + 1.0
    if len(starts) < LEAST_CYCLES:
        return 0.0
    count = np.arange(len(starts))
    period, first = (float(one) for one in np.polyfit(count, starts, 1))
    if np.max(np.abs(first + period * count - starts)) > 1.0:
        return 0.0
    each = np.arange(round(period)) * period / round(period)
    begins = first + period * count[:-1]
    rows = scipy.interpolate.CubicSpline(np.arange(len(reference)), reference)(np.add.outer(begins, each), extrapolate=True)
    own = rows - np.mean(rows, axis=0)
    return OWN * float(np.sum(own**2)) * len(rows) / (len(rows) - 1)


def without(x: Floats, nuisance: Floats) -> Floats:
    """x (N,) less what nuisance (N, k) makes of it in least squares."""
    if not nuisance.shape[1]:
        return x
    sizes = np.sqrt(np.einsum("ij,ij->j", nuisance, nuisance))
    scaled = nuisance[:, sizes > 0.0] / sizes[sizes > 0.0]
    return np.asarray(x - scaled @ np.linalg.lstsq(scaled.T @ scaled, scaled.T @ x, rcond=1e-12)[0])


def cycles_of(x: Floats, cycle: Floats) -> list[Floats]:
    """The cycles of x (N,), those that are cut off left out."""
    starts = np.flatnonzero(np.diff(cycle, prepend=cycle[0] - 1.0))
    parts = np.split(x, starts[1:])
    return [part for part in parts if len(part) > 0.9 * max(map(len, parts))]


def _novelty(x: Floats, cycle: Floats, count: int) -> float:
    """Sum of squares of what is another in each cycle, of means over `count` parts of one (0: of samples); 0 where there is one."""
    parts = cycles_of(x, cycle)
    if len(parts) < 2:
        return 0.0
    size = max(1, min(map(len, parts)) // count) if count else 1
    count = min(map(len, parts)) // size
    each = np.stack([part[: size * count].reshape(count, size).mean(axis=1) for part in parts])
    own = each - np.mean(each, axis=0)
    return size * float(np.sum(own**2)) * len(parts) / (len(parts) - 1)


def _comes_again(difference: Floats, cycle: Floats) -> float:
    """Smallest correlation of the difference in a cycle with that in the next; 1 where there is one cycle."""
    pairs = [(a[: len(b)], b[: len(a)]) for a, b in itertools.pairwise(cycles_of(difference, cycle))]
    found = [float(a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-300) for a, b in pairs]
    return min(found, default=1.0)
