"""Remote calls that carry waveforms: samples with the time of the first one, their distance, and names of channel, lines and unit.

Learned from ni/grpc-device (nidaqmx_service.custom.cpp: which fields are filled, in steps of 100 ns; NIDAQmxInternalWaveform.h: lines of a
channel that was made of a whole port come with the highest one first) and from nidaqmx-python, tests/component/*waveform*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import numpy as np
from ni.protobuf.types.precision_timestamp_pb2 import PrecisionTimestamp
from ni.protobuf.types.waveform_pb2 import DigitalWaveform, DoubleAnalogWaveform, WaveformAttributeValue
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import time_of_day
from drivers.simulated.daqmx.core.task import Kind, Scalar, Task
from drivers.simulated.daqmx.core.values import Fields, as_float, as_int, as_sequence
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import reading, writing
from drivers.simulated.daqmx.sensors import units
from drivers.simulated.daqmx.timing import sample_clock

TIMING, EXTENDED_PROPERTIES = 1, 2
"""Bits of nidaqmx.constants.WaveformAttributeMode."""


class Timing(TypedDict, total=False):
    """Time of a waveform's first sample, and the distance of its samples (s)."""

    t0: PrecisionTimestamp
    dt: float


def _timing(engine: Engine, task: Task, count: int) -> Timing:
    """Time of the first of `count` samples that were just read, and their distance (s); on demand there is none."""
    if not task.clocked or task.input is None:
        return {"t0": time_of_day.precise(engine, engine.time)}
    rate = sample_clock.rate(engine, task)
    first = task.events.get("first", engine.time) + (task.input.position - count) / rate
    return {"t0": time_of_day.precise(engine, first), "dt": round(time_of_day.TICKS_PER_SECOND / rate) / time_of_day.TICKS_PER_SECOND}


def _attributes(**texts: str) -> dict[str, WaveformAttributeValue]:
    return {f"NI_{name}": WaveformAttributeValue(string_value=text) for name, text in texts.items()}


Read = Callable[[Engine, Task, int, float, Alive], tuple[int, NDArray[Scalar]]]
Make = Callable[[Engine, Kind, NDArray[Scalar], bool, Timing], object]
"""A waveform of a channel: engine, channel, samples, whether it is named, time of the first sample."""


def _reader(read: Read[Scalar], kind: type[Kind], make: Make[Kind, Scalar]) -> Call:
    """The call that reads samples and sends them channel by channel."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        task, mode = engine.task(str(fields["task"])), as_int(fields["waveform_attribute_mode"])
        status, data = read(engine, task, as_int(fields["num_samps_per_chan"]), as_float(fields["timeout"]), alive)
        count = data.shape[1]
        if status < 0:
            raise task.fail(status, count)
        with engine.lock:
            timing: Timing = _timing(engine, task, count) if mode & TIMING else {}
            named = bool(mode & EXTENDED_PROPERTIES)
            channels = [channel for channel in task.to_read if isinstance(channel, kind)]
            waveforms = [make(engine, channel, rows, named, timing) for channel, rows in zip(channels, data, strict=True)]
        return {"status": status, "waveforms": waveforms, "samps_per_chan_read": count}

    return call


def _analog(engine: Engine, channel: ch.AnalogChannel, volts: NDArray[np.float64], named: bool, timing: Timing) -> DoubleAnalogWaveform:
    names = _attributes(ChannelName=channel.name, UnitDescription=units.unit_name(engine, channel)) if named else {}
    return DoubleAnalogWaveform(y_data=volts, attributes=names, **timing)


def _digital(engine: Engine, channel: ch.LineChannel, states: NDArray[np.bool_], named: bool, timing: Timing) -> DigitalWaveform:
    names = _attributes(ChannelName=channel.name, LineNames=_line_names(channel)) if named else {}
    data = states[:, channel.columns].astype(np.uint8).tobytes()
    return DigitalWaveform(signal_count=len(channel.lines), y_data=data, attributes=names, **timing)


def _line_names(channel: ch.LineChannel) -> str:
    names = channel.physical.split(", ")
    return ", ".join(names[column] for column in channel.columns)


def _waveforms(fields: Fields) -> list[DigitalWaveform | DoubleAnalogWaveform]:
    return [w for w in as_sequence(fields["waveforms"]) if isinstance(w, DigitalWaveform | DoubleAnalogWaveform)]


def write_analog(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task = engine.task(str(fields["task"]))
    task.need_kind((ch.ANALOG_OUTPUT,), -200526)
    block = _together(task, [np.array(w.y_data, dtype=np.float64) for w in _waveforms(fields)])
    how = (bool(fields["auto_start"]), as_float(fields["timeout"]), alive)
    return {"samps_per_chan_written": writing.write_analog(engine, task, block, *how)}


def write_digital(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    task, waveforms = engine.task(str(fields["task"])), _waveforms(fields)
    task.need_kind((ch.DIGITAL_OUTPUT,), -200526)
    channels = task.channels_of(ch.LineChannel)
    if len(waveforms) != len(channels):
        raise task.fail(-200524)
    for channel, waveform in zip(channels, waveforms, strict=True):
        if waveform.signal_count != len(channel.lines) or len(waveform.y_data) % len(channel.lines):
            raise task.fail(-200463, Channel_Name=channel.name, Lines=len(channel.lines), Lines_in_Data=waveform.signal_count)
    samples = _together(task, [np.frombuffer(w.y_data, np.uint8).reshape(-1, w.signal_count) for w in waveforms])
    data = np.zeros((len(samples), len(channels), max(len(c.lines) for c in channels)), dtype=np.bool_)
    first = 0
    for row, channel in enumerate(channels):
        width = len(channel.lines)
        data[:, row, list(channel.columns)] = samples[:, first : first + width] != 0
        first += width
    how = (bool(fields["auto_start"]), as_float(fields["timeout"]), alive)
    return {"samps_per_chan_written": writing.write_lines(engine, task, data, *how)}


def _together(task: Task, parts: list[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Samples of all channels beside each other, (samples, columns). Raises DaqmxError -200524 unless there are equally many for each."""
    task.need_channels()
    if len(parts) != len(task.channels) or len({len(part) for part in parts}) > 1:
        raise task.fail(-200524)
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)


CALLS: dict[str, Call] = {
    "ReadAnalogWaveforms": _reader(reading.read_analog, ch.AnalogChannel, _analog),
    "ReadDigitalWaveforms": _reader(reading.read_lines, ch.LineChannel, _digital),
    "WriteAnalogWaveforms": write_analog,
    "WriteDigitalWaveforms": write_digital,
}
