"""Host buffers of a task that runs: what goes in, what comes out, and when the run ends by them."""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffers import Block
from drivers.simulated.daqmx.core.task import Task


def take_in(bench: Bench, task: Task, block: Block) -> None:
    """Samples (k, columns) go into the buffer; a full one ends the run, and so does the last sample of a finite task."""
    assert task.input is not None
    buffer = task.input
    if task.referenced and task.reference is not None:
        # What comes behind the last sample is not the task's any more: the clock was ahead of the trigger.
        late = bench.task_type(task).late(bench, task)
        block = block[: max(0, task.reference + task.timing.samples - task.pretrigger + late - buffer.converted)]
    if not buffer.append(block):
        bench.end(task, -200279)
    elif task.referenced:
        _release(bench, task)
    elif task.finite and not task.retriggerable and buffer.acquired >= task.timing.samples:
        bench.end(task, 0)


def _release(bench: Bench, task: Task) -> None:
    """The samples about the reference trigger can be read once all of them are there."""
    buffer = task.input
    assert buffer is not None
    if task.reference is not None and buffer.acquired >= task.reference + task.timing.samples - task.pretrigger:
        buffer.first = task.reference - task.pretrigger
        buffer.position, buffer.held = buffer.first, False
        bench.end(task, 0)


def ready_to_generate(task: Task) -> None:
    """A clocked generation is about to run. Raises DaqmxError -200462 with nothing to generate, -200609."""
    if not task.clocked:
        return
    if task.output is None or task.output.written == 0:
        raise task.fail(-200462)
    if task.output.size < 2:
        raise task.fail(-200609)
    task.output.running = True


def end_generation(bench: Bench, task: Task, dry: bool) -> None:
    """End a generation that ran dry, or a finite one that is through."""
    assert task.output is not None
    if dry:
        bench.end(task, -200290)
    elif task.finite and not task.retriggerable and task.output.generated >= task.timing.samples:
        bench.end(task, 0)
