"""SI inside, engineering units on paper."""

from __future__ import annotations

import math

SMALL = 100.0  # N
SHOWN = {
    "N": ("kN", 1e-3),
    "m": ("mm", 1e3),
    "s": ("ms", 1e3),
    "rad": ("deg", math.degrees(1.0)),
    "m/s^2": ("m/s²", 1.0),
    "N*m": ("N m", 1.0),
}


def shown(unit: str) -> tuple[str, float]:
    """Unit that is printed for an SI unit, and the factor to it."""
    return SHOWN.get(unit, (unit, 1.0))


def fitting(unit: str, largest: float | None) -> tuple[str, float]:
    """The same for values up to `largest` (SI): small forces stay in N."""
    return (unit, 1.0) if unit == "N" and largest is not None and largest < SMALL else shown(unit)


def number(value: float | None, factor: float = 1.0, digits: int = 4) -> str:
    """A value to so many significant digits without exponent where that is readable; a dash for unknown."""
    if value is None:
        return "-"
    scaled = value * factor
    if scaled != 0.0 and not 1e-4 <= abs(scaled) < 1e6:
        return f"{scaled:.{digits - 1}e}"
    whole = len(f"{abs(scaled):.0f}") if abs(scaled) >= 1.0 else 0
    return f"{scaled:.{max(0, digits - whole)}f}"
