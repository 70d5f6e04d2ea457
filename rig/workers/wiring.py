"""What a test uses of its DAQ device."""

from __future__ import annotations

from drivers.ni_daq import Input, Wiring
from drivers.servo_loader import INPUT_LINES, OUTPUT_LINES
from rig.plan import Plan


def wiring(plan: Plan) -> Wiring:
    """Inputs in the channels' order, the loader's output and lines."""
    bench = plan.bench
    inputs = tuple(
        Input(
            name=c.name, terminal=c.terminal, kind=c.kind, gain=c.sensor.sensitivity, offset=c.sensor.offset, range=c.range,
            capacity=c.sensor.capacity, excitation_current=c.excitation_current, excitation_voltage=c.excitation_voltage,
            bridge_resistance=c.bridge_resistance,
        )
        for c in bench.channels
    )  # fmt: skip
    return Wiring(
        inputs=inputs,
        output=bench.loader.output,
        output_lines={name: getattr(bench.loader, name) for name in OUTPUT_LINES},
        input_lines={name: getattr(bench.loader, name) for name in INPUT_LINES},
        safe_lines={"interlock": False, "program": False},
    )
