"""What the table of an axis in a bench file has to have: each drive's `Config` derives from `SerialAxisSettings`, or from that of
`drivers.axes.analog_axis`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import is_dataclass, replace
from typing import ClassVar, Self

from drivers.axes.axis import Drive, Guard


class AxisSettings:
    """Of any actuator; what is SI is so at the axis, behind its gear."""

    DRIVEN_BY: ClassVar[tuple[str, ...]] = ("position", "velocity")
    """Modes in which a test may command it."""
    max_speed: float = math.inf
    max_force: float = math.inf


class SerialAxisSettings(AxisSettings, ABC):
    """Of a drive on a serial line."""

    PLACE: ClassVar[tuple[str, ...]] = ()
    """Keys by which one of several drives on a line is told from the others."""
    ACCELERATION: ClassVar[str] = "max_acceleration"
    """Key of the acceleration of its ramps."""
    port: str
    timeout: float | None = None
    """s without a word of the program after which the drive stops by itself; None where it has no such time-out."""
    enable_line: str | None = None

    @abstractmethod
    def create(self, name: str, guard: Guard | None) -> Drive:
        """A driver that is not connected yet."""

    def too_coarse(self, position: float) -> str:
        """Why it cannot be commanded to `position` (rad), where the drive has no steps fine enough; empty where it has."""
        return ""

    def place(self) -> dict[str, object]:
        """Where on its line it is: key -> value."""
        return {key: getattr(self, key) for key in self.PLACE}

    def slowed(self, speed: float, acceleration: float) -> Self:
        """The same with limits no higher than these (rad/s, rad/s^2)."""
        assert is_dataclass(self)
        lower = {"max_speed": min(speed, self.max_speed)}
        if self.ACCELERATION:
            lower[self.ACCELERATION] = min(acceleration, getattr(self, self.ACCELERATION))
        return replace(self, **lower)
