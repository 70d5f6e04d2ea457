"""Writes of pulses: to a buffer, or to counters that run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import ON_DEMAND, SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.values import Fields, as_float
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import reading, task_states, writing
from drivers.simulated.daqmx.io.layout import scans
from drivers.simulated.daqmx.subsystems.counter import pulses as cp
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.subsystems.counter.generation import Output, run_of
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source
from drivers.simulated.daqmx.subsystems.counter.trains import Pulse

NOT_RUNNING = {cu.BY_FREQUENCY: -200875, cu.BY_TIME: -200874, cu.BY_TICKS: -200876}


def write(engine: Engine, task: Task, kind: int, values: NDArray[np.float64], fields: Fields, alive: Alive) -> int:
    """Write pulses (samples, channels, 2) of one type; returns the samples written. Raises DaqmxError."""
    with engine.lock:
        task.need_kind((ch.COUNTER_OUTPUT,), -200526)
        timeout = as_float(fields["timeout"])
        task.need_timeout(timeout)
        _check(task, kind, values)
        if _buffered(task, len(values)):
            block = _in_ticks(engine, task, values)
            return writing.write_buffer(engine, task, block, bool(fields["auto_start"]), timeout, alive)
        if not task.running:
            if not fields["auto_start"]:
                raise task.fail(NOT_RUNNING[kind])
            task_states.start(engine, task)
        return _update(engine, task, values, timeout, alive)


def _check(task: Task, kind: int, values: NDArray[np.float64]) -> None:
    for column, channel in enumerate(task.channels_of(ch.CounterChannel)):
        if channel.attributes["CO_OUTPUT_TYPE"] != kind:
            raise task.fail(-200829 if len(task.channels) > 1 else -200526, Channel_Name=channel.name)
        with task.naming():
            cp.check_written(channel, values[:, column])


def _buffered(task: Task, count: int) -> bool:
    """Whether a write goes to a buffer: with a sample clock always, with implicit timing unless single pulses follow each other."""
    if task.timing.kind == ON_DEMAND:
        return False
    if task.timing.kind == SAMPLE_CLOCK:
        return True
    if task.running:
        return run_of(task).buffered
    return count > 1 or task.buffer_size is not None or task.output is not None


def _in_ticks(engine: Engine, task: Task, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Idle and active ticks of the pulses, (samples, 2)."""
    if len(task.channels) > 1:
        raise task.fail(-201324 if task.timing.kind == SAMPLE_CLOCK else -201317)
    channel = task.channels_of(ch.CounterChannel)[0]
    with task.naming():
        source = cp.source_of(engine, channel)
    made = [_pulse(task, channel, pair, source) for pair in values[:, 0]]
    return np.array([(pulse.idle, pulse.active) for pulse in made], dtype=float).reshape(-1, 2)


def _pulse(task: Task, channel: ch.CounterChannel, values: tuple[float, float], source: Source) -> Pulse:
    with task.naming():
        return cp.in_ticks(channel, values, source)


def _update(engine: Engine, task: Task, values: NDArray[np.float64], timeout: float, alive: Alive) -> int:
    """One pulse after the other; a write has done its work when a pulse like that has gone out. Raises DaqmxError -200474."""
    if task.finite:
        raise task.fail(-201291)
    if any(c.number < 0 for c in task.channels_of(ch.CounterChannel)):
        raise task.fail(-200844)
    if any(c.attributes["CO_AUTO_INCR_CNT"] for c in task.channels):
        raise task.fail(-201330)
    patience, run = engine.patience(timeout, alive), task.runs
    for done, sample in enumerate(values):
        engine.reach_now(task)
        outputs = run_of(task).outputs
        pulses = [_pulse(task, o.channel, v, o.source) for o, v in zip(outputs, sample, strict=True)]
        for output, pulse, value in zip(outputs, pulses, sample, strict=True):
            output.train.change(pulse)
            names = cp.FIELDS[cp.type_of(output.channel)]
            output.channel.attributes |= {name: v.item() for name, v in zip(names, value, strict=True)}
        if not engine.wait(partial(_gone_out, task, run, outputs), lambda: _due(engine, task, timeout), patience):
            raise task.fail(-200474, done)
        if task.runs != run or not task.running:
            raise task.fail(-200288, done)
    return len(values)


def _gone_out(task: Task, run: int, outputs: Sequence[Output]) -> bool:
    """Whether what was asked for has gone out, or the run is over."""
    return task.runs != run or not task.running or all(output.train.made == output.train.asked for output in outputs)


def _due(engine: Engine, task: Task, timeout: float) -> float | None:
    """In lockstep the write moves time; where no pulse will come any more it takes its time-out."""
    if engine.routes.moves(task):
        return engine.time + reading.STEP
    return engine.time + timeout + 1.0 if timeout >= 0 else None


def changed(engine: Engine, task: Task, channel: ch.CounterChannel) -> None:
    """A property of the pulses was set while they go out: the next pulse has it.

    Raises DaqmxError -200301 with a buffer, -200844 of the frequency output, -201330 while pulses are incremented.
    """
    if run_of(task).buffered:
        raise task.fail(-200301, Channel_Name=channel.name)
    if channel.number < 0:
        raise task.fail(-200844, Channel_Name=channel.name)
    if channel.attributes["CO_AUTO_INCR_CNT"]:
        raise task.fail(-201330, Channel_Name=channel.name)
    for output in run_of(task).outputs:
        if output.channel is channel:
            output.train.change(_pulse(task, channel, cp.values_of(channel), output.source))


def _write(kind: int, first: str, second: str) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        task.need_kind((ch.COUNTER_OUTPUT,), -200526)
        values = np.stack([scans(task, np.array(fields[name]), fields) for name in (first, second)], axis=2)
        return {"num_samps_per_chan_written": write(engine, task, kind, values, fields, alive)}

    return call


def _write_scalar(kind: int, first: str, second: str) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        task.need_kind((ch.COUNTER_OUTPUT,), -200526)
        task.need_one_to_write()
        write(engine, task, kind, np.array([[[fields[first], fields[second]]]]), fields, alive)
        return {}

    return call


_KINDS = {"Freq": cu.BY_FREQUENCY, "Time": cu.BY_TIME, "Ticks": cu.BY_TICKS}
CALLS: dict[str, Call] = {
    **{f"WriteCtr{name}": _write(_KINDS[name], *both) for name, both in cu.PULSE_FIELDS.items()},
    **{f"WriteCtr{name}Scalar": _write_scalar(_KINDS[name], *both) for name, both in cu.PULSE_FIELDS.items()},
}
