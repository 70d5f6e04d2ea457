"""Counter output tasks: pulses at the output of a counter, from the channel or from a buffer.

"X Series User Manual", Counters: pulse train generation, buffered pulse train generation (with implicit timing each sample is a pulse,
with a sample clock each sample is what the train goes on with), retriggerable generation, pause trigger, frequency generator.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from drivers.simulated.daqmx import counter_pulses as cp
from drivers.simulated.daqmx import gates
from drivers.simulated.daqmx.buffers import OutputBuffer
from drivers.simulated.daqmx.counter_ticks import Pacemaker
from drivers.simulated.daqmx.counter_trains import SHORTEST, Pulse, Train
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.kind import Drive, Kind
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.signals import PULSE, Edges, Piece, pulses
from drivers.simulated.daqmx.tasks import DONT_ALLOW_REGENERATION, FINITE, ON_DEMAND, SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.timeline import NEVER, Times

if TYPE_CHECKING:
    from drivers.simulated.daqmx.channels import CounterChannel
    from drivers.simulated.daqmx.engine import Engine

FIFO = 127
"""Samples of the memory of a counter (X Series specifications)."""
TOGGLE = 10307


@dataclass
class Output:
    """One counter of a running task."""

    channel: CounterChannel
    source: str
    rate: float | None
    idles_high: bool
    delay: int
    train: Train
    pace: Pacemaker | None = None
    high: bool = False
    updates: deque[tuple[float, Pulse]] = field(default_factory=deque)
    """What a sample clock has brought and when, until it goes out."""

    def __post_init__(self) -> None:
        self.high = self.idles_high


@dataclass
class Run:
    """What a running task works with. `samples`: pulses of the buffer by their number, for the counters that have not come to them."""

    outputs: list[Output]
    buffered: bool
    begun: bool = False
    samples: dict[int, list[Pulse]] = field(default_factory=dict)


class CounterOutput(Kind):
    """CO."""

    subsystem = "ctr"
    follows = True

    def resources(self, engine: Engine, task: Task) -> tuple[str, ...]:
        return tuple(terminal(c.physical) for c in task.channels)

    def verify(self, engine: Engine, task: Task) -> None:
        paused = task.settings.get("PAUSE_TRIG_TYPE", gates.NONE) != gates.NONE
        if paused and (task.timing.kind == ON_DEMAND or task.timing.mode == FINITE):
            raise task.fail(-200144)
        if paused and task.trigger_type != gates.NONE:
            raise task.fail(-200146)
        if task.timing.kind == SAMPLE_CLOCK and not engine.foreign_clock(task):
            raise task.fail(-200801, Property="DAQmx_SampClk_Src", Requested_Value=task.timing.source or "OnboardClock")
        for channel in task.channels:
            if channel.number < 0 and (task.timing.kind == SAMPLE_CLOCK or task.finite):
                raise task.fail(-200305, Channel_Name=channel.name)
            self._output(engine, task, channel)

    def make_output(self, engine: Engine, task: Task, size: int) -> OutputBuffer:
        regenerate = task.regeneration != DONT_ALLOW_REGENERATION
        task.output = OutputBuffer(2 * len(task.channels), task.buffer_size or size, FIFO, regenerate)
        return task.output

    def start(self, engine: Engine, task: Task) -> None:
        buffered = task.output is not None and task.output.written > 0
        if task.timing.kind == SAMPLE_CLOCK and not buffered:
            raise task.fail(-200462)
        if buffered:
            assert task.output is not None
            task.output.running = True
        run = task.run = Run([self._output(engine, task, c) for c in task.channels], buffered)
        if buffered:
            for column, output in enumerate(run.outputs):
                output.train = Train(output.train.pulse, partial(_feed, task, output, column))

    def generate(self, engine: Engine, piece: Piece, task: Task) -> None:
        made = work(engine, piece, task)
        for output in task.run.outputs:
            for pin in _terminals(engine, task, output.channel):
                if pin in engine.board.lines and output.channel.name in made:
                    piece.lines[pin] = made[output.channel.name].after

    def drives(self, engine: Engine, task: Task) -> dict[str, Drive]:
        drives = super().drives(engine, task)
        for column, channel in enumerate(task.channels):
            drives |= dict.fromkeys(_terminals(engine, task, channel), partial(_signal, engine, task, column))
        return drives

    def terminals(self, engine: Engine, task: Task, name: str) -> list[str]:
        if name == "CounterOutputEvent":
            return super().terminals(engine, task, name)[1:]
        own = [f"{terminal(c.physical)}{name.lower()}" for c in task.channels]
        return own + [engine.routes.canonical(text, task.device) for text in task.exports.get(name, ())]

    def signals(self, engine: Engine, task: Task) -> dict[str, Drive]:
        signals = super().signals(engine, task)
        return signals | {"CounterOutputEvent": partial(_event, engine, task)}

    def awaits(self, engine: Engine, task: Task) -> list[str]:
        if task.phase is not gates.Phase.GOING or not isinstance(task.run, Run):
            return super().awaits(engine, task)
        if retriggers(task) and task.run.begun and not any(o.train.going for o in task.run.outputs):
            return [engine.routes.canonical(task.trigger_source, task.device)]
        clock = super().awaits(engine, task) if task.timing.kind == SAMPLE_CLOCK else []
        return clock + [o.source for o in task.run.outputs if o.rate is None]

    def needs_signals(self, engine: Engine, task: Task) -> bool:
        return task.ended is None

    def ends(self, engine: Engine, task: Task) -> float | None:
        """Bench time at which the train ends, None where nobody knows."""
        run = task.run
        if task.phase is not gates.Phase.GOING or run.buffered or retriggers(task) or any(o.rate is None for o in run.outputs):
            return None
        pulses_of = _count(task)
        if pulses_of == np.inf:
            return None
        ticks = [o.delay + pulses_of * (o.train.pulse.idle + o.train.pulse.active) - o.train.pulse.idle for o in run.outputs]
        last = max(n / o.rate for n, o in zip(ticks, run.outputs, strict=True))
        return float(max(task.started + last, engine.time))

    def _output(self, engine: Engine, task: Task, channel: CounterChannel) -> Output:
        try:
            source, rate = cp.timebase_of(engine, channel)
            pulse = cp.in_ticks(engine, channel, cp.values_of(channel), rate)
            delay = 0 if channel.number < 0 else cp.delay_in_ticks(channel, rate)
        except DaqmxError as error:
            raise task.fail(error.code, 0, **error.details) from None
        return Output(channel, source, rate, cp.idles_high(channel), max(SHORTEST, delay), Train(pulse))


def retriggers(task: Task) -> bool:
    """Whether every trigger starts a train anew."""
    return bool(task.settings.get("START_TRIG_RETRIGGERABLE", False)) and _count(task) < np.inf and task.trigger_type != gates.NONE


def _count(task: Task) -> float:
    """Pulses of one train."""
    if task.timing.kind == ON_DEMAND:
        return np.inf if task.channels[0].number < 0 else 1
    return task.timing.samples if task.finite and task.timing.kind != SAMPLE_CLOCK else np.inf


def _terminals(engine: Engine, task: Task, channel: CounterChannel) -> list[str]:
    pin = engine.routes.canonical(str(channel.attributes["CO_PULSE_TERM"]), channel.device)
    own = "frequencyoutput" if channel.number < 0 else f"ctr{channel.number}internaloutput"
    return list(dict.fromkeys([f"{terminal(channel.device)}/{own}", f"{terminal(task.owner)}/{own}", pin]))


def _signal(engine: Engine, task: Task, column: int, piece: Piece) -> Edges:
    output: Output = task.run.outputs[column]
    return work(engine, piece, task).get(output.channel.name) or Edges(output.high)


def _event(engine: Engine, task: Task, piece: Piece) -> Edges:
    made = _signal(engine, task, 0, piece)
    begins = made.falls if task.run.outputs[0].idles_high else made.rises
    if task.settings.get("CTR_OUT_EVENT_OUTPUT_BEHAVIOR") == TOGGLE:
        return made
    return pulses(piece, begins, PULSE, None)


def _feed(task: Task, output: Output, column: int, tick: int) -> Pulse | None:
    """The pulse to be generated at a tick: of implicit timing the next sample, else what the sample clock has brought up to then."""
    if task.timing.kind != SAMPLE_CLOCK:
        return _next_sample(task, column)
    assert output.pace is not None
    when, found = float(output.pace.times(np.array([tick]))[0]), output.train.pulse
    while output.updates and output.updates[0][0] <= when:
        found = output.updates.popleft()[1]
    return found


def _next_sample(task: Task, column: int) -> Pulse | None:
    assert task.output is not None
    # The counters of a task go through the buffer together: the first one of them takes the sample.
    number: int = task.run.outputs[column].train.generated
    kept: dict[int, list[Pulse]] = task.run.samples
    if number not in kept:
        block = task.output.take(1)
        if not len(block):
            return None
        kept[number] = [_pulse(block[0], n) for n in range(len(task.channels))]
    found = kept[number][column]
    if all(o.train.generated >= number for o in task.run.outputs):
        kept.pop(number - 1, None)
    return found


def _pulse(row: Times, column: int) -> Pulse:
    return Pulse(int(row[2 * column]), int(row[2 * column + 1]))


def work(engine: Engine, piece: Piece, task: Task) -> dict[str, Edges]:
    """What the counters of the task put out in a piece, by channel."""
    made: dict[str, Edges] | None = piece.memo.get(task)
    if made is not None:
        return made
    piece.memo[task] = {}  # what a task sees that depends on itself
    at = gates.instants(engine, piece, task)
    made = piece.memo[task] = {}
    run: Run = task.run
    if task.ended is None and task.phase is gates.Phase.GOING:
        _take_updates(engine, task, at)
        begin = None
        if not run.begun:
            run.begun, begin = True, task.started
        for output in run.outputs:
            made[output.channel.name] = _generate(engine, piece, task, output, begin)
        _look_for_the_end(engine, task)
    return made


def _take_updates(engine: Engine, task: Task, at: Times) -> None:
    if task.timing.kind != SAMPLE_CLOCK or not len(at):
        return
    assert task.output is not None
    block = task.output.take(len(at))
    for column, output in enumerate(task.run.outputs):
        output.updates.extend((float(t), _pulse(row, column)) for t, row in zip(at, block, strict=False))
    if len(block) < len(at):
        engine.end(task, -200290)


def _generate(engine: Engine, piece: Piece, task: Task, output: Output, begin: float | None) -> Edges:
    before = output.high
    source = piece.edges(output.source) if output.rate is None else None
    if source is not None and output.channel.attributes["CO_CTR_TIMEBASE_ACTIVE_EDGE"] != gates.RISING:
        source = source.inverted()
    pause = gates.paused(engine, piece, task)
    begins, ends = [NEVER], [NEVER]
    triggers = _triggers(engine, piece, task) if retriggers(task) else NEVER
    while True:
        if begin is not None:
            _begin(task, output, begin)
        assert output.pace is not None
        if not piece.point:
            last = output.pace.run(piece, pause, source, begin if begin is not None else piece.start)
            rises, falls = output.train.run(last)
            begins.append(output.pace.times(rises))
            ends.append(output.pace.times(falls))
        if output.train.going or not len(triggers):
            break
        free = max((float(t[-1]) for t in ends if len(t)), default=piece.start)
        triggers = triggers[triggers >= free]
        if not len(triggers):
            break
        begin, triggers = float(triggers[0]), triggers[1:]
    up, down = np.concatenate(begins), np.concatenate(ends)
    output.high = output.idles_high ^ (len(up) + int(before != output.idles_high) > len(down))
    if output is task.run.outputs[0]:
        task.told["CounterOutputEvent"] = task.told.get("CounterOutputEvent", 0) + len(up)
    return Edges(before, down, up) if output.idles_high else Edges(before, up, down)


def _begin(task: Task, output: Output, when: float) -> None:
    again = output.pace is not None
    output.pace = Pacemaker(when, output.rate)
    if task.timing.kind == SAMPLE_CLOCK:
        output.train.begin_specified(0, output.delay)
        return
    # By default only a single pulse is delayed anew by every trigger.
    delayed = not again or task.channels[0].attributes["CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER"] or _count(task) == 1
    output.train.begin(0, output.delay if delayed else SHORTEST, _count(task))


def _triggers(engine: Engine, piece: Piece, task: Task) -> Times:
    edges = piece.edges(engine.routes.canonical(task.trigger_source, task.device))
    times = edges.active(task.settings.get("DIG_EDGE_START_TRIG_EDGE", gates.RISING) == gates.RISING)
    fired = piece.fired.get((task, "start"), NEVER)
    return times[times > fired[-1]] if len(fired) else times


def _look_for_the_end(engine: Engine, task: Task) -> None:
    if task.ended is not None or any(o.train.going for o in task.run.outputs):
        return
    if any(o.train.dry for o in task.run.outputs):
        engine.end(task, -200290)
    elif not retriggers(task):
        engine.end(task, 0)
