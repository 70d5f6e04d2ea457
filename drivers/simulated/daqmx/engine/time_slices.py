"""One piece of bench time: who samples when, what is put out, what the plant does, what comes in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times, held, merge
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.timeline import Timeline
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.engine.bench_time import BenchTime
from drivers.simulated.daqmx.routing.routes import PLANT
from drivers.simulated.daqmx.subsystems.task_type import InputSnapshot
from drivers.simulated.daqmx.triggering.sequence import instants, line_of

LONGEST = 65536
"""Most sample instants in a piece; as many edges, as far as the piece before tells how many come."""
RUNS = 100
"""Most runs of a retriggerable task in a piece."""
STEP, FOLLOWED = 1e-3, 0.02
"""Longest pieces (s) where signals come back through the plant to somebody who goes by them, and where they are followed at all."""


def own_lines(bench: BenchTime) -> list[Timeline]:
    """Constant-rate clocks that run."""
    return [
        t.clock for t in _running(bench) if isinstance(t.clock, Timeline) and t.phase is Phase.GOING and t.ended is None and not t.silent
    ]


def longest(bench: BenchTime, followed: bool) -> float:
    """Longest piece (s) to be worked out in one go; `followed`: whether somebody goes by signals."""
    rates = sum(line.rate for line in own_lines(bench))
    span = LONGEST / rates if rates else math.inf
    if not followed:
        return span
    span = min(span, RUNS * _shortest_run(bench), LONGEST / bench.load if bench.load else math.inf)
    # What comes back through the plant is one piece late.
    returns = (bench.board.plant.digital_outputs and bench.board.heard) or any(t.seeking for t in bench.tasks.values())
    returns = returns or any(dog.awaits_edge for dog in bench.watchdogs.values())
    return min(span, STEP if returns else FOLLOWED)


def _shortest_run(bench: BenchTime) -> float:
    """Time (s) that the shortest run of a retriggerable task takes."""
    tasks = [t for t in _running(bench) if t.retriggerable and t.ended is None]
    return min((t.timing.samples / t.timing.rate for t in tasks), default=math.inf)


def pass_time(bench: BenchTime, to: float, exact: bool) -> None:
    """Let time pass up to `to` (s), or to the last sample before it, which is enough when nothing but clocks of a rate runs."""
    lasts = [line.time_of(end - 1) for line in own_lines(bench) if (end := line.ticks_until(to)) > line.ticks]
    if not lasts and to <= bench.time:
        return
    run(bench, TimeSlice(bench.time, to if exact or not lasts else max(lasts), bench.routes.resolve))


def act(bench: BenchTime, injected: Mapping[str, Edges]) -> None:
    """What somebody does at this very instant takes effect wherever it arrives; no time passes."""
    run(bench, TimeSlice(bench.time, bench.time, bench.routes.resolve, injected, point=True))


def run(bench: BenchTime, piece: TimeSlice) -> None:
    """Work a piece out, and commit it."""
    tasks = _running(bench)
    if not piece.point:
        bench.board.heard = False
    for task in tasks:
        if not bench.task_type(task).after_plant:
            instants(bench, piece, task)
    grid = _grid(bench, piece, tasks)
    for task in tasks:
        bench.task_type(task).generate(bench, piece, task)
    scene = _scene(bench, piece, grid)
    if not piece.point and bench.board.edges.names:
        piece.play()
    for task in tasks:
        instants(bench, piece, task)
    for task in tasks:
        bench.task_type(task).acquire(bench, piece, task, scene)
    if bench.recorder:
        bench.recorder.take(piece)
    if piece.end > piece.start:
        bench.load = piece.count / (piece.end - piece.start)
    bench.board.levels.update(piece.latest)
    bench.board.lines.update(piece.lines)
    for line, times in piece.spans.values():
        line.ticks += len(times)
    for task in tasks:
        _remember(piece, task)
    bench.time = max(bench.time, piece.end)
    if not piece.point:
        bench.board.edges.passed()
    bench.settle()
    bench.look_at_watchdogs(piece)
    late = {name: Edges(False, np.array([bench.time]), NEVER) for name in piece.late}
    if late:
        act(bench, late)
    # What an action does through the plant is seen in the next piece: a line that is its own opposite would never come to rest.
    if not piece.point and bench.board.plant.digital_outputs and bench.followed():
        look_at_plant(bench)


def _scene(bench: BenchTime, piece: TimeSlice, grid: Times) -> InputSnapshot:
    board = bench.board
    levels = {name: held(board.levels[name], values, at, grid) for name, values, at in piece.levels}
    if not len(grid):
        return InputSnapshot(grid, np.empty((0, len(board.plant.analogue_outputs))), levels)
    lines = {name: piece.edges(name) for name in piece.lines}
    return InputSnapshot(grid, board.advance(grid, levels, lines), levels)


def look_at_plant(bench: BenchTime) -> None:
    """Lines that the plant has moved since somebody looked last move now for whoever goes by them."""
    moved = bench.board.look()
    if moved and bench.followed():
        now = np.array([bench.time])
        act(bench, {PLANT + name: Edges(False, now, NEVER) if up else Edges(True, NEVER, now) for name, up in moved.items()})


def _running(bench: BenchTime) -> list[Task]:
    return [t for t in bench.tasks.values() if t.running and t.channels]


def _grid(bench: BenchTime, piece: TimeSlice, tasks: Sequence[Task]) -> Times:
    """Instants at which the plant is looked at: those of the analogue clocks, and the end of the piece."""
    grids: dict[int, Times] = {}
    for task in tasks:
        if not bench.task_type(task).analogue or task not in piece.instants:
            continue
        own = isinstance(task.clock, Timeline) and not task.retriggerable and task.phase is Phase.GOING
        line = task.clock if own else line_of(bench, task)
        times = piece.span(line) if isinstance(line, Timeline) else piece.instants[task]
        if len(times):
            grids[id(times)] = times
    return merge(list(grids.values()), None if piece.point else piece.end)


def _remember(piece: TimeSlice, task: Task) -> None:
    times = piece.instants.get(task)
    if times is not None and len(times):
        task.events.setdefault("first", float(times[0]))
        task.last = float(times[-1])
        task.told["SampleClock"] = task.told.get("SampleClock", 0) + len(times)
    for (whose, name), when in piece.fired.items():
        if whose is task:
            task.events[name] = float(when[-1])
            task.told[name] = task.told.get(name, 0) + len(when)
