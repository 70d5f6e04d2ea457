"""How far a value is from being as good as its statement can get: what a search within bounds makes small."""

from __future__ import annotations

import math

import numpy as np

from rig.reproduction.claims import Claim
from rig.reproduction.judging import ORDER, REPRODUCED, allowed, judge
from rig.reproduction.margins import margin
from rig.reproduction.values import Value, numbers


def held(claim: Claim, verdict: str) -> bool:
    """Whether a verdict is the best that the statement can get: its order, where the paper itself gives no more."""
    return verdict == REPRODUCED or (claim.compare == "order" and verdict == ORDER)


def shortfall(claim: Claim, value: Value) -> float:
    """Least change of the value's numbers, in its unit, that would make it so; 0: it is. Infinite where no number decides or came out."""
    if held(claim, judge(claim, value)[0]):
        return 0.0
    if value is None or isinstance(value, (str, bool)) or not np.all(np.isfinite(numbers(value))):
        return math.inf
    found: float | None
    if claim.compare == "within":
        published, computed = numbers(claim.published), numbers(value)
        if published.shape != computed.shape:
            return math.inf
        found = float(np.max(np.abs(computed - published) - [allowed(claim, one) for one in published]))
    else:
        found = margin(claim, value)
    return math.inf if found is None or not math.isfinite(found) else max(found, 0.0)
