"""Remote calls that carry samples as the converters and the ports have them: codes and bytes, without scaling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, as_bytes, as_float, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import reading, streams, writing
from drivers.simulated.daqmx.io.layout import laid_out, scans
from drivers.simulated.daqmx.status.not_served import NotServed

LINES = (ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT)
SIZES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def codes(task: Task, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Codes of the converters (channels, samples) behind scaled values (channels, samples)."""
    out = np.empty(values.shape, dtype=np.int64)
    for row, channel in enumerate(c for c in task.to_read if isinstance(c, ch.AnalogChannel)):
        volts = channel.law.back(values[row]) if (channel.gain, channel.offset) != (1.0, 0.0) or channel.curve is not None else values[row]
        out[row] = np.clip(np.rint(volts / channel.lsb), -channel.codes, channel.codes - 1)
    return out


def _read(engine: Engine, task: Task, fields: Fields, alive: Alive) -> tuple[int, NDArray[np.int64]]:
    count, timeout = as_int(fields["num_samps_per_chan"]), as_float(fields["timeout"])
    if task.kind in LINES:
        status, lines = reading.read_lines(engine, task, count, timeout, alive)
        return status, reading.to_numbers(task, lines).astype(np.int64)
    if any(isinstance(channel, ch.RosetteChannel) for channel in task.to_read):
        raise NotServed("samples without scaling of channels that are worked out of others (rosettes)")
    status, values = reading.read_analog(engine, task, count, timeout, alive)
    return status, codes(task, values)


def _read_binary(dtype: DTypeLike) -> Call:
    bits = 8 * np.dtype(dtype).itemsize

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        task.need_kind((ch.ANALOG_INPUT,), -200525)
        if any(as_int(c.attributes.get("AI_RAW_SAMP_SIZE", 16)) > bits for c in task.to_read):
            raise task.fail(-200525)
        status, numbers = _read(engine, task, fields, alive)
        count, room = max(as_int(fields["num_samps_per_chan"]), numbers.shape[1]), as_int(fields["array_size_in_samps"])
        sent = laid_out(numbers, count, as_int(fields["fill_mode"]), room, task)
        return {"status": status, "read_array": sent.astype(dtype).ravel().tolist(), "samps_per_chan_read": numbers.shape[1]}

    return call


def read_raw(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """Scan after scan, each channel in as many bytes as its samples have."""
    task = engine.task(str(fields["task"]))
    task.need_kind((ch.ANALOG_INPUT, *LINES), -200525)
    status, numbers = _read(engine, task, fields, alive)
    raw = _packed(task, numbers)
    if len(raw) > as_int(fields["array_size_in_bytes"]):
        raise task.fail(-200229)
    sizes = [streams.raw_bytes(c) for c in task.to_read]
    raw = raw.ljust(as_int(fields["array_size_in_bytes"]), b"\0")  # the client's whole array, as NI's server answers
    return {"status": status, "read_array": raw, "samps_read": numbers.shape[1], "num_bytes_per_samp": max(sizes)}


def _fields_of(task: Task, channels: Sequence[ch.Channel]) -> np.dtype[np.void]:
    sizes = [streams.raw_bytes(c) for c in channels]
    names = SIZES if task.kind in LINES else {2: np.int16, 4: np.int32}
    return np.dtype([(f"c{n}", np.dtype(names[size]).newbyteorder("<")) for n, size in enumerate(sizes)])


def _packed(task: Task, numbers: NDArray[np.int64]) -> bytes:
    records = np.zeros(numbers.shape[1], dtype=_fields_of(task, task.to_read))
    for row, name in enumerate(records.dtype.names or ()):
        records[name] = numbers[row].astype(records.dtype[name])
    return records.tobytes()


# -- writing ---------------------------------------------------------------------------------------------------------------------------


def _write(engine: Engine, task: Task, numbers: NDArray[np.int64], fields: Fields, alive: Alive) -> Fields:
    """numbers: (samples, channels)."""
    how = (bool(fields["auto_start"]), as_float(fields["timeout"]), alive)
    if task.kind == ch.DIGITAL_OUTPUT:
        return {"samps_per_chan_written": writing.write_lines(engine, task, writing.from_numbers(task, numbers.astype(np.uint32)), *how)}
    lsb, top = (np.array([getattr(c, name) for c in task.channels_of(ch.AnalogChannel)]) for name in ("lsb", "codes"))
    return {"samps_per_chan_written": writing.write_volts(engine, task, np.clip(numbers, -top, top - 1) * lsb, *how)}


def _write_binary(dtype: DTypeLike) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task = engine.task(str(fields["task"]))
        task.need_kind((ch.ANALOG_OUTPUT,), -200526)
        values = np.array(fields["write_array"], dtype=np.int64)
        # Unsigned samples of a bipolar converter are the same bits.
        signed = values.astype(dtype).astype(np.int16 if np.dtype(dtype).itemsize == 2 else np.int32).astype(np.int64)
        return _write(engine, task, scans(task, signed, fields), fields, alive)

    return call


def write_raw(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """Scan after scan, each channel in as many bytes as its samples have."""
    task = engine.task(str(fields["task"]))
    task.need_kind((ch.ANALOG_OUTPUT, ch.DIGITAL_OUTPUT), -200526)
    kind = _fields_of(task, task.channels)
    count, sent = as_int(fields["num_samps"]), as_bytes(fields["write_array"])
    if count < 0 or len(sent) < count * kind.itemsize:
        raise task.fail(-200524, 0)
    records = np.frombuffer(sent, dtype=kind, count=count)
    numbers = np.stack([records[name].astype(np.int64) for name in kind.names or ()], axis=1)
    return _write(engine, task, numbers, fields, alive)


CALLS: dict[str, Call] = {
    "ReadBinaryI16": _read_binary(np.int16),
    "ReadBinaryI32": _read_binary(np.int32),
    "ReadBinaryU16": _read_binary(np.uint16),
    "ReadBinaryU32": _read_binary(np.uint32),
    "ReadRaw": read_raw,
    "WriteBinaryI16": _write_binary(np.int16),
    "WriteBinaryI32": _write_binary(np.int32),
    "WriteBinaryU16": _write_binary(np.uint16),
    "WriteBinaryU32": _write_binary(np.uint32),
    "WriteRaw": write_raw,
}
