"""Power supplies that measure their own output: TS-15200.

What NI's simulated module does (nidaqmx-python, tests of power readers): nothing hangs at it, it reads its set points for as long as the
output is enabled, and not-a-number, or codes of 0, while it is not. 4096 codes are a volt and 8192 an ampere. All samples of a read show
the set points of the moment of the read.
Not checked: how far set points go (here as far as the codes), what resetting them gives.
"""

from __future__ import annotations

import math

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.channels import analog_input, creation
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_float, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import ChannelOfTask, Property
from drivers.simulated.daqmx.io import reading
from drivers.simulated.daqmx.io.layout import as_sent
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

POWER = ni.UsageTypeAI.POWER.value
CONSTANT_VOLTAGE, DISABLED, MAINTAINED = (
    ni.PowerOutputState.CONSTANT_VOLTAGE.value, ni.PowerIdleOutputBehavior.OUTPUT_DISABLED.value,
    ni.PowerIdleOutputBehavior.MAINTAIN_EXISTING_VALUE.value,
)  # fmt: skip
LOCAL, REMOTE = ni.Sense.LOCAL.value, ni.Sense.REMOTE.value
PER_UNIT = {"PWR_VOLTAGE_SETPOINT": 4096, "PWR_CURRENT_SETPOINT": 8192}
"""Codes of a volt and of an ampere."""
MOST = 2**15 - 1
LIVE = {*PER_UNIT, "PWR_OUTPUT_ENABLE"}
"""Properties that can be set while the task runs."""
CHOICES = {"PWR_IDLE_OUTPUT_BEHAVIOR": (DISABLED, MAINTAINED), "PWR_REMOTE_SENSE": (LOCAL, REMOTE)}
COEFFICIENTS = {
    "PWR_VOLTAGE_DEV_SCALING_COEFF": [0.0, 1.0 / PER_UNIT["PWR_VOLTAGE_SETPOINT"]],
    "PWR_CURRENT_DEV_SCALING_COEFF": [0.0, 1.0 / PER_UNIT["PWR_CURRENT_SETPOINT"]],
}
DEFAULTS: Values = {"PWR_VOLTAGE_SETPOINT": 0.0, "PWR_CURRENT_SETPOINT": 0.0, "PWR_OUTPUT_ENABLE": False,
            "PWR_IDLE_OUTPUT_BEHAVIOR": MAINTAINED, "PWR_REMOTE_SENSE": LOCAL}  # fmt: skip


def add(engine: Engine, task: Task, request: Fields) -> None:
    """Add channels of supplies. Raises DaqmxError -200431 where the device is no such supply, -200170, -200220, -200077."""
    with engine.lock:
        creation.open_for(task, ch.ANALOG_INPUT)
        places = []
        for full in creation.physical_names(task, str(request["physical_channel"])):
            device, channel = analog_input.input_of(engine, task, full)
            inputs = engine.devices[device].inputs
            if inputs is None or "power" not in inputs.kinds:
                raise task.fail(-200431, Property="DAQmx_AI_MeasType", Device=device, Channel_Name=channel)
            places.append((f"{device}/{channel}", device))
        names = channel_names.assigned([physical for physical, _ in places], str(request["name_to_assign_to_channel"]))
        given: Values = {
            "PWR_VOLTAGE_SETPOINT": as_float(request["voltage_setpoint"]), "PWR_CURRENT_SETPOINT": as_float(request["current_setpoint"]),
            "PWR_OUTPUT_ENABLE": bool(request["output_enable"]),
        }  # fmt: skip
        made: list[ch.Channel] = []
        for name, (physical, device) in zip(names, places, strict=True):
            product = engine.devices[device]
            assert product.inputs is not None
            attributes = {**analog_input.generic(product, product.inputs), "AI_MEAS_TYPE": POWER, **DEFAULTS, **COEFFICIENTS, **given}
            made.append(ch.PowerChannel(name, physical, device, ch.ANALOG_INPUT, attributes, {**DEFAULTS}))
            with task.naming(Channel_Name=name):
                for key, value in given.items():
                    check_value(key, value)
        creation.append(engine, task, made)


def check_value(name: str, value: Value) -> None:
    """Raise DaqmxError -200077 for a value that a property of a supply never takes."""
    if name in CHOICES and value not in CHOICES[name]:
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value)
    if name in PER_UNIT and not 0.0 <= as_float(value) <= MOST / PER_UNIT[name]:
        raise DaqmxError(
            -200077, Property=c_name(name), Requested_Value=value, Maximum_Value=f"{MOST / PER_UNIT[name]:f}", Minimum_Value="0.0"
        )  # fmt: skip


def _output_state(engine: Engine, subject: ChannelOfTask) -> int:
    """Enabled from when the task is committed, afterwards where the output is maintained."""
    task, channel = subject
    if not isinstance(channel, ch.PowerChannel):
        raise task.fail(-200452, Property="DAQmx_Pwr_OutputState", Channel_Name=channel.name)
    maintained = bool(task.runs) and channel.attributes["PWR_IDLE_OUTPUT_BEHAVIOR"] == MAINTAINED
    on = channel.attributes["PWR_OUTPUT_ENABLE"] and (task.state >= State.COMMITTED or maintained)
    return int(CONSTANT_VOLTAGE if on else DISABLED)


CHANNEL: dict[str, Property[ChannelOfTask]] = {"PWR_OUTPUT_STATE": Property(_output_state)}


# -- reads -----------------------------------------------------------------------------------------------------------------------------


def _read(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, NDArray[np.float64]]:
    """The next samples: (status, (volts and amperes in codes, channels, samples)), not-a-number where the output is off."""
    with engine.lock:
        status, data = reading.read_analog(engine, task, count, timeout, alive, power=True)
        found = np.full((2, *data.shape), math.nan)
        for row, channel in enumerate(task.to_read):
            if channel.attributes["PWR_OUTPUT_ENABLE"]:
                for which, (name, codes) in enumerate(PER_UNIT.items()):
                    found[which, row] = round(as_float(channel.attributes[name]) * codes)
        return status, found


def _read_many(binary: bool) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        if max(as_int(fields["num_samps_per_chan"]), 0) * len(task.to_read) > as_int(fields["array_size_in_samps"]):
            raise task.fail(-200229)
        status, found = _read(engine, task, as_int(fields["num_samps_per_chan"]), as_float(fields["timeout"]), alive)
        if binary:
            sent = [part.astype(np.int64) for part in np.nan_to_num(found)]
        else:
            sent = [part / codes for part, codes in zip(found, PER_UNIT.values(), strict=True)]
        return {
            "status": status, "read_array_voltage": as_sent(task, sent[0], fields), "read_array_current": as_sent(task, sent[1], fields),
            "samps_per_chan_read": found.shape[2],
        }  # fmt: skip

    return call


def read_scalar(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`ReadPowerScalarF64`."""
    task = engine.task(str(fields["task"]))
    task.need_one_to_read()
    status, found = _read(engine, task, 1, as_float(fields["timeout"]), alive)
    if status:
        raise task.fail(status, found.shape[2])
    volts, amperes = (float(part[0, 0]) / codes for part, codes in zip(found, PER_UNIT.values(), strict=True))
    return {"voltage": volts, "current": amperes}


def create(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`CreateAIPowerChan`."""
    add(engine, engine.task(str(fields["task"])), fields)
    return {}


CALLS = {
    "CreateAIPowerChan": create, "ReadPowerF64": _read_many(binary=False), "ReadPowerBinaryI16": _read_many(binary=True),
    "ReadPowerScalarF64": read_scalar,
}  # fmt: skip
