"""Where a terminal gets its signal from: a running task, a route, a wire on the bench, the plant, a timebase, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.clocks import EdgeClock
from drivers.simulated.daqmx.core.edges import LOW, Drive, Edges, TimeSlice
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.routing import pins
from drivers.simulated.signals.played import PlayedEdges

TIMEBASES = {
    "100mhztimebase": 100e6, "80mhztimebase": 80e6, "20mhztimebase": 20e6, "10mhzrefclock": 10e6, "100khztimebase": 100e3,
    "pxi_clk10": 10e6, "pxie_clk100": 100e6,
}  # fmt: skip
PULL_UP = ni.ResistorState.PULL_UP.value
"""A member of nidaqmx.constants.ResistorState; without it a line that nobody drives is pulled down."""
PLANT = "plant:"
"""Before the name of a line of the plant, as a terminal."""


class Routes:
    """All routes of a bench. `connected`: destination -> (source, inverted), as `connect_terms` made them."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.connected: dict[str, tuple[str, bool]] = {}
        self._pins = {
            f"{terminal(name)}/pfi{n}": f"{terminal(name)}/{line}"
            for name, product in bench.devices.items()
            for n, line in enumerate(pins.pfi_lines(product))
        }
        self._nets: dict[str, set[str]] = {}
        self._asked: set[str] = set()  # terminals of which `live` is being worked out
        self._clocking: dict[str, Task] = {}  # by the terminal of its clock: who was found last, asked for many times in a piece of time
        self._played = {self.canonical(end): signal for end, signal in bench.board.played_edges.items()}
        self._plant = {self.canonical(end): signal for end, signal in bench.board.wires.items() if bench.board.is_plant_line(signal)}
        for end, signal in bench.board.wires.items():
            if not bench.board.is_plant_line(signal):
                self._join(self.canonical(end), self.canonical(signal))

    def canonical(self, name: str, device: str = "") -> str:
        """A terminal as it is compared: `/Dev1/PFI0` is `dev1/port1/line0`, the same pin; a bare `PFI0` belongs to `device`."""
        text = self.full(name, device)
        if text.rpartition("/")[2].startswith("pxi_trig"):
            # The trigger lines of the backplane are the same for every slot.
            return f"backplane/{text.rpartition('/')[2]}"
        return self._pins.get(text, text)

    def full(self, name: str, device: str) -> str:
        """A terminal with its device: `PFI0` and `ai/StartTrigger` without one are those of `device`, or of its chassis."""
        text = terminal(name)
        if not device or text in ("", "onboardclock"):
            return text
        owner = self._owner(device, text)
        own = text in map(str.lower, self._bench.devices[owner].terminals)
        return f"{terminal(owner)}/{text}" if "/" not in text or own else text

    def _owner(self, device: str, name: str) -> str:
        """The device that a bare terminal name belongs to: a module's pins are its own, all else is the chassis'."""
        entry = self._bench.entries.get(device)
        if entry is None or not entry.chassis:
            return device
        return device if name in map(str.lower, self._bench.devices[device].terminals) else entry.chassis

    def clock_task(self, clock: object) -> Task | None:
        """The running task whose own sample clock these edges are, by which both sample at the very same instants."""
        if not isinstance(clock, EdgeClock) or not clock.rising or not clock.terminal.endswith("/sampleclock"):
            return None
        device, _, rest = clock.terminal.partition("/")
        subsystem = rest.partition("/")[0]
        known = self._clocking.get(clock.terminal)
        if known is not None and self._bench.tasks.get(known.handle) is known and _clocks(known, subsystem):
            return known
        for task in self._bench.tasks.values():
            if _clocks(task, subsystem) and device in map(terminal, [task.owner, *task.devices]):
                self._clocking[clock.terminal] = task
                return task
        return None

    def resolve(self, piece: TimeSlice, name: str) -> Edges:
        """The signal at a terminal over a piece; nothing connected is low."""
        found = self.find(piece, name)
        return LOW if found is None else found

    def find(self, piece: TimeSlice, name: str) -> Edges | None:
        """The signal at a terminal over a piece, None when nothing is connected to it."""
        if name.startswith(PLANT):  # no terminal, so that nobody else drives it
            return self._bench.board.plant_line(name.removeprefix(PLANT), piece.played)
        for pin in self.net(name):
            if pin in piece.injected:
                return piece.injected[pin]
            if pin in self._played:
                return _played(piece, self._played[pin])
            signal = self._plant.get(pin)
            if signal is not None:
                return piece.edges(PLANT + signal)
            drives, static = self._drivers(piece)
            if pin in drives:
                return drives[pin](piece)
            if pin in self.connected:
                source, inverted = self.connected[pin]
                edges = piece.edges(source)
                return edges.inverted() if inverted else edges
            if pin in static:
                return Edges(self._bench.board.lines[pin])
        lines = [pin for pin in self.net(name) if pin in self._bench.board.lines]
        if len(self.net(name)) > 1 and lines:
            return Edges(self._at_rest(lines))
        rate = TIMEBASES.get(name.rpartition("/")[2])
        return None if rate is None else _ticking(piece, rate)

    def _at_rest(self, lines: Sequence[str]) -> bool:
        """Level of lines that are wired together and no task's: of the one that holds a level, or what their resistors make of them."""
        board, pulls = self._bench.board, self._bench.nonvolatile.pulls
        held = next((line for line in lines if line in board.held), None)
        return any(pulls.get(line) == PULL_UP for line in lines) if held is None else board.lines[held]

    def level(self, name: str) -> bool | None:
        """Level of a terminal now, None when nothing is connected to it."""
        return self.levels([name])[0]

    def levels(self, names: Sequence[str]) -> list[bool | None]:
        """Levels of terminals now, None where nothing is connected."""
        now = self._bench.time
        piece = TimeSlice(now, now, self.resolve, point=True)
        found = [self.find(piece, name) for name in names]
        return [None if edges is None else edges.after for edges in found]

    def frequency(self, name: str) -> float | None:
        """Frequency (Hz) of a terminal that is, or is routed from, a timebase; its edges need not be made then."""
        for _ in range(8):
            rate = TIMEBASES.get(name.rpartition("/")[2])
            if rate is not None or name not in self.connected:
                return rate
            name = self.connected[name][0]
        return None

    def net(self, name: str) -> tuple[str, ...]:
        """The terminal and all that are wired together with it."""
        return (name, *(pin for pin in self._nets.get(name, ()) if pin != name))

    def wired(self, name: str) -> bool:
        """Whether anything is connected to a terminal; internal signals always are."""
        if not any(pin in name for pin in ("/port", "/pfi", "/apfi")) and not name.startswith("backplane/"):
            return True
        tasks = [t for t in self._bench.tasks.values() if t.channels]
        driven = self.driven() | {pin for task in tasks for pin in self._bench.task_type(task).drives(self._bench, task)}
        net = self.net(name)
        return len(net) > 1 or any(pin in self._plant or pin in self._played or pin in self.connected or pin in driven for pin in net)

    def live(self, name: str) -> bool:
        """Whether an edge may come at a terminal as time goes on: somebody runs who drives it, or the plant does.

        What waits for itself waits for nobody: a counter that measures its own output.
        """
        if name in self._asked:
            return False
        self._asked.add(name)
        try:
            return self._live(name)
        finally:
            self._asked.discard(name)

    def _live(self, name: str) -> bool:
        if TIMEBASES.get(name.rpartition("/")[2]) is not None:
            return True
        owners = self._owners()
        for pin in self.net(name):
            signal = self._plant.get(pin)
            if signal is not None or (pin in self._played and self._played[pin].later(self._bench.time)):
                return True
            if pin in owners and self.moves(owners[pin]):
                return True
            if pin in self.connected and self.live(self.connected[pin][0]):
                return True
        return False

    def of_edges(self, name: str) -> bool:
        """Whether a terminal has, or is routed from, a signal of the plant whose edges have exact times."""
        for _ in range(8):  # a chain of routes that is longer is a loop
            pins = self.net(name)
            if any(self._plant.get(pin) in self._bench.board.edges.names for pin in pins):
                return True
            routed = next((pin for pin in pins if pin in self.connected), None)
            if routed is None:
                return False
            name = self.connected[routed][0]
        return False

    def moves(self, task: Task) -> bool:
        """Whether a running task will do something as time goes on, without anybody acting."""
        if task.running and task.last is not None and self._bench.time < task.last + task.width:
            return True  # its sample clock is still to fall
        if not task.running or task.ended is not None or task.phase is Phase.IDLE:
            return False
        if any(known.waits for known in task.filters.values()):
            return True
        return all(self.live(name) for name in self._bench.task_type(task).awaits(self._bench, task))

    def dissolve(self, devices: Collection[str]) -> None:
        """Undo the routes of `connect_terms` that begin or end at the devices (in small letters)."""
        ends = {end: {end.partition("/")[0], source.partition("/")[0]} for end, (source, _) in self.connected.items()}
        for end in [end for end, heads in ends.items() if heads & set(devices)]:
            del self.connected[end]

    def driven(self) -> set[str]:
        """Output lines that a task has, and those that a watchdog has put into a state."""
        outputs = [task for task in self._bench.tasks.values() if task.kind == ch.DIGITAL_OUTPUT]
        lines = {line for task in outputs for channel in task.channels_of(ch.LineChannel) for line in channel.lines}
        return lines.union(*(dog.held for dog in self._bench.watchdogs.values()))

    def _join(self, one: str, other: str) -> None:
        net = self._nets.get(one, {one}) | self._nets.get(other, {other})
        for pin in net:
            self._nets[pin] = net

    def _drivers(self, piece: TimeSlice) -> tuple[dict[str, Drive], set[str]]:
        if piece.drivers is None:
            drives: dict[str, Drive] = {}
            for task in self._runners():
                drives |= self._bench.task_type(task).drives(self._bench, task)
            piece.drivers = (drives, self.driven())
        return piece.drivers

    def _owners(self) -> dict[str, Task]:
        return {pin: task for task in self._runners() for pin in self._bench.task_type(task).drives(self._bench, task)}

    def _runners(self) -> list[Task]:
        return [t for t in self._bench.tasks.values() if t.running and t.channels]


def _clocks(task: Task, subsystem: str) -> bool:
    """Whether the running task is one whose sample clock is that of the subsystem."""
    return task.running and task.clocked and bool(task.channels) and task.part == subsystem


def _played(piece: TimeSlice, signal: PlayedEdges) -> Edges:
    high = signal.level(piece.start)
    if piece.point:
        return Edges(high)
    times = signal.between(piece.start, piece.end)
    return Edges(high, times[int(high) :: 2], times[1 - int(high) :: 2])


def _ticking(piece: TimeSlice, rate: float) -> Edges:
    if piece.point:
        return LOW
    halves = np.arange(np.floor(piece.start * 2.0 * rate) + 1.0, np.floor(piece.end * 2.0 * rate) + 1.0)
    at, rising = halves / (2.0 * rate), halves % 2 == 0
    return Edges(bool(len(halves)) and not bool(rising[0]), at[rising], at[~rising])
