"""Digital terminals that the triggers of a task come from."""

from __future__ import annotations

from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import DIGITAL_EDGE, DIGITAL_LEVEL, NONE


def sources(task: Task) -> dict[str, str]:
    """Digital terminals that the task's triggers come from, by the property that names each."""
    found = {}
    for name, kind, head in (
        ("START", DIGITAL_EDGE, "DIG_EDGE_START"), ("REF", DIGITAL_EDGE, "DIG_EDGE_REF"), ("PAUSE", DIGITAL_LEVEL, "DIG_LVL_PAUSE"),
        ("ARM_START", DIGITAL_EDGE, "DIG_EDGE_ARM_START"),
    ):  # fmt: skip
        if task.settings.get(f"{name}_TRIG_TYPE", NONE) == kind:
            found[f"{head}_TRIG_SRC"] = str(task.settings.get(f"{head}_TRIG_SRC", ""))
    return found
