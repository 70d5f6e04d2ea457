"""What the bench worker asks of a loader: of one behind an analogue output, and of one that runs waveforms of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.clock import Clock
from drivers.serial.serial_line import SerialLine

Block = NDArray[np.float64]


class AnalogLoader(Protocol):
    """It follows the command output; see `drivers.loaders.servo_loader.ServoLoader`. Setpoints are N or m, by the mode."""

    mode: str

    @property
    def feedback_channel(self) -> str:
        """Measured channel that its loop closes on."""

    def prepare(self, high: bool = True, alive: Callable[[], None] = ...) -> None:
        """Pressure up, mode set, interlock closed; `alive` is called while that takes its time."""

    def take_mode(self, mode: str) -> None:
        """Close the loop on force or stroke from now on."""

    def pressure(self, high: bool) -> None:
        """High or low pressure."""

    def enable(self) -> None:
        """Follow the output."""

    def disable(self) -> None:
        """Follow nothing; stand where it is."""

    def volts(self, setpoint: Block) -> Block:
        """What setpoints (k,) are on the output, V."""

    def setpoint(self, volts: float) -> float:
        """What `volts` on the output ask for."""

    def safe_setpoint(self, feedback: float) -> float:
        """Where one that shows `feedback` is to be brought: no force, or where it is."""

    def beat(self) -> None:
        """A sign of life."""

    def fault(self) -> str | None:
        """What the controller has against going on, in words."""

    def trip(self) -> None:
        """Safe at once."""

    def release(self) -> None:
        """Pressure off, at rest."""


class WaveformLoader(Protocol):
    """Its controller runs a waveform, commanded on a serial line; see `drivers.loaders.instron.Instron`."""

    name: str
    where: str
    line: SerialLine

    @property
    def full_scale(self) -> float:
        """Largest setpoint of the mode, N or m."""

    @property
    def feedback_channel(self) -> str:
        """Measured channel that its loop closes on."""

    @property
    def stops_within(self) -> float:
        """Time (s) after the program's last word in which a waveform ends by itself."""

    @property
    def counted(self) -> int:
        """Quarter cycles that it had counted when it was asked last."""

    def wait_by(self, clock: Clock) -> None:
        """What it waits by."""

    def safe_setpoint(self, feedback: float) -> float:
        """Where one that shows `feedback` is to be brought: no force, or where it is."""

    def connect(self) -> None:
        """Reach it. Raises DriverError."""

    def identity(self) -> str:
        """What it says it is."""

    def prepare(self) -> None:
        """Pressure on, the loop on the mode of the test."""

    def feedback(self) -> float:
        """What it reads in the mode of the test, N or m."""

    def ramp_to(self, setpoint: float, duration: float) -> None:
        """Off to a setpoint within `duration` s."""

    def moving(self) -> bool:
        """Whether a ramp runs."""

    def start_waveform(self, shape: str, frequency: float, amplitude: float, cycles: int) -> None:
        """Arm a waveform, which waits for its run input."""

    def waveform_state(self) -> int:
        """State of the generator, as `drivers.protocols.instron_ascii` has it."""

    def extend(self) -> int:
        """Leave to run for another chunk; returns the cycles that are left."""

    def fault(self) -> str | None:
        """What it has against going on, in words."""

    def disable(self) -> None:
        """End what it runs; the loop holds."""

    def trip(self) -> None:
        """Pressure off at once."""

    def release(self) -> None:
        """Pressure off, at rest."""

    def close(self) -> list[str]:
        """Let go; returns what went wrong, in words."""
