"""What every change of a setting does to a task."""

from __future__ import annotations

from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.tasks import State, Task


def changed(engine: Engine, task: Task) -> None:
    """A setting was changed: the task has to be verified and committed anew."""
    task.need_stopped()
    task.output = None
    engine.release(task)
    task.state = task.resting = State.UNVERIFIED
