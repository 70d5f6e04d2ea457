"""The simulated devices: tasks, their states, and time.

Free of transport: calls come from any thread, one lock guards everything, and whoever waits gives the lock back meanwhile. With pace
`real` a pacer thread keeps the devices up with the clock; in lockstep time stands still but for reads that wait for samples, writes
that wait for space, and waits for the end of a task.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.acquisition import Converter
from drivers.simulated.daqmx.board import Board
from drivers.simulated.daqmx.entries import Stored, entries
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import PRODUCTS, Product
from drivers.simulated.daqmx.tasks import State, Task
from drivers.simulated.daqmx.timeline import Timeline, held, merge
from drivers.simulated.daqmx.watchdog import Watchdog
from drivers.simulated.plant import Plant

Block = NDArray[np.float64]

PACER_PERIOD = 0.005
LONGEST_PIECE = 65536
LONGEST_PAUSE = 0.5
"""Longest sleep (s) of a waiting call before it looks whether its caller is still there."""


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Patience:
    """End of a wait: in bench time where the waiting call moves time itself (lockstep), else in wall time; and whether anybody waits."""

    bench: float
    wall: float
    alive: Callable[[], bool]


class Engine:
    """Devices by name and product, wired to a plant, on one bench clock.

    Raises ValueError for an unknown product, and for wires that end nowhere.
    """

    def __init__(self, devices: Sequence[Sequence[object]], wiring: Mapping[str, str], plant: Plant, clock: BenchClock) -> None:
        self.entries = entries(devices)
        unknown = sorted({entry.product for entry in self.entries.values()} - set(PRODUCTS))
        if unknown:
            raise ValueError(f"devices: no product {', '.join(unknown)}; there are {', '.join(PRODUCTS)}")
        self.devices: dict[str, Product] = {name: PRODUCTS[entry.product] for name, entry in self.entries.items()}
        self.clock = clock
        self.board = Board(self.devices, wiring, plant)
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.tasks: dict[str, Task] = {}
        self.watchdogs: dict[str, Watchdog] = {}
        self.scales: dict[str, Any] = {}
        """Custom scales of this session by name (`scales.Scale`)."""
        self.stored_scales: dict[str, Stored] = {}
        self.stored_channels: dict[str, Stored] = {}
        self.stored_tasks: dict[str, Stored] = {}
        self.time = clock.now()
        self.timelines: dict[str, Timeline] = {}
        self._converters: dict[Task, Converter] = {}
        self._events: list[tuple[float, str, str]] = []
        self.client_is_gone: Callable[[str], bool] = lambda client: False
        self.fault: Exception | None = None
        self._pacer: threading.Thread | None = None
        self._stopping = threading.Event()
        self._unnamed = 0

    # -- life ----------------------------------------------------------------------------------------------------------------------

    def start_pacer(self) -> None:
        """Start the clock and, with pace `real`, the thread that keeps the devices up with it."""
        self.clock.start()
        if not self.clock.lockstep and self._pacer is None:
            self._pacer = threading.Thread(target=self._pace, name="bench pacer", daemon=True)
            self._pacer.start()

    def close(self) -> None:
        """End the pacer and every task; outputs keep their last values."""
        self._stopping.set()
        if self._pacer is not None:
            self._pacer.join()
        with self.lock:
            for task in list(self.tasks.values()):
                self.clear(task)

    @property
    def closing(self) -> bool:
        """True once the engine is being closed."""
        return self._stopping.is_set()

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events of plant and devices since the last call: (bench time in s, source, text)."""
        with self.lock:
            events, self._events = [*self._events, *self.board.plant.take_events()], []
            return sorted(events, key=lambda event: event[0])

    def note(self, source: str, text: str) -> None:
        """Keep an event at the present bench time."""
        self._events.append((self.time, source, text))

    def _pace(self) -> None:
        while not self._stopping.wait(PACER_PERIOD):
            with self.lock:
                if self.fault is not None:
                    return
                with contextlib.suppress(Exception):
                    # Kept as the fault: told to whoever calls next, and to the host process.
                    self.update()

    # -- time ----------------------------------------------------------------------------------------------------------------------

    def update(self, exact: bool = False) -> None:
        """Bring the devices up with the clock; `exact`: to this very instant, not just to the last sample before it."""
        if not self.clock.lockstep:
            self.advance(self.clock.now(), exact)

    def advance(self, to: float, exact: bool = False) -> None:
        """Bring the devices to bench time `to` (s); earlier times change nothing.

        What the plant raises is kept as `fault`: the bench stands still from then on, and every further call raises RuntimeError.
        """
        if self.fault is not None:
            raise RuntimeError(f"the bench has failed: {self.fault}") from self.fault
        try:
            self._advance(to, exact)
        except Exception as error:
            self.fault = error
            self.changed.notify_all()
            raise

    def _advance(self, to: float, exact: bool) -> None:
        while self.time <= to:
            due = min((dog.expires for dog in self.watchdogs.values() if dog.expires is not None), default=np.inf)
            rates = sum(line.rate for line in self.timelines.values())
            stop = min(to, due, self.time + LONGEST_PIECE / rates if rates else np.inf)
            self._advance_piece(stop, exact or stop < to)
            if due <= stop:
                self._expire(due)
            if stop >= to:
                break
        if self.clock.lockstep:
            self.clock.move(to)
            self.time = max(self.time, to)

    def _advance_piece(self, to: float, exact: bool) -> None:
        spans = []
        for line in list(self.timelines.values()):
            end = line.ticks_until(to)
            if end > line.ticks:
                spans.append((line, line.times(line.ticks, end)))
        if not spans and to <= self.time:
            return
        grid = merge([times for _, times in spans], to if exact or not spans else None)
        levels = {name: held(self.board.levels[name], values, at, grid) for name, values, at in self._generate(spans)}
        plant = self.board.advance(grid, levels)
        for line, times in spans:
            self._acquire(line, times, grid, plant, levels)
        self.board.levels.update(self._latest)
        for line, times in spans:
            line.ticks += len(times)
        self.time = float(grid[-1])
        self._finish()

    def _generate(self, spans: Sequence[tuple[Timeline, Block]]) -> list[tuple[str, Block, Block]]:
        """Let every output task generate over the spans: (terminal, values, instants) of each output that changes."""
        changes = []
        self._latest: dict[str, float] = {}
        for line, times in spans:
            for task in self._on(line, ch.ANALOG_OUTPUT):
                assert task.output is not None
                wanted = min(len(times), task.timing.samples - task.output.generated) if task.finite else len(times)
                block = task.output.take(wanted)
                if len(block):
                    for column, channel in enumerate(task.channels):
                        name = terminal(channel.physical)
                        changes.append((name, block[:, column], times))
                        self._latest[name] = float(block[-1, column])
                if len(block) < wanted:
                    self._end(task, -200290)
                elif task.finite and task.output.generated >= task.timing.samples:
                    self._end(task, 0)
        return changes

    def _acquire(self, line: Timeline, times: Block, grid: Block, plant: Block, levels: Mapping[str, Block]) -> None:
        for task in self._on(line, ch.ANALOG_INPUT):
            assert task.input is not None
            at = times[: task.timing.samples + task.input.delay - task.input.converted] if task.finite else times
            rows = slice(0, len(at)) if grid is times else np.searchsorted(grid, at)

            def level(name: str, rows: slice | NDArray[np.intp] = rows, count: int = len(at)) -> Block:
                return levels[name][rows] if name in levels else np.full(count, self.board.levels[name])

            values = self._converters[task].convert(task.input.converted, at, plant[rows], level)
            if not task.input.append(values):
                self._end(task, -200279)
            elif task.finite and task.input.acquired >= task.timing.samples:
                self._end(task, 0)

    def _on(self, line: Timeline, kind: int) -> list[Task]:
        return [t for t in self.tasks.values() if t.timeline is line and t.kind == kind and t.ended is None]

    def _end(self, task: Task, status: int) -> None:
        task.ended = status
        if status:
            self.note(task.name, "acquisition stopped: buffer full" if status == -200279 else "output ran dry and holds its last value")

    def _finish(self) -> None:
        ended = [t for t in self.tasks.values() if t.ended is not None and t.timeline is not None]
        for task in ended:
            self.detach(task)
        if ended:
            self.changed.notify_all()

    def _expire(self, when: float) -> None:
        for device, dog in self.watchdogs.items():
            if dog.expires is not None and dog.expires <= when:
                self.board.lines.update(dog.expire())
                self._events.append((when, device, "watchdog expired"))
        self.board.advance(np.array([self.time]), {})
        self.changed.notify_all()

    def patience(self, timeout: float, alive: Callable[[], bool] = _always) -> Patience:
        """How long a call that begins now will wait; a time-out (s) below 0 means for ever."""
        limit = np.inf if timeout < 0 else timeout
        return Patience(self.time + limit, time.monotonic() + limit, alive)

    def wait(self, ready: Callable[[], bool], due: Callable[[], float | None], patience: Patience) -> bool:
        """Let time pass until `ready`; `due` says at which bench time that may be (None: nobody knows). False at the time-out.

        The lock is held by the caller, and given back while the caller sleeps.
        """
        while True:
            self.update()
            if ready():
                return True
            at = due()
            if self.clock.lockstep and at is not None and at >= self.time:
                before = self.time
                self.advance(min(at, patience.bench))
                self.changed.notify_all()
                if ready() or at > patience.bench:
                    return ready()
                if self.time > before:
                    continue
            left = patience.wall - time.monotonic()
            if left <= 0 or not patience.alive() or self._stopping.is_set():
                return False
            pause = LONGEST_PAUSE if at is None or self.clock.lockstep else max(0.0, at - self.clock.now()) + 2e-5
            self.changed.wait(min(left, pause, LONGEST_PAUSE))

    # -- tasks ---------------------------------------------------------------------------------------------------------------------

    def product(self, device: str) -> tuple[str, Product]:
        """Name as configured and product of a device. Raises DaqmxError -200220."""
        for name, product in self.devices.items():
            if name.lower() == device.strip().strip("/").lower():
                return name, product
        raise DaqmxError(-200220, Device_Specified=device)

    def create_task(self, name: str) -> Task:
        """A new task; without a name it gets one. Raises DaqmxError -200089."""
        with self.lock:
            if not name:
                name = f"_unnamedTask<{self._unnamed}>"
                self._unnamed += 1
            if name in self.tasks:
                raise DaqmxError(-200089, name)
            self.tasks[name] = Task(name)
            return self.tasks[name]

    def task(self, name: str) -> Task:
        """A task by name. Raises DaqmxError -200088."""
        task = self.tasks.get(name)
        if task is None:
            raise DaqmxError(-200088, name)
        return task

    def clear(self, task: Task) -> None:
        """Stop the task, give back what it reserved, and forget it."""
        with self.lock:
            self.stop(task)
            self.release(task)
            self.tasks.pop(task.name, None)
            self._converters.pop(task, None)
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

    def attach(self, task: Task, line: Timeline) -> None:
        """Put a running task on a clock: its sample 0 is the next edge."""
        task.timeline, task.first = line, line.ticks

    def detach(self, task: Task) -> None:
        """Take a task off its clock; a clock of its own stops, and with it whoever else used it."""
        line, task.timeline = task.timeline, None
        if line is None or line.terminal != self.clock_of(task):
            return
        self.timelines.pop(line.terminal, None)
        for other in self.tasks.values():
            if other.timeline is line:
                other.timeline = None

    def clock_of(self, task: Task) -> str:
        """Terminal of the task's own sample clock."""
        return terminal(f"{task.device}/{task.subsystem}/SampleClock")

    def stop(self, task: Task) -> None:
        """Back to the state before the start; outputs hold their last values."""
        with self.lock:
            if not task.running:
                return
            if self.fault is None:
                self.update()
            self.detach(task)
            task.state = task.resting
            if task.output is not None:
                task.output.rewind()
            self.changed.notify_all()

    def prepare(self, task: Task) -> None:
        """Fix what the task converts with, at its start."""
        if task.kind == ch.ANALOG_INPUT:
            self._converters[task] = Converter(task.channels, self.board)

    def convert_now(self, task: Task) -> Block:
        """One software-timed sample of an analogue input task, (channels,)."""
        self.update(exact=True)
        now = np.array([self.time])
        plant = self.board.advance(now, {})
        values = Converter(task.channels, self.board).convert(task.demanded, now, plant, lambda name: np.array([self.board.levels[name]]))
        task.demanded += 1
        return np.asarray(values[0])
