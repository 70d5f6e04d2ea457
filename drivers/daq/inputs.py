"""Analogue inputs of NI-DAQmx devices: the channels of a task, on one device or on several modules of a chassis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nidaqmx import Task
from nidaqmx.constants import (
    AccelSensitivityUnits,
    AccelUnits,
    AcquisitionType,
    BridgeConfiguration,
    BridgeElectricalUnits,
    BridgePhysicalUnits,
    DigitalWidthUnits,
    ExcitationSource,
    ForceUnits,
)
from nidaqmx.errors import DaqError

from drivers.daq.wiring import Input
from drivers.errors import Refused

STANDARD_GRAVITY = 9.80665
NOT_SUPPORTED = -200452
NOTHING_ON_DEMAND = (-200757, -201087)
"""Errors of modules that convert all the time: in a slot of their own, and in a CompactDAQ chassis."""
CHECK_RATE = 10e3  # Hz, one that every module has: for a look at the channels before the test's own rate is asked for


def add_input(task: Task, item: Input) -> None:
    """Add one input to a task. Raises DaqError."""
    chans, top = task.ai_channels, item.range
    if item.kind == "voltage":
        chans.add_ai_voltage_chan(item.terminal, item.name, min_val=-top, max_val=top)
    elif item.kind == "iepe":
        chans.add_ai_accel_chan(
            item.terminal, item.name, min_val=-top * abs(item.gain), max_val=top * abs(item.gain),
            units=AccelUnits.METERS_PER_SECOND_SQUARED, sensitivity=1e3 * STANDARD_GRAVITY / item.gain,
            sensitivity_units=AccelSensitivityUnits.MILLIVOLTS_PER_G,
            current_excit_source=ExcitationSource.INTERNAL, current_excit_val=item.excitation_current,
        )  # fmt: skip
    else:
        full = item.capacity if item.capacity is not None else top * abs(item.gain)
        chans.add_ai_force_bridge_two_point_lin_chan(
            item.terminal, item.name, min_val=-full, max_val=full, units=ForceUnits.NEWTONS, bridge_config=BridgeConfiguration.FULL_BRIDGE,
            voltage_excit_source=ExcitationSource.INTERNAL, voltage_excit_val=item.excitation_voltage,
            nominal_bridge_resistance=item.bridge_resistance, first_electrical_val=0.0,
            second_electrical_val=1e3 * full / item.gain / item.excitation_voltage, first_physical_val=0.0, second_physical_val=full,
            electrical_units=BridgeElectricalUnits.MILLIVOLTS_PER_VOLT, physical_units=BridgePhysicalUnits.NEWTONS,
        )  # fmt: skip


def by_device(inputs: Sequence[Input]) -> dict[str, list[Input]]:
    """Device -> its inputs, in order; the first device is the one whose clock the task runs on."""
    found: dict[str, list[Input]] = {}
    for item in inputs:
        found.setdefault(item.device, []).append(item)
    return found


def read_single(task: Task, read: Callable[[int], None]) -> None:
    """One sample of every channel through `read(samples)`: on demand, or from a short clocked acquisition. Raises DaqError."""
    try:
        read(1)
    except DaqError as error:
        if error.error_code not in NOTHING_ON_DEMAND:
            raise
        task.timing.cfg_samp_clk_timing(CHECK_RATE, sample_mode=AcquisitionType.FINITE, samps_per_chan=2)
        read(2)


def let_hardware_remove_delay(task: Task, inputs: Sequence[Input]) -> None:
    """Ask the modules to take the delay of their filters out of the samples' order, where they leave a choice. Raises DaqError."""
    for items in by_device(inputs).values():
        try:
            task.ai_channels[", ".join(item.name for item in items)].ai_remove_filter_delay = True
        except DaqError as error:
            if error.error_code != NOT_SUPPORTED:
                raise


def samples_before_start(task: Task, inputs: Sequence[Input]) -> int:
    """Samples that come first though they are of before the start, from modules that leave their filters' delay in.

    Raises Refused when the modules differ, or do not tell it; DaqError.
    """
    delays: dict[str, int] = {}
    for device, items in by_device(inputs).items():
        channel = task.ai_channels[items[0].name]
        try:
            channel.ai_filter_delay_units = DigitalWidthUnits.SAMPLE_CLOCK_PERIODS
            delays[device] = round(channel.ai_filter_delay)
        except DaqError as error:
            if error.error_code != NOT_SUPPORTED:
                raise
            raise Refused(
                f'DAQ: {device} does not tell its filter delay; set daq.filter_delay to "hardware" and give each of its channels '
                "sensor.delay, from the module's specifications"
            ) from error
    if len(set(delays.values())) > 1:
        told = ", ".join(f"{device} {delay}" for device, delay in delays.items())
        raise Refused(
            f"DAQ: the modules of one task deliver with different filter delays (samples: {told}), which cannot be discarded for all; "
            'set daq.filter_delay to "hardware" and give the channels sensor.delay'
        )
    return max(delays.values())
