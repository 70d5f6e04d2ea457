"""Remote calls that carry samples: analogue, lines, and lines as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, as_bytes, as_float, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import counter_reading, counter_writing, reading, writing
from drivers.simulated.daqmx.io.layout import laid_out, scans
from drivers.simulated.daqmx.service import raw_calls, waveform_calls


def read_analog(engine: Engine, fields: Fields, alive: Alive) -> tuple[int, NDArray[np.float64], int]:
    """(status, samples as they are sent, samples per channel): the transport packs these by itself."""
    task = engine.task(str(fields["task"]))
    count = as_int(fields["num_samps_per_chan"])
    if max(count, 0) * len(task.to_read) > as_int(fields["array_size_in_samps"]):
        raise task.fail(-200229)
    status, data = reading.read_analog(engine, task, count, as_float(fields["timeout"]), alive)
    return status, laid_out(data, count, as_int(fields["fill_mode"]), as_int(fields["array_size_in_samps"]), task), data.shape[1]


def read_analog_scalar(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_one_to_read()
    status, data = reading.read_analog(engine, task, 1, as_float(fields["timeout"]), alive)
    if status < 0:
        raise reading.timed_out(task, data.shape[1])
    return {"status": status, "value": float(data[0, 0])}


def write_analog(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    block = scans(task, np.asarray(fields["write_array"], dtype=np.float64), fields)
    written = writing.write_analog(engine, task, block, *_how(fields, alive))
    return {"samps_per_chan_written": written}


def write_analog_scalar(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_one_to_write()
    writing.write_analog(engine, task, np.array([[as_float(fields["value"])]]), *_how(fields, alive))
    return {}


def _how(fields: Fields, alive: Alive) -> tuple[bool, float, Alive]:
    return bool(fields["auto_start"]), as_float(fields["timeout"]), alive


def read_lines(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    count = as_int(fields["num_samps_per_chan"])
    status, data = reading.read_lines(engine, task, count, as_float(fields["timeout"]), alive)
    room = as_int(fields["array_size_in_bytes"]) // data.shape[2]
    sent = np.ascontiguousarray(laid_out(data, max(count, data.shape[1]), as_int(fields["fill_mode"]), room, task))
    return {"status": status, "read_array": sent.tobytes(), "samps_per_chan_read": data.shape[1], "num_bytes_per_samp": data.shape[2]}


_TOO_NARROW = {8: (-200563, -200565), 16: (-200878, -200879), 32: (-200564, -200566)}
"""Errors of a read and of a write for channels that do not fit into numbers of so many bits."""


def _need_room(task: Task, bits: int, write: bool) -> None:
    if any(max(c.shifts, default=0) >= bits for c in (task.channels if write else task.to_read) if isinstance(c, ch.LineChannel)):
        raise task.fail(_TOO_NARROW[bits][write])


def _read_numbers(bits: int) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        _need_room(task, bits, False)
        count = as_int(fields["num_samps_per_chan"])
        status, lines = reading.read_lines(engine, task, count, as_float(fields["timeout"]), alive)
        numbers = reading.to_numbers(task, lines)
        room = as_int(fields["array_size_in_samps"])
        sent = laid_out(numbers, max(count, numbers.shape[1]), as_int(fields["fill_mode"]), room, task).ravel()
        values = sent.astype(np.uint8).tobytes() if bits == 8 else sent.tolist()
        return {"status": status, "read_array": values, "samps_per_chan_read": numbers.shape[1]}

    return call


def read_number(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_one_to_read()
    _need_room(task, 32, False)
    status, data = reading.read_lines(engine, task, 1, as_float(fields["timeout"]), alive)
    if status < 0:
        raise reading.timed_out(task, data.shape[1])
    return {"status": status, "value": int(reading.to_numbers(task, data)[0, 0])}


def write_lines(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_kind((ch.DIGITAL_OUTPUT,), -200526)
    width = max(len(c.lines) for c in task.channels_of(ch.LineChannel))
    values = np.frombuffer(as_bytes(fields["write_array"]), dtype=np.uint8) != 0
    data = scans(task, values, fields, width)
    written = writing.write_lines(engine, task, data.reshape(len(data), len(task.channels), width), *_how(fields, alive))
    return {"samps_per_chan_written": written}


def _write_numbers(bits: int) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        task.need_kind((ch.DIGITAL_OUTPUT,), -200526)
        _need_room(task, bits, True)
        sent = fields["write_array"]
        values = np.frombuffer(sent, np.uint8).astype(np.uint32) if isinstance(sent, bytes) else np.array(sent, np.int64).astype(np.uint32)
        data = writing.from_numbers(task, scans(task, values, fields))
        return {"samps_per_chan_written": writing.write_lines(engine, task, data, *_how(fields, alive))}

    return call


def write_number(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_kind((ch.DIGITAL_OUTPUT,), -200526)
    task.need_one_to_write()
    _need_room(task, 32, True)
    data = writing.from_numbers(task, np.array([[as_int(fields["value"])]], dtype=np.uint32))
    writing.write_lines(engine, task, data, *_how(fields, alive))
    return {}


CALLS: dict[str, Call] = {
    **raw_calls.CALLS,
    **counter_reading.CALLS,
    **counter_writing.CALLS,
    **waveform_calls.CALLS,
    "ReadAnalogScalarF64": read_analog_scalar,
    "WriteAnalogF64": write_analog,
    "WriteAnalogScalarF64": write_analog_scalar,
    "ReadDigitalLines": read_lines,
    "ReadDigitalU8": _read_numbers(8),
    "ReadDigitalU16": _read_numbers(16),
    "ReadDigitalU32": _read_numbers(32),
    "ReadDigitalScalarU32": read_number,
    "WriteDigitalLines": write_lines,
    "WriteDigitalU8": _write_numbers(8),
    "WriteDigitalU16": _write_numbers(16),
    "WriteDigitalU32": _write_numbers(32),
    "WriteDigitalScalarU32": write_number,
}
