"""The sample rates that a device takes from a task."""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import Task


def limits(bench: Bench, task: Task, device: str, **details: object) -> Limits:
    """Rates that a device of the task takes. Raises DaqmxError -200452 where there is no sample clock."""
    found = bench.task_type(task).limits(bench, task, device)
    if found is None:
        raise task.fail(-200452, **details)
    return found
