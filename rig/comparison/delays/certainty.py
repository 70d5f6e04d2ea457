"""Whether a delay that was found is one: the best shift must fit better than all that would say something else.

    RSS(other) - RSS(best) = sum(D^2) + 2 sum(r D),      D = fit(best) - fit(other),  r = residual of the best fit

If the other were as right as the best, that difference would be about 0, and by chance as large as 2 sd(sum(r D)) (Vuong, Econometrica
57 (1989) 307); sd goes by the autocovariances of r and D as found, so that a residual that is correlated counts for as few samples as
it is. The others are: no relation at all; a sensor that is the wrong way round; the shift that fits worst, and both ends of the range,
which fit as well as any where the signal is a straight line or an exponential, whose shift is a change of offset or gain; and the next
best minimum, which is as good where the signal repeats itself within the range.

Besides, one event alone (a step) tells when that event was, and not whether the model has it in the right place; and a measured signal
that saturates tells nothing of what it does not show.
"""

from __future__ import annotations

import numpy as np

from rig.comparison.delays.estimate import NoDelay
from rig.comparison.delays.fits import Fits
from rig.comparison.saturation import saturates
from rig.comparison.series import Floats

ALONE = 1.0 / 16.0
"""Share of the samples that one event fills at the most; what lasts longer has a beginning and an end."""
MOST_OF_IT = 0.9
"""Share of what tells the delay that is looked for in one event."""
NEAR = 2.0
"""Samples about a minimum within which another one is the same."""
OPPOSED = "measured runs against predicted, and fits better with its sign changed: is the sensor the wrong way round?"
UNRELATED = "at no shift does predicted explain anything of measured that could not be chance"
STRAIGHT = "any shift within {reach} samples fits as well as the best: the signal runs too straight, or too slowly, to tell them apart"
AT_END = "no best shift within {reach} samples to either side"
REPEATED = "shifts of {best:.1f} and of {other:.1f} samples fit equally well: the signal repeats itself within the range"
SINGLE = "one event alone tells it: a step, or a blow, shows when it was, and not whether the model has it in the right place"
SATURATED = "measured stays at its largest or smallest value while predicted goes on: it saturates"


def doubt(fits: Fits, along: Floats, against: Floats, found: tuple[float, float] | None) -> NoDelay | None:
    """Why there is no delay; None where there is one.

    along, against: residual sums of squares for d = -reach .. reach with a gain above and below zero. found: the best shift and
    its standard deviation; None where the best is at an end of the range, or nothing changes with it.
    """
    reach = len(along) // 2
    best = float(np.argmin(along) - reach) if found is None else found[0]
    fit, turned = fits.at(best), _turned(fits, against)
    if turned is not None and fits.tells(turned[1], fit):
        return NoDelay(OPPOSED, contradicted=True)
    if not fits.tells(fit, fits.nothing):
        return NoDelay(UNRELATED, contradicted=True)
    if not fits.tells(fit, fits.at(float(np.argmax(along) - reach))):
        return NoDelay(STRAIGHT.format(reach=reach))
    if found is None or not all(fits.tells(fit, fits.at(end)) for end in (-reach, reach)):
        return NoDelay(AT_END.format(reach=reach), contradicted=True)
    if (other := _elsewhere(fits, along, best, max(NEAR, 3.0 * found[1]))) is not None and not fits.tells(fit, fits.at(other)):
        return NoDelay(REPEATED.format(best=best, other=other))
    if turned is not None and abs(turned[0]) < abs(best) and not fits.tells(fit, turned[1]):
        return NoDelay(OPPOSED, contradicted=True)
    if _single(fits.slope(best)):
        return NoDelay(SINGLE)
    return NoDelay(SATURATED) if saturates(fits.m[fits.w], fit[fits.w]) else None


def _turned(fits: Fits, against: Floats) -> tuple[float, Floats] | None:
    """The best shift with a gain below zero, and that fit; None where it explains nothing."""
    least, reach = int(np.argmin(against)), len(against) // 2
    if not np.isfinite(against[least]):
        return None
    inside = 0 < least < len(against) - 1
    best = (fits.refined(least - reach) if inside else None) or float(least - reach)
    fit = fits.at(best, -1.0)
    return (best, fit) if fits.tells(fit, fits.nothing) else None


def _elsewhere(fits: Fits, along: Floats, best: float, near: float) -> float | None:
    """The next best minimum, not `near` the best one; None where there is none."""
    reach, inner = len(along) // 2, along[1:-1]
    minima = np.flatnonzero(np.isfinite(inner) & (inner <= along[:-2]) & (inner <= along[2:])) + 1 - reach
    others = minima[np.abs(minima - best) > near]
    return fits.refined(int(others[np.argmin(along[others + reach])])) if len(others) else None


def _single(slope: Floats) -> bool:
    """Whether nearly all of what changes with a shift lies in one short stretch."""
    length = int(len(slope) * ALONE)
    sums = np.concatenate(([0.0], np.cumsum(np.square(slope))))
    return length > 0 and bool(np.max(sums[length:] - sums[:-length]) > MOST_OF_IT * sums[-1])
