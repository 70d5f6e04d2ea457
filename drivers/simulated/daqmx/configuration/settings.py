"""Settings of a task by NI's attribute names: what was not set has its default."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property

Need = Callable[[Engine, Task], None]


def anybody(engine: Engine, task: Task) -> None:
    """No task is refused."""


def setting(
    name: str, default: Value, known: Iterable[Value] | None = None, need: Need = anybody, *, running: bool = False, family: str = ""
) -> Property[Task]:
    """A property that is what was set. `known`: what it can be; `need` raises where a task has none; `running`: set while it runs, too."""
    choices = None if known is None else tuple(known)

    def get(engine: Engine, task: Task) -> Value:
        need(engine, task)
        return task.settings.get(name, default)

    def change(engine: Engine, task: Task, value: Value) -> None:
        need(engine, task)
        if choices is not None and value not in choices:
            raise task.fail(-200077, Property=f"DAQmx_{family}{name}", Requested_Value=value)
        _may_change(engine, task, name, running)
        task.settings[name] = value

    def reset(engine: Engine, task: Task) -> None:
        need(engine, task)
        _may_change(engine, task, name, running)
        task.settings.pop(name, None)

    return Property(get, change, default, reset)


def never(name: str, need: Need = anybody, default: Value = False) -> Property[Task]:
    """A property that is what it is by default, and answers that anything else is not served."""

    def change(engine: Engine, task: Task, value: Value) -> None:
        need(engine, task)
        if value != default:
            raise NotServed(f"{name} other than {default!r}")

    def get(engine: Engine, task: Task) -> Value:
        need(engine, task)
        return default

    return Property(get, change, default, lambda engine, task: need(engine, task))


def _may_change(engine: Engine, task: Task, name: str, running: bool) -> None:
    if running:
        return
    if task.running:
        raise task.fail(-200557, Property=name)
    setting_changes.changed(engine, task, empties=name == "START_TRIG_RETRIGGERABLE")


def for_kinds(*kinds: int) -> Need:
    """Only tasks with channels of these types have it: others raise DaqmxError -200452."""

    def need(engine: Engine, task: Task) -> None:
        task.need_kind(kinds, -200452)

    return need
