"""Digital output tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.simulated.daqmx.kind import Kind

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.tasks import Task


class DigitalOutput(Kind):
    """DO."""

    subsystem = "do"

    def resources(self, engine: Engine, task: Task) -> tuple[str, ...]:
        return tuple(line for c in task.channels for line in c.lines)
