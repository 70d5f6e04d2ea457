"""Sample rates: what the devices make of the asked one."""

from __future__ import annotations

import math

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.timing import timebases
from drivers.simulated.daqmx.timing.rate_limits import limits

SAME = 1e-10
"""Rates (relative) that the driver does not tell apart: NI's own tests read 10 MS/s back from a PXIe-4480 as they asked for it."""


def coerced_rate(bench: Bench, task: Task) -> float:
    """Rate (S/s) that all the task's devices make of the asked one. Raises DaqmxError, naming the first device that cannot."""
    asked = task.timing.rate
    if task.timing.divisor is not None:
        base = timebases.sample_timebase(bench, task).rate
        made = asked if base is None else base / task.timing.divisor
        for device in task.devices:
            _checked(bench, task, device, made)
        return made
    found = [_checked(bench, task, device, asked) for device in task.devices]
    # The driver takes the next rate at or above the asked one.
    grid = max((known.grid for known in found if known.grid is not None), default=None)
    if grid is not None:
        made = math.ceil(asked / grid - 1e-9) * grid
        return asked if made - asked < SAME * asked else made
    ladder = next((known for known in found if known.divisors), None)
    if ladder is not None:
        return ladder.single / min(ladder.divisors, math.floor(ladder.single / asked * (1 + 1e-12)))
    basis = timebase(bench, task)
    return basis / max(1, math.floor(basis / asked * (1 + 1e-12)))


def timebase(bench: Bench, task: Task) -> float:
    """Frequency (Hz) of the timebase that the sample clock is divided from. Raises DaqmxError -201096 where it is one that nobody told."""
    task.need_channels()
    base = timebases.sample_timebase(bench, task)
    if base.rate is None:
        raise task.fail(-201096, Property="DAQmx_SampClk_Timebase_Rate", Device=task.device)
    return base.rate


def divisor(bench: Bench, task: Task) -> int:
    """Edges of the timebase for one sample. Raises DaqmxError -201096 where neither it nor the rate of the timebase was told."""
    if task.timing.divisor is not None:
        return task.timing.divisor
    base = timebase(bench, task)
    return max(1, math.floor(base / task.timing.rate * (1 + 1e-12)))


def ticking(bench: Bench, task: Task) -> float:
    """Rate (S/s) at which the sample clock really ticks: that of an internal timebase may have been told wrongly."""
    base = timebases.sample_timebase(bench, task)
    if base.real is None or base.real == base.rate or base.rate is None:
        return coerced_rate(bench, task)
    return coerced_rate(bench, task) * base.real / base.rate


def highest_rate(bench: Bench, task: Task) -> float:
    """Highest rate that all the task's devices take from it. Raises DaqmxError -200452 where there is no sample clock."""
    task.need_channels()
    return min(limits(bench, task, device, Property="SampClk.MaxRate").highest for device in task.devices)


def check_external(bench: Bench, task: Task) -> None:
    """Check the rate that a task was told of a clock from outside: no device samples faster than it can. Raises DaqmxError."""
    for device in task.devices:
        if bench.task_type(task).limits(bench, task, device) is not None:
            _checked(bench, task, device, task.timing.rate, slower=True)


def _checked(bench: Bench, task: Task, device: str, asked: float, *, slower: bool = False) -> Limits:
    """The device's rates. Raises DaqmxError where it does not take the asked one; `slower`: a clock from outside has no lowest."""
    count = sum(c.device == device for c in task.channels)
    details: dict[str, object] = {"Property": "SampClk.Rate", "Requested_Value": asked, "Device": device}
    if not asked > 0 or not math.isfinite(asked):
        raise task.fail(-200077, **details)
    known = limits(bench, task, device, **details)
    least, asked = asked, asked * (1.0 - SAME)
    if asked > known.single:
        raise task.fail(-200332, **details, Maximum_Value=known.single)
    if asked > known.highest:
        raise task.fail(-200081, **details, Maximum_Value=known.highest, Number_of_Channels=count)
    if least < known.lowest and not known.divisors and not slower:
        raise task.fail(-200331, **details, Minimum_Value=known.lowest)
    return known
