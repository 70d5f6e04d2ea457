"""Counter output tasks: pulses at the output of a counter, from the channel or from a buffer. What goes out when is in `generation`.

"X Series User Manual", Counters: pulse train generation, buffered pulse train generation (with implicit timing each sample is a pulse,
with a sample clock each sample is what the train goes on with), retriggerable generation, pause trigger, frequency generator. A finite
train takes one counter, whose embedded one counts the pulses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import need_memory
from drivers.simulated.daqmx.core.buffers import LatestSample, OutputBuffer
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.edges import PULSE, Drive, Edges, TimeSlice, pulses
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import DONT_ALLOW_REGENERATION, IMPLICIT, SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.core.watchdog import NO_CHANGE
from drivers.simulated.daqmx.subsystems.counter import generation as work
from drivers.simulated.daqmx.subsystems.counter import pulses as cp
from drivers.simulated.daqmx.subsystems.counter.checks import check_output
from drivers.simulated.daqmx.subsystems.counter.filters import Filters
from drivers.simulated.daqmx.subsystems.counter.generation import Output, Run
from drivers.simulated.daqmx.subsystems.counter.input_signals import inputs
from drivers.simulated.daqmx.subsystems.counter.trains import SHORTEST, Train
from drivers.simulated.daqmx.subsystems.task_type import TaskType

FIFO = 127
"""Samples of the memory of a counter (X Series specifications)."""
_INSIDE = ("internaloutput", "frequencyoutput")
"""Terminals of an output that is on no pin."""
TOGGLE, ACTIVE_LOW = ni.ExportAction.TOGGLE.value, ni.Polarity.ACTIVE_LOW.value


class CounterOutput(TaskType):
    """CO."""

    subsystem = "ctr"
    follows = True

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        return tuple(terminal(c.physical) for c in task.channels)

    def pins(self, bench: Bench, task: Task) -> tuple[tuple[str, tuple[str, ...]], ...]:
        found = [(pin, tuple(own)) for *own, pin in (_terminals(bench, task, c) for c in task.channels_of(CounterChannel))]
        return tuple((pin, own) for pin, own in found if not pin.endswith(_INSIDE))

    def verify(self, bench: Bench, task: Task) -> None:
        check_output(bench, task)

    def make_output(self, bench: Bench, task: Task, size: int) -> OutputBuffer:
        if len(task.channels) > 1:
            raise task.fail(-201317)
        if task.single_point:
            task.output = LatestSample(2)
            return task.output
        regenerate = task.regeneration != DONT_ALLOW_REGENERATION
        need_memory(task, task.buffer_size or size, 2)
        task.output = OutputBuffer(2, task.buffer_size or size, FIFO, regenerate)
        return task.output

    def start(self, bench: Bench, task: Task) -> None:
        if task.single_point:  # before the first write the train is as the channel says
            task.output = task.output or LatestSample(2)
        buffered = task.single_point or (task.output is not None and task.output.written > 0)
        if not buffered and (task.timing.kind == SAMPLE_CLOCK or (task.timing.kind == IMPLICIT and task.buffer_size)):
            raise task.fail(-200462)
        run = task.run = Run([_output(bench, task, c) for c in task.channels_of(CounterChannel)], buffered)
        if buffered:
            assert task.output is not None
            task.output.running = True
            output = run.outputs[0]
            output.train = Train(output.train.pulse, feed=partial(work.feed, task, output))

    def generate(self, bench: Bench, piece: TimeSlice, task: Task) -> None:
        made = work.work(bench, piece, task)
        for output in work.run_of(task).outputs:
            for pin in _terminals(bench, task, output.channel):
                if pin in bench.board.lines and output.channel.name in made:
                    piece.lines[pin] = made[output.channel.name].after

    def drives(self, bench: Bench, task: Task) -> dict[str, Drive]:
        drives = super().drives(bench, task)
        for output in task.run.outputs if isinstance(task.run, Run) else ():
            drives |= inputs(bench, output.channel, output.source.terminal)
        for column, channel in enumerate(task.channels_of(CounterChannel)):
            drives |= dict.fromkeys(_terminals(bench, task, channel), partial(_signal, bench, task, column))
        return drives

    def terminals(self, bench: Bench, task: Task, name: str) -> list[str]:
        if name == "CounterOutputEvent":
            return super().terminals(bench, task, name)[1:]
        own = [f"{terminal(c.physical)}{name.lower()}" for c in task.channels]
        return own + [bench.routes.canonical(text, task.device) for text in task.exports.get(name, ())]

    def signals(self, bench: Bench, task: Task) -> dict[str, Drive]:
        signals = super().signals(bench, task)
        return signals | {"CounterOutputEvent": partial(_event, bench, task)}

    def awaits(self, bench: Bench, task: Task) -> list[str]:
        if task.phase is not Phase.GOING or not isinstance(task.run, Run):
            return super().awaits(bench, task)
        if work.retriggers(task) and task.run.begun and not any(o.train.going for o in task.run.outputs):
            return [bench.routes.canonical(task.trigger_source, task.device)]
        clock = super().awaits(bench, task) if task.timing.kind == SAMPLE_CLOCK else []
        return clock + [o.source.terminal for o in task.run.outputs if o.source.rate is None]

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        return task.ended is None

    def expire(self, bench: Bench, task: Task, states: Mapping[str, int]) -> Mapping[str, bool]:
        lines: dict[str, bool] = {}
        for output in work.run_of(task).outputs:
            state = states.get(terminal(output.channel.physical), NO_CHANGE)
            if state != NO_CHANGE:
                output.high = state == cp.HIGH
            lines |= {pin: output.high for pin in _terminals(bench, task, output.channel) if pin in bench.board.lines}
        return lines

    def ends(self, bench: Bench, task: Task) -> float | None:
        """Bench time at which the train ends, None where nobody knows."""
        run = work.run_of(task)
        outputs = run.outputs
        known = all(o.source.rate is not None and not o.train.increment for o in outputs)
        count = work.count_of(task)
        if task.phase is not Phase.GOING or run.buffered or work.retriggers(task) or not known or count == np.inf:
            return None
        ticks = [o.delay + count * (o.train.pulse.idle + o.train.pulse.active) - o.train.pulse.idle for o in outputs]
        last = max(n / (o.source.rate or 1.0) for n, o in zip(ticks, outputs, strict=True))
        return float(max(task.started + last, bench.time))


def _output(bench: Bench, task: Task, channel: CounterChannel) -> Output:
    with task.naming():
        source = cp.source_of(bench, channel)
        pulse = cp.in_ticks(channel, cp.values_of(channel), source)
    delay = max(SHORTEST, cp.delay_in_ticks(channel, source))
    train = Train(pulse, as_int(channel.attributes["CO_AUTO_INCR_CNT"]))
    return Output(channel, source, cp.idles_high(channel), delay, train, Filters(bench, channel))


def _terminals(bench: Bench, task: Task, channel: CounterChannel) -> list[str]:
    pin = bench.routes.canonical(str(channel.attributes["CO_PULSE_TERM"]), channel.device)
    own = "frequencyoutput" if channel.number < 0 else f"ctr{channel.number}internaloutput"
    return list(dict.fromkeys([f"{terminal(channel.device)}/{own}", f"{terminal(task.owner)}/{own}", pin]))


def _signal(bench: Bench, task: Task, column: int, piece: TimeSlice) -> Edges:
    output = work.run_of(task).outputs[column]
    return work.work(bench, piece, task).get(output.channel.name) or Edges(output.high)


def _event(bench: Bench, task: Task, piece: TimeSlice) -> Edges:
    made = _signal(bench, task, 0, piece)
    begins = made.falls if work.run_of(task).outputs[0].idles_high else made.rises
    if task.settings.get("CTR_OUT_EVENT_OUTPUT_BEHAVIOR") == TOGGLE:
        return made
    event = pulses(piece, begins, PULSE, None)
    return event.inverted() if task.settings.get("CTR_OUT_EVENT_PULSE_POLARITY") == ACTIVE_LOW else event
