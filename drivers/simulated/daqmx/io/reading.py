"""Reads: buffered and on-demand analogue samples, digital lines on demand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers import host_clock
from drivers.simulated.daqmx.core import buffers
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.buffer_sizes import need_memory
from drivers.simulated.daqmx.core.buffers import Demand, InputBuffer
from drivers.simulated.daqmx.core.task import Scalar, Task
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.engine.bench_time import Patience
from drivers.simulated.daqmx.engine.call import Alive
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import lateness, read_runs, task_states
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.wording import VALUES
from drivers.simulated.daqmx.subsystems.analog import tdms
from drivers.simulated.daqmx.subsystems.analog.input import convert_now
from drivers.simulated.daqmx.subsystems.digital.input import lines_now
from drivers.simulated.daqmx.triggering import sequence

Block = NDArray[np.float64]
ALL_AVAILABLE = -1
TIMED_OUT = -200284
FIRST_SAMPLE, CURRENT, REFERENCE, FIRST_PRETRIGGER = (
    ni.ReadRelativeTo.FIRST_SAMPLE.value, ni.ReadRelativeTo.CURRENT_READ_POSITION.value, ni.ReadRelativeTo.REFERENCE_TRIGGER.value,
    ni.ReadRelativeTo.FIRST_PRETRIGGER_SAMPLE.value,
)  # fmt: skip
WAIT = 1.0
"""How far (s) time is moved at once for somebody who waits for what does not come."""
STEP = 1e-3
"""How far (s) time is moved at once for somebody who waits for what may come at any moment."""


def read_analog(engine: Engine, task: Task, count: int, timeout: float, alive: Alive, power: bool = False) -> tuple[int, Block]:
    """The next `count` samples (-1: see `default_count`): (status, (channels, samples)). `power`: of supplies.

    A time-out is a status, -200284, with the samples there are. Everything else that is wrong is a DaqmxError.
    """
    with engine.lock:
        task.need_kind((ch.ANALOG_INPUT,), -200525)
        if any(isinstance(channel, ch.PowerChannel) != power for channel in task.channels):
            raise task.fail(-200525)
        check(task, count, timeout)
        if not task.clocked:
            return 0, task.of_channels_to_read(_on_demand(engine, task, 1 if count == ALL_AVAILABLE else count, alive))
        if tdms.mode(task) == tdms.LOG:
            raise task.fail(-201301)
        read_runs.need_run(engine, task)
        status, found = read_clocked(engine, task, count, timeout, alive)
        data = np.asarray(found, dtype=np.float64)
        if task.log is not None:
            task.log.write(data)
        read_runs.close_run(engine, task)
        return status, task.of_channels_to_read(data)


def read_clocked(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, buffers.Block]:
    """Samples of a task that runs by a clock: (status, (columns, samples)).

    Without a buffer a read takes the newest sample, or waits for the next one; of hardware-timed single point it takes one, and may be
    late. Raises DaqmxError -200077, -209800.
    """
    wanted, late = default_count(engine, task) if count == ALL_AVAILABLE else count, 0
    if task.single_point:
        if count not in (ALL_AVAILABLE, 1):
            raise task.fail(-200077, Property="DAQmx_Read_NumSampsPerChan", Requested_Value=count, You_Can_Select=1)
        wanted = 1
    elif task.unbuffered:
        wanted = 1 if count == ALL_AVAILABLE else count
    if task.single_point or task.unbuffered:
        missed = _skip_to_newest(engine, task)
        late = lateness.status_of_read(task, missed) if task.single_point else 0
    status, found = read_buffer(engine, task, wanted, timeout, alive)
    return status or late, found


def _skip_to_newest(engine: Engine, task: Task) -> int:
    """Where the next read begins is the newest sample; returns how many were passed over."""
    assert task.input is not None
    engine.update()
    before = task.input.position
    task.input.position = max(before, task.input.acquired - 1)
    return task.input.position - before


def wait_for_clock(engine: Engine, task: Task, timeout: float, alive: Alive) -> int:
    """Wait for the next edge of the sample clock; the status is a warning when one was missed since the last such wait.

    Raises DaqmxError -200284, -200453, -200475, -209802, and -200863 for a task that is not hardware-timed single point.
    """
    with engine.lock:
        task.need_timeout(timeout)
        if not task.single_point:
            raise task.fail(-200863)
        if not task.running:
            raise task.fail(-200475)
        engine.update()
        before = task.told.get("SampleClock", 0)
        missed = 0 if task.awaited is None else before - task.awaited
        if not engine.wait(
            lambda: task.told.get("SampleClock", 0) > before or not task.running, lambda: due(engine, task, task.count),
            engine.patience(timeout, alive),
        ):  # fmt: skip
            raise task.fail(TIMED_OUT)
        task.awaited = task.told.get("SampleClock", 0)
        return lateness.status_of_wait(task, missed)


def default_count(engine: Engine, task: Task) -> int:
    """Samples that a read of -1 means: all of a finite task, what is there of a continuous one, one on demand.

    Of a task that does not run it is what the read will find that starts it: nothing is left of the run before.
    """
    if not task.clocked:
        return 1
    buffer = task.input if task.running or read_runs.holds_finished_run(task) else None
    if task.finite and not task.read_all_available:
        if buffer is None or relative_to(task) == FIRST_PRETRIGGER:
            return task.timing.samples
        return max(0, task.timing.samples - (buffer.position - buffer.first))
    engine.update()
    return 0 if buffer is None else buffer.available


def due(engine: Engine, task: Task, sample: int) -> float | None:
    """Bench time at which a sample of a running task is through; None while no clock drives it."""
    if task.silent:
        return engine.time + WAIT
    line = sequence.line_of(engine, task)
    if line is None:
        # Nobody knows when; where edges may come as time goes on, it is looked for step by step.
        return engine.time + STEP if engine.routes.moves(task) else None
    return line.time_of(line.ticks - task.count + sample + (task.input.delay if task.input is not None else 0))


def check(task: Task, count: int, timeout: float) -> None:
    if count < ALL_AVAILABLE:
        raise task.fail(-200096)
    task.need_timeout(timeout)


def _on_demand(engine: Engine, task: Task, count: int, alive: Alive) -> Block:
    need_memory(task, count, len(task.channels))
    with task_states.running(engine, task, task.read_auto_start, -200832, -200984):
        data = _one_by_one(engine, task, lambda: _sample_now(engine, task), count, len(task.channels), alive)
        if task.log is not None:
            task.log.write(data)
        return data


def _one_by_one(engine: Engine, task: Task, take: Callable[[], NDArray[Scalar]], count: int, columns: int, alive: Alive) -> NDArray[Scalar]:
    """So many samples on demand (columns, count); others are let in on the way. Raises DaqmxError -200475 where the task is stopped."""
    rows: list[NDArray[Scalar]] = []
    since, run = host_clock.now(), (task.runs, task.running)
    for done in range(count):
        if (task.runs, task.running) != run or engine.closing or not alive():
            raise task.fail(-200475, done)
        rows.append(take())
        since = engine.let_in(since)
    return np.array(rows).reshape(count, columns).T


def relative_to(task: Task) -> int:
    """What reads are relative to: with a reference trigger the first pretrigger sample, unless something else was set."""
    return as_int(task.settings.get("RELATIVE_TO", FIRST_PRETRIGGER if task.referenced else CURRENT))


def _seek(engine: Engine, task: Task, buffer: InputBuffer, patience: Patience) -> None:
    """Where the read begins: at the read position, or where RelativeTo and Offset say; what a reference trigger ends is waited for."""
    relative, offset = relative_to(task), as_int(task.settings.get("OFFSET", 0))
    if relative == CURRENT and offset == 0:
        return
    engine.update()
    if relative in (REFERENCE, FIRST_PRETRIGGER):
        if not task.referenced:
            raise task.fail(-200282)
        run = task.runs
        engine.wait(
            lambda: not buffer.held or task.ended is not None or not task.running or task.runs != run,
            lambda: due(engine, task, buffer.acquired), patience,
        )  # fmt: skip
        if (task.ended or 0) < 0:
            raise task.fail(task.ended or 0, 0, **task.why)
        if task.reference is None or buffer.held:
            raise task.fail(-200281)
    bases = {CURRENT: buffer.position, FIRST_SAMPLE: 0, REFERENCE: task.reference or 0, FIRST_PRETRIGGER: buffer.first}
    target = bases.get(relative, buffer.acquired) + offset
    if target < 0:
        raise task.fail(-200277, Property="DAQmx_Read_Offset", Requested_Value=offset)
    if target < buffer.acquired - buffer.size:
        raise task.fail(-200279, **_where(task))
    buffer.position = target


def read_buffer(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, buffers.Block]:
    buffer, run = task.input, task.runs
    assert buffer is not None
    need_memory(task, count, len(task.channels))
    patience = engine.patience(timeout, alive)
    _seek(engine, task, buffer, patience)
    demand = Demand(count)
    there = _await(engine, task, buffer, demand, run, patience)
    got = count - demand.missing
    # Who takes what there is, and finds nothing more, is told as well.
    short = demand.missing or not (count or buffer.available)
    if short and ((task.ended or 0) < 0 or buffer.lost):
        raise task.fail(task.ended or -200279, got, **(task.why or _where(task)))
    if not there and not alive():
        # Nobody is left to take the samples: they stay.
        raise timed_out(task, got)
    parts = [*demand.parts, buffer.take(min(demand.missing, buffer.available))]
    got += parts[-1].shape[1]
    if engine.clock.lockstep:
        # Whoever waits for this reader to come up (an event of every N samples) may go on.
        engine.changed.notify_all()
    if got < count and there:
        if not task.finite or task.ended is None or buffer.acquired < task.timing.samples:
            raise task.fail(-200475, got)
        if not got:
            raise task.fail(-200278)
        return 0, np.concatenate(parts, axis=1)  # the driver gives what is left, and the error only where nothing is
    return (0 if got == count else TIMED_OUT), np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]


def _await(engine: Engine, task: Task, buffer: InputBuffer, demand: Demand, run: int, patience: Patience) -> bool:
    """Wait until the samples are there, or none will come; false at the time-out."""
    if buffer.demand is None:
        buffer.demand = demand
    try:
        return engine.wait(
            lambda: buffer.available >= demand.missing or task.ended is not None or task.runs != run or not task.running,
            lambda: due(engine, task, buffer.position + demand.missing - 1), patience,
        )  # fmt: skip
    finally:
        if buffer.demand is demand:
            buffer.demand = None


def _where(task: Task) -> dict[str, object]:
    """Where the read that failed was to begin, as the driver tells it."""
    return {
        "Property": "DAQmx_Read_RelativeTo", "Corresponding_Value": f"DAQmx_Val_{VALUES[relative_to(task)]}",
        "Property_2": "DAQmx_Read_Offset", "Corresponding_Value_2": as_int(task.settings.get("OFFSET", 0)),
    }  # fmt: skip


def timed_out(task: Task, samples: int = 0) -> DaqmxError:
    """The error of a read that has not got its samples in time."""
    return task.fail(TIMED_OUT, samples, **_where(task))


def read_lines(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, NDArray[np.bool_]]:
    """The next `count` samples, on demand the state of every line now: (status, (channels, samples, lines of the widest channel))."""
    with engine.lock:
        task.need_kind((ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT), -200525)
        check(task, count, timeout)
        if task.clocked and task.kind == ch.DIGITAL_INPUT:
            read_runs.need_run(engine, task)
            status, columns = read_clocked(engine, task, count, timeout, alive)
            read_runs.close_run(engine, task)
            return status, _by_channel(task, columns)
        samples = 1 if count == ALL_AVAILABLE else count
        need_memory(task, samples, len(task.channels))
        lines = sum(len(c.lines) for c in task.channels_of(ch.LineChannel))
        with nullcontext() if task.clocked else task_states.running(engine, task, True, 0, -200984):
            return 0, _by_channel(task, _one_by_one(engine, task, lambda: _lines_now(engine, task), samples, lines, alive))


def _by_channel(task: Task, columns: buffers.Block) -> NDArray[np.bool_]:
    """Lines (all lines, samples) as (channels to read, samples, lines of the widest of these)."""
    channels, places = task.channels_of(ch.LineChannel), task.rows_to_read
    ends = np.cumsum([len(c.lines) for c in channels])
    data = np.zeros((len(places), columns.shape[1], max(len(channels[place].lines) for place in places)), dtype=np.bool_)
    for row, place in enumerate(places):
        channel, end = channels[place], int(ends[place])
        data[row, :, : len(channel.lines)] = (columns[end - len(channel.lines) : end].T != 0) ^ channel.inverted
    return data


def to_numbers(task: Task, data: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Lines as numbers (channels, samples)."""
    numbers = np.zeros(data.shape[:2], dtype=np.uint32)
    channels = task.channels_of(ch.LineChannel)
    for row, place in enumerate(task.rows_to_read):
        for column, shift in enumerate(channels[place].shifts):
            numbers[row] |= data[row, :, column].astype(np.uint32) << np.uint32(shift)
    return numbers


def wait_until_done(engine: Engine, task: Task, timeout: float, alive: Alive) -> None:
    """Wait for the end of the task. Raises DaqmxError -200560 at the time-out, or what the task ended with."""
    with engine.lock:
        task.need_timeout(timeout)
        if not engine.wait(lambda: task.done, lambda: _end_of(engine, task, timeout), engine.patience(timeout, alive)):
            raise task.fail(-200560)
        raise_if_failed(task)


def is_done(engine: Engine, task: Task) -> bool:
    """Whether the task has ended. Raises DaqmxError with what it ended with."""
    with engine.lock:
        engine.update()
        raise_if_failed(task)
        return task.done


def raise_if_failed(task: Task, samples: int = 0) -> None:
    """Raise the error that the running task ended with, if any."""
    if task.running and (task.ended or 0) < 0:
        raise task.fail(task.ended or 0, samples, **task.why)


def _end_of(engine: Engine, task: Task, timeout: float) -> float | None:
    if task.silent:
        return engine.time + WAIT
    if not engine.routes.moves(task):
        return None
    ends = engine.task_type(task).ends(engine, task)
    if ends is not None:
        return ends
    if task.finite or engine.task_type(task).follows:
        return due(engine, task, task.timing.samples - 1)
    # A continuous task has no end that could be waited for; in lockstep the wait takes its time-out, or a second at a time.
    return engine.time + (timeout if timeout >= 0 else 1.0)


def _sample_now(engine: Engine, task: Task) -> NDArray[np.float64]:
    engine.reach_now(task)
    return convert_now(engine, task)


def _lines_now(engine: Engine, task: Task) -> NDArray[np.uint8]:
    engine.reach_now(task)
    engine.look_at_plant()
    return lines_now(engine, task)
