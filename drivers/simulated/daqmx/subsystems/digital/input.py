"""Digital input tasks: lines sampled into a host buffer, or as they are now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import filtered_edges
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import input_size, need_memory
from drivers.simulated.daqmx.core.buffers import InputBuffer
from drivers.simulated.daqmx.core.channel import DIGITAL_INPUT, DIGITAL_OUTPUT, LineChannel
from drivers.simulated.daqmx.core.edges import Drive, TimeSlice
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import RATE_MIN, Limits
from drivers.simulated.daqmx.core.task import CHANGE_DETECTION, OVERWRITE, Task
from drivers.simulated.daqmx.subsystems.runs import take_in
from drivers.simulated.daqmx.subsystems.task_type import InputSnapshot, TaskType
from drivers.simulated.daqmx.triggering.sequence import instants

CHANGE_EVENT = "ChangeDetectionEvent"


class DigitalInput(TaskType):
    """DI."""

    subsystem = "di"
    after_plant = True

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        return (f"{task.owner}/di",) if task.clocked else ()

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        rate = bench.devices[device].digital.rate
        return Limits(RATE_MIN, rate, rate) if rate > 0.0 else None

    def verify(self, bench: Bench, task: Task) -> None:
        need_clocked_ports(bench, task)

    def commit(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            make_buffer(task)

    def start(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            make_buffer(task)

    def acquire(self, bench: Bench, piece: TimeSlice, task: Task, scene: InputSnapshot) -> None:
        if not task.clocked or task.ended is not None:
            return
        assert task.input is not None
        at, names = instants(bench, piece, task), lines_of(task)
        block = np.empty((len(at), len(names)), dtype=np.uint8)
        for column, name in enumerate(names):
            edges = bench.routes.find(piece, name)
            if edges is not None and name in task.filters:
                edges = filtered_edges.seen(piece, task, name, name)
            if edges is None:
                block[:, column] = counted(task.input.converted + np.arange(len(at)), name)
            else:
                # A change is sampled with what it has led to, a clock edge with what was before it.
                block[:, column] = edges.at(at, behind=task.timing.kind == CHANGE_DETECTION)
        take_in(bench, task, block)

    def terminals(self, bench: Bench, task: Task, name: str) -> list[str]:
        own = [f"{terminal(task.owner)}/changedetectionevent"] if name == CHANGE_EVENT else []
        return own + super().terminals(bench, task, name)

    def signals(self, bench: Bench, task: Task) -> dict[str, Drive]:
        signals = super().signals(bench, task)
        return {**signals, CHANGE_EVENT: signals["SampleClock"]} if task.timing.kind == CHANGE_DETECTION else signals

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        return task.clocked and task.ended is None


def need_clocked_ports(bench: Bench, task: Task) -> None:
    """Raise DaqmxError -200077 when a clocked task has lines that can only be read or written on demand."""
    if not task.clocked:
        return
    for channel in task.channels_of(LineChannel):
        digital = bench.devices[channel.device].digital
        ports = digital.detecting if task.timing.kind == CHANGE_DETECTION else digital.clocked
        if any(int(line.partition("/port")[2].partition("/")[0]) not in ports for line in channel.lines):
            asked = "Change Detection" if task.timing.kind == CHANGE_DETECTION else "Sample Clock"
            raise task.fail(
                -200077, Property="SampTimingType", Requested_Value=asked, You_Can_Select="On Demand", Channel_Name=channel.name,
                Device=channel.device,
            )  # fmt: skip


def directions(bench: Bench, task: Task) -> dict[str, bool]:
    """Groups of lines of the task that have one direction together (their range of lines), and whether they are outputs."""
    found: dict[str, bool] = {}
    if task.kind not in (DIGITAL_INPUT, DIGITAL_OUTPUT):
        return found
    for channel in task.channels_of(LineChannel):
        size = bench.devices[channel.device].digital.direction_of
        for line in channel.lines if size else ():
            port, _, number = line.rpartition("/line")
            first = int(number) // size * size
            found[f"{port}/line{first}:{first + size - 1}"] = task.kind == DIGITAL_OUTPUT
    return found


def lines_of(task: Task) -> list[str]:
    """All lines of a digital task, channel after channel."""
    return [line for channel in task.channels_of(LineChannel) for line in channel.lines]


def counted(sample: NDArray[np.intp], line: str) -> NDArray[np.intp]:
    """A line to which nothing is connected counts in binary within its group of 8 lines, as NI's own simulated devices do."""
    return sample >> (int(line.rpartition("line")[2]) % 8) & 1


def make_buffer(task: Task) -> None:
    """Buffer of a clocked acquisition. Raises DaqmxError -200608."""
    unbuffered, columns = task.unbuffered or task.single_point, len(lines_of(task))
    size = 1 if unbuffered else input_size(task)
    need_memory(task, size, columns, 1)
    task.input = InputBuffer(columns, size, unbuffered or task.overwrite == OVERWRITE or task.referenced, dtype=np.uint8)
    task.input.held = task.referenced


def lines_now(bench: Bench, task: Task) -> NDArray[np.uint8]:
    """State of every line of the task at the present bench time, (lines,)."""
    states = bench.routes.levels(lines_of(task))
    counts = [int(counted(np.array(task.demanded), name)) for name in lines_of(task)]
    task.demanded += 1
    return np.array([count if state is None else state for state, count in zip(states, counts, strict=True)], dtype=np.uint8)
