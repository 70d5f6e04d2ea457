"""The sample rates that a device takes from a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drivers.simulated.daqmx.core.rate_limits import Limits
    from drivers.simulated.daqmx.core.task import Task
    from drivers.simulated.daqmx.engine.engine import Engine


def limits(engine: Engine, task: Task, device: str, **details: Any) -> Limits:
    """Rates that a device of the task takes. Raises DaqmxError -200452 where there is no sample clock."""
    found = engine.kind(task).limits(engine, task, device)
    if found is None:
        raise task.fail(-200452, **details)
    return found
