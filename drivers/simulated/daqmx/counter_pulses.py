"""Pulses as a channel has them - by frequency, time or ticks - and in ticks of its timebase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.counter_ticks import SIZE, source_of
from drivers.simulated.daqmx.counter_trains import SHORTEST, Pulse
from drivers.simulated.daqmx.errors import DaqmxError

if TYPE_CHECKING:
    from drivers.simulated.daqmx.channels import CounterChannel
    from drivers.simulated.daqmx.engine import Engine

HIGH = 10192
BY_FREQUENCY, BY_TIME, BY_TICKS = 10119, 10269, 10268
FIELDS = {
    BY_FREQUENCY: ("CO_PULSE_FREQ", "CO_PULSE_DUTY_CYC"), BY_TIME: ("CO_PULSE_HIGH_TIME", "CO_PULSE_LOW_TIME"),
    BY_TICKS: ("CO_PULSE_HIGH_TICKS", "CO_PULSE_LOW_TICKS"),
}  # fmt: skip
"""What a pulse of each type is given by, in the order of the calls that write it."""
DELAYS = {BY_FREQUENCY: "CO_PULSE_FREQ_INITIAL_DELAY", BY_TIME: "CO_PULSE_TIME_INITIAL_DELAY", BY_TICKS: "CO_PULSE_TICKS_INITIAL_DELAY"}
PROPERTIES = {BY_FREQUENCY: "DAQmx_CO_Pulse_Freq", BY_TIME: "DAQmx_CO_Pulse_HighTime", BY_TICKS: "DAQmx_CO_Pulse_HighTicks"}
OUT_OF_RANGE = {BY_FREQUENCY: (-200685, -200684), BY_TIME: (-200686, -200687), BY_TICKS: (-200688, -200689)}
FREQUENCY_SOURCES = {"20MHzTimebase": 20e6, "10MHzRefClock": 10e6, "100kHzTimebase": 100e3}
DIVISORS = range(1, 17)
"""The frequency output divides one of three clocks by 1 to 16 (X Series specifications, Frequency Generator)."""


def idles_high(channel: CounterChannel) -> bool:
    return bool(channel.attributes["CO_PULSE_IDLE_STATE"] == HIGH)


def values_of(channel: CounterChannel) -> tuple[Any, Any]:
    """The pulse as the channel is configured."""
    first, second = FIELDS[channel.attributes["CO_OUTPUT_TYPE"]]
    return channel.attributes[first], channel.attributes[second]


def longest_of(channel: CounterChannel, values: tuple[Any, Any]) -> float:
    """Longest time (s) that is asked for, 0 of ticks."""
    kind = channel.attributes["CO_OUTPUT_TYPE"]
    if kind == BY_TICKS:
        return 0.0
    period = 1.0 / values[0] if kind == BY_FREQUENCY else max(values)
    return float(max(period, channel.attributes[DELAYS[kind]]))


def timebase_of(engine: Engine, channel: CounterChannel) -> tuple[str, float | None]:
    """Terminal and frequency (Hz) of the timebase that suits the channel's pulses."""
    if channel.number < 0:
        return frequency_output(channel)
    return source_of(engine, channel, "CO", longest_of(channel, values_of(channel)))


def frequency_output(channel: CounterChannel) -> tuple[str, float]:
    """Clock of the frequency output that comes nearest to what is asked. Raises DaqmxError -200077 beyond its range."""
    asked = channel.attributes["CO_PULSE_FREQ"]
    lowest, highest = min(FREQUENCY_SOURCES.values()) / DIVISORS[-1], max(FREQUENCY_SOURCES.values())
    if not lowest <= asked <= highest:
        raise DaqmxError(
            -200077, Property="DAQmx_CO_Pulse_Freq", Requested_Value=asked, Maximum_Value=highest, Minimum_Value=lowest,
            Channel_Name=channel.name,
        )  # fmt: skip
    name = min(FREQUENCY_SOURCES, key=lambda n: min(abs(FREQUENCY_SOURCES[n] / d - asked) for d in DIVISORS))
    # Half periods are ticks of its own.
    rate = FREQUENCY_SOURCES[name]
    divisor = min(DIVISORS, key=lambda d: abs(rate / d - asked))
    return f"{channel.device}/{name}".lower(), rate / divisor * 2.0 * SHORTEST


def in_ticks(engine: Engine, channel: CounterChannel, values: tuple[Any, Any], rate: float | None) -> Pulse:
    """A pulse in ticks. Raises DaqmxError where the timebase cannot make it."""
    kind, name = channel.attributes["CO_OUTPUT_TYPE"], channel.name
    if channel.number < 0:
        return Pulse(SHORTEST, SHORTEST)
    rate = rate or float(channel.attributes["CO_CTR_TIMEBASE_RATE"])
    if kind == BY_FREQUENCY:
        period = round(rate / values[0])
        high = min(max(round(period * values[1]), SHORTEST), max(period - SHORTEST, SHORTEST))
        low = max(period - high, SHORTEST)
        wrong = period < 2 * SHORTEST
    else:
        high, low = (round(v * rate) for v in values) if kind == BY_TIME else (int(v) for v in values)
        wrong = min(high, low) < SHORTEST
    if wrong or max(high, low) >= SIZE:
        raise DaqmxError(-200077, Property=PROPERTIES[kind], Requested_Value=values[0], Channel_Name=name)
    return Pulse(high, low) if idles_high(channel) else Pulse(low, high)


def delay_in_ticks(channel: CounterChannel, rate: float | None) -> int:
    """Initial delay in ticks."""
    kind = channel.attributes["CO_OUTPUT_TYPE"]
    value = channel.attributes[DELAYS[kind]]
    return int(value) if kind == BY_TICKS else round(value * (rate or float(channel.attributes["CO_CTR_TIMEBASE_RATE"])))


def check_written(channel: CounterChannel, values: NDArray[Any]) -> None:
    """Raise DaqmxError for written pulses (samples, 2) that no channel of this type takes."""
    kind = channel.attributes["CO_OUTPUT_TYPE"]
    low = SHORTEST if kind == BY_TICKS else 0.0
    for column, code in enumerate(OUT_OF_RANGE[kind]):
        chosen = values[:, column]
        wrong = chosen < low if kind == BY_TICKS else ~(chosen > low)
        if kind == BY_FREQUENCY and column == 1:
            wrong |= chosen >= 1.0
        if np.any(wrong):
            at = int(np.argmax(wrong))
            raise DaqmxError(code, Requested_Value=chosen[at].item(), Sample_Number=at, Channel_Name=channel.name)
