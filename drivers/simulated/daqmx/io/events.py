"""Events of a task: every N samples, and the end of a run. Each is a subscription that somebody waits on."""

from __future__ import annotations

from abc import ABC, abstractmethod

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.call import Alive
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io.reading import due

# Members of nidaqmx.constants.EveryNSamplesEventType.
ACQUIRED, TRANSFERRED = 1, 2
SAMPLE_CLOCK, SAMPLE_COMPLETE, CHANGE_DETECTION, COUNTER_OUTPUT, START = (
    ni.Signal.SAMPLE_CLOCK.value, ni.Signal.SAMPLE_COMPLETE.value, ni.Signal.CHANGE_DETECTION_EVENT.value,
    ni.Signal.COUNTER_OUTPUT_EVENT.value, ni.Signal.START_TRIGGER.value,
)  # fmt: skip
SIGNALS = {
    SAMPLE_CLOCK: "SampleClock", SAMPLE_COMPLETE: "SampleClock", CHANGE_DETECTION: "SampleClock", COUNTER_OUTPUT: "CounterOutputEvent",
    START: "start",
}  # fmt: skip
"""Which of the task's signals is counted for each signal event (nidaqmx.constants.Signal)."""
CHANGE_TIMING = ni.SampleTimingType.CHANGE_DETECTION.value
POLLED = 1e-3
"""How often (s) a signal is looked for at the pace of a real clock."""


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

    def wait(self, alive: Alive) -> bool:
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
        return self._closed or self.engine.tasks.get(self.task.handle) is not self.task

    def verify(self) -> None:  # noqa: B027 - most have nothing to check
        """Timing may come after the registration: raise DaqmxError when the task as it is now does not give such events."""

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
        acquires = task.kind in (ch.ANALOG_INPUT, ch.DIGITAL_INPUT, 10131)
        if kind not in (ACQUIRED, TRANSFERRED):
            raise task.fail(-200077, Property="DAQmx_EveryNSamplesEventType", Requested_Value=kind)
        if (kind == ACQUIRED) is not acquires:
            raise task.fail(-200981 if kind == ACQUIRED else -200980)
        need_registrable(task, EveryN, -200966 if kind == ACQUIRED else -200967)
        if count < 1:
            raise task.fail(-200880)
        super().__init__(engine, task)
        self.count = count
        self._next = count

    def verify(self) -> None:
        if not self.over and not self.task.clocked:
            raise self.task.fail(-200848)

    def fired(self) -> bool:
        return self._passed() >= self._next

    def due(self) -> float | None:
        if not self.task.running:
            return None
        if self.engine.clock.lockstep and self._unread() >= self._most():
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

    def _most(self) -> int:
        # An output that is generated over and over never has more space than its buffer.
        output = self.task.output if self.task.input is None else None
        return min(self.count, output.size) if output is not None and output.regenerate else self.count

    def _unread(self) -> int:
        if self.task.input is not None:
            return self.task.input.available
        return self.task.output.space if self.task.output is not None else 0


class SignalEvent(Subscription):
    """One event each time a signal of the task comes. In lockstep it does not move time: others do."""

    def __init__(self, engine: Engine, task: Task, signal: int) -> None:
        need_registrable(task, SignalEvent, -200949)
        if signal not in SIGNALS:
            raise task.fail(-200987)
        if signal == COUNTER_OUTPUT and task.kind not in (10131, 10132):
            raise task.fail(-200987)
        super().__init__(engine, task)
        self.signal = signal
        self._seen = 0

    def verify(self) -> None:
        if not self.over and not _gives(self.task, self.signal):
            raise self.task.fail(-200987)

    def fired(self) -> bool:
        return self.task.running and self.task.told.get(SIGNALS[self.signal], 0) > self._seen

    def due(self) -> float | None:
        if self.engine.clock.lockstep or not self.task.running:
            return None
        return self.engine.time + POLLED if self.engine.routes.moves(self.task) else None

    def consume(self) -> None:
        self._seen += 1

    def restart(self) -> None:
        self._seen = 0


def _gives(task: Task, signal: int) -> bool:
    if signal == CHANGE_DETECTION:
        return bool(task.kind == ch.DIGITAL_INPUT and task.timing.kind == CHANGE_TIMING)
    if signal == COUNTER_OUTPUT:
        return task.kind in (10131, 10132)
    return task.clocked


def need_unregistrable(task: Task) -> None:
    """Raise DaqmxError -200986 while the task runs."""
    if task.running:
        raise task.fail(-200986)


def need_registrable(task: Task, kind: type[Subscription], code: int) -> None:
    """Raise DaqmxError -200478 without channels, -200960 while it runs, `code` when there is such a registration already."""
    task.need_channels()
    if task.running:
        raise task.fail(-200960)
    if any(isinstance(s, kind) and not s.over for s in task.subscriptions):
        raise task.fail(code)


class Done(Subscription):
    """One event for each run that ends by itself, with its status; a stop that was asked for is none."""

    def __init__(self, engine: Engine, task: Task) -> None:
        if task.channels:
            need_registrable(task, Done, -200950)
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
