"""Pulses as a channel has them - by frequency, time or ticks - and in ticks of its timebase.

"NI-DAQmx", Counter Frequency Coercion: what cannot be made exactly becomes the closest frequency and duty cycle that can.
"""

from __future__ import annotations

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.values import Value, as_float, as_int
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.counter import frequency_output
from drivers.simulated.daqmx.subsystems.counter import timebases as ct
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source
from drivers.simulated.daqmx.subsystems.counter.timebases import MOST
from drivers.simulated.daqmx.subsystems.counter.trains import SHORTEST, Pulse
from drivers.simulated.daqmx.subsystems.counter.usages import BY_FREQUENCY, BY_TICKS, BY_TIME, DELAYS

HIGH = ni.Level.HIGH.value
FIELDS = {
    BY_FREQUENCY: ("CO_PULSE_FREQ", "CO_PULSE_DUTY_CYC"), BY_TIME: ("CO_PULSE_HIGH_TIME", "CO_PULSE_LOW_TIME"),
    BY_TICKS: ("CO_PULSE_HIGH_TICKS", "CO_PULSE_LOW_TICKS"),
}  # fmt: skip
"""What a pulse of each type is given by, in the order of the calls that write it."""
OUT_OF_RANGE = {BY_FREQUENCY: (-200685, -200684), BY_TIME: (-200686, -200687), BY_TICKS: (-200688, -200689)}


def idles_high(channel: CounterChannel) -> bool:
    return bool(channel.attributes["CO_PULSE_IDLE_STATE"] == HIGH)


def type_of(channel: CounterChannel) -> int:
    """By what its pulses are given, a member of nidaqmx.constants.UsageTypeCO."""
    return as_int(channel.attributes["CO_OUTPUT_TYPE"])


def values_of(channel: CounterChannel) -> tuple[float, float]:
    """The pulse as the channel is configured."""
    first, second = FIELDS[type_of(channel)]
    return as_float(channel.attributes[first]), as_float(channel.attributes[second])


def source_of(bench: Bench, channel: CounterChannel) -> Source:
    """The timebase that suits the channel's pulses. Raises DaqmxError."""
    return frequency_output.source_of(channel) if channel.number < 0 else ct.of_output(bench, channel)


def in_ticks(channel: CounterChannel, values: tuple[float, float], source: Source) -> Pulse:
    """A pulse in ticks. Raises DaqmxError -200684 to -200689 where the timebase cannot make it."""
    if channel.number < 0:
        return frequency_output.pulse_of(channel)
    high, low = _ticks(type_of(channel), values, source)
    for ticks, code, value in zip((high, low), OUT_OF_RANGE[type_of(channel)], values, strict=True):
        if not SHORTEST <= ticks <= MOST:
            raise DaqmxError(code, Requested_Value=value, Channel_Name=channel.name)
    return Pulse(high, low) if idles_high(channel) else Pulse(low, high)


def _ticks(kind: int, values: tuple[float, float], source: Source) -> tuple[int, int]:
    """Ticks of high and low."""
    if kind == BY_TICKS:
        return int(values[0]), int(values[1])
    assert source.told is not None
    rate = source.told / source.prescaler
    if kind == BY_TIME:
        return _whole(float(values[0]) * rate), _whole(float(values[1]) * rate)
    period = _whole(rate / float(values[0]))
    if not 2 * SHORTEST <= period <= MOST:
        return 0, 0
    high = min(max(round(period * values[1]), SHORTEST), period - SHORTEST)
    return high, period - high


def _whole(ticks: float) -> int:
    """The nearest whole number, or one that is too many, be it infinite."""
    return round(min(ticks, MOST + 1.0))


def delay_in_ticks(channel: CounterChannel, source: Source) -> int:
    """Initial delay in ticks."""
    if channel.number < 0:
        return 0
    kind = type_of(channel)
    value = as_float(channel.attributes[DELAYS[kind]])
    return int(value) if kind == BY_TICKS or source.told is None else _whole(value * source.told / source.prescaler)


def coerced_delay(bench: Bench, channel: CounterChannel) -> Value:
    """The initial delay that the counter makes of what the channel asks for: whole ticks, two at least. Raises DaqmxError."""
    value, source = as_float(channel.attributes[DELAYS[type_of(channel)]]), source_of(bench, channel)
    if not value:
        return value
    ticks = max(SHORTEST, delay_in_ticks(channel, source))
    if type_of(channel) == BY_TICKS or source.told is None:
        return ticks
    return ticks * source.prescaler / source.told


def coerced(bench: Bench, channel: CounterChannel) -> tuple[float, float]:
    """The pulse that the counter makes of what the channel asks for. Raises DaqmxError."""
    kind, source = type_of(channel), source_of(bench, channel)
    pulse = in_ticks(channel, values_of(channel), source)
    high, low = (pulse.idle, pulse.active) if idles_high(channel) and channel.number >= 0 else (pulse.active, pulse.idle)
    if kind == BY_TICKS:
        return high, low
    assert source.told is not None
    rate = source.told / source.prescaler
    return (high / rate, low / rate) if kind == BY_TIME else (rate / (high + low), high / (high + low))


def check_written(channel: CounterChannel, values: NDArray[np.float64]) -> None:
    """Raise DaqmxError for written pulses (samples, 2) that no channel of this type takes."""
    kind = type_of(channel)
    low = SHORTEST if kind == BY_TICKS else 0.0
    for column, code in enumerate(OUT_OF_RANGE[kind]):
        written = values[:, column]
        wrong = written < low if kind == BY_TICKS else ~(written > low)
        if kind == BY_FREQUENCY and column == 1:
            wrong |= written >= 1.0
        if np.any(wrong):
            at = int(np.argmax(wrong))
            raise DaqmxError(code, Requested_Value=written[at].item(), Sample_Number=at, Channel_Name=channel.name)
