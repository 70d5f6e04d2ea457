"""Digital output tasks: a host buffer goes out to the lines, or they are written on demand."""

from __future__ import annotations

import numpy as np

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import need_memory
from drivers.simulated.daqmx.core.buffers import LatestSample, OutputBuffer
from drivers.simulated.daqmx.core.edges import Drive, Edges, TimeSlice, stepped
from drivers.simulated.daqmx.core.rate_limits import RATE_MIN, Limits
from drivers.simulated.daqmx.core.task import DONT_ALLOW_REGENERATION, Task
from drivers.simulated.daqmx.subsystems.digital.input import lines_of, need_clocked_ports
from drivers.simulated.daqmx.subsystems.runs import end_generation, ready_to_generate
from drivers.simulated.daqmx.subsystems.task_type import TaskType
from drivers.simulated.daqmx.triggering.sequence import instants

FIFO = 2047
"""Samples of the on-board memory for waveforms on lines (X Series specifications)."""


class DigitalOutput(TaskType):
    """DO."""

    subsystem = "do"

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        clock = (f"{task.owner}/do",) if task.clocked else ()
        return (*clock, *lines_of(task))

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        rate = bench.devices[device].digital.rate
        return Limits(RATE_MIN, rate, rate) if rate > 0.0 else None

    def verify(self, bench: Bench, task: Task) -> None:
        need_clocked_ports(bench, task)

    def make_output(self, bench: Bench, task: Task, size: int) -> OutputBuffer:
        if task.single_point:
            task.output = LatestSample(len(lines_of(task)), np.uint8)
            return task.output
        regenerate = task.regeneration != DONT_ALLOW_REGENERATION
        need_memory(task, task.buffer_size or size, len(lines_of(task)), 1)
        task.output = OutputBuffer(len(lines_of(task)), task.buffer_size or size, FIFO, regenerate, dtype=np.uint8)
        return task.output

    def start(self, bench: Bench, task: Task) -> None:
        if task.single_point:
            task.output = task.output or LatestSample(len(lines_of(task)), np.uint8)
            return
        ready_to_generate(task)

    def generate(self, bench: Bench, piece: TimeSlice, task: Task) -> None:
        if task.clocked and task.ended is None:
            line_edges(bench, piece, task)

    def drives(self, bench: Bench, task: Task) -> dict[str, Drive]:
        signals = super().drives(bench, task)
        if task.clocked:
            signals |= {line: _drive(bench, task, line) for line in lines_of(task)}
        return signals

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        return task.clocked and task.ended is None


def _drive(bench: Bench, task: Task, line: str) -> Drive:
    return lambda piece: line_edges(bench, piece, task).get(line) or Edges(bench.board.lines[line])


def line_edges(bench: Bench, piece: TimeSlice, task: Task) -> dict[str, Edges]:
    """What the task puts out in the piece, line by line."""
    made = piece.generated.get(task)
    if made is not None:
        return made
    piece.generated[task] = {}  # what a clock that comes from the task's own lines sees
    at = instants(bench, piece, task)
    made = piece.generated[task] = {}
    if task.ended is not None:
        return made
    assert task.output is not None
    block = task.output.take(len(at))
    for column, line in enumerate(lines_of(task)):
        states = block[:, column] != 0
        made[line] = stepped(bench.board.lines[line], states, at[: len(block)])
        piece.states.append((line, states, at[: len(block)]))
        piece.lines[line] = made[line].after
    end_generation(bench, task, len(block) < len(at) and not task.single_point)
    return made
