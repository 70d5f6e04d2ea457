"""How a quantity is written for an engineer: unit, name, time."""

from __future__ import annotations

import math
from typing import NamedTuple


class Shown(NamedTuple):
    """A unit to show a quantity in; shown = factor * SI."""

    unit: str
    factor: float

    def text(self, value: float, unit: bool = True) -> str:
        """Four figures; the sign always, since a force has a direction."""
        scaled = value * self.factor
        figures = f"{scaled:+.{max(0, 4 - len(str(int(abs(scaled)))))}f}".replace("-", "−")
        return f"{figures} {self.unit}" if unit else figures


_SHOWN = {
    "N": Shown("kN", 1e-3),
    "m": Shown("mm", 1e3),
    "m/s^2": Shown("m/s²", 1.0),
    "N*m": Shown("N m", 1.0),
    "rad": Shown("deg", 180.0 / math.pi),
}


SMALL = 1000.0  # N
SYMBOL = 2  # characters


def shown(unit: str, scale: float | None = None) -> Shown:
    """The unit in which a quantity of this SI unit is shown; forces up to a small `scale` (SI) stay in N."""
    if unit == "N" and scale is not None and scale < SMALL:
        return Shown("N", 1.0)
    return _SHOWN.get(unit, Shown(unit, 1.0))


def label(channel: str) -> str:
    """`transmitted_force` -> `Transmitted force`; a symbol, as ax, stays what it is."""
    return channel if len(channel) <= SYMBOL else channel.replace("_", " ").capitalize()


def clock(seconds: float) -> str:
    """12.3 s, 2:05.0, 1:02:05."""
    if seconds < 60.0:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds, 1), 60.0)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02d}:{int(rest):02d}" if hours else f"{minutes}:{rest:04.1f}"
