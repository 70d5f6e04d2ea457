"""Analogue output tasks: a host buffer goes through the on-board memory to the converters."""

from __future__ import annotations

import math

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import need_memory
from drivers.simulated.daqmx.core.buffers import LatestSample, OutputBuffer
from drivers.simulated.daqmx.core.edges import TimeSlice
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import DONT_ALLOW_REGENERATION, Task
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.subsystems.runs import end_generation, ready_to_generate
from drivers.simulated.daqmx.subsystems.task_type import TaskType
from drivers.simulated.daqmx.triggering.sequence import instants

PAUSE_UNTIL_DATA_AVAILABLE = ni.UnderflowBehavior.PAUSE_UNTIL_DATA_AVAILABLE.value
REQUEST_SHARE = {10242: 1.0, 10239: 0.5, 10235: 0.0}
"""Share of the on-board memory that is kept full under each data transfer request condition."""


class AnalogOutput(TaskType):
    """AO."""

    subsystem = "ao"
    analogue = True

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        clock = (f"{task.owner}/ao",) if task.clocked else ()
        return (*clock, *(terminal(c.physical) for c in task.channels))

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        outputs = bench.devices[device].outputs
        if outputs is None:
            return None
        count = sum(c.device == device for c in task.channels)
        return Limits(outputs.rate_min, outputs.rates[count - 1], outputs.rates[0], timebase=outputs.timebase)

    def make_output(self, bench: Bench, task: Task, size: int) -> OutputBuffer:
        if task.single_point:
            task.output = LatestSample(len(task.channels))
            return task.output
        outputs = bench.devices[task.device].outputs
        assert outputs is not None
        condition = as_int(task.channels[0].attributes["AO_DATA_XFER_REQ_COND"])
        onboard = max(1, round(REQUEST_SHARE[condition] * (outputs.fifo // len(task.channels))))
        regenerate = task.regeneration != DONT_ALLOW_REGENERATION
        need_memory(task, task.buffer_size or size, len(task.channels))
        task.output = OutputBuffer(len(task.channels), task.buffer_size or size, onboard, regenerate)
        return task.output

    def length(self, bench: Bench, task: Task) -> float:
        # An output that waits for data takes more edges of its clock than it puts out samples.
        return math.inf if waits_for_data(task) else super().length(bench, task)

    def start(self, bench: Bench, task: Task) -> None:
        if task.single_point:
            task.output = task.output or LatestSample(len(task.channels))
            return
        ready_to_generate(task)

    def generate(self, bench: Bench, piece: TimeSlice, task: Task) -> None:
        if not task.clocked or task.ended is not None:
            return
        assert task.output is not None
        at = instants(bench, piece, task)
        left = task.timing.samples - task.output.generated if task.finite and waits_for_data(task) else len(at)
        block = task.output.take(min(len(at), left))
        if len(block):
            for column, channel in enumerate(task.channels):
                name = terminal(channel.physical)
                piece.levels.append((name, np.asarray(block[:, column], dtype=np.float64), at[: len(block)]))
                piece.latest[name] = float(block[-1, column])
        end_generation(bench, task, len(block) < len(at) and not task.single_point and not waits_for_data(task))


def waits_for_data(task: Task) -> bool:
    """Whether an output that runs dry goes on when there is more ("SampClk.UnderflowBehavior")."""
    pauses = task.settings.get("SAMP_CLK_UNDERFLOW_BEHAVIOR") == PAUSE_UNTIL_DATA_AVAILABLE
    return bool(pauses and task.clocked and not task.single_point and task.regeneration == DONT_ALLOW_REGENERATION)
