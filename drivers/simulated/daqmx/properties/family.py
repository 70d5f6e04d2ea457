"""A family of properties, as the calls that get, set and reset one see it: of tasks, of channels, of devices and so on.

A property that is not in the family's table is not served; one that is, but does not belong to the channel or device at hand, gives NI's
error.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, plain
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property, Subject
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.analog import input as analog_input

OF_PROPERTIES = (-200077, -200197, -200231, -200451, -200452, -200557, -200601, -200983, -201118)
"""Errors that name the property that was asked for."""


class Family(Protocol):
    """What every family does, whatever its properties belong to. All of it raises NotServed, DaqmxError."""

    @property
    def name(self) -> str: ...

    def names(self) -> set[str]: ...

    def get(self, engine: Engine, name: str, fields: Fields) -> Value: ...

    def set(self, engine: Engine, name: str, fields: Fields) -> None: ...

    def reset(self, engine: Engine, name: str, fields: Fields) -> None: ...


@dataclass(frozen=True)
class PropertyFamily(Generic[Subject]):
    """`name`: NI's; `table`: its properties; `subjects`: what a request is about, several channels where it names several.

    `verifies`: the driver looks the properties up in a verified task.
    """

    name: str
    table: Mapping[str, Property[Subject]]
    subjects: Callable[[Engine, Fields], Sequence[Subject]]
    verifies: bool = False

    def names(self) -> set[str]:
        """Of all properties that are served."""
        return {*self.table}

    def get(self, engine: Engine, name: str, fields: Fields) -> Value:
        """Value of a property, the same for everything the request names."""
        served = self._find(name)
        values = [self._get_one(engine, name, served, subject) for subject in self.subjects(engine, fields)]
        if not values:
            raise engine.task(str(fields["task"])).fail(-200478)
        if any(value != values[0] for value in values):
            raise engine.task(str(fields["task"])).fail(-200097)
        return values[0]

    def set(self, engine: Engine, name: str, fields: Fields) -> None:
        """Set a property of everything the request names; -200231 where it cannot be set."""
        served = self._find(name)
        for subject in self.subjects(engine, fields):
            self._set_one(engine, name, served, subject, plain(fields["value"]))

    def reset(self, engine: Engine, name: str, fields: Fields) -> None:
        """Set a property of everything the request names to its default."""
        served = self._find(name)
        for subject in self.subjects(engine, fields):
            if served.reset is not None:
                with engine.lock, self._naming(name, subject):
                    served.reset(engine, subject)
            elif served.default is None:
                raise NotServed(f"reset of {self.name} property {name}")
            else:
                self._set_one(engine, name, served, subject, served.default)

    def _find(self, name: str) -> Property[Subject]:
        if name not in self.table:
            raise NotServed(f"{self.name} property {name}")
        return self.table[name]

    def _get_one(self, engine: Engine, name: str, served: Property[Subject], subject: Subject) -> Value:
        with engine.lock, self._naming(name, subject):
            task = _task_of(subject)
            if self.verifies and task is not None:
                analog_input.need_rate(engine, task)
            return served.get(engine, subject)

    def _set_one(self, engine: Engine, name: str, served: Property[Subject], subject: Subject, value: Value) -> None:
        with engine.lock, self._naming(name, subject):
            if served.set is None:
                raise DaqmxError(-200231, Property=name)
            finite.need(c_name(name, self.name), value)
            served.set(engine, subject, value)

    @contextlib.contextmanager
    def _naming(self, name: str, subject: object) -> Iterator[None]:
        try:
            yield
        except DaqmxError as error:
            if error.code in OF_PROPERTIES:
                task = _task_of(subject)
                error.about(c_name(name, self.name), "" if task is None else task.name)
            raise


def _task_of(subject: object) -> Task | None:
    """The task that something belongs to, or is."""
    found = subject[0] if isinstance(subject, tuple) else subject
    return found if isinstance(found, Task) else None
