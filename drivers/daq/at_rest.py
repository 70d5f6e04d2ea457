"""NI-DAQmx inputs while nothing streams and nothing is commanded: a zero is looked at, a shunt is switched; no analogue output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from nidaqmx import Task
from nidaqmx.constants import AcquisitionType, LineGrouping, ShuntCalSelect
from nidaqmx.stream_readers import AnalogMultiChannelReader
from nidaqmx.task.channels import AIChannel
from numpy.typing import NDArray

from drivers.daq.inputs import add_input
from drivers.daq.wiring import Input
from drivers.errors import Refused

SETTLE = 0.25  # s that a conditioner's filters are given after a shunt was switched
PATIENCE = 2.0  # s beyond the duration of an acquisition

Block = NDArray[np.float64]


class Device(Protocol):
    """What this needs of `drivers.daq.ni_daq.NiDaq`, connected."""

    def extra_task(self, doing: str) -> AbstractContextManager[Task]:
        """A context with a task of its own, closed at its end."""


@dataclass(frozen=True)
class Shunted:
    """Mean readings without, with and again without the shunt, in the channel's quantity."""

    before: float
    during: float
    after: float

    @property
    def change(self) -> float:
        """What the shunt does; a drift that goes on steadily is no part of it."""
        return self.during - 0.5 * (self.before + self.after)

    @property
    def drift(self) -> float:
        """What the reading did by itself meanwhile."""
        return self.after - self.before


def read_for(device: Device, inputs: Sequence[Input], rate: float, duration: float) -> Block:
    """`duration` s of some inputs at about `rate` Hz: (samples, inputs) in the channels' quantities. Raises DriverError."""
    with device.extra_task(f"reading {', '.join(item.name for item in inputs)} for {duration:g} s") as task:
        for item in inputs:
            add_input(task, item)
        return _acquire(task, inputs, rate, duration)


def read_lines(device: Device, lines: Sequence[str]) -> list[bool]:
    """State of digital input lines. Raises DriverError."""
    with device.extra_task("reading the digital lines") as task:
        task.di_channels.add_di_chan(", ".join(lines), line_grouping=LineGrouping.CHAN_PER_LINE)
        read = task.read()
    return [bool(state) for state in (read if isinstance(read, list) else [read])]


def read_shunted(device: Device, item: Input, rate: float, duration: float, resistance: float | None, line: str) -> Shunted:
    """Switch the shunt of one input on and off again, by the bridge module itself or by a digital `line` of the conditioner.

    resistance: which of its built-in resistors (ohm) the module is to take; None: the one that it has. Raises DriverError; the shunt
    is off afterwards.
    """
    if item.kind != "force_bridge" and not line:
        raise Refused(f"DAQ: {item.name} is a {item.kind} input without shunt_line; there is no shunt that could be switched")
    if line:
        return _by_line(device, item, rate, duration, line)
    with device.extra_task(f"shunt of {item.name} on {item.terminal}") as task:
        add_input(task, item)
        channel = task.ai_channels[item.name]
        channel.ai_bridge_shunt_cal_select = ShuntCalSelect.A
        if resistance is not None:
            channel.ai_bridge_shunt_cal_shunt_cal_a_resistance = resistance
        try:
            return Shunted(*[_switched(task, channel, item, rate, duration, on) for on in (False, True, False)])
        finally:
            channel.ai_bridge_shunt_cal_enable = False


def _switched(task: Task, channel: AIChannel, item: Input, rate: float, duration: float, on: bool) -> float:
    channel.ai_bridge_shunt_cal_enable = on
    return _settled(_acquire(task, [item], rate, SETTLE + duration), duration)


def _by_line(device: Device, item: Input, rate: float, duration: float, line: str) -> Shunted:
    with _line(device, line) as switch:
        found = []
        for on in (False, True, False):
            switch.write(on)
            found.append(_settled(read_for(device, [item], rate, SETTLE + duration), duration))
    return Shunted(*found)


@contextmanager
def _line(device: Device, line: str) -> Iterator[Task]:
    """A digital output line that is low at the end, whatever happens meanwhile."""
    with device.extra_task(f"switching {line}") as task:
        task.do_channels.add_do_chan(line)
        try:
            yield task
        finally:
            task.write(False)


def _acquire(task: Task, inputs: Sequence[Input], rate: float, duration: float) -> Block:
    samples = max(2, round(rate * duration))
    task.timing.cfg_samp_clk_timing(rate, sample_mode=AcquisitionType.FINITE, samps_per_chan=samples)
    data = np.empty((len(inputs), samples))
    reader = AnalogMultiChannelReader(task.in_stream)
    reader.verify_array_shape = False
    reader.read_many_sample(data, samples, duration + PATIENCE)
    task.stop()
    gains = np.array([item.gain if item.kind == "voltage" else 1.0 for item in inputs])
    return np.asarray(data.T * gains + np.array([item.offset for item in inputs]))


def _settled(values: Block, duration: float) -> float:
    """Mean of the last `duration` s."""
    return float(values[round(len(values) * SETTLE / (SETTLE + duration)) :, 0].mean())
