"""What a remote call is: fields of the request in, fields of the answer out."""

from __future__ import annotations

from collections.abc import Callable

from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields as Fields
from drivers.simulated.daqmx.engine.engine import Engine

Alive = Callable[[], bool]
"""Whether the client still waits for the answer."""
Call = Callable[[Engine, Fields, Alive], Fields]
TaskCall = Callable[[Engine, Task, Fields], object]
"""A call about a task that answers nothing but its status."""


def task_call(do: TaskCall) -> Call:
    """A call about a task as the service makes it: under the lock, and with nothing in its answer."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            do(engine, engine.task(str(fields["task"])), fields)
        return {}

    return call
