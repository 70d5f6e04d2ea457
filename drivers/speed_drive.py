"""Motor drive with an analogue speed reference: +-10 V is its largest speed. The DC drive of the four-bar rig, or any other.

The drive closes the loop; this driver scales the setpoint and seats the lines in the right order. It owns no hardware: volts and lines go
through the DAQ device that the bench gives it. An analogue output keeps its last value when a program ends, so the enable line has to
be guarded by the DAQ's watchdog. Lines, all active high; the enable line must fall to *stop* when it floats:

| line | direction | meaning |
|---|---|---|
| drive_enable | out | power stage on, the shaft follows the reference; low: it coasts, or brakes where the drive is set up so |
| drive_reset | out | optional: a rising edge clears a fault |
| drive_ok | in | no fault |
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.digital_lines import Lines
from drivers.errors import NoReply, Refused

ROLE = "speed_drive"
FULL_SCALE_VOLTS = 10.0
RESET_PULSE = 0.05
"""Time (s) for which drive_reset is high."""


@dataclass(frozen=True)
class Config:
    """Wiring and scaling of one drive."""

    output: str = field(default="Dev1/ao0", metadata={"doc": "analogue output of the speed reference"})
    max_speed: float = field(default=100.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "of the axis at 10 V"})
    direction: str = field(default="forward", metadata={"choices": ("forward", "reverse")})
    offset: float = field(default=0.0, metadata={"at_least": -0.5, "at_most": 0.5, "doc": "V at which the shaft stands still"})
    speed_channel: str = field(default="speed", metadata={"doc": "measured channel of the shaft's speed: encoder or tachometer"})
    enable: str = field(default="Dev1/port0/line6", metadata={"doc": "digital output on the drive's enable input"})
    reset: str | None = field(default=None, metadata={"doc": "digital output on the drive's reset input; absent: reset at its panel"})
    ok: str = field(default="Dev1/port1/line3", metadata={"doc": "digital input from the drive's fault relay, high: no fault"})
    settle: float = field(default=0.5, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a line"})


class SpeedDrive:
    """One drive. `watchdog`: time (s) after which the DAQ lets the enable line fall, None where none is armed."""

    def __init__(self, config: Config, lines: Lines, watchdog: float | None, name: str = "drive") -> None:
        self.config, self.name = config, name
        self._lines, self._watchdog = lines, watchdog
        self._enabled = False
        self._sign = 1.0 if config.direction == "forward" else -1.0

    @property
    def output_lines(self) -> dict[str, str]:
        """Digital outputs that this drive wants: name -> terminal. All of them are safe low."""
        return {"drive_enable": self.config.enable} | ({} if self.config.reset is None else {"drive_reset": self.config.reset})

    @property
    def input_lines(self) -> dict[str, str]:
        """Digital inputs that this drive wants: name -> terminal."""
        return {"drive_ok": self.config.ok}

    @property
    def feedback_channel(self) -> str:
        """Measured channel of the speed; the drive's own figure never reaches this program."""
        return self.config.speed_channel

    @property
    def stops_within(self) -> float:
        """Time (s) after this program's last word in which the drive begins to stop."""
        return math.inf if self._watchdog is None else self._watchdog

    def volts(self, speed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reference volts for speeds of the axis in rad/s. Raises Refused beyond full scale."""
        volts = self._sign * speed * (FULL_SCALE_VOLTS / self.config.max_speed) + self.config.offset
        if len(volts) and not np.max(np.abs(volts)) <= FULL_SCALE_VOLTS:
            worst = float(np.max(np.abs(speed)))
            raise Refused(f"{self.name}: speed {worst:g} rad/s exceeds max_speed {self.config.max_speed:g} rad/s at 10 V; command less")
        return volts

    def speed(self, volts: float) -> float:
        """Speed of the axis (rad/s) that `volts` stand for."""
        return self._sign * (volts - self.config.offset) * self.config.max_speed / FULL_SCALE_VOLTS

    def safe_setpoint(self, feedback: float) -> float:
        """Where a stop ends: at rest, whatever the feedback."""
        return 0.0

    def prepare(self) -> None:
        """Lines low and no fault; nothing moves. Raises Refused, also where nothing would stop the drive after this program's death."""
        if self._watchdog is None:
            raise Refused(
                f"{self.name}: nothing would stop it if the program died, its reference keeps its last value: set daq.watchdog in the "
                "bench file, on the device that has the enable line"
            )
        self._lines.write_lines(dict.fromkeys(self.output_lines, False))
        if (told := self.fault()) is not None:
            raise Refused(f"{self.name}: {told}; clear its cause and reset the fault")

    def enable(self) -> None:
        """The shaft follows the reference from now on; the volts out there must be those of its speed already."""
        self._lines.write_lines({"drive_enable": True})
        self._enabled = True

    def disable(self) -> None:
        """Power off: the shaft coasts."""
        self._lines.write_lines({"drive_enable": False})
        self._enabled = False

    def trip(self) -> None:
        """The same, in one call that does nothing else."""
        self.disable()

    def release(self) -> None:
        """End of a test."""
        self.disable()

    def fault(self) -> str | None:
        """What the drive says against going on; None when all is well."""
        if self._lines.read_lines()["drive_ok"]:
            return None
        return f"the drive reports a fault (drive_ok on {self.config.ok} is low); look at its panel"

    def reset_fault(self) -> None:
        """Clear a fault by its line. Raises Refused without one, NoReply when the fault is still there."""
        if self.config.reset is None:
            raise Refused(f"{self.name}: it has no reset line; clear the fault at its panel")
        self.disable()
        for high in (True, False):
            self._lines.write_lines({"drive_reset": high})
            time.sleep(RESET_PULSE)
        deadline = time.monotonic() + self.config.settle
        while (told := self.fault()) is not None:
            if time.monotonic() > deadline:
                raise NoReply(f"{self.name}: {told}, {self.config.settle:g} s after its reset")
            time.sleep(0.005)


def create(config: Config, lines: Lines, watchdog: float | None, name: str = "drive") -> SpeedDrive:
    """A drive on the lines of a DAQ device."""
    return SpeedDrive(config, lines, watchdog, name)
