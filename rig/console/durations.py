"""How long something takes, as a person says it."""

from __future__ import annotations

UNITS = (("years", 365.25 * 86400.0), ("days", 86400.0), ("h", 3600.0), ("min", 60.0))


def duration(seconds: float, digits: int = 4) -> str:
    """In the largest unit of which it is two at least."""
    unit, length = next(((unit, length) for unit, length in UNITS if seconds >= 2.0 * length), ("s", 1.0))
    return f"{seconds / length:.{digits}g} {unit}"
