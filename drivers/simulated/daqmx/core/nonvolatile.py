"""What devices keep whatever task runs: power-up states, pull resistors, logic families, reservations, notes of a calibration, TEDS."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Nonvolatile:
    """By device, or by terminal in its canonical form (`dev1/port0/line0`); what is not there is as the product comes.

    `outputs`: (level at power-up in V or A, member of PowerUpChannelType). `sensors`: what stands in the memory of a sensor that hangs at
    an input; `teds`: the data sheet that a client has configured there, read from the sensor or from a file that stands for it.
    """

    outputs: dict[str, tuple[float, int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    pulls: dict[str, int] = field(default_factory=dict)
    families: dict[str, int] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    sensors: dict[str, bytes] = field(default_factory=dict)
    teds: dict[str, bytes] = field(default_factory=dict)
