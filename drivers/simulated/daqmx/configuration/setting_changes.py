"""What every change of a setting does to a task."""

from __future__ import annotations

from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.engine import Engine


def changed(engine: Engine, task: Task, *, empties: bool = False) -> None:
    """A setting was changed: the task stays in its state, with what it has reserved, and goes through verify, reserve and commit anew when
    it is next asked for one of them, or started.

    "Transitioning the State Backwards", NI-DAQmx Key Concepts: "setting the value of a channel, timing, or triggering attribute/property
    does not implicitly transition the task back to the Unverified state. Instead, the task remains in its current state".

    `empties`: what was written is lost. NI's text for -200462: that is so for the size of the buffer, the regeneration mode, the sample
    mode and retriggering; other settings may come after a write.
    """
    task.need_stopped()
    if empties:
        task.output = None
    task.stale = True
