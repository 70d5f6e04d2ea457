"""Writes: streamed and on-demand analogue outputs, digital lines on demand."""

from __future__ import annotations

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers import host_clock
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.buffers import Block, OutputBuffer
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.engine.bench_time import Patience
from drivers.simulated.daqmx.engine.call import Alive
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import onboard, task_states
from drivers.simulated.daqmx.io.reading import due, raise_if_failed
from drivers.simulated.daqmx.status.errors import DaqmxError

Volts = NDArray[np.float64]
FIRST_SAMPLE, CURRENT = ni.WriteRelativeTo.FIRST_SAMPLE.value, ni.WriteRelativeTo.CURRENT_WRITE_POSITION.value


def write_analog(engine: Engine, task: Task, block: Volts, auto_start: bool, timeout: float, alive: Alive) -> int:
    """Write (samples, channels) in V; returns the samples per channel written. Raises DaqmxError."""
    with engine.lock:
        task.need_kind((ch.ANALOG_OUTPUT,), -200526)
        task.need_timeout(timeout)
        return write_volts(engine, task, _converted(task, block), auto_start, timeout, alive)


def write_volts(engine: Engine, task: Task, volts: Volts, auto_start: bool, timeout: float, alive: Alive) -> int:
    """Write (samples, channels) in V as they go out; returns the samples per channel written. Raises DaqmxError."""
    with engine.lock:
        if task.clocked:
            return write_buffer(engine, task, volts, auto_start, timeout, alive)
        _on_demand(engine, task, volts, auto_start)
        return len(volts)


def _converted(task: Task, block: Volts) -> Volts:
    """Volts that go out, from values in the units of the channels. Raises DaqmxError -200561 beyond their limits."""
    channels = task.channels_of(ch.AnalogChannel)
    low, high = (np.array([as_float(c.attributes[name]) for c in channels]) for name in ("AO_MIN", "AO_MAX"))
    inside = (block >= low) & (block <= high)
    if not inside.all():
        at = tuple(np.argwhere(~inside)[0])
        raise task.fail(
            -200561, Property="DAQmx_AO_Max" if block[at] > high[at[1]] else "DAQmx_AO_Min", Requested_Value=float(block[at]),
            Maximum_Value=f"{high[at[1]]:f}", Minimum_Value=f"{low[at[1]]:f}", Channel_Name=channels[at[1]].name,
            Sample_Number=int(at[0]),
        )  # fmt: skip
    volts = np.array(block, dtype=float)
    for column, channel in enumerate(channels):
        if channel.curve is not None or (channel.gain, channel.offset) != (1.0, 0.0):
            volts[:, column] = channel.law.back(block[:, column])
    tops, lsb = np.array([c.top for c in channels]), np.array([c.lsb for c in channels])
    return np.asarray(np.minimum(np.rint(volts / lsb) * lsb, tops - lsb))


def _on_demand(engine: Engine, task: Task, volts: Volts, auto_start: bool) -> None:
    with task_states.running(engine, task, auto_start, -200846, -200985):
        engine.reach_now(task)
        names = [terminal(c.physical) for c in task.channels]
        for row in volts if engine.recorder else volts[-1:]:
            engine.put_out(dict(zip(names, map(float, row), strict=True)))


def _seek(task: Task, buffer: OutputBuffer) -> None:
    """Where the write goes: on from the one before, or where RelativeTo and Offset say. Raises DaqmxError."""
    relative, offset = task.settings.get("RELATIVE_TO", CURRENT), as_int(task.settings.get("OFFSET", 0))
    if relative == CURRENT and offset == 0:
        return
    target = offset + (0 if relative == FIRST_SAMPLE else buffer.position)
    if target < 0:
        raise task.fail(-200287, Property="DAQmx_Write_Offset", Requested_Value=offset)
    if buffer.running and not buffer.regenerate and target < buffer.transferred:
        raise task.fail(-200289)
    buffer.position = target


def write_buffer(engine: Engine, task: Task, volts: Block, auto_start: bool, timeout: float, alive: Alive) -> int:
    """Write (samples, columns) as they are kept in the buffer; what does not fit is waited for where the task runs. Raises DaqmxError."""
    onboard.need_unstarted(task)
    if task.single_point and len(volts) > 1:
        raise task.fail(-209815)
    if not task.running:
        if auto_start:
            task.need_no_events(-200985)
        resting = task.state
        task_states.commit(engine, task)
        if len(volts):  # a buffer of no size would hold nothing later either
            buffer = task.output
            if buffer is None or _outgrown(task, buffer, len(volts)):
                buffer = engine.task_type(task).make_output(engine, task, len(volts))
            _seek(task, buffer)
            onboard.need_room(engine, task, buffer.position + len(volts))
            if len(volts) > buffer.space:
                raise task.fail(-200547 if task.buffer_size is None else -200293, 0)
            buffer.write(volts)
        if auto_start:
            _start_from(engine, task, resting)
        return len(volts)
    assert task.output is not None
    _seek(task, task.output)
    return _stream(engine, task, task.output, volts, timeout, alive)


def _start_from(engine: Engine, task: Task, resting: State) -> None:
    """A write that starts the task commits it on the way: the stop leads back to where it was before ("Transitioning the State
    Backwards", NI-DAQmx Key Concepts)."""
    try:
        task_states.start(engine, task)
    except DaqmxError:
        task_states.fall_back(task, resting)
        raise
    task.resting = resting


def _outgrown(task: Task, buffer: OutputBuffer, count: int) -> bool:
    """Whether the first write for the next start is to make a buffer of its own size again: where none was configured."""
    placed = task.settings.get("RELATIVE_TO", CURRENT) != CURRENT or task.settings.get("OFFSET", 0) != 0
    return task.buffer_size is None and not task.single_point and buffer.position == 0 and count != buffer.size and not placed


def _stream(engine: Engine, task: Task, buffer: OutputBuffer, volts: Block, timeout: float, alive: Alive) -> int:
    done, run, patience = 0, task.runs, engine.patience(timeout, alive)
    while True:
        if not _in_time(engine, task, buffer, len(volts) - done):
            engine.update()
        raise_if_failed(task, done)
        if task.ended is not None or not task.running or task.runs != run:
            raise task.fail(-200288, done)
        piece = min(len(volts) - done, buffer.space)
        buffer.write(volts[done : done + piece])
        done += piece
        if done == len(volts):
            return done
        wanted = min(len(volts) - done, max(1, buffer.size // 2))
        if not _wait_for_space(engine, task, buffer, wanted, patience):
            piece = min(len(volts) - done, buffer.space) if alive() and task.running and task.runs == run else 0
            buffer.write(volts[done : done + piece])  # what has become free meanwhile is written before the time-out is told
            if done + piece < len(volts):
                raise task.fail(-200292, done + piece)
            return len(volts)


def _wait_for_space(engine: Engine, task: Task, buffer: OutputBuffer, wanted: int, patience: Patience) -> bool:
    """False at the time-out."""
    run = task.runs
    return engine.wait(
        lambda: buffer.space >= wanted or task.done or task.runs != run,
        lambda: due(engine, task, buffer.generated + wanted - buffer.space - 1), patience,
    )  # fmt: skip


def _in_time(engine: Engine, task: Task, buffer: OutputBuffer, count: int) -> bool:
    """Whether the buffer takes `count` samples as it is, and cannot have run dry by now: the devices need not be brought up then."""
    if task.finite or task.single_point or buffer.regenerate or buffer.space < count or buffer.written == buffer.generated:
        return False
    last = due(engine, task, buffer.written - 1)
    return last is not None and last > engine.clock.now()


def write_lines(engine: Engine, task: Task, data: NDArray[np.bool_], auto_start: bool, timeout: float, alive: Alive) -> int:
    """Write (samples, channels, lines); on demand only the last sample stays. Raises DaqmxError."""
    with engine.lock:
        task.need_kind((ch.DIGITAL_OUTPUT,), -200526)
        task.need_timeout(timeout)
        channels = task.channels_of(ch.LineChannel)
        data = data ^ np.array([c.inverted for c in channels])[:, None]
        if task.clocked:
            columns = [data[:, row, : len(c.lines)] for row, c in enumerate(channels)]
            return write_buffer(engine, task, np.concatenate(columns, axis=1), auto_start, timeout, alive)
        with task_states.running(engine, task, auto_start, -200846, -200985):
            _set_lines(engine, task, data)
        return len(data)


def _set_lines(engine: Engine, task: Task, data: NDArray[np.bool_]) -> None:
    engine.reach_now(task)
    dog = engine.watchdogs.get(task.device)
    if dog is not None and dog.expired:
        raise task.fail(-200678, Device=task.device)
    since, run = host_clock.now(), task.runs
    for done, sample in enumerate(data):
        if task.runs != run or not task.running:
            raise task.fail(-200288, done)
        levels: dict[str, bool] = {}
        for channel, states_of in zip(task.channels_of(ch.LineChannel), sample, strict=True):
            levels.update(dict(zip(channel.lines, map(bool, states_of), strict=False)))
        engine.set_lines(levels)
        since = engine.let_in(since)
    engine.changed.notify_all()


def from_numbers(task: Task, numbers: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Numbers (samples, channels) as lines (samples, channels, lines of the widest channel)."""
    channels = task.channels_of(ch.LineChannel)
    data = np.zeros((*numbers.shape, max(len(c.lines) for c in channels)), dtype=np.bool_)
    for row, channel in enumerate(channels):
        for column, shift in enumerate(channel.shifts):
            data[:, row, column] = (numbers[:, row] >> np.uint32(shift)) & 1
    return data
