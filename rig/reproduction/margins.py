"""How far a value is from another verdict: what a check of convergence has to stay below, if the verdict is to mean anything.

Every kind of comparison is one function, (claim, value) -> the least change of the numbers that would make it reproduced, or of the
printed order; in the value's unit (deg for angles).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rig.reproduction.claims import Claim
from rig.reproduction.judging import MAGNITUDE, allowed, bound
from rig.reproduction.values import Value, numbers

Floats = NDArray[np.float64]


def margin(claim: Claim, value: Value) -> float | None:
    """For a value that is not reproduced. None where no change of a number decides: words, a different count of values."""
    if claim.compare not in MARGINS or value is None or isinstance(value, (str, bool)):
        return None
    return MARGINS[claim.compare](claim, numbers(value))


def trend(claim: Claim, value: Value, again: Value) -> str:
    """Where a trend rests on a step that is no larger than what finer steps change its ends by: what is said of it; else nothing."""
    if claim.compare not in ("increases", "decreases"):
        return ""
    first, second = numbers(value), numbers(again)
    for k, change in enumerate(np.maximum(np.abs(second - first)[1:], np.abs(second - first)[:-1])):
        step = min(abs(first[k + 1] - first[k]), abs(second[k + 1] - second[k]))
        if step <= change:
            told = f"{first[k]:.4g} to {first[k + 1]:.4g} is {second[k]:.4g} to {second[k + 1]:.4g} with finer steps"
            return f"{told}, which change it by {change:.2g}"
    return ""


def _within(claim: Claim, value: Floats) -> float | None:
    """To the tolerance, or to a factor of three, whichever is nearer; of the value that is farthest off."""
    published = numbers(claim.published)
    if published.shape != value.shape:
        return None
    excess = np.abs(value - published) - [allowed(claim, p) for p in published]
    return float(max(0.0, np.max(np.minimum(excess, _to_order(published, value)))))


def _to_order(published: Floats, value: Floats) -> Floats:
    """How far each number is from being within a factor of three; infinite where nothing is printed but 0."""
    low, high = (np.sort(np.array([published / MAGNITUDE, published * MAGNITUDE]), axis=0)[k] for k in (0, 1))
    return np.where(published == 0.0, np.inf, np.maximum(0.0, np.maximum(low - value, value - high)))


def _order(claim: Claim, value: Floats) -> float | None:
    return float(np.max(_to_order(numbers(claim.published), value)))


def _near(claim: Claim, value: Floats) -> float | None:
    """Angles and times: to the tolerance."""
    published = numbers(claim.published)
    if published.shape != value.shape:
        return None
    apart = value - published
    if claim.compare == "angle":
        apart = (apart + 180.0) % 360.0 - 180.0
    return max(0.0, float(np.max(np.abs(apart))) - (claim.tolerance or 0.0))


def _trend(sign: float) -> Callable[[Claim, Floats], float | None]:
    def needed(_claim: Claim, value: Floats) -> float | None:
        """Half of the largest step the wrong way: both its ends may move."""
        wrong = [sign * (a - b) for a, b in itertools.pairwise(value)]
        return 0.5 * max(0.0, *wrong) if wrong else None

    return needed


def _at_most(claim: Claim, value: Floats) -> float | None:
    return max(0.0, float(np.max(value)) - bound(claim))


def _at_least(claim: Claim, value: Floats) -> float | None:
    return max(0.0, bound(claim) - float(np.min(value)))


def _range(claim: Claim, value: Floats) -> float | None:
    low, high = (float(x) for x in numbers(claim.published))
    slack = claim.tolerance or 0.0
    least, most = low - slack * (low if claim.relative else 1.0), high + slack * (high if claim.relative else 1.0)
    return max(0.0, float(np.max(value)) - most, least - float(np.min(value)))


def _contains(claim: Claim, value: Floats) -> float | None:
    gaps = [float(np.min(np.abs(value - p))) for p in numbers(claim.published)]
    return max(0.0, max(gaps) - (claim.tolerance or 0.0))


MARGINS: dict[str, Callable[[Claim, Floats], float | None]] = {
    "within": _within,
    "angle": _near,
    "instant": _near,
    "order": _order,
    "increases": _trend(1.0),
    "decreases": _trend(-1.0),
    "at_most": _at_most,
    "at_least": _at_least,
    "range": _range,
    "contains": _contains,
}
