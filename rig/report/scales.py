"""How a setpoint and its rate are written: in what a loader is set to, or in turns and r/min, or on a path."""

from __future__ import annotations

import math
from typing import NamedTuple

from rig.report.names import quantity
from rig.signals.engineering_units import shown


class Scales(NamedTuple):
    """Name, unit and factor (from SI) of the setpoint and of its rate."""

    value: str
    unit: str
    factor: float
    rate: str
    rate_unit: str
    rate_factor: float

    def of(self, which: str) -> tuple[str, str, float]:
        """Name, unit, factor of "value" or "rate"."""
        return (self.value, self.unit, self.factor) if which == "value" else (self.rate, self.rate_unit, self.rate_factor)


COURSES = {
    "rad": Scales("turned", "turns", 0.5 / math.pi, "speed", "r/min", 30.0 / math.pi),
    "s": Scales("time on the path", "s", 1.0, "pace", "s/s", 1.0),
}
"""Of a motor rig."""


def scales(unit: str) -> Scales:
    """Those of a setpoint in this SI unit."""
    name, (written, factor) = quantity(unit), shown(unit)
    return COURSES.get(unit) or Scales(name, written, factor, f"{name} rate", f"{written}/s", factor)
