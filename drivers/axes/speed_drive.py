"""Motor drive with an analogue speed reference: +-10 V is its largest speed. The DC drive of the four-bar rig, or any other.

Lines and safety: see `drivers.axes.analog_axis`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.axes.analog_axis import FULL_SCALE_VOLTS, AnalogAxis, AnalogAxisSettings
from drivers.daq.digital_lines import Lines
from drivers.daq.terminals import LINE, OUTPUT


@dataclass(frozen=True)
class Config(AnalogAxisSettings):
    """Wiring and scaling of one drive."""

    DRIVEN_BY = ("velocity",)

    output: str = field(default="Dev1/ao0", metadata=OUTPUT | {"doc": "analogue output of the speed reference"})
    max_speed: float = field(default=100.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "of the axis at 10 V"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    offset: float = field(default=0.0, metadata={"at_least": -0.5, "at_most": 0.5, "doc": "V at which the shaft stands still"})
    enable: str = field(default="Dev1/port0/line6", metadata=LINE | {"doc": "digital output on the drive's enable input"})
    reset: str | None = field(
        default=None, metadata=LINE | {"doc": "digital output on the drive's reset input; absent: reset at its panel"}
    )
    ok: str | None = field(
        default="Dev1/port1/line3",
        metadata=LINE | {"doc": "digital input from the drive's fault relay, high: no fault; absent: it has none"},
    )
    settle: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a line"})

    def create(self, lines: Lines, watchdog: float | None, name: str = "drive") -> SpeedDrive:
        """See `AnalogAxisSettings`."""
        return SpeedDrive(self, lines, watchdog, name)


class SpeedDrive(AnalogAxis[Config]):
    """One drive; its values are speeds of the axis in rad/s."""

    takes_rate = True

    @property
    def _per_speed(self) -> float:
        return FULL_SCALE_VOLTS / self.config.max_speed * (1.0 if self.config.direction == "forward" else -1.0)

    def speed(self, volts: float) -> float:
        """Speed of the axis (rad/s) that `volts` stand for."""
        return (volts - self.config.offset) / self._per_speed

    def _scaled(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(value * self._per_speed + self.config.offset)

    def _beyond(self, worst: float) -> str:
        return f"speed {worst:g} rad/s exceeds max_speed {self.config.max_speed:g} rad/s at 10 V"
