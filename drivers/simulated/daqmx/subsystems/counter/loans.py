"""Counters that lend their source to a task: what carries a timebase to the gate of another counter (`routes.py`)."""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.routing.route_rules import IN_USE, shown_as
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import routes, terminals


def lent(bench: Bench, task: Task, own: tuple[str, ...]) -> tuple[str, ...]:
    """Counters that the task needs beside its `own`: the last ones that are free. Raises DaqmxError -89137 where none is."""
    found: list[str] = []
    for channel in task.channels:
        counting = bench.devices[channel.device].counting
        assert isinstance(channel, CounterChannel)
        for name, which in terminals.used(channel).items():
            source = str(channel.attributes[name])
            if counting is None or not routes.needs_source(counting, which, terminal(source).partition("/")[2]):
                continue
            names = [f"{terminal(channel.device)}/ctr{n}" for n in range(counting.count)]
            taken = {taken for other in bench.tasks.values() if other is not task for taken in other.reserved} | {*found, *own}
            free = [counter for counter in names if counter not in taken]
            if not free:
                raise _none_free(bench, task, channel, name, which)
            found.append(free[-1])
    return tuple(found)


def _none_free(bench: Bench, task: Task, channel: CounterChannel, name: str, which: str) -> Exception:
    device, shown = shown_as(bench, str(channel.attributes[name]), channel.device)
    return task.fail(
        IN_USE, Property=c_name(name), Source_Device=device, Source_Terminal=shown, Destination_Device=channel.device,
        Destination_Terminal=f"Ctr{channel.number}{terminals.NAMES[which]}", Channel_Name=channel.name,
    )  # fmt: skip
