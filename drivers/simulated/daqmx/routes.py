"""Where a terminal gets its signal from: a running task, a route, a wire on the bench, a timebase, the plant, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.kind import Drive
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.signals import LOW, Edges, Piece
from drivers.simulated.daqmx.timeline import EdgeClock

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.tasks import Task


class Routes:
    """All routes of an engine's devices."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def canonical(self, name: str, device: str = "") -> str:
        """A terminal as it is compared: `/Dev1/PFI0` is `dev1/pfi0`; a bare `PFI0` belongs to `device`."""
        text = terminal(name)
        return text if "/" in text or not device or text in ("", "onboardclock") else f"{terminal(device)}/{text}"

    def clock_task(self, clock: EdgeClock) -> Task | None:
        """The running task whose own sample clock these edges are, by which both sample at the very same instants."""
        if not clock.rising or not clock.terminal.endswith("/sampleclock"):
            return None
        device, _, rest = clock.terminal.partition("/")
        subsystem = rest.partition("/")[0]
        for task in self._engine.tasks.values():
            runs = task.running and task.clocked and bool(task.channels)
            if runs and task.subsystem == subsystem and device in map(terminal, task.devices):
                return task
        return None

    def resolve(self, piece: Piece, name: str) -> Edges:
        """The signal at a terminal over a piece."""
        drive = self._drivers(piece).get(name)
        if drive is not None:
            return drive(piece)
        level = self._engine.board.line_level(name, self.driven())
        return LOW if level is None else Edges(level)

    def driven(self) -> set[str]:
        """Output lines that a task has."""
        return {line for t in self._engine.tasks.values() if t.kind == ch.DIGITAL_OUTPUT for c in t.channels for line in c.lines}

    def live(self, name: str) -> bool:
        """Whether an edge may come at a terminal as time goes on: somebody runs who drives it."""
        drive = self._all_drives()
        return name in drive

    def _drivers(self, piece: Piece) -> dict[str, Drive]:
        known: dict[str, Drive] | None = piece.memo.get("drivers")
        if known is None:
            known = piece.memo["drivers"] = self._all_drives()
        return known

    def _all_drives(self) -> dict[str, Drive]:
        drives: dict[str, Drive] = {}
        engine = self._engine
        for task in engine.tasks.values():
            if task.running and task.channels:
                drives |= engine.kind(task).drives(engine, task)
        return drives
