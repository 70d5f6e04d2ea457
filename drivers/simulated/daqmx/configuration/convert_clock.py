"""The convert clock of inputs that share one converter: how far apart their conversions lie within a sample.

X Series User Manual, "AI Convert Clock Signal": as fast as the converter can, with 10 us more for the amplifier to settle; where the sample
rate leaves no room for these, evenly spread over the sample. On modules of a chassis one tick of its 80 MHz more: 1121 for an NI 9205
(nidaqmx-python, tests/component/task/test_timing_properties.py). All samples are taken at the sample clock; what is
chosen limits the sample rate ("SampClk.MaxRate": "If you set AIConv.Rate, NI-DAQmx calculates the maximum sample clock rate based on that
setting").
"""

from __future__ import annotations

import math

from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.values import Value, as_float
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.timing import sample_clock
from drivers.simulated.daqmx.timing.convert_rates import DIVISOR, RATE, chosen_divisor, timebase

PADDING = 10e-6
LARGEST = 2**32 - 1


def _highest(engine: Engine, task: Task, name: str) -> float:
    task.need_kind((ch.ANALOG_INPUT,), -200452)
    inputs = engine.devices[task.device].inputs
    if inputs is None or inputs.simultaneous:
        raise task.fail(-200452, Property=f"DAQmx_{name}")
    return float(inputs.rate_aggregate)


def _divisor(engine: Engine, task: Task) -> int:
    highest = _highest(engine, task, "AIConv_TimebaseDiv")
    found = chosen_divisor(task)
    if found is not None:
        return found
    padded = math.ceil(timebase(task) * (1.0 / highest + PADDING) - 1e-6) + bool(task.host)
    if task.timing.kind != SAMPLE_CLOCK:
        return padded
    count = sum(c.device == task.device for c in task.channels)
    return int(max(1, min(padded, timebase(task) / (sample_clock.rate(engine, task) * count) + 1e-6)))


def _set(name: str) -> Property[Task]:
    def get(engine: Engine, task: Task) -> float:
        divisor = _divisor(engine, task)
        return divisor if name == DIVISOR else timebase(task) / divisor

    def change(engine: Engine, task: Task, value: Value) -> None:
        highest = _highest(engine, task, name)
        if task.running:
            raise task.fail(-200557, Property=name)
        if name == RATE and not timebase(task) / LARGEST <= as_float(value) <= highest:
            raise task.fail(-200077, Property="DAQmx_AIConv_Rate", Requested_Value=value, Maximum_Value=highest)
        if name == DIVISOR and not timebase(task) / highest <= as_float(value) <= LARGEST:
            raise task.fail(-200077, Property="DAQmx_AIConv_TimebaseDiv", Requested_Value=value, Maximum_Value=LARGEST)
        setting_changes.changed(engine, task)
        _forget(engine, task)
        task.settings[name] = value

    return Property(get, change, None, _forget)


def _forget(engine: Engine, task: Task) -> None:
    task.settings.pop(RATE, None)
    task.settings.pop(DIVISOR, None)


def _max_rate(engine: Engine, task: Task) -> float:
    return _highest(engine, task, "AIConv_MaxRate")


TIMING: dict[str, Property[Task]] = {"AI_CONV_MAX_RATE": Property(_max_rate), RATE: _set(RATE), DIVISOR: _set(DIVISOR)}
