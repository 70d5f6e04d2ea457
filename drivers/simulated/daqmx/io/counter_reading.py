"""Reads of counters: values, counts, and pulses by two numbers each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, as_float, as_int
from drivers.simulated.daqmx.engine.bench_time import Patience
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import counter_values as cv
from drivers.simulated.daqmx.io import read_runs, reading, task_states
from drivers.simulated.daqmx.io.layout import as_sent
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter.tracking import Input, inputs_of
from drivers.simulated.daqmx.subsystems.counter.usages import PULSE_FIELDS

Numbers = NDArray[np.float64]
SHARE, LONGEST_STEP = 0.01, 0.02
"""Steps in which a read in lockstep looks for a measurement: their share of the time that it has waited, and the longest (s)."""


def read(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, Numbers]:
    """The next `count` measurements as the counters have them: (status, (channels, samples, 2)). Raises DaqmxError."""
    with engine.lock:
        task.need_kind((ch.COUNTER_INPUT,), -200525)
        reading.check(task, count, timeout)
        if not task.clocked:
            status, data = _on_demand(engine, task, 1 if count == reading.ALL_AVAILABLE else count, timeout, alive)
            return status, task.of_channels_to_read(data)
        read_runs.need_run(engine, task)
        status, columns = reading.read_clocked(engine, task, count, timeout, alive)
        read_runs.close_run(engine, task)
        return status, task.of_channels_to_read(np.swapaxes(np.asarray(columns, dtype=np.float64).reshape(len(task.channels), 2, -1), 1, 2))


def _on_demand(engine: Engine, task: Task, count: int, timeout: float, alive: Alive) -> tuple[int, Numbers]:
    rows: list[list[tuple[float, float]]] = []
    status = 0
    with task_states.running(engine, task, task.read_auto_start, -200832):
        patience = engine.patience(timeout, alive)
        while len(rows) < count and status == 0:
            engine.reach_now(task)
            engine.look_at_plant()
            if not _wait_for_measurement(engine, task, patience):
                status = reading.TIMED_OUT
                break
            rows.append([_now(item) for item in inputs_of(task)])
    return status, np.swapaxes(np.array(rows, dtype=float).reshape(-1, len(task.channels), 2), 0, 1)


def _wait_for_measurement(engine: Engine, task: Task, patience: Patience) -> bool:
    """A read takes a measurement that is complete after it was asked for; where none comes any more, the last one that nobody has read."""
    inputs = [item for item in inputs_of(task) if item.meter is not None and item.connected]
    seen = {id(item): item.measured for item in inputs}

    def ready() -> bool:
        reading.raise_if_failed(task)
        fresh = all(item.measured > seen[id(item)] for item in inputs)
        return fresh or not task.running or (not engine.routes.moves(task) and all(item.measured > item.sampled for item in inputs))

    if not inputs:
        return True
    begun = engine.time

    def due() -> float | None:
        # What takes long is looked at more seldom, so that a slow signal does not take all day.
        step = min(max(reading.STEP, SHARE * (engine.time - begun)), LONGEST_STEP)
        return engine.time + step if engine.routes.moves(task) else None

    found = engine.wait(ready, due, patience)
    for item in inputs:
        item.sampled = item.measured
    return found


def _now(item: Input) -> tuple[float, float]:
    if item.meter is not None:
        return item.latest
    return float(item.count.value), item.origin


def _items(task: Task) -> list[Input]:
    """Counters of the channels to read."""
    inputs = inputs_of(task)
    return [inputs[row] for row in task.rows_to_read]


def _channels(task: Task) -> list[ch.CounterChannel]:
    return [channel for channel in task.to_read if isinstance(channel, ch.CounterChannel)]


def rate_of(item: Input) -> float:
    """Ticks in a second (Hz)."""
    return item.base.rate


def values(engine: Engine, task: Task, data: Numbers) -> Numbers:
    """Measurements in the units of the channels (channels, samples)."""
    return np.array([cv.scaled(engine, i.channel, rate_of(i), row[:, 0], row[:, 1]) for i, row in zip(_items(task), data, strict=True)])


def _numbers(data: Numbers) -> NDArray[np.int64]:
    """Measurements as the 32 bits of the counters have them (channels, samples)."""
    numbers = np.where(np.isnan(data[:, :, 0]), data[:, :, 1], data[:, :, 0])
    return np.asarray(numbers.astype(np.int64) & 0xFFFFFFFF)


def _read(engine: Engine, fields: Fields, alive: Alive) -> tuple[Task, int, Numbers]:
    task = engine.task(str(fields["task"]))
    status, data = read(engine, task, as_int(fields["num_samps_per_chan"]), as_float(fields["timeout"]), alive)
    return task, status, data


def _need_no_pulses(task: Task) -> None:
    """Raise DaqmxError -200525 for channels whose samples are pairs: they have reads of their own."""
    if task.kind == ch.COUNTER_INPUT and any(cm.kind_of(c) in _KINDS.values() for c in _channels(task)):
        raise task.fail(-200525)


def read_f64(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    _need_no_pulses(engine.task(str(fields["task"])))
    task, status, data = _read(engine, fields, alive)
    return {"status": status, "read_array": as_sent(task, values(engine, task, data), fields), "samps_per_chan_read": data.shape[1]}


def read_u32(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    _need_no_pulses(engine.task(str(fields["task"])))
    task, status, data = _read(engine, fields, alive)
    return {"status": status, "read_array": as_sent(task, _numbers(data), fields), "samps_per_chan_read": data.shape[1]}


def _pulses(task: Task, data: Numbers) -> tuple[Numbers, Numbers]:
    missed, sentinels = np.isnan(data[:, :, 0]), data[:, :, 1]
    known = np.nan_to_num(data)
    pairs = [cv.pair(item.channel, rate_of(item), row[:, 0], row[:, 1]) for item, row in zip(_items(task), known, strict=True)]
    one, other = (np.where(missed, sentinels, np.array([p[n] for p in pairs])) for n in range(2))
    return one, other


def _need_pulses(task: Task, kind: int) -> None:
    task.need_kind((ch.COUNTER_INPUT,), -200525)
    if any(cm.kind_of(c) != kind for c in _channels(task)):
        raise task.fail(-200525)


def _scalar(engine: Engine, fields: Fields, alive: Alive) -> tuple[Task, int, Numbers]:
    task = engine.task(str(fields["task"]))
    task.need_one_to_read()
    status, data = read(engine, task, 1, as_float(fields["timeout"]), alive)
    if status < 0:
        raise reading.timed_out(task, data.shape[1])
    return task, status, data


def read_scalar_f64(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    _need_no_pulses(engine.task(str(fields["task"])))
    task, status, data = _scalar(engine, fields, alive)
    return {"status": status, "value": float(values(engine, task, data)[0, 0])}


def read_scalar_u32(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    _need_no_pulses(engine.task(str(fields["task"])))
    _, status, data = _scalar(engine, fields, alive)
    return {"status": status, "value": int(_numbers(data)[0, 0])}


def _read_pulses(kind: int, first: str, second: str) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        _need_pulses(engine.task(str(fields["task"])), kind)
        task, status, data = _read(engine, fields, alive)
        one, other = (part.astype(np.int64) if kind == cm.PULSE_TICKS else part for part in _pulses(task, data))
        return {
            "status": status, f"read_array_{first}": as_sent(task, one, fields), f"read_array_{second}": as_sent(task, other, fields),
            "samps_per_chan_read": data.shape[1],
        }  # fmt: skip

    return call


def _read_pulse(kind: int, first: str, second: str) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        _need_pulses(engine.task(str(fields["task"])), kind)
        task, status, data = _scalar(engine, fields, alive)
        one, other = (v[0, 0].item() for v in _pulses(task, data))
        pair = {first: int(one), second: int(other)} if kind == cm.PULSE_TICKS else {first: one, second: other}
        return {"status": status, **pair}

    return call


_KINDS = {"Freq": cm.PULSE_FREQUENCY, "Time": cm.PULSE_TIME, "Ticks": cm.PULSE_TICKS}
CALLS: dict[str, Call] = {
    "ReadCounterF64": read_f64, "ReadCounterF64Ex": read_f64, "ReadCounterScalarF64": read_scalar_f64,
    "ReadCounterU32": read_u32, "ReadCounterU32Ex": read_u32, "ReadCounterScalarU32": read_scalar_u32,
    **{f"ReadCtr{name}": _read_pulses(_KINDS[name], *both) for name, both in PULSE_FIELDS.items()},
    **{f"ReadCtr{name}Scalar": _read_pulse(_KINDS[name], *both) for name, both in PULSE_FIELDS.items()},
}  # fmt: skip
