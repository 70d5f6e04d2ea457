"""What of a DAQ device a test uses: plain data, read without the vendor's package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

FACTORS = {"x1": 1, "x2": 2, "x4": 4}
"""Counts of an encoder's line, by its decoding."""
TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Input:
    """One analogue input: value [quantity] = gain [quantity/V] * volts + offset."""

    name: str
    terminal: str
    kind: str = "voltage"
    gain: float = 1.0
    offset: float = 0.0
    range: float = 10.0
    capacity: float | None = None
    excitation_current: float = 4e-3
    excitation_voltage: float = 10.0
    bridge_resistance: float = 350.0

    @property
    def device(self) -> str:
        """Name of the device that the terminal is on."""
        return device_of(self.terminal)


@dataclass(frozen=True)
class Counter:
    """One counter. encoder: value (rad) = gain * angle + offset, and gain is 1 or -1; pickup: value = pulses since the start.

    pulses: lines or pulses of one turn. a, b, z: terminals of the phases and of the index, a that of a pickup; empty: the counter's own
    (no index without `index`). index (rad): value that the index stands for; the angle is put right there once a turn and goes on
    without a jump of a turn. initial (rad): value at the start. filter (s): shorter pulses are not seen. beside: name of the encoder on
    the shaft of a pickup, where each is to tell when the other gives nothing.
    """

    name: str
    terminal: str
    kind: str = "encoder"
    pulses: int = 1
    decoding: str = "x4"
    a: str = ""
    b: str = ""
    z: str = ""
    index: float | None = None
    index_phase: str = "high_high"
    edge: str = "rising"
    initial: float = 0.0
    filter: float | None = None
    beside: str = ""
    gain: float = 1.0
    offset: float = 0.0

    @property
    def device(self) -> str:
        """Name of the device that the counter is on."""
        return device_of(self.terminal)

    @property
    def at_start(self) -> float:
        """Value at the start: rad, or no pulse."""
        return self.initial if self.kind == "encoder" else self.offset

    @property
    def resolution(self) -> float:
        """Angle (rad) of one count of an encoder."""
        return TURN / (self.pulses * FACTORS[self.decoding])


@dataclass(frozen=True)
class Wiring:
    """What of the device is used: inputs and command outputs in order, lines by name, and what lines fall to when nobody is left.

    Inputs may be counters, which are sampled on the clock of the first analogue input: one of those at least there has to be.

    With several outputs the command's samples are (k, outputs) where with one they are (k,), and its values (outputs,); without any
    no method that writes, aborts or counts samples of the output may be called.
    """

    inputs: tuple[Input | Counter, ...]
    outputs: tuple[str, ...]
    output_lines: Mapping[str, str]
    input_lines: Mapping[str, str]
    safe_lines: Mapping[str, bool]


def device_of(terminal: str) -> str:
    """`Dev1/ai0` -> `Dev1`."""
    return terminal.strip("/").partition("/")[0]
