"""Sample rates: what the devices make of the asked one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.kind import Limits
    from drivers.simulated.daqmx.tasks import Task


SAME = 1e-10
"""Rates (relative) that the driver does not tell apart: NI's own tests read 10 MS/s back from a PXIe-4480 as they asked for it."""


def coerced_rate(engine: Engine, task: Task) -> float:
    """Rate (S/s) that all the task's devices make of the asked one. Raises DaqmxError, naming the first device that cannot."""
    asked = task.timing.rate
    if task.timing.divisor is not None:
        return timebase(engine, task) / task.timing.divisor
    found = [_checked(engine, task, device) for device in task.devices]
    # The driver takes the next rate at or above the asked one.
    grid = max((limits.grid for limits in found if limits.grid is not None), default=None)
    if grid is not None:
        made = math.ceil(asked / grid - 1e-9) * grid
        return asked if made - asked < SAME * asked else made
    ladder = next((limits for limits in found if limits.divisors), None)
    if ladder is not None:
        return ladder.single / min(ladder.divisors, math.floor(ladder.single / asked * (1 + 1e-12)))
    base = timebase(engine, task)
    return base / max(1, math.floor(base / asked * (1 + 1e-12)))


def timebase(engine: Engine, task: Task) -> float:
    """Frequency (Hz) of the timebase that the sample clock is divided from."""
    task.need_channels()
    own = _limits(engine, task, task.device, Property="SampClk.TimebaseRate").timebase
    source = engine.routes.canonical(task.settings.get("SAMP_CLK_TIMEBASE_SRC", ""), task.device)
    if not source:
        return own
    return float(task.settings.get("SAMP_CLK_TIMEBASE_RATE", engine.routes.frequency(source) or own))


def highest_rate(engine: Engine, task: Task) -> float:
    """Highest rate that all the task's devices take from it. Raises DaqmxError -200452 where there is no sample clock."""
    task.need_channels()
    return min(_limits(engine, task, device, Property="SampClk.MaxRate").highest for device in task.devices)


def _limits(engine: Engine, task: Task, device: str, **details: Any) -> Limits:
    limits = engine.kind(task).limits(engine, task, device)
    if limits is None:
        raise task.fail(-200452, **details)
    return limits


def _checked(engine: Engine, task: Task, device: str) -> Limits:
    asked, count = task.timing.rate, sum(c.device == device for c in task.channels)
    details: dict[str, Any] = {"Property": "SampClk.Rate", "Requested_Value": asked, "Device": device}
    if not asked > 0 or not math.isfinite(asked):
        raise task.fail(-200077, **details)
    limits = _limits(engine, task, device, **details)
    if asked > limits.single:
        raise task.fail(-200332, **details, Maximum_Value=limits.single)
    if asked > limits.highest:
        raise task.fail(-200081, **details, Maximum_Value=limits.highest, Number_of_Channels=count)
    if asked < limits.lowest and not limits.divisors:
        raise task.fail(-200331, **details, Minimum_Value=limits.lowest)
    return limits
