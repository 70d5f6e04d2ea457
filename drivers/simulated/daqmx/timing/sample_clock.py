"""The sample clock of a task: whose it is, at which rate it goes, and what it is while a run goes on."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import LineChannel
from drivers.simulated.daqmx.core.clocks import ChangeClock, Clock, DividedClock, EdgeClock
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import CHANGE_DETECTION, RISING, Task
from drivers.simulated.daqmx.core.timeline import Timeline
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.routing import pins
from drivers.simulated.daqmx.routing.unconnected_pins import unconnected
from drivers.simulated.daqmx.timing import timebases
from drivers.simulated.daqmx.timing.rates import coerced_rate, divisor, ticking


def own_terminal(task: Task) -> str:
    """Terminal of the task's own sample clock."""
    return terminal(f"{task.owner}/{task.part}/SampleClock")


def foreign(bench: Bench, task: Task) -> str:
    """Terminal of the sample clock when it is not the task's own, else an empty text."""
    if not task.sampled or not task.channels:
        return ""
    source = bench.routes.canonical(task.timing.source, task.device)
    return "" if source in ("", "onboardclock", own_terminal(task)) else source


def rate(bench: Bench, task: Task) -> float:
    """Rate (S/s) of the sample clock: what the device makes of the asked one, or as it was told for an external clock."""
    return task.timing.rate if foreign(bench, task) else coerced_rate(bench, task)


def start(bench: Bench, task: Task, when: float) -> Clock | None:
    """The sample clock of a run that begins at `when` (s): the device's own, or the edges of the terminal that was configured."""
    if task.timing.kind == CHANGE_DETECTION:
        return ChangeClock(*(_watched(bench.devices, task, names) for names in task.timing.changes))
    if not task.sampled:
        return None
    source = foreign(bench, task)
    if source and unconnected(bench, source):
        return Timeline(own_terminal(task), when, task.timing.rate)
    if source:
        return EdgeClock(source, task.timing.edge == RISING)
    base = timebases.sample_timebase(bench, task)
    if base.outside and not unconnected(bench, base.terminal):
        return DividedClock(base.terminal, timebases.rising(task), divisor(bench, task), when)
    return Timeline(own_terminal(task), when, ticking(bench, task))


def _watched(products: Mapping[str, Product], task: Task, names: tuple[str, ...]) -> tuple[str, ...]:
    """Lines of the task that change detection looks at: a port stands for those of its lines that are in the task."""
    full = [pins.canonical(products, task.device, name) for name in names]
    lines = [line for channel in task.channels_of(LineChannel) for line in channel.lines]
    return tuple(line for line in lines if any(line == name or line.startswith(f"{name}/") for name in full))
