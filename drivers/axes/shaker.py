"""Electrodynamic shaker, or another force actuator, behind a power amplifier: +-10 V is its largest force.

Lines and safety: see `drivers.axes.analog_axis`; the enable line is that of the amplifier.
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
    """Wiring and scaling of one shaker."""

    output: str = field(default="Dev1/ao0", metadata=OUTPUT | {"doc": "analogue output of the force reference"})
    max_force: float = field(default=100.0, metadata={"unit": "N", "over": 0.0, "doc": "at 10 V"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    enable: str = field(default="Dev1/port0/line7", metadata=LINE | {"doc": "digital output on the amplifier's enable input"})
    reset: str | None = field(default=None, metadata=LINE | {"doc": "digital output on its reset input; absent: reset at its panel"})
    ok: str | None = field(default=None, metadata=LINE | {"doc": "digital input from its fault relay, high: no fault; absent: it has none"})
    settle: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a line"})

    def create(self, lines: Lines, watchdog: float | None, name: str = "shaker") -> Shaker:
        """See `AnalogAxisSettings`."""
        return Shaker(self, lines, watchdog, name)


class Shaker(AnalogAxis[Config]):
    """One shaker; its values are forces in N."""

    takes_rate = False

    def _scaled(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        per_force = FULL_SCALE_VOLTS / self.config.max_force * (1.0 if self.config.direction == "forward" else -1.0)
        return np.asarray(value * per_force)

    def _beyond(self, worst: float) -> str:
        return f"force {worst:g} N exceeds max_force {self.config.max_force:g} N at 10 V"
