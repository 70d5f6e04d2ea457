"""What a test uses of its DAQ device."""

from __future__ import annotations

from dataclasses import fields

from drivers.axes import analog_axis
from drivers.daq.wiring import Counter, Input, Wiring
from rig.config.bench import Bench, InputChannel

ENABLE = "loader_enable"
"""Line on the interlock input of a loader's controller on a serial line."""
SAFE = {"interlock": False, "program": False}
"""Lines of a loader that fall when nobody is left."""


def wiring(bench: Bench) -> Wiring:
    """Inputs in the channels' order, net of their tares; outputs and lines of the loader, or of the axes."""
    inputs = tuple(counter(c) if c.counter is not None else analogue(c) for c in bench.channels)
    if bench.axes:
        lines = _output_lines(bench)
        outputs = tuple(axis.analog.output for axis in bench.axes if axis.analog is not None)
        return Wiring(inputs, outputs, lines, _input_lines(bench), dict.fromkeys(lines, False))
    if (serial := bench.serial_loader) is not None:
        lines = {} if serial.enable_line is None else {ENABLE: serial.enable_line}
        assert serial.start_output is not None
        return Wiring(inputs, (serial.start_output,), lines, {}, dict.fromkeys(lines, False))
    loader = bench.analog_loader
    assert loader is not None
    return Wiring(inputs, (loader.output,), loader.output_lines(), loader.input_lines(), SAFE)


def _output_lines(bench: Bench) -> dict[str, str]:
    found: dict[str, str] = {}
    for axis in bench.axes:
        if axis.analog is not None:
            found |= analog_axis.output_lines(axis.analog, axis.name)
        elif axis.serial is not None and axis.serial.enable_line is not None:
            found[f"{axis.name}_enable"] = axis.serial.enable_line
    return found


def _input_lines(bench: Bench) -> dict[str, str]:
    drives = [(axis.analog, axis.name) for axis in bench.axes if axis.analog is not None]
    return {name: line for drive, axis in drives for name, line in analog_axis.input_lines(drive, axis).items()}


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
