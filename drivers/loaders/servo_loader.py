"""Servo-hydraulic loader with an analogue external command (any frame whose controller takes +-10 V as full scale of its mode).

The controller closes the loop; this driver scales the setpoint, seats the lines in the right order and keeps the heartbeat. It owns
no hardware: volts and lines go through the DAQ device that the bench gives it. Lines, all active high:

| line | direction | meaning |
|---|---|---|
| hydraulics | out | pressure wanted |
| mode_stroke | out | low: the command is a force, high: a stroke |
| interlock | out | high: this program agrees; a falling edge interlocks the controller, which latches until it rises with `program` low |
| program | out | high: the controller follows the analogue command |
| heartbeat | out | an edge at least every `heartbeat_period`; the controller interlocks when edges stay away |
| hydraulics_high | out | optional: full pressure instead of low |
| interlock_ok, hydraulics_on, estop_ok | in | the controller's own state |
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from drivers import host_clock
from drivers.daq.digital_lines import Lines
from drivers.daq.terminals import LINE, OUTPUT
from drivers.errors import NoReply, Refused
from drivers.loaders.preparation import Preparation
from drivers.loaders.settings import AnalogLoaderSettings

FULL_SCALE_VOLTS = 10.0
LOOK_EVERY = 0.005  # s between two looks at a line that is waited for
OUTPUT_LINES = ("hydraulics", "mode_stroke", "interlock", "program", "heartbeat", "hydraulics_high")
INPUT_LINES = ("interlock_ok", "hydraulics_on", "estop_ok")


@dataclass(frozen=True)
class Config(AnalogLoaderSettings):
    """Wiring and scaling of one loader."""

    output: str = field(default="Dev1/ao0", metadata=OUTPUT | {"doc": "analogue output of the command"})
    force_full_scale: float = field(default=250e3, metadata={"unit": "N", "over": 0.0})
    stroke_full_scale: float = field(default=0.050, metadata={"unit": "m", "over": 0.0})
    force_channel: str = field(default="transmitted_force", metadata={"doc": "measured channel that the force loop closes on"})
    stroke_channel: str = field(default="stroke", metadata={"doc": "measured channel that the stroke loop closes on"})
    hydraulics: str = field(default="Dev1/port0/line0", metadata=LINE)
    mode_stroke: str = field(default="Dev1/port0/line1", metadata=LINE)
    interlock: str = field(default="Dev1/port0/line2", metadata=LINE)
    program: str = field(default="Dev1/port0/line3", metadata=LINE)
    heartbeat: str = field(default="Dev1/port0/line4", metadata=LINE)
    hydraulics_high: str | None = field(default=None, metadata=LINE | {"doc": "absent: one pressure only"})
    interlock_ok: str = field(default="Dev1/port1/line0", metadata=LINE)
    hydraulics_on: str = field(default="Dev1/port1/line1", metadata=LINE)
    estop_ok: str = field(default="Dev1/port1/line2", metadata=LINE)
    heartbeat_period: float = field(default=0.020, metadata={"unit": "s", "over": 0.0})
    settle: float = field(default=0.2, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for the controller to follow a line"})
    preparation: Preparation | None = field(default=None, metadata={"doc": "absent: the test begins without"})

    def output_lines(self) -> dict[str, str]:
        """See `AnalogLoaderSettings`."""
        return {name: line for name in OUTPUT_LINES if (line := getattr(self, name)) is not None}

    def input_lines(self) -> dict[str, str]:
        """See `AnalogLoaderSettings`."""
        return {name: getattr(self, name) for name in INPUT_LINES}

    def create(self, lines: Lines, mode: str, zeros: Mapping[str, float] = MappingProxyType({})) -> ServoLoader:
        """See `AnalogLoaderSettings`."""
        return ServoLoader(self, lines, mode, zeros)


class ServoLoader:
    """One loader; `mode` is "force" or "stroke". zeros: mode -> what the controller reads (N, m) where a setpoint is 0, by a tare."""

    def __init__(self, config: Config, lines: Lines, mode: str, zeros: Mapping[str, float] = MappingProxyType({})) -> None:
        self.config, self.mode, self._zeros = config, mode, zeros
        self._lines = lines
        self._beat = False
        self._program = False

    @property
    def full_scale(self) -> float:
        """Setpoint at 10 V in the active mode, N or m."""
        return self.config.full_scale(self.mode)

    @property
    def feedback_channel(self) -> str:
        """Measured channel that the active loop closes on."""
        return self.config.channel(self.mode)

    def volts(self, setpoint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Command volts for setpoints in N or m. Raises Refused beyond full scale."""
        asked = setpoint + self._zero
        volts = asked * (FULL_SCALE_VOLTS / self.full_scale)
        if len(volts) and not np.max(np.abs(volts)) <= FULL_SCALE_VOLTS:  # what is no number is beyond it, too
            worst = float(np.max(np.abs(asked)))
            raise Refused(f"loader: setpoint {worst:g} exceeds full scale {self.full_scale:g} ({self.mode}, SI unit); reduce the amplitude")
        return volts

    def setpoint(self, volts: float) -> float:
        """Setpoint in N or m that `volts` stands for."""
        return volts * self.full_scale / FULL_SCALE_VOLTS - self._zero

    @property
    def _zero(self) -> float:
        return self._zeros.get(self.mode, 0.0)

    def safe_setpoint(self, feedback: float) -> float:
        """Where a stop ends: zero force, or the present stroke (zero stroke can crush a specimen)."""
        return 0.0 if self.mode == "force" else feedback

    def prepare(self, high: bool = True, alive: Callable[[], None] = lambda: None) -> None:
        """Pressure up, full or low, mode set, interlock closed; the program stays off. Raises Refused or NoReply naming the line.

        `alive` is called while the controller takes its time, which may be seconds; the heartbeat goes on meanwhile.
        """
        if not self._lines.read_lines()["estop_ok"]:
            raise Refused("loader: emergency stop is pressed (estop_ok is low); release it at the frame")
        self._lines.write_lines({"program": False, "interlock": False, "mode_stroke": self.mode == "stroke", "hydraulics": True})
        self.pressure(high)
        self._lines.write_lines({"interlock": True})
        self._wait_for("interlock_ok", "its interlock did not close; look at the controller's panel for the cause", alive)
        self._wait_for("hydraulics_on", "pressure did not come up; look at the pump and the manifold", alive)

    def enable(self) -> None:
        """The controller follows the analogue command from now on; the volts out there must equal its feedback already."""
        self.beat()
        self._lines.write_lines({"program": True})
        self._program = True

    def disable(self) -> None:
        """The controller holds: force goes to zero by its own ramp, stroke stays."""
        self._lines.write_lines({"program": False})
        self._program = False

    def take_mode(self, mode: str) -> None:
        """Close the loop on "force" or "stroke" from now on. The program must be off: setpoint becomes feedback then."""
        if self._program:
            raise Refused(f"loader: mode {mode} was asked for while the program runs; switch it off first")
        self.mode = mode
        self._lines.write_lines({"mode_stroke": mode == "stroke"})

    def pressure(self, high: bool) -> None:
        """Full or low pressure, where the station has two."""
        if self.config.hydraulics_high is not None:
            self._lines.write_lines({"hydraulics_high": high})

    def beat(self) -> None:
        """One edge on the heartbeat line."""
        self._beat = not self._beat
        self._lines.write_lines({"heartbeat": self._beat})

    def trip(self) -> None:
        """Open the interlock and take the program away, in one call."""
        self._lines.write_lines({"interlock": False, "program": False})
        self._program = False

    def release(self) -> None:
        """End of a test: the program off, then the pressure."""
        self.disable()
        self.pressure(False)
        self._lines.write_lines({"hydraulics": False})

    def fault(self) -> str | None:
        """What the controller says against going on; None when all is well."""
        state = self._lines.read_lines()
        if not state["estop_ok"]:
            return "emergency stop pressed"
        if not state["interlock_ok"]:
            return "the controller opened its interlock"
        if self._program and not state["hydraulics_on"]:
            return "hydraulic pressure lost"
        return None

    def _wait_for(self, line: str, otherwise: str, alive: Callable[[], None]) -> None:
        begun = host_clock.now()
        beat_at = begun
        while not self._follows(line):
            now = host_clock.now()
            if now - begun > self.config.settle:
                raise NoReply(f"loader: {line} still low {self.config.settle:g} s after it was asked for; {otherwise}")
            alive()
            if now + 2.0 * LOOK_EVERY >= beat_at:  # the next look may come too late for it
                self.beat()
                beat_at = now + self.config.heartbeat_period
            time.sleep(LOOK_EVERY)

    def _follows(self, line: str) -> bool:
        state = self._lines.read_lines()
        if not state["estop_ok"]:
            raise Refused(f"loader: emergency stop was pressed (estop_ok is low) while {line} was waited for; release it at the frame")
        if line != "interlock_ok" and not state["interlock_ok"]:
            raise Refused(f"loader: the controller opened its interlock while {line} was waited for; look at its panel for the cause")
        return state[line]
