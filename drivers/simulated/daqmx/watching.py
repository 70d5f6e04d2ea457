"""Events of a task: every N samples, and the end of a run. Each is a subscription that somebody waits on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.reading import due
from drivers.simulated.daqmx.tasks import Task

# Members of nidaqmx.constants.EveryNSamplesEventType.
ACQUIRED, TRANSFERRED = 1, 2


class Subscription(ABC):
    """Waits for the next event; ends when it is closed, its task is cleared, or its caller is gone."""

    def __init__(self, engine: Engine, task: Task) -> None:
        self.engine, self.task = engine, task
        self._run = task.runs
        self._closed = False

    def close(self) -> None:
        """End it; whoever waits is told."""
        with self.engine.lock:
            self._closed = True
            self.engine.changed.notify_all()

    def wait(self, alive: Callable[[], bool]) -> bool:
        """Wait for the next event. False when the subscription has ended."""
        with self.engine.lock:
            while not self.over and alive() and not self.engine.closing:
                if self.task.runs != self._run:
                    self._run = self.task.runs
                    self.restart()
                self.engine.wait(self._stirred, self.due, self.engine.patience(-1, alive))
                if not self.over and self.task.runs == self._run and self.fired():
                    self.consume()
                    return True
            return False

    def _stirred(self) -> bool:
        return self.over or self.task.runs != self._run or self.fired()

    @property
    def over(self) -> bool:
        return self._closed or self.engine.tasks.get(self.task.name) is not self.task

    @abstractmethod
    def fired(self) -> bool: ...

    @abstractmethod
    def due(self) -> float | None: ...

    @abstractmethod
    def consume(self) -> None: ...

    @abstractmethod
    def restart(self) -> None: ...


class EveryN(Subscription):
    """One event for every `count` samples acquired into, or transferred from, the buffer. Raises DaqmxError."""

    def __init__(self, engine: Engine, task: Task, kind: int, count: int) -> None:
        task.need_channels()
        if kind != (ACQUIRED if task.kind == ch.ANALOG_INPUT else TRANSFERRED) or not task.clocked:
            raise task.fail(-200452, Property="EveryNSamplesEventType")
        if count < 1:
            raise task.fail(-200077, Property="N_Samples", Requested_Value=count)
        super().__init__(engine, task)
        self.count = count
        self._next = count

    def fired(self) -> bool:
        return self._passed() >= self._next

    def due(self) -> float | None:
        if not self.task.running:
            return None
        if self.engine.clock.lockstep and self._unread() >= self.count:
            # An event asks for its samples only once those of the one before were read: else it would run away from its reader.
            return None
        return due(self.engine, self.task, self._next - 1)

    def consume(self) -> None:
        self._next += self.count

    def restart(self) -> None:
        self._next = self.count

    def _passed(self) -> int:
        if self.task.input is not None:
            return self.task.input.acquired if self.task.running else 0
        return self.task.output.transferred if self.task.output is not None and self.task.running else 0

    def _unread(self) -> int:
        if self.task.input is not None:
            return self.task.input.available
        return self.task.output.space if self.task.output is not None else 0


class Done(Subscription):
    """One event for each run that ends by itself, with its status; a stop that was asked for is none."""

    def __init__(self, engine: Engine, task: Task) -> None:
        super().__init__(engine, task)
        self._told = False
        self.status = 0

    def fired(self) -> bool:
        return self.task.running and self.task.ended is not None and not self._told

    def due(self) -> float | None:
        if self.engine.clock.lockstep or not self.task.finite or not self.task.running:
            return None
        return due(self.engine, self.task, self.task.timing.samples - 1)

    def consume(self) -> None:
        self._told, self.status = True, self.task.ended or 0

    def restart(self) -> None:
        self._told = False
