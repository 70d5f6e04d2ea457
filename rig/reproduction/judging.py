"""Printed against computed. Every kind of comparison is one function: (claim, value) -> (verdict, reason)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from rig.reproduction.claims import Claim
from rig.reproduction.values import Value, numbers

REPRODUCED, ORDER, NOT, LOST = "reproduced", "order_of_magnitude", "not_reproduced", "not_checkable"
VERDICTS = (REPRODUCED, ORDER, NOT, LOST)
SLACK = 1.0 + 1e-9  # rounding
MAGNITUDE = 3.0  # a factor within which two values are of one order

Found = tuple[str, str]


def judge(claim: Claim, value: Value) -> Found:
    """Verdict and why. A value that is missing or not finite is not reproduced."""
    computed = numbers(value) if not isinstance(value, (str, bool)) and value is not None else None
    if value is None or (computed is not None and (len(computed) == 0 or not np.all(np.isfinite(computed)))):
        return NOT, "nothing came out that could be compared"
    return COMPARE[claim.compare](claim, value)


def allowed(claim: Claim, published: float) -> float:
    """How far from one printed number the computed one may be."""
    assert claim.tolerance is not None
    return SLACK * (claim.tolerance * abs(published) if claim.relative else claim.tolerance)


def _within(claim: Claim, value: Value) -> Found:
    """Every number within the tolerance of its printed one; of one order of magnitude where all are within a factor of three."""
    published, computed = numbers(claim.published), numbers(value)
    if published.shape != computed.shape:
        return NOT, f"{len(published)} values printed, {len(computed)} computed"
    apart = np.abs(computed - published)
    worst = int(np.argmax(apart - [allowed(claim, p) for p in published]))
    text = f"differs by {apart[worst]:.3g}, allowed {allowed(claim, published[worst]):.3g}"
    if all(a <= allowed(claim, p) for a, p in zip(apart, published, strict=True)):
        return REPRODUCED, text
    near = np.all((published != 0.0) & (computed * published > 0.0))
    if near and np.all(np.abs(np.log(computed / published)) <= math.log(MAGNITUDE)):
        return ORDER, f"{text}; within a factor of {float(np.max(np.exp(np.abs(np.log(computed / published))))):.2f}"
    return NOT, text


def _angle(claim: Claim, value: Value) -> Found:
    """Every angle (degrees) within the tolerance of its printed one, whole turns aside; an angle has no order of magnitude."""
    published, computed = numbers(claim.published), numbers(value)
    if published.shape != computed.shape:
        return NOT, f"{len(published)} angles printed, {len(computed)} computed"
    worst = float(np.max(np.abs((computed - published + 180.0) % 360.0 - 180.0)))
    return (REPRODUCED if worst <= SLACK * float(claim.tolerance or 0.0) else NOT), f"differs by {worst:.3g}, allowed {claim.tolerance:.3g}"


def _instant(claim: Claim, value: Value) -> Found:
    """Every time within the tolerance of its printed one; a time has no order of magnitude either."""
    worst = float(np.max(np.abs(numbers(value) - numbers(claim.published))))
    return (REPRODUCED if worst <= SLACK * float(claim.tolerance or 0.0) else NOT), f"differs by {worst:.3g}, allowed {claim.tolerance:.3g}"


def _order(claim: Claim, value: Value) -> Found:
    """The paper gives an order of magnitude: within a factor of three."""
    published, computed = numbers(claim.published), numbers(value)
    factors = np.exp(np.abs(np.log(np.abs(computed / published))))
    text = f"within a factor of {float(factors.max()):.2f}"
    return (ORDER, text) if np.all(computed * published > 0.0) and factors.max() <= MAGNITUDE else (NOT, text.replace("within", "off by"))


def _trend(holds: Callable[[float, float], bool], word: str) -> Callable[[Claim, Value], Found]:
    def compare(_claim: Claim, value: Value) -> Found:
        steps = list(itertools.pairwise(numbers(value).tolist()))
        wrong = [f"{a:.4g} to {b:.4g}" for a, b in steps if not holds(a, b)]
        return (NOT, f"does not {word} from {', '.join(wrong)}") if wrong or not steps else (REPRODUCED, f"{word}s at every step")

    return compare


def bound(claim: Claim) -> float:
    """What is printed, or what a word that is printed is taken to mean."""
    return float(claim.tolerance or 0.0) if isinstance(claim.published, str) else float(numbers(claim.published)[0])


def _at_most(claim: Claim, value: Value) -> Found:
    largest = float(np.max(numbers(value)))
    return (REPRODUCED if largest <= bound(claim) else NOT), f"{largest:.4g}, expected at most {bound(claim):.4g}"


def _at_least(claim: Claim, value: Value) -> Found:
    smallest = float(np.min(numbers(value)))
    return (REPRODUCED if smallest >= bound(claim) else NOT), f"{smallest:.4g}, expected at least {bound(claim):.4g}"


def _range(claim: Claim, value: Value) -> Found:
    """A number within the two that are printed."""
    low, high = (float(x) for x in numbers(claim.published))
    slack, computed = claim.tolerance or 0.0, float(numbers(value)[0])
    inside = low - slack * (low if claim.relative else 1.0) <= computed <= high + slack * (high if claim.relative else 1.0)
    return (REPRODUCED if inside else NOT), f"{computed:.4g}, stated {low:.4g} to {high:.4g}"


def _contains(claim: Claim, value: Value) -> Found:
    """Every printed number has a computed one within the tolerance; others may be there as well."""
    computed = numbers(value)
    gaps = [float(np.min(np.abs(computed - p))) for p in numbers(claim.published)]
    return (
        REPRODUCED if max(gaps) <= float(claim.tolerance or 0.0) else NOT
    ), f"nearest {max(gaps):.3g} away, allowed {claim.tolerance:.3g}"


def _equal(claim: Claim, value: Value) -> Found:
    same = value == claim.published
    return (REPRODUCED, "the same") if same else (NOT, f"stated {claim.published}, computed {value}")


COMPARE: dict[str, Callable[[Claim, Value], Found]] = {
    "within": _within,
    "angle": _angle,
    "instant": _instant,
    "order": _order,
    "increases": _trend(lambda a, b: b > a, "increase"),
    "decreases": _trend(lambda a, b: b < a, "decrease"),
    "at_most": _at_most,
    "at_least": _at_least,
    "range": _range,
    "contains": _contains,
    "equal": _equal,
}
