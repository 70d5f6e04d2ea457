"""Runs that a read starts by itself, and what a committed task keeps of a run that is over.

"Using the Start Task function/VI", NI-DAQmx Key Concepts: a read starts a task that performs a finite measurement, and stops it after the
last sample was read; the task is then where it was before, and the next read is a new measurement. A committed task whose reads are not
to start it gives the samples of the run before once more.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import task_states


def holds_finished_run(task: Task) -> bool:
    """Whether reads are of a finite run that is over: the task is committed, and they are not to start it."""
    over = task.finite and task.ended == 0 and task.input is not None and task.input.acquired > 0
    return over and task.state is State.COMMITTED and not task.read_auto_start


def need_run(engine: Engine, task: Task) -> None:
    """Start a task that has nothing to read from. Raises DaqmxError -200473 where reads are not to, -200984, or as a start does."""
    if task.running or holds_finished_run(task):
        return
    if not task.read_auto_start:
        raise task.fail(-200473)
    task.need_no_events(-200984)
    task_states.start(engine, task)
    task.started_by_read = True


def close_run(engine: Engine, task: Task) -> None:
    """Stop a finite task that a read has started, once its last sample was read."""
    buffer = task.input
    if not (task.started_by_read and task.running and task.finite and task.ended == 0) or buffer is None:
        return
    if buffer.position - buffer.first >= task.timing.samples:
        task_states.stop(engine, task)
