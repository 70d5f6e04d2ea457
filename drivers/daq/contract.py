"""What a test asks of its DAQ devices, whatever they are reached by. Every method but `close` raises DriverError that names the device."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.daq.wiring import Wiring

if TYPE_CHECKING:
    from nidaqmx import Task

Block = NDArray[np.float64]
Volts = float | Block
"""Of one output, or of several: (outputs,)."""


class Daq(Protocol):
    """Inputs, outputs and lines on one sample clock; values in the channels' SI units, outputs in V."""

    @property
    def wiring(self) -> Wiring:
        """What of the devices is used."""

    @property
    def underflows(self) -> int:
        """How often the output ran dry."""

    def connect(self) -> None:
        """Reach the driver or the server, and find every device. Raises NotConnected."""

    def open(self, rate: float, block: int, ahead: int) -> float:
        """Make every task for `rate` (Hz), blocks of `block` samples and an output filled `ahead` samples; nothing moves. Returns the rate
        that the device has."""

    def read_once(self) -> Block:
        """Every input once, before streaming: (channels,)."""

    def place_encoders(self, angles: Mapping[str, float]) -> None:
        """Value (rad) by channel that encoders begin with from the next start on."""

    def extra_task(self, doing: str) -> AbstractContextManager[Task]:
        """A task of the vendor's library besides those of streaming, closed at the end; what goes wrong is explained with `doing`."""

    def start(self) -> None:
        """Sample 0 of everything."""

    def start_inputs(self) -> None:
        """Sample 0 of the inputs, with the output by hand."""

    def stop_inputs(self) -> None:
        """The next start begins at sample 0 again."""

    def hold_output(self, volts: Volts) -> None:
        """Take the output by hand: it shows `volts` now."""

    def release_output(self) -> None:
        """End of `hold_output`; the last value stays out there until samples come."""

    def write(self, volts: Block) -> None:
        """Append samples (k,), or (k, outputs), to the output."""

    def read(self, samples: int) -> Block:
        """The next `samples` of every input: (samples, channels)."""

    def samples_waiting(self) -> int:
        """Input samples that are there and have not been read."""

    def samples_ahead(self) -> int:
        """Output samples written and not yet out there."""

    def abort_output(self) -> Volts:
        """Stop the output at once; it holds its last value, which is returned (V)."""

    def set_output(self, volts: Volts) -> None:
        """Put one value out now, after `abort_output` or `hold_output`."""

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named output lines in one call; the others keep their state."""

    def read_lines(self) -> dict[str, bool]:
        """State of the input lines, by name."""

    def start_watchdog(self) -> None:
        """From here on it wants `reset_watchdog`. Nothing where none is armed."""

    def reset_watchdog(self) -> None:
        """Tell the hardware that this program lives."""

    def close(self) -> list[str]:
        """Close every task; returns what could not be closed, in words."""
