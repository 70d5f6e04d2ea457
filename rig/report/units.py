"""SI inside, engineering units on paper."""

from __future__ import annotations

SHOWN = {"N": ("kN", 1e-3), "m": ("mm", 1e3), "s": ("ms", 1e3)}


def shown(unit: str) -> tuple[str, float]:
    """Unit that is printed for an SI unit, and the factor to it."""
    return SHOWN.get(unit, (unit, 1.0))


def number(value: float | None, factor: float = 1.0, digits: int = 4) -> str:
    """A value to so many significant digits without exponent where that is readable; a dash for unknown."""
    if value is None:
        return "-"
    scaled = value * factor
    if scaled != 0.0 and not 1e-4 <= abs(scaled) < 1e6:
        return f"{scaled:.{digits - 1}e}"
    whole = len(f"{abs(scaled):.0f}") if abs(scaled) >= 1.0 else 0
    return f"{scaled:.{max(0, digits - whole)}f}"
