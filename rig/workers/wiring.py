"""What a test uses of its DAQ device."""

from __future__ import annotations

from drivers.ni_daq import Input, Wiring
from drivers.servo_loader import INPUT_LINES, OUTPUT_LINES
from rig.config.bench import Bench


def wiring(bench: Bench) -> Wiring:
    """Inputs in the channels' order, net of their tares; the loader's output and lines."""
    inputs = tuple(
        Input(
            name=c.name, terminal=c.terminal, kind=c.kind, gain=c.sensor.sensitivity, offset=c.sensor.offset - c.sensor.tare,
            range=c.range, capacity=c.sensor.capacity, excitation_current=c.excitation_current, excitation_voltage=c.excitation_voltage,
            bridge_resistance=c.bridge_resistance,
        )
        for c in bench.channels
    )  # fmt: skip
    return Wiring(
        inputs=inputs,
        outputs=(bench.loader.output,),
        output_lines={name: line for name in OUTPUT_LINES if (line := getattr(bench.loader, name)) is not None},
        input_lines={name: getattr(bench.loader, name) for name in INPUT_LINES},
        safe_lines={"interlock": False, "program": False},
    )
