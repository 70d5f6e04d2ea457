"""One piece of bench time: who samples when, what is put out, what the plant does, what comes in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from drivers.simulated.daqmx.core.edges import Edges, Piece
from drivers.simulated.daqmx.core.instants import NEVER, Times, held, merge
from drivers.simulated.daqmx.core.timeline import Timeline
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.routing.routes import PLANT
from drivers.simulated.daqmx.subsystems.task_type import Scene
from drivers.simulated.daqmx.triggering.sequence import instants, line_of

if TYPE_CHECKING:
    from drivers.simulated.daqmx.core.task import Task
    from drivers.simulated.daqmx.engine.engine import Engine

LONGEST = 65536
"""Most sample instants in a piece; as many edges, as far as the piece before tells how many come."""
RUNS = 100
"""Most runs of a retriggerable task in a piece."""
STEP, FOLLOWED = 1e-3, 0.02
"""Longest pieces (s) where signals come back through the plant to somebody who goes by them, and where they are followed at all."""


def own_lines(engine: Engine) -> list[Timeline]:
    """Constant-rate clocks that run."""
    return [t.clock for t in _running(engine) if isinstance(t.clock, Timeline) and t.phase is Phase.GOING and t.ended is None]


def longest(engine: Engine, followed: bool) -> float:
    """Longest piece (s) to be worked out in one go; `followed`: whether somebody goes by signals."""
    rates = sum(line.rate for line in own_lines(engine))
    span = LONGEST / rates if rates else math.inf
    if not followed:
        return span
    span = min(span, RUNS * _shortest_run(engine), LONGEST / engine.load if engine.load else math.inf)
    # What comes back through the plant is one piece late.
    returns = (engine.board.plant.digital_outputs and engine.board.heard) or any(t.seeking for t in engine.tasks.values())
    returns = returns or any(dog.awaits_edge for dog in engine.watchdogs.values())
    return min(span, STEP if returns else FOLLOWED)


def _shortest_run(engine: Engine) -> float:
    """Time (s) that the shortest run of a retriggerable task takes."""
    tasks = [t for t in _running(engine) if t.retriggerable and t.ended is None]
    return min((t.timing.samples / t.timing.rate for t in tasks), default=math.inf)


def pass_time(engine: Engine, to: float, exact: bool) -> None:
    """Let time pass up to `to` (s), or to the last sample before it, which is enough when nothing but clocks of a rate runs."""
    lasts = [line.time_of(end - 1) for line in own_lines(engine) if (end := line.ticks_until(to)) > line.ticks]
    if not lasts and to <= engine.time:
        return
    run(engine, Piece(engine.time, to if exact or not lasts else max(lasts), engine.routes.resolve))


def act(engine: Engine, injected: Mapping[str, Edges]) -> None:
    """What somebody does at this very instant takes effect wherever it arrives; no time passes."""
    run(engine, Piece(engine.time, engine.time, engine.routes.resolve, injected, point=True))


def run(engine: Engine, piece: Piece) -> None:
    """Work a piece out, and commit it."""
    tasks = _running(engine)
    if not piece.point:
        engine.board.heard = False
    for task in tasks:
        if not engine.kind(task).after_plant:
            instants(engine, piece, task)
    grid = _grid(engine, piece, tasks)
    for task in tasks:
        engine.kind(task).generate(engine, piece, task)
    scene = _scene(engine, piece, grid)
    if not piece.point and engine.board.edges.names:
        piece.play()
    for task in tasks:
        instants(engine, piece, task)
    for task in tasks:
        engine.kind(task).acquire(engine, piece, task, scene)
    if piece.end > piece.start:
        engine.load = piece.count / (piece.end - piece.start)
    engine.board.levels.update(piece.latest)
    engine.board.lines.update(piece.lines)
    for line, times in piece.spans.values():
        line.ticks += len(times)
    for task in tasks:
        _remember(piece, task)
    engine.time = max(engine.time, piece.end)
    if not piece.point:
        engine.board.edges.passed()
    engine.settle()
    engine.look_at_watchdogs(piece)
    late = {name: Edges(False, np.array([engine.time]), NEVER) for name in piece.late}
    if late:
        act(engine, late)
    # What an action does through the plant is seen in the next piece: a line that is its own opposite would never come to rest.
    if not piece.point and engine.board.plant.digital_outputs and engine.followed():
        look_at_plant(engine)


def _scene(engine: Engine, piece: Piece, grid: Times) -> Scene:
    board = engine.board
    levels = {name: held(board.levels[name], values, at, grid) for name, values, at in piece.levels}
    if not len(grid):
        return Scene(grid, np.empty((0, len(board.plant.analogue_outputs))), levels)
    lines = {name: piece.edges(name) for name in piece.lines}
    return Scene(grid, board.advance(grid, levels, lines), levels)


def look_at_plant(engine: Engine) -> None:
    """Lines that the plant has moved since somebody looked last move now for whoever goes by them."""
    moved = engine.board.look()
    if moved and engine.followed():
        now = np.array([engine.time])
        act(engine, {PLANT + name: Edges(False, now, NEVER) if up else Edges(True, NEVER, now) for name, up in moved.items()})


def _running(engine: Engine) -> list[Task]:
    return [t for t in engine.tasks.values() if t.running and t.channels]


def _grid(engine: Engine, piece: Piece, tasks: Sequence[Task]) -> Times:
    """Instants at which the plant is looked at: those of the analogue clocks, and the end of the piece."""
    grids: dict[int, Times] = {}
    for task in tasks:
        if not engine.kind(task).analogue or task not in piece.instants:
            continue
        own = isinstance(task.clock, Timeline) and not task.retriggerable and task.phase is Phase.GOING
        line = task.clock if own else line_of(engine, task)
        times = piece.span(line) if isinstance(line, Timeline) else piece.instants[task]
        if len(times):
            grids[id(times)] = times
    return merge(list(grids.values()), None if piece.point else piece.end)


def _remember(piece: Piece, task: Task) -> None:
    times = piece.instants.get(task)
    if times is not None and len(times):
        task.events.setdefault("first", float(times[0]))
        task.last = float(times[-1])
        task.told["SampleClock"] = task.told.get("SampleClock", 0) + len(times)
    for (whose, name), when in piece.fired.items():
        if whose is task:
            task.events[name] = float(when[-1])
            task.told[name] = task.told.get(name, 0) + len(when)
