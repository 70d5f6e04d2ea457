"""What a test uses of its DAQ device."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any

from drivers.axes import analog_axis
from drivers.daq.ni_daq import Counter, Input, Wiring
from drivers.loaders.servo_loader import INPUT_LINES, OUTPUT_LINES
from rig.config.bench import Axis, Bench, InputChannel

ENABLE = "loader_enable"
"""Line on the interlock input of a loader's controller on a serial line."""
SAFE = {"interlock": False, "program": False}
"""Lines of a loader that fall when nobody is left."""


def is_analog(axis: Axis) -> bool:
    """Whether an axis hangs on an analogue output; the others are on a serial line."""
    return bool(sys.modules[type(axis.drive).__module__].ROLE == "analog_axis")


def is_on_a_line(loader: Any) -> bool:
    """Whether a loader runs waveforms of its own, commanded on a serial line; another follows an analogue output."""
    return bool(sys.modules[type(loader).__module__].ROLE == "serial_loader")


def wiring(bench: Bench) -> Wiring:
    """Inputs in the channels' order, net of their tares; outputs and lines of the loader, or of the axes."""
    inputs = tuple(counter(c) if c.counter is not None else analogue(c) for c in bench.channels)
    if bench.axes:
        lines = _output_lines(bench)
        outputs = tuple(axis.drive.output for axis in bench.axes if is_analog(axis))
        return Wiring(inputs, outputs, lines, _input_lines(bench), dict.fromkeys(lines, False))
    if is_on_a_line(bench.loader):
        line = bench.loader.enable_line
        lines = {} if line is None else {ENABLE: line}
        return Wiring(inputs, (bench.loader.start_output,), lines, {}, dict.fromkeys(lines, False))
    return Wiring(
        inputs=inputs,
        outputs=(bench.loader.output,),
        output_lines={name: line for name in OUTPUT_LINES if (line := getattr(bench.loader, name)) is not None},
        input_lines={name: getattr(bench.loader, name) for name in INPUT_LINES},
        safe_lines=SAFE,
    )


def _output_lines(bench: Bench) -> dict[str, str]:
    found: dict[str, str] = {}
    for axis in bench.axes:
        if is_analog(axis):
            found |= analog_axis.output_lines(axis.drive, axis.name)
        elif axis.drive.enable_line is not None:
            found[f"{axis.name}_enable"] = axis.drive.enable_line
    return found


def _input_lines(bench: Bench) -> dict[str, str]:
    return {name: line for axis in bench.axes if is_analog(axis) for name, line in analog_axis.input_lines(axis.drive, axis.name).items()}


def analogue(channel: InputChannel) -> Input:
    """An analogue input."""
    c = channel
    return Input(
        name=c.name, terminal=c.terminal, kind=c.kind, gain=c.sensor.sensitivity, offset=c.sensor.offset - c.sensor.tare,
        range=c.range, capacity=c.sensor.capacity, excitation_current=c.excitation_current, excitation_voltage=c.excitation_voltage,
        bridge_resistance=c.bridge_resistance,
    )  # fmt: skip


def counter(channel: InputChannel) -> Counter:
    """An encoder or a pickup."""
    assert channel.counter is not None
    signals = {shape.name: getattr(channel.counter, shape.name) for shape in fields(channel.counter)}
    sensor = channel.sensor
    return Counter(
        name=channel.name, terminal=channel.terminal, kind=channel.kind, gain=sensor.sensitivity, offset=sensor.offset - sensor.tare,
        **signals,
    )  # fmt: skip
