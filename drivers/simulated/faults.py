"""Faults of simulated devices, for tests of what a program does then: an overrun, a time-out, a device that is gone, a broken sensor.

`SimulatedDevices.faults` has them. Each is there from the call on until `end`, or the end of its `with`; what it does to a task that runs
by then it does at once, and to any other when its time has come. Times are device time, so that a test in lockstep is exact.
"""

from __future__ import annotations

import difflib
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from types import TracebackType

from drivers.simulated.daqmx.core.channel import ANALOG_INPUT, COUNTER_INPUT, DIGITAL_INPUT
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.engine import Engine

OVERRUN, REMOVED = -200279, -88709
INPUTS = (ANALOG_INPUT, DIGITAL_INPUT, COUNTER_INPUT)


class Fault(ABC):
    """A fault of a device; `happened` tells whether it has come to be."""

    happened = False

    @abstractmethod
    def end(self) -> None:
        """Everything is in order again from now on; runs that have failed by it stay so until their tasks are started again."""

    def __enter__(self) -> Fault:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


class Faults:
    """The faults of one bench."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._made: list[Fault] = []

    def overrun(self, device: str, *, after: float = 0.0) -> Fault:
        """The program does not keep up with the acquisition: -200279, once what was acquired before is read.

        One run fails: of the input task with a sample clock that runs on the device, else of the next one that is started, `after` s after
        its start. Raises ValueError for a device that there is not, and for a time below 0.
        """
        return self._add(_Overrun(self._engine, self._device(device), _seconds("overrun", after)))

    def timeout(self, device: str, *, after: float = 0.0) -> Fault:
        """Samples cease to come, as without a sample clock: -200284 from each read, `wait_until_done` -200560, when its time-out is over.

        So fare all input tasks with a sample clock on the device, `after` s after their start. Raises ValueError as `overrun`.
        """
        return self._add(_Silence(self._engine, self._device(device), _seconds("timeout", after)))

    def device_gone(self, device: str, *, after: float | None = None) -> Fault:
        """A device is unplugged, or without power: a chassis with its modules.

        Tasks that run on it fail with -88709; who starts one, makes a channel or resets the device gets -201003. `after`: as many seconds
        after the start of the task that runs on it or is started next; None: at once. `end` plugs it in again. Raises ValueError as
        `overrun`.
        """
        name = self._device(device)
        return self._add(_Absence(self._engine, name, None if after is None else _seconds("device_gone", after)))

    def open_sensor(self, channel: str) -> Fault:
        """The sensor at an analogue input (`Dev1/ai0`) is broken off.

        The input shows the upper end of its range: a thermocouple its hottest, a bridge, a resistance, a voltage full scale. A current
        loop shows 0 A, and what is coupled for alternating voltages 0. Modules that look for open thermocouples or loops report it.
        Raises ValueError for what is no analogue input of the bench.
        """
        return self._add(_Broken(self._engine, _known("open_sensor", channel, terminal(channel), self._engine.board.inputs)))

    def clear(self) -> None:
        """End all of them."""
        while self._made:
            self._made.pop().end()

    def _add(self, fault: Fault) -> Fault:
        self._made.append(fault)
        return fault

    def _device(self, name: str) -> str:
        known = {device.lower(): device for device in self._engine.devices}
        return known[_known("faults", name, name.strip().strip("/").lower(), known)]


def _known(what: str, given: str, name: str, there: Collection[str]) -> str:
    if name in there:
        return name
    close = difflib.get_close_matches(name, there, 1, 0.6)
    raise ValueError(
        f"{what}: there is no {given!r}" + (f"; did you mean {close[0]}?" if close else f"; there are {', '.join(there) or 'none'}")
    )


def _seconds(what: str, after: float) -> float:
    if not 0.0 <= after < math.inf:
        raise ValueError(f"{what}: after: expected seconds from 0 on, got {after!r}")
    return float(after)


class _OfDevice(Fault):
    """A fault that comes at its time; `due`, `happen`: as a mishap of the bench."""

    def __init__(self, engine: Engine, device: str, after: float) -> None:
        self._engine, self._device, self._after = engine, device, after
        with engine.lock:
            engine.mishaps.append(self)
            engine.update()
            engine.changed.notify_all()  # whoever waits looks when that will be

    @property
    def due(self) -> float:
        """Bench time (s) at which the first of the tasks that it is for has run for long enough; infinite where none runs."""
        return min((task.begun + self._after for task in self.tasks()), default=math.inf)

    def tasks(self) -> Iterable[Task]:
        """Those on the device that it will befall."""
        return [
            task for task in self._engine.tasks.values()
            if task.running and task.ended is None and not task.silent and task.clocked and self._device in (*task.devices, task.host)
            and task.kind in INPUTS
        ]  # fmt: skip

    def happen(self) -> None:
        """It befalls the tasks whose time has come."""
        for task in self.tasks():
            if task.begun + self._after <= self._engine.time:
                self.happened = True
                self.befall(task)

    @abstractmethod
    def befall(self, task: Task) -> None:
        """It befalls a task that runs."""

    def end(self) -> None:
        with self._engine.lock:
            if self in self._engine.mishaps:
                self._engine.mishaps.remove(self)


class _Overrun(_OfDevice):
    def befall(self, task: Task) -> None:
        if self in self._engine.mishaps:  # one run
            self._engine.mishaps.remove(self)
            self._engine.end(task, OVERRUN)


class _Silence(_OfDevice):
    def befall(self, task: Task) -> None:
        task.silent = True
        self._engine.note(task.name, "its sample clock has failed")


class _Absence(_OfDevice):
    def __init__(self, engine: Engine, device: str, after: float | None) -> None:
        modules = [name for name, entry in engine.entries.items() if entry.chassis.lower() == device.lower()]
        self._gone = {device.lower(), *(name.lower() for name in modules)}
        super().__init__(engine, device, after or 0.0)
        if after is None and not self.happened:
            with engine.lock:
                self.happen()
                engine.settle()
                engine.changed.notify_all()

    def tasks(self) -> Iterable[Task]:
        if self.happened:
            return []
        return [task for task in self._engine.tasks.values() if task.running and task.ended is None and self._of_device(task)]

    def _of_device(self, task: Task) -> bool:
        return bool({name.lower() for name in (*task.devices, task.host)} & self._gone)

    def happen(self) -> None:
        tasks = self.tasks()
        self.happened = True
        self._engine.absent |= self._gone
        self._engine.note(self._device, "cannot be accessed any more")
        for task in tasks:
            self.befall(task)

    def befall(self, task: Task) -> None:
        self._engine.end(task, REMOVED, "aborted: its device is gone")

    def end(self) -> None:
        super().end()
        with self._engine.lock:
            if self.happened:
                self._engine.absent -= self._gone


class _Broken(Fault):
    happened = True

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self._terminal = engine, name
        with engine.lock:
            engine.board.cut.add(name)

    def end(self) -> None:
        with self._engine.lock:
            self._engine.board.cut.discard(self._terminal)
