"""The simulated devices: tasks, their states, and time.

Free of transport: calls come from any thread, one lock guards everything, and whoever waits gives the lock back meanwhile. With pace
`real` a pacer thread keeps the devices up with the clock; in lockstep time stands still but for reads that wait for samples, writes
that wait for space, and waits for the end of a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from drivers import host_clock
from drivers.files.tables import meant
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.core.device_entries import entries, product_of
from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER
from drivers.simulated.daqmx.core.names import need_valid
from drivers.simulated.daqmx.core.task import RISING, State, Task
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.core.watchdog import CHASSIS_EXPIRED, Watchdog
from drivers.simulated.daqmx.engine import time_slices
from drivers.simulated.daqmx.engine.bench_time import BenchTime
from drivers.simulated.daqmx.engine.task_types import TASK_TYPES
from drivers.simulated.daqmx.products import Product, faults, products
from drivers.simulated.daqmx.routing.routes import Routes
from drivers.simulated.daqmx.routing.unconnected_pins import AT_ONCE, UNCONNECTED, WAITS
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.task_type import TaskType
from drivers.simulated.plant.plant import Plant
from drivers.simulated.signals.played import Played, PlayedEdges

FASTEST = 200e6
"""Edges in a second of the fastest signal, a timebase: what may come when something has been started."""

OF_PROGRAM = "\n"
"""Between the name and the program in a handle: no name has it."""


def handle_of(name: str, program: str) -> str:
    """What a task is known by."""
    return f"{name}{OF_PROGRAM}{program}" if program else name


class Engine(BenchTime):
    """Devices by name and product, wired to a plant, on one bench clock. `unconnected`: see `routing/unconnected_pins.py`.

    `signals`: what is played to inputs, by terminal. Raises ValueError for an unknown product, and for wires that end nowhere.
    """

    def __init__(
        self, devices: Sequence[Sequence[object]], wiring: Mapping[str, str], plant: Plant, clock: BenchClock, unconnected: str = WAITS,
        signals: Mapping[str, Played | PlayedEdges] | None = None,
    ) -> None:  # fmt: skip
        if unconnected not in UNCONNECTED:
            raise ValueError(f"unconnected: expected one of {', '.join(UNCONNECTED)}; got {unconnected!r}")
        known = entries(devices)
        unknown = sorted({entry.product for entry in known.values() if product_of(entry) is None})
        if unknown:
            raise ValueError(f"devices: no product {', '.join(unknown)}{meant(unknown[0], products())}{faults()}")
        super().__init__(known, wiring, plant, clock, unconnected == AT_ONCE, signals or {})
        self.routes: Routes = Routes(self)
        self.client_is_gone: Callable[[str], bool] = lambda client: False
        self._unnamed = 0
        self.load = FASTEST

    # -- life ----------------------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """End the pacer and every task; outputs keep their last values."""
        self.stop_pacer()
        with self.lock:
            for task in list(self.tasks.values()):
                self.clear(task)

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events of plant and devices since the last call: (bench time in s, source, text)."""
        with self.lock:
            events = [*self.events, *self.board.plant.take_events()]
            self.events.clear()
            return sorted(events, key=lambda event: event[0])

    def brace(self) -> None:
        """Something has been started: nobody knows yet how much there is to do in a piece of time."""
        self.load, self.board.heard = FASTEST, True

    # -- time ----------------------------------------------------------------------------------------------------------------------

    def _advance(self, to: float, exact: bool, until: float) -> None:
        while self.time <= to:
            dogs = (dog.expires for dog in self.watchdogs.values() if dog.expires is not None)
            due = max(self.time, min((*dogs, *(mishap.due for mishap in self.mishaps)), default=np.inf))
            followed = self.followed()
            stop = min(to, due, self.time + time_slices.longest(self, followed))
            time_slices.pass_time(self, stop, followed or exact or stop < to)
            if due <= stop:
                self._expire(due)
                self._befall(due)
            if stop >= to:
                break
            if self.closing or host_clock.now() > until:
                to = self.time
                break
        if self.clock.lockstep:
            self.clock.move(to)
            self.time = max(self.time, to)

    def set_lines(self, states: Mapping[str, bool]) -> None:
        """Output lines take their levels now, and whatever goes by their edges sees them."""
        now = np.array([self.time])
        moved = {name: level for name, level in states.items() if self.board.lines.get(name) != level}
        injected = {name: Edges(False, now, NEVER) if level else Edges(True, NEVER, now) for name, level in moved.items()}
        if injected and self.followed():
            time_slices.act(self, injected)
        self.board.lines.update(states)
        self.recorder.put(self.time, states)
        self.board.advance(now, {})

    def fire(self, names: Iterable[str]) -> None:
        """A pulse at some terminals, now."""
        time_slices.act(self, {name: Edges(False, np.array([self.time]), NEVER) for name in names})

    def look_at_plant(self) -> None:
        """Take notice of lines that the plant has moved."""
        time_slices.look_at_plant(self)

    def followed(self) -> bool:
        """Whether somebody who runs goes by signals."""
        if any(dog.awaits_edge for dog in self.watchdogs.values()):
            return True
        return any(self.task_type(t).needs_signals(self, t) for t in self.tasks.values() if t.running)

    def settle(self) -> None:
        """Runs that have ended give up their clocks."""
        ended = [t for t in self.tasks.values() if t.ended is not None and t.phase is not Phase.IDLE]
        for task in ended:
            self.detach(task)
        if ended:
            self.changed.notify_all()

    def _expire(self, when: float) -> None:
        for device, dog in self.watchdogs.items():
            if dog.expires is not None and dog.expires <= when:
                self._expired(device, dog, when)

    def _befall(self, when: float) -> None:
        for mishap in [mishap for mishap in self.mishaps if mishap.due <= when]:
            mishap.happen()
        self.settle()

    def look_at_watchdogs(self, piece: TimeSlice) -> None:
        """Watchdogs expire by edges that have come in a piece of time."""
        for device, dog in self.watchdogs.items():
            if dog.awaits_edge:
                edges = piece.edges(self.routes.canonical(dog.source, device)).active(dog.edge == RISING)
                if len(edges):
                    self._expired(device, dog, float(edges[0]))

    def _expired(self, device: str, dog: Watchdog, when: float) -> None:
        ending = [t for t in self.tasks.values() if dog.chassis and t.running and t.channels and {*t.devices} & {*dog.members}]
        lines = {name: up for t in ending for name, up in self.task_type(t).expire(self, t, dog.counters).items()}
        for task in ending:
            task.ended = CHASSIS_EXPIRED
        self.set_lines({**lines, **dog.expire()})
        self.board.held = self.board.held - dog.let_go | dog.held
        self.put_out(dog.outputs())
        self.events.append((when, device, "watchdog expired"))
        self.settle()
        self.changed.notify_all()

    def reach_now(self, task: Task) -> None:
        """Bring the devices to this instant for a task that goes by software. Raises DaqmxError with what ended its run, if anything."""
        self.update(exact=True)
        if task.running and (task.ended or 0) < 0:
            raise task.fail(task.ended or 0)

    # -- tasks ---------------------------------------------------------------------------------------------------------------------

    def product(self, device: str) -> tuple[str, Product]:
        """Name as configured and product of a device. Raises DaqmxError -200220."""
        for name, product in self.devices.items():
            if name.lower() == device.strip().strip("/").lower():
                return name, product
        raise DaqmxError(-200220, Device_Specified=device)

    def create_task(self, name: str, program: str = "") -> Task:
        """A new task; without a name it gets one. Raises DaqmxError -200089, and -200552 to -200555 for a name that is none.

        `program`: whose task it is, where programs do not know of each other's tasks: the driver's names are of a process.
        """
        with self.lock:
            need_valid(name)
            if not name:
                name = f"_unnamedTask<{self._unnamed:X}>"
                self._unnamed += 1
            handle = handle_of(name, program)
            if handle in self.tasks:
                raise DaqmxError(-200089, name)
            self.tasks[handle] = Task(name, handle=handle)
            return self.tasks[handle]

    def task(self, handle: str) -> Task:
        """A task by its handle. Raises DaqmxError -200088."""
        task = self.tasks.get(handle)
        if task is None:
            raise DaqmxError(-200088, handle.partition(OF_PROGRAM)[0])
        return task

    def clear(self, task: Task) -> None:
        """Stop the task, give back what it reserved, and forget it."""
        with self.lock:
            self.stop(task)
            self.release(task)
            self.tasks.pop(task.handle, None)
            for device in [d for d, dog in self.watchdogs.items() if dog.task is task]:
                del self.watchdogs[device]
            self.changed.notify_all()

    def clear_if_abandoned(self, task: Task) -> bool:
        """Clear a task whose client is gone, as the driver does when a process ends; only done when somebody wants what it holds."""
        if not task.client or not self.client_is_gone(task.client):
            return False
        self.note(task.name, "cleared: its client is gone")
        self.clear(task)
        return True

    def release(self, task: Task) -> None:
        """Back to the verified state, nothing reserved."""
        task.reserved = ()
        task.state = task.resting = min(task.state, State.VERIFIED)

    def task_type(self, task: Task) -> TaskType:
        """The type of a task, by its channels."""
        return TASK_TYPES[task.kind]

    def detach(self, task: Task) -> None:
        """Take a task off its clock; a clock of its own stops, and with it whoever else uses it."""
        task.phase, task.clock = Phase.IDLE, None

    def stop(self, task: Task) -> None:
        """Back to the state before the start; outputs hold their last values."""
        with self.lock:
            if not task.running:
                return
            if self.fault is None:
                self.update()
            self.detach(task)
            self.task_type(task).stop(self, task)
            task.state = task.resting
            if task.output is not None:
                task.output.rewind()
            self.changed.notify_all()
