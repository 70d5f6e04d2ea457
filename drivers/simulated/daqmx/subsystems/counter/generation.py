"""What the counters of a counter output task put out in a piece of time, by its triggers, its buffer and the ticks of their timebases.

"X Series User Manual", Counters, Pulse Generation and Pulse Train Generation. A sample clock that comes again before a pulse of the last
specification went out is an overrun (-201318).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffers import LatestSample
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.edges import RUN, Edges, TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.task import ON_DEMAND, SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.trigger_types import NONE, RISING, Phase
from drivers.simulated.daqmx.subsystems.counter.filters import Filters
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source
from drivers.simulated.daqmx.subsystems.counter.ticks import Pacemaker
from drivers.simulated.daqmx.subsystems.counter.trains import SHORTEST, Pulse, Train
from drivers.simulated.daqmx.triggering import sequence

BY_ONE = 20
"""What a pulse from a buffer costs, in edges: each is worked out by itself."""


@dataclass
class Output:
    """One counter of a running task. `told`: whether somebody has asked since the train was done. `overrun`: the sample clock was too
    fast for the pulses.
    """

    channel: CounterChannel
    source: Source
    idles_high: bool
    delay: int
    train: Train
    filters: Filters
    pace: Pacemaker | None = None
    high: bool = False
    triggers: int = 0
    told: bool = False
    overrun: bool = False
    updates: deque[tuple[float, Pulse]] = field(default_factory=deque)
    """What a sample clock has brought and when, until it goes out."""

    def __post_init__(self) -> None:
        self.high = self.idles_high


@dataclass
class Run:
    """What a running task works with."""

    outputs: list[Output]
    buffered: bool
    begun: bool = False


def run_of(task: Task) -> Run:
    """The run of a task that generates pulses, and has been started."""
    assert isinstance(task.run, Run)
    return task.run


def retriggers(task: Task) -> bool:
    """Whether every trigger starts a train anew."""
    return bool(task.settings.get("START_TRIG_RETRIGGERABLE", False)) and count_of(task) < np.inf and task.trigger_type != NONE


def count_of(task: Task) -> float:
    """Pulses of one train."""
    if task.timing.kind == ON_DEMAND:
        return np.inf if task.channels_of(CounterChannel)[0].number < 0 else 1
    return task.timing.samples if task.finite and task.timing.kind != SAMPLE_CLOCK else np.inf


def delays_again(task: Task, channel: CounterChannel) -> bool:
    """Whether the initial delay is before every train: by default only before single pulses ("X Series User Manual")."""
    chosen = channel.attributes["CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER"]
    return bool(count_of(task) == 1 if chosen is None else chosen)


def work(bench: Bench, piece: TimeSlice, task: Task) -> dict[str, Edges]:
    """What the counters of the task put out in a piece, by channel; worked out once."""
    made = piece.generated.get(task)
    if made is not None:
        return made
    piece.generated[task] = {}  # what a task sees that depends on itself
    at = sequence.instants(bench, piece, task)
    made = piece.generated[task] = {}
    run = run_of(task)
    if task.ended is None and task.phase is Phase.GOING:
        _take_updates(bench, task, at)
        begin = None
        if not run.begun:
            run.begun, begin = True, task.started
        for output in run.outputs:
            made[output.channel.name] = _generate(bench, piece, task, output, begin)
        _look_for_the_end(bench, task)
    return made


def feed(task: Task, output: Output, tick: int) -> Pulse | None:
    """The pulse to be generated at a tick: of implicit timing the next sample, else what the sample clock has brought up to then."""
    if task.timing.kind != SAMPLE_CLOCK:
        assert task.output is not None
        block = task.output.take(1)
        return _pulse(block[0]) if len(block) else None
    assert output.pace is not None
    when = float(output.pace.times(np.array([tick]))[0])
    if not output.updates or output.updates[0][0] > when:
        return output.train.pulse
    found = output.updates.popleft()[1]
    output.overrun |= bool(output.updates) and output.updates[0][0] <= when
    return found


def _pulse(row: Times) -> Pulse:
    return Pulse(int(row[0]), int(row[1]))


def _take_updates(bench: Bench, task: Task, at: Times) -> None:
    if task.timing.kind != SAMPLE_CLOCK or not len(at):
        return
    if isinstance(task.output, LatestSample):
        run_of(task).outputs[0].updates.extend((float(at[0]), _pulse(row)) for row in task.output.take_new())
        return
    assert task.output is not None
    block = task.output.take(len(at))
    run_of(task).outputs[0].updates.extend((float(t), _pulse(row)) for t, row in zip(at, block, strict=False))
    if len(block) < len(at):
        bench.end(task, -200290)


def _generate(bench: Bench, piece: TimeSlice, task: Task, output: Output, begin: float | None) -> Edges:
    before = output.high
    source = output.filters.edges(piece, "CO_CTR_TIMEBASE_SRC") if output.source.rate is None else None
    if source is not None and output.channel.attributes["CO_CTR_TIMEBASE_ACTIVE_EDGE"] != RISING:
        source = source.inverted()
    pause = sequence.paused(bench, piece, task)
    begins, ends, free = [NEVER], [NEVER], piece.start
    triggers = _triggers(bench, piece, task) if retriggers(task) else NEVER
    while True:
        if begin is not None:
            _begin(task, output, begin)
        assert output.pace is not None
        if not piece.point:
            last = output.pace.run(piece, pause, source, begin if begin is not None else piece.start)
            rises, falls = output.train.run(last)
            begins.append(output.pace.times(rises))
            ends.append(output.pace.times(falls))
            piece.count += BY_ONE * len(falls) if run_of(task).buffered else 0
        if output.train.going or not len(triggers):
            break
        piece.count += RUN
        free = float(ends[-1][-1]) if len(ends[-1]) else free
        triggers = triggers[triggers >= free]
        if not len(triggers):
            break
        begin, triggers = float(triggers[0]), triggers[1:]
    up, down = np.concatenate(begins), np.concatenate(ends)
    output.high = output.idles_high ^ (len(up) + int(before != output.idles_high) > len(down))
    if output is run_of(task).outputs[0]:
        task.told["CounterOutputEvent"] = task.told.get("CounterOutputEvent", 0) + len(up)
    return Edges(before, down, up) if output.idles_high else Edges(before, up, down)


def _begin(task: Task, output: Output, when: float) -> None:
    again = output.pace is not None
    output.pace = Pacemaker(when, output.source.rate, output.source.prescaler)
    output.triggers, output.told = output.triggers + 1, False
    if task.timing.kind == SAMPLE_CLOCK:
        output.train.begin_specified(0, output.delay)
        return
    delay = output.delay if not again or delays_again(task, output.channel) else SHORTEST
    # "Pulse Generation for ETS": a pulse comes later behind each trigger than behind the one before.
    output.train.begin(0, delay + output.train.increment * (output.triggers - 1), count_of(task))


def _triggers(bench: Bench, piece: TimeSlice, task: Task) -> Times:
    edges = piece.edges(bench.routes.canonical(task.trigger_source, task.device))
    times = edges.active(task.settings.get("DIG_EDGE_START_TRIG_EDGE", RISING) == RISING)
    fired = piece.fired.get((task, "start"), NEVER)
    return times[times > fired[-1]] if len(fired) else times


def _look_for_the_end(bench: Bench, task: Task) -> None:
    outputs = run_of(task).outputs
    if task.ended is None and any(o.overrun for o in outputs):
        bench.end(task, -201318)
    if task.ended is not None or any(o.train.going for o in outputs):
        return
    if any(o.train.dry for o in outputs):
        bench.end(task, -200290)
    elif not retriggers(task):
        bench.end(task, 0)
