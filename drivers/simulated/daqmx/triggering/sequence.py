"""From a task's triggers and clock to the instants of its samples in a piece of time: arm start, start, pause, reference, retriggering.

A trigger on an analogue input of the task itself is found on its samples: until then the clock runs and the task seeks
(`analog.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import filtered_edges
from drivers.simulated.daqmx.core import trigger_types as tt
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.clocks import ChangeClock, DividedClock, EdgeClock
from drivers.simulated.daqmx.core.edges import LOW, RUN, Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.timeline import Timeline
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.routing import patterns
from drivers.simulated.daqmx.routing.unconnected_pins import unconnected_trigger
from drivers.simulated.daqmx.timing import sample_clock

TIMEBASE = 100e6
BETWEEN = 0.01
"""Shortest time (s) from one trigger on a pin to which nothing is connected to the next: nobody is kept busy by what is not there."""


def instants(bench: Bench, piece: TimeSlice, task: Task) -> Times:
    """Instants of the task's sample clock in the piece, worked out once. Tasks without one have their triggers looked after, too."""
    known = piece.instants.get(task)
    if known is None:
        piece.instants[task] = NEVER  # what a clock that depends on itself sees
        known = piece.instants[task] = _instants(bench, piece, task)
    return known


def enter(bench: Bench, task: Task) -> bool:
    """A task has been started: it begins now, or waits. True when it begins, and its start trigger is to be given."""
    arming = task.settings.get("ARM_START_TRIG_TYPE", tt.NONE)
    if arming == tt.TIME or (arming == tt.DIGITAL_EDGE and not unconnected_trigger(bench, task, "ARM_START")):
        task.phase = tt.Phase.ARMING
        return False
    if task.trigger_type != tt.NONE and not _own_start(bench, task) and not unconnected_trigger(bench, task, "START"):
        if task.trigger_type in tt.ANALOG and task.seeks(task.trigger_source):
            begin(bench, task, bench.time)
            task.seeking = True
            return False
        task.phase = tt.Phase.WAITING
        return False
    begin(bench, task, bench.time)
    return True


def begin(bench: Bench, task: Task, when: float) -> None:
    """The start trigger has come: the sample clock runs from `when` on, or is listened to."""
    task.phase, task.started = tt.Phase.GOING, when
    task.quota = task.count + bench.task_type(task).length(bench, task)
    if task.clocked:
        seeks = task.trigger_type in tt.ANALOG and task.seeks(task.trigger_source)
        task.clock = sample_clock.start(bench, task, when if seeks else when + delay(bench, task))


def delay(bench: Bench, task: Task) -> float:
    """Time (s) from the start trigger to the first sample."""
    value = as_float(task.settings.get("START_TRIG_DELAY", 0.0))
    if value == 0.0:
        return 0.0
    units = task.settings.get("START_TRIG_DELAY_UNITS")
    return value if units == tt.SECONDS else value / TIMEBASE if units == tt.TICKS else value / sample_clock.rate(bench, task)


def line_of(bench: Bench, task: Task) -> Timeline | None:
    """The constant-rate clock that drives a going task without a gate, be it its own or another task's."""
    for _ in range(8):  # a chain of clocks that is longer is a loop
        if task.phase is not tt.Phase.GOING or task.ended is not None or task.gated or task.seeking or task.silent:
            return None
        if isinstance(task.clock, Timeline):
            return task.clock
        master = bench.routes.clock_task(task.clock)
        if master is None:
            return None
        task = master
    return None


def own_trigger(task: Task) -> str:
    """Terminal that carries the task's own start trigger."""
    return terminal(f"{task.owner}/{task.part}/StartTrigger")


def paused(bench: Bench, piece: TimeSlice, task: Task) -> Edges | None:
    """The signal that pauses the task while it is high, None without a pause trigger."""
    if task.settings.get("PAUSE_TRIG_TYPE", tt.NONE) != tt.DIGITAL_LEVEL or unconnected_trigger(bench, task, "PAUSE"):
        return None
    level = pausing(bench, piece, task)
    return level if task.settings.get("DIG_LVL_PAUSE_TRIG_WHEN", tt.HIGH) == tt.HIGH else level.inverted()


def pausing(bench: Bench, piece: TimeSlice, task: Task) -> Edges:
    """The line that a digital pause trigger goes by, low without one."""
    if task.settings.get("PAUSE_TRIG_TYPE", tt.NONE) != tt.DIGITAL_LEVEL:
        return LOW
    pin = bench.routes.canonical(str(task.settings.get("DIG_LVL_PAUSE_TRIG_SRC", "")), task.device)
    return filtered_edges.seen(piece, task, "DIG_LVL_PAUSE_TRIG", pin)


def note(piece: TimeSlice, task: Task, name: str, when: float) -> None:
    """An event of the run at an instant of the piece."""
    piece.fired[task, name] = np.append(piece.fired.get((task, name), NEVER), when)


# -- one piece -------------------------------------------------------------------------------------------------------------------------


def _own_start(bench: Bench, task: Task) -> bool:
    return task.trigger_type == tt.DIGITAL_EDGE and bench.routes.canonical(task.trigger_source, task.device) in ("", own_trigger(task))


def _instants(bench: Bench, piece: TimeSlice, task: Task) -> Times:
    if not task.running or task.ended is not None or task.silent or task.phase is tt.Phase.IDLE:
        return NEVER
    filtered_edges.follow(piece, task)
    parts, after = [], piece.start
    while True:
        if task.phase is tt.Phase.ARMING:
            armed = _first(_arming(bench, piece, task), after)
            if armed is None:
                break
            note(piece, task, "arm", armed)
            task.phase, after = tt.Phase.WAITING, armed
        if task.phase is tt.Phase.WAITING:
            fired = _start(bench, piece, task, after)
            if fired is None:
                break
            note(piece, task, "start", min(fired, piece.end))
            begin(bench, task, fired)
            after = fired
        if not task.clocked:
            break
        times = _through(bench, piece, task, _ticks(bench, piece, task, after))
        task.count += len(times)
        parts.append(times)
        if not task.retriggerable or task.count < task.quota or not len(times):
            break
        piece.count += RUN
        task.phase, task.clock, after = tt.Phase.WAITING, None, float(np.nextafter(times[-1], np.inf))
        if unconnected_trigger(bench, task, "START"):
            task.again = max(float(times[-1]) + 1.0 / sample_clock.rate(bench, task), task.started + BETWEEN)
            if task.input is not None:
                break  # what this run has acquired is only there behind the piece
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else NEVER


def _start(bench: Bench, piece: TimeSlice, task: Task, after: float) -> float | None:
    """When the start trigger comes; on a loose pin at once, a further one of a retriggerable task as its reader can follow."""
    if task.trigger_type != tt.NONE and not unconnected_trigger(bench, task, "START"):
        return _first(_triggers(bench, piece, task, "START"), after)
    if task.again is None:
        return after
    if task.input is not None and task.input.available:
        return None
    return max(after, task.again) if task.again <= piece.end else None


def _first(times: Times, after: float) -> float | None:
    times = times[times >= after]
    return float(times[0]) if len(times) else None


def awaited_time(task: Task, epoch: float, name: str = "START") -> float:
    """Bench time (s) of a trigger at a time of day; `epoch`: time of day (s since 1970) of bench time 0."""
    return (as_int(task.settings.get(f"{name}_TRIG_TRIG_WHEN", 0)) - round(epoch * 1e9)) / 1e9


def _arming(bench: Bench, piece: TimeSlice, task: Task) -> Times:
    if task.settings.get("ARM_START_TRIG_TYPE", tt.NONE) != tt.TIME:
        return _edges(bench, piece, task, "ARM_START")
    if "ARM_START_TRIG_TRIG_WHEN" not in task.settings:
        return np.array([piece.start])  # nothing waits for a time that nobody told
    return _at(bench, piece, task, "ARM_START")


def _at(bench: Bench, piece: TimeSlice, task: Task, name: str) -> Times:
    """When a trigger at a time of day comes."""
    when = awaited_time(task, bench.epoch, name)
    return np.array([when]) if when <= piece.end else NEVER


def _triggers(bench: Bench, piece: TimeSlice, task: Task, name: str) -> Times:
    """When a digital trigger comes; one on an analogue signal that is not the task's own never does by itself."""
    kind = task.settings.get(f"{name}_TRIG_TYPE", tt.NONE)
    if kind == tt.TIME and name == "START":
        return _at(bench, piece, task, name)
    if kind == tt.PATTERN:
        return _pattern(bench, piece, task, f"DIG_PATTERN_{name}_TRIG")
    return _edges(bench, piece, task, name) if kind == tt.DIGITAL_EDGE else NEVER


def _edges(bench: Bench, piece: TimeSlice, task: Task, name: str) -> Times:
    head = f"DIG_EDGE_{name}_TRIG"
    source = bench.routes.canonical(str(task.settings.get(f"{head}_SRC", "")), task.device)
    return filtered_edges.seen(piece, task, head, source).active(task.settings.get(f"{head}_EDGE", tt.RISING) == tt.RISING)


def _pattern(bench: Bench, piece: TimeSlice, task: Task, head: str) -> Times:
    """When lines come to match a pattern of 0, 1, X (any), R, F, E (rise, fall, either), or cease to; its first sign is the first line."""
    source, pattern = (str(task.settings.get(f"{head}_{tail}", "")) for tail in ("SRC", "PATTERN"))
    signs = patterns.signs(pattern)
    signals = [filtered_edges.seen(piece, task, line, line) for line in patterns.lines(bench, task, source)]
    changes = np.unique(np.concatenate([NEVER, *(np.concatenate([s.rises, s.falls]) for s in signals)]))
    before, behind = (np.ones(len(changes), dtype=bool) for _ in range(2))
    for signal, sign in zip(signals, signs, strict=False):
        before &= _fits(signal, sign, changes, False)
        behind &= _fits(signal, sign, changes, True)
    matches = task.settings.get(f"{head}_WHEN", tt.MATCHES) == tt.MATCHES
    return changes[behind & ~before] if matches else changes[before & ~behind]


def _fits(signal: Edges, sign: str, at: Times, behind: bool) -> NDArray[np.bool_]:
    if sign in "01":
        return np.asarray(signal.at(at, behind) == (sign == "1"))
    if sign in "RFE":
        rises, falls = np.isin(at, signal.rises), np.isin(at, signal.falls)
        return np.asarray((rises & (sign != "F") | falls & (sign != "R")) & behind)
    return np.ones(len(at), dtype=bool)


def _ticks(bench: Bench, piece: TimeSlice, task: Task, after: float) -> Times:
    clock = task.clock
    if isinstance(clock, Timeline):
        return piece.span(clock)
    if clock is None:
        return NEVER
    if isinstance(clock, DividedClock):
        return clock.ticks(piece)
    if isinstance(clock, ChangeClock):
        return _after(clock.changes(lambda line: filtered_edges.seen(piece, task, line, line)), piece, after)
    master = bench.routes.clock_task(clock)
    if master is task:
        return NEVER
    times = instants(bench, piece, master) if master is not None else _edges_of_clock(piece, task, clock)
    return _after(times, piece, after)


def _edges_of_clock(piece: TimeSlice, task: Task, clock: EdgeClock) -> Times:
    return filtered_edges.seen(piece, task, "SAMP_CLK", clock.terminal).active(clock.rising)


def _after(times: Times, piece: TimeSlice, after: float) -> Times:
    return times if after <= piece.start else times[times >= after]


def _through(bench: Bench, piece: TimeSlice, task: Task, times: Times) -> Times:
    """Those of the clock's edges that the gates and the number of samples let through."""
    pause = paused(bench, piece, task)
    if pause is not None:
        times = times[~pause.at(times, behind=True)]
    kind = task.settings.get("REF_TRIG_TYPE", tt.NONE)
    if task.reference is None and (kind in (tt.DIGITAL_EDGE, tt.PATTERN) or (kind != tt.NONE and unconnected_trigger(bench, task, "REF"))):
        _look_for_reference(bench, piece, task, times)
    if task.seeking:
        return times  # as many as are looked through, not as many as are taken
    left = max(task.quota - task.count, 0)
    return times[: int(left)] if len(times) > left else times


def _look_for_reference(bench: Bench, piece: TimeSlice, task: Task, times: Times) -> None:
    """The reference trigger counts from the moment when all pretrigger samples are there."""
    missing = task.pretrigger - task.count
    if missing > len(times):
        return
    ready = piece.start if missing <= 0 else float(np.nextafter(times[missing - 1], np.inf))
    fired = ready if unconnected_trigger(bench, task, "REF") else _first(_triggers(bench, piece, task, "REF"), ready)
    if fired is not None:
        task.reference = task.count + int(np.searchsorted(times, fired, side="left"))
        task.quota = task.reference + task.timing.samples - task.pretrigger + bench.task_type(task).late(bench, task)
        note(piece, task, "reference", fired)
