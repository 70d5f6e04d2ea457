"""What every change of a setting does to a task."""

from __future__ import annotations

from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.tasks import State, Task


def changed(engine: Engine, task: Task, *, empties: bool = False) -> None:
    """A setting was changed: the task has to be verified and committed anew.

    `empties`: what was written is lost. NI's text for -200462: that is so for the size of the buffer, the regeneration mode, the sample
    mode and retriggering; other settings may come after a write.
    """
    task.need_stopped()
    if empties:
        task.output = None
    engine.release(task)
    task.state = task.resting = State.UNVERIFIED
