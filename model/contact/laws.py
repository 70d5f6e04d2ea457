"""The ten contact laws F = K delta^n (1 + a delta'/v0), v0 the approach speed latched at first touch (hu2016, table of its reference [1]).

`a` is the damping that a law assigns to a wanted restitution e. What it really gives is in model.contact.restitution; the tenth law is
that relation inverted.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from model.contact.restitution import exact_damping
from model.errors import ModelError

LAWS: dict[str, Callable[[float], float]] = {
    "hertz": lambda e: 0.0,
    "hunt_crossley": lambda e: 3 * (1 - e) / 2,
    "herbert_mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "lee_wang": lambda e: 3 * (1 - e) / 4,
    "lankarani_nikravesh": lambda e: 3 * (1 - e**2) / 4,
    "gonthier": lambda e: (1 - e**2) / e,  # usual approximation
    "zhiying_qishao": lambda e: 3 * (1 - e**2) * math.exp(2 * (1 - e)) / 4,
    "flores": lambda e: 8 * (1 - e) / (5 * e),
    "hu_guo": lambda e: 3 * (1 - e) / (2 * e),  # hu2016 eq 28
    "exact": exact_damping,
}


def damping(law: str, restitution: float) -> float:
    """a of `law` at `restitution`. Raises ModelError for an unknown law or a restitution outside (0, 1]."""
    if law not in LAWS:
        raise ModelError(f"unknown contact law {law!r}; there are {', '.join(LAWS)}")
    if not 0.0 < restitution <= 1.0:
        raise ModelError(f"restitution must be in (0, 1], got {restitution:g}")
    return LAWS[law](restitution)
