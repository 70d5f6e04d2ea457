"""An actuator behind an analogue output: +-10 V is its full scale, its power stage hangs on digital lines.

The drive or amplifier closes the loop; the driver scales the setpoint and seats the lines in the right order. It owns no hardware: volts
and lines go through the DAQ device that the bench gives it. An analogue output keeps its last value when a program ends, so the enable
line has to be guarded by the DAQ's watchdog. Lines, all active high; the enable line must fall to *stop* when it floats:

| line | direction | meaning |
|---|---|---|
| NAME_enable | out | power stage on, the reference is followed; low: it coasts, or brakes where the drive is set up so |
| NAME_reset | out | optional: a rising edge clears a fault |
| NAME_ok | in | optional: no fault |
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from drivers import host_clock
from drivers.axes.settings import AxisSettings
from drivers.daq.digital_lines import Lines
from drivers.errors import NoReply, Refused

FULL_SCALE_VOLTS = 10.0
RESET_PULSE = 0.05
"""Time (s) for which the reset line is high."""


class AnalogAxisSettings(AxisSettings, ABC):
    """What every such actuator's `Config` has: terminals, and the longest wait for a line."""

    output: str
    enable: str
    reset: str | None = None
    ok: str | None = None
    settle: float
    """s"""

    @abstractmethod
    def create(self, lines: Lines, watchdog: float | None, name: str) -> AnalogAxis:
        """A driver on the lines of a DAQ device. watchdog: s after which that lets the enable line fall; None: none is armed."""


Settings = TypeVar("Settings", bound=AnalogAxisSettings)


class AnalogAxis(ABC, Generic[Settings]):
    """One actuator. `watchdog`: time (s) after which the DAQ lets the enable line fall, None where none is armed."""

    takes_rate: bool
    """Whether the reference is the setpoint's derivative, as of a speed drive, or the setpoint itself."""

    def __init__(self, config: Settings, lines: Lines, watchdog: float | None, name: str = "drive") -> None:
        self.name = name
        self.config, self._lines, self._watchdog = config, lines, watchdog

    @property
    def stops_within(self) -> float:
        """Time (s) after this program's last word in which the drive begins to stop."""
        return math.inf if self._watchdog is None else self._watchdog

    def volts(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reference volts (k,) for values in SI. Raises Refused beyond full scale."""
        volts = self._scaled(value)
        if len(volts) and not np.max(np.abs(volts)) <= FULL_SCALE_VOLTS * (1.0 + 1e-9):
            raise Refused(f"{self.name}: {self._beyond(float(np.max(np.abs(value))))}; command less")
        return volts

    @property
    def rest_volts(self) -> float:
        """Reference at which nothing is asked of it."""
        return float(self._scaled(np.zeros(1))[0])

    def prepare(self) -> None:
        """Lines low and no fault; nothing moves. Raises Refused, also where nothing would stop the drive after this program's death."""
        if self._watchdog is None:
            raise Refused(
                f"{self.name}: nothing would stop it if the program died, its reference keeps its last value: set daq.watchdog in the "
                "bench file, on the device that has the enable line"
            )
        self._lines.write_lines(dict.fromkeys(output_lines(self.config, self.name), False))
        if (told := self.fault()) is not None:
            raise Refused(f"{self.name}: {told}; clear its cause and reset the fault")

    def enable(self) -> None:
        """The reference is followed from now on; the volts out there must be those of what it does already."""
        self._lines.write_lines({f"{self.name}_enable": True})

    def disable(self) -> None:
        """Power off: it coasts."""
        self._lines.write_lines({f"{self.name}_enable": False})

    def trip(self) -> None:
        """The same, in one call that does nothing else."""
        self.disable()

    def release(self) -> None:
        """End of a test."""
        self.disable()

    def fault(self) -> str | None:
        """What the drive says against going on; None when all is well."""
        if self.config.ok is None or self._lines.read_lines()[f"{self.name}_ok"]:
            return None
        return f"the drive reports a fault ({self.name}_ok on {self.config.ok} is low); look at its panel"

    def reset_fault(self) -> None:
        """Clear a fault by its line. Raises Refused without one, NoReply when the fault is still there."""
        if self.config.reset is None:
            raise Refused(f"{self.name}: it has no reset line; clear the fault at its panel")
        self.disable()
        for high in (True, False):
            self._lines.write_lines({f"{self.name}_reset": high})
            time.sleep(RESET_PULSE)
        deadline = host_clock.now() + self.config.settle
        while (told := self.fault()) is not None:
            if host_clock.now() > deadline:
                raise NoReply(f"{self.name}: {told}, {self.config.settle:g} s after its reset")
            time.sleep(0.005)

    @abstractmethod
    def _scaled(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Volts for values, unchecked."""

    @abstractmethod
    def _beyond(self, worst: float) -> str:
        """In words that `worst` is beyond full scale."""


def output_lines(config: AnalogAxisSettings, name: str) -> dict[str, str]:
    """Digital outputs that it wants: name -> terminal. All of them are safe low."""
    return {f"{name}_enable": config.enable} | ({} if config.reset is None else {f"{name}_reset": config.reset})


def input_lines(config: AnalogAxisSettings, name: str) -> dict[str, str]:
    """Digital inputs that it wants: name -> terminal."""
    return {} if config.ok is None else {f"{name}_ok": config.ok}
