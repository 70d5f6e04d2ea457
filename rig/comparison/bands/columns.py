"""Which columns of the band of an ensemble are compared."""

from __future__ import annotations

SIDES = ("low", "high")


def ends(channel: str) -> tuple[str, str]:
    """Columns of both ends of the band of a channel of the bench as it is compared: behind its sensor and the comparison's low-pass."""
    low, high = (f"{channel}_as_compared_{side}" for side in SIDES)
    return low, high
