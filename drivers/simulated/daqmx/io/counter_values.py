"""From the numbers that counters measure to values in the units of their channels."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.subsystems.counter import counts
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter import usages as cu

_TURNS = {10273: 2.0 * math.pi, 16081: 2.0 * math.pi, 16080: 60.0}
"""A turn in radians, and in a second in rad/s and in rpm; else it is 360 degrees."""
Numbers = NDArray[np.float64]


def scaled(engine: Engine, channel: CounterChannel, rate: float, first: Numbers, second: Numbers) -> Numbers:
    """Values in the units of the channel. What was never measured (0 ticks) is 0; without a first number the second is the value."""
    units = cm.units_of(channel)
    values = _natural(channel, rate, np.nan_to_num(first), second, units)
    if units == cu.FROM_CUSTOM_SCALE:
        values = scales.find(engine, str(channel.attributes["CI_CUSTOM_SCALE_NAME"])).law().forward(values)
    return np.where(np.isnan(first), second, values)


def pair(channel: CounterChannel, rate: float, high: Numbers, low: Numbers) -> tuple[Numbers, Numbers]:
    """Frequency and duty cycle, high and low time, or high and low ticks."""
    kind = cm.kind_of(channel)
    if kind == cm.PULSE_TICKS:
        return high, low
    in_ticks = cm.units_of(channel) == cu.TICKS
    if kind == cm.PULSE_TIME:
        return (high, low) if in_ticks else (high / rate, low / rate)
    period = high + low
    return period if in_ticks else _over(rate, period), _over(high, period)


def _natural(channel: CounterChannel, rate: float, first: Numbers, second: Numbers, units: int) -> Numbers:
    kind = cm.kind_of(channel)
    if kind == cm.COUNT_EDGES:
        return first * as_int(channel.attributes["CI_PRESCALER"])
    if kind in cm.ENCODERS:
        return first * step_of(channel) + second if units != cu.TICKS else first
    if kind in cm.VELOCITIES:
        return _over(rate * second, first) * step_of(channel)
    if kind == cm.DUTY_CYCLE:
        return _over(first, first + second)
    if kind in cm.PULSES:
        return pair(channel, rate, first, second)[0]
    if kind in (cm.FREQUENCY, cm.PERIOD):
        return _rate_or_period(channel, rate, first, second, units)
    return first if units == cu.TICKS else first / rate


def _rate_or_period(channel: CounterChannel, rate: float, first: Numbers, second: Numbers, units: int) -> Numbers:
    kind = cm.kind_of(channel)
    if cm.method_of(channel) == cu.HIGH_FREQUENCY:
        time = as_float(channel.attributes["CI_FREQ_MEAS_TIME" if kind == cm.FREQUENCY else "CI_PERIOD_MEAS_TIME"])
        hertz = first * as_int(channel.attributes["CI_PRESCALER"]) / time
    else:
        hertz = _over(rate * second, first)
    if units == cu.TICKS:
        return np.rint(_over(rate, hertz))
    return hertz if kind == cm.FREQUENCY else _over(1.0, hertz)


def _over(above: ArrayLike, below: Numbers) -> Numbers:
    share = np.broadcast_to(np.asarray(above, dtype=float), below.shape)
    return np.asarray(np.divide(share, below, out=np.zeros(below.shape), where=below > 0.0))


def step_of(channel: CounterChannel) -> float:
    """How far one count of an encoder is, in the units of the channel (of a custom scale: degrees, metres, or these in a second)."""
    a, moving = channel.attributes, cm.kind_of(channel) in cm.VELOCITIES
    head = "CI_VELOCITY_" if moving else "CI_"
    factor = counts.FACTORS[as_int(a[f"{head}ENCODER_DECODING_TYPE"])]
    if cm.kind_of(channel) in (cm.ANGLE, cm.ANGULAR_VELOCITY):
        turn = _TURNS.get(cm.units_of(channel), 360.0)
        return turn / (factor * as_int(a[f"{head}ANG_ENCODER_PULSES_PER_REV"]))
    return as_float(a[f"{head}LIN_ENCODER_DIST_PER_PULSE"]) / factor
