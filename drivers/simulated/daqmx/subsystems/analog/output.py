"""Analogue output tasks: a host buffer goes through the on-board memory to the converters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from drivers.simulated.daqmx.core.buffer_sizes import need_memory
from drivers.simulated.daqmx.core.buffers import LatestSample, OutputBuffer
from drivers.simulated.daqmx.core.edges import Piece
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import DONT_ALLOW_REGENERATION, Task
from drivers.simulated.daqmx.subsystems.task_type import Kind
from drivers.simulated.daqmx.triggering.sequence import instants

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine.engine import Engine

PAUSE_UNTIL_DATA_AVAILABLE = 14616
REQUEST_SHARE = {10242: 1.0, 10239: 0.5, 10235: 0.0}
"""Share of the on-board memory that is kept full under each data transfer request condition."""


class AnalogOutput(Kind):
    """AO."""

    subsystem = "ao"
    analogue = True

    def resources(self, engine: Engine, task: Task) -> tuple[str, ...]:
        clock = (f"{task.owner}/ao",) if task.clocked else ()
        return (*clock, *(terminal(c.physical) for c in task.channels))

    def limits(self, engine: Engine, task: Task, device: str) -> Limits | None:
        outputs = engine.devices[device].outputs
        if outputs is None:
            return None
        count = sum(c.device == device for c in task.channels)
        return Limits(outputs.rate_min, outputs.rates[count - 1], outputs.rates[0], timebase=outputs.timebase)

    def make_output(self, engine: Engine, task: Task, size: int) -> OutputBuffer:
        if task.single_point:
            task.output = LatestSample(len(task.channels))
            return task.output
        outputs = engine.devices[task.device].outputs
        assert outputs is not None
        condition = task.channels[0].attributes["AO_DATA_XFER_REQ_COND"]
        onboard = max(1, round(REQUEST_SHARE[condition] * (outputs.fifo // len(task.channels))))
        regenerate = task.regeneration != DONT_ALLOW_REGENERATION
        need_memory(task, task.buffer_size or size, len(task.channels))
        task.output = OutputBuffer(len(task.channels), task.buffer_size or size, onboard, regenerate)
        return task.output

    def length(self, engine: Engine, task: Task) -> float:
        # An output that waits for data takes more edges of its clock than it puts out samples.
        return math.inf if waits_for_data(task) else super().length(engine, task)

    def start(self, engine: Engine, task: Task) -> None:
        if task.single_point:
            task.output = task.output or LatestSample(len(task.channels))
            return
        ready_to_generate(task)

    def generate(self, engine: Engine, piece: Piece, task: Task) -> None:
        if not task.clocked or task.ended is not None:
            return
        assert task.output is not None
        at = instants(engine, piece, task)
        left = task.timing.samples - task.output.generated if task.finite and waits_for_data(task) else len(at)
        block = task.output.take(min(len(at), left))
        if len(block):
            for column, channel in enumerate(task.channels):
                name = terminal(channel.physical)
                piece.levels.append((name, block[:, column], at[: len(block)]))
                piece.latest[name] = float(block[-1, column])
        end_generation(engine, task, len(block) < len(at) and not task.single_point and not waits_for_data(task))


def waits_for_data(task: Task) -> bool:
    """Whether an output that runs dry goes on when there is more ("SampClk.UnderflowBehavior")."""
    pauses = task.settings.get("SAMP_CLK_UNDERFLOW_BEHAVIOR") == PAUSE_UNTIL_DATA_AVAILABLE
    return bool(pauses and task.clocked and not task.single_point and task.regeneration == DONT_ALLOW_REGENERATION)


def ready_to_generate(task: Task) -> None:
    """A clocked generation is about to run. Raises DaqmxError -200462 with nothing to generate, -200609."""
    if not task.clocked:
        return
    if task.output is None or task.output.written == 0:
        raise task.fail(-200462)
    if task.output.size < 2:
        raise task.fail(-200609)
    task.output.running = True


def end_generation(engine: Engine, task: Task, dry: bool) -> None:
    """End a generation that ran dry, or a finite one that is through."""
    assert task.output is not None
    if dry:
        engine.end(task, -200290)
    elif task.finite and not task.retriggerable and task.output.generated >= task.timing.samples:
        engine.end(task, 0)
