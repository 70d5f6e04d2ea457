"""From a task's triggers and clock to the instants of its samples in a piece of time: arm start, start, pause, retriggering."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.signals import Piece
from drivers.simulated.daqmx.timeline import NEVER, ChangeClock, EdgeClock, Timeline, Times

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.tasks import Task


RISING = 10280


class Phase(Enum):
    """How far a started task has come."""

    IDLE = auto()
    ARMING = auto()
    WAITING = auto()
    GOING = auto()


def instants(engine: Engine, piece: Piece, task: Task) -> Times:
    """Instants of the task's sample clock in the piece, worked out once."""
    known = piece.instants.get(task)
    if known is None:
        piece.instants[task] = NEVER  # what a clock that depends on itself sees
        known = piece.instants[task] = _instants(engine, piece, task)
    return known


def begin(engine: Engine, task: Task, when: float) -> None:
    """The start trigger has come: the sample clock runs from `when` on, or is listened to."""
    task.phase, task.started = Phase.GOING, when
    task.quota = task.count + engine.kind(task).length(engine, task)
    if task.clocked:
        task.clock = engine.make_clock(task, when)


def line_of(engine: Engine, task: Task) -> Timeline | None:
    """The constant-rate clock that drives a going task, be it its own or another task's."""
    for _ in range(8):  # a chain of clocks that is longer is a loop
        if task.phase is not Phase.GOING or task.ended is not None:
            return None
        if isinstance(task.clock, Timeline):
            return task.clock
        master = engine.routes.clock_task(task.clock) if task.clock is not None else None
        if master is None:
            return None
        task = master
    return None


def _instants(engine: Engine, piece: Piece, task: Task) -> Times:
    if not task.running or task.ended is not None or not task.clocked or task.phase is Phase.IDLE:
        return NEVER
    parts, after = [], piece.start
    while True:
        if task.phase is not Phase.GOING:
            fired = _start(engine, piece, task, after)
            if fired is None:
                break
            _note(piece, task, "start", fired)
            begin(engine, task, fired)
            after = fired
        times = _ticks(engine, piece, task, after)
        left = task.quota - task.count
        if len(times) > left:
            times = times[: int(left)]
        task.count += len(times)
        parts.append(times)
        break
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else NEVER


def _note(piece: Piece, task: Task, name: str, when: float) -> None:
    piece.fired[task, name] = np.append(piece.fired.get((task, name), NEVER), when)


def _start(engine: Engine, piece: Piece, task: Task, after: float) -> float | None:
    edges = piece.edges(engine.routes.canonical(task.trigger, task.device)).active(task.trigger_edge == RISING)
    edges = edges[edges >= after]
    return float(edges[0]) if len(edges) else None


def _ticks(engine: Engine, piece: Piece, task: Task, after: float) -> Times:
    clock = task.clock
    if isinstance(clock, Timeline):
        return piece.span(clock)
    if clock is None:
        return NEVER
    if isinstance(clock, ChangeClock):
        return _after(clock.changes(piece), piece, after)
    master = engine.routes.clock_task(clock)
    times = instants(engine, piece, master) if master is not None else piece.edges(clock.terminal).active(clock.rising)
    return _after(times, piece, after)


def _after(times: Times, piece: Piece, after: float) -> Times:
    return times if after <= piece.start else times[times >= after]


def own_trigger(task: Task) -> str:
    """Terminal that carries the task's own start trigger."""
    return terminal(f"{task.device}/{task.subsystem}/StartTrigger")


__all__ = ["EdgeClock", "Phase", "begin", "instants", "line_of", "own_trigger"]
