"""The simulated devices as they stand: what they are, what is behind their terminals, their tasks, and how far bench time has come.

Plain state: nothing here lets time pass. Two protocols state what the rooms below the engine ask of routes and of types of tasks.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.core.clocks import Clock
from drivers.simulated.daqmx.core.custom_scale import Scale
from drivers.simulated.daqmx.core.device_entries import DeviceEntry, Stored, product_of
from drivers.simulated.daqmx.core.edges import Drive, Edges, TimeSlice
from drivers.simulated.daqmx.core.nonvolatile import Nonvolatile
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.terminal_io import Board
from drivers.simulated.daqmx.core.watchdog import Watchdog
from drivers.simulated.daqmx.core.written import Recorder
from drivers.simulated.daqmx.products import Product
from drivers.simulated.plant.plant import Plant
from drivers.simulated.signals.played import Played, PlayedEdges

EVENTS_KEPT = 10_000
"""Events that are kept for whoever asks for them; nobody may."""


class SignalRoutes(Protocol):
    """Signals at the terminals of a bench (`routing/routes.py`)."""

    def canonical(self, name: str, device: str = "") -> str: ...

    def full(self, name: str, device: str) -> str: ...

    def clock_task(self, clock: Clock | None) -> Task | None: ...

    def resolve(self, piece: TimeSlice, name: str) -> Edges: ...

    def find(self, piece: TimeSlice, name: str) -> Edges | None: ...

    def levels(self, names: Sequence[str]) -> list[bool | None]: ...

    def frequency(self, name: str) -> float | None: ...

    def wired(self, name: str) -> bool: ...

    def live(self, name: str) -> bool: ...


class Mishap(Protocol):
    """Something that befalls a device; who has put it on the bench takes it off."""

    @property
    def due(self) -> float:
        """Bench time (s), infinite as long as nobody knows."""

    def happen(self) -> None:
        """Do it, at the present bench time, under the lock."""


class TaskRules(Protocol):
    """The part of a type of tasks that routes, timing and triggers go by (`subsystems/task_type.py`)."""

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None: ...

    def length(self, bench: Bench, task: Task) -> float: ...

    def late(self, bench: Bench, task: Task) -> int: ...

    def drives(self, bench: Bench, task: Task) -> dict[str, Drive]: ...

    def awaits(self, bench: Bench, task: Task) -> list[str]: ...


class Bench(ABC):
    """Devices wired to a plant. `at_once`: what waits on a pin to which nothing is connected has come (`routing/unconnected_pins.py`).

    `time`: bench time (s) up to which everything has been worked out. `lock` guards all of it.
    Raises ValueError for wires that end nowhere.
    """

    routes: SignalRoutes

    def __init__(
        self, entries: Mapping[str, DeviceEntry], wiring: Mapping[str, str], plant: Plant, clock: BenchClock, at_once: bool,
        signals: Mapping[str, Played | PlayedEdges],
    ) -> None:  # fmt: skip
        self.at_once = at_once
        self.entries = entries
        found = {name: product_of(entry) for name, entry in entries.items()}
        self.devices: dict[str, Product] = {name: product for name, product in found.items() if product is not None}
        self.clock = clock
        self.lock = threading.RLock()
        self.time = clock.now()
        self.board = Board(self.devices, wiring, plant, signals)
        self.recorder = Recorder()
        self.tasks: dict[str, Task] = {}
        self.watchdogs: dict[str, Watchdog] = {}
        self.log_files: dict[Path, Task] = {}
        """Files that are written to, by whom."""
        self.scales: dict[str, Scale] = {}
        """Custom scales of this session by name."""
        self.nonvolatile = Nonvolatile()
        self.stored_scales: dict[str, Stored] = {}
        self.stored_channels: dict[str, Stored] = {}
        self.stored_tasks: dict[str, Stored] = {}
        self.epoch = -np.inf
        """Time of day (s since 1970) of bench time 0: fixed when something starts."""
        self.absent: set[str] = set()
        """Devices, in small letters, that nobody can reach: unplugged, or without power."""
        self.mishaps: list[Mishap] = []
        """What will happen to devices without anybody's doing."""
        self.events: deque[tuple[float, str, str]] = deque(maxlen=EVENTS_KEPT)
        """Bench time (s), source, text."""

    @abstractmethod
    def task_type(self, task: Task) -> TaskRules:
        """The type of a task, by its channels."""

    def put_out(self, levels: Mapping[str, float]) -> None:
        """Analogue outputs take their levels at this very instant."""
        self.board.levels.update(levels)
        self.recorder.put(self.time, levels)

    def gone(self, *devices: str) -> str:
        """The first of some devices that nobody can reach; empty: they are there."""
        return next((name for name in devices if name.lower() in self.absent), "")

    def note(self, source: str, text: str) -> None:
        """Keep an event at the present bench time."""
        self.events.append((self.time, source, text))

    def end(self, task: Task, status: int, why: str = "") -> None:
        """A run ends by itself: 0, or the error that ended it; `why` in words, where it is not a buffer."""
        task.ended = status
        buffer = "acquisition stopped: buffer full" if status == -200279 else "output ran dry and holds its last value"
        if status:
            self.note(task.name, why or buffer)
