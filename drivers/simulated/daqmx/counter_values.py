"""From the numbers that counters measure to values in the units of their channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx import counter_counts as counts
from drivers.simulated.daqmx import counter_measuring as cm
from drivers.simulated.daqmx import counter_usages as cu
from drivers.simulated.daqmx import scales
from drivers.simulated.daqmx.channels import CounterChannel
from drivers.simulated.daqmx.engine import Engine

RADIANS = 10273
Numbers = NDArray[np.float64]

_UNITS = {
    cm.FREQUENCY: "CI_FREQ_UNITS", cm.PERIOD: "CI_PERIOD_UNITS", cm.WIDTH: "CI_PULSE_WIDTH_UNITS", cm.SEMI_PERIOD: "CI_SEMI_PERIOD_UNITS",
    cm.SEPARATION: "CI_TWO_EDGE_SEP_UNITS", cm.PULSE_FREQUENCY: "CI_PULSE_FREQ_UNITS", cm.PULSE_TIME: "CI_PULSE_TIME_UNITS",
    cm.ANGLE: "CI_ANG_ENCODER_UNITS", cm.POSITION: "CI_LIN_ENCODER_UNITS",
}  # fmt: skip


def scaled(engine: Engine, channel: CounterChannel, rate: float, first: Numbers, second: Numbers) -> Numbers:
    """Values in the units of the channel. What was never measured (0 ticks) is 0."""
    units = channel.attributes.get(_UNITS.get(cm.kind_of(channel), ""), cu.TICKS)
    values = _natural(channel, rate, first, second, units)
    if units == cu.FROM_CUSTOM_SCALE:
        values = scales.find(engine, channel.attributes["CI_CUSTOM_SCALE_NAME"]).law().forward(values)
    return np.asarray(values, dtype=float)


def pair(channel: CounterChannel, rate: float, high: Numbers, low: Numbers) -> tuple[Numbers, Numbers]:
    """Frequency and duty cycle, high and low time, or high and low ticks."""
    kind = cm.kind_of(channel)
    if kind == cm.PULSE_TICKS:
        return high, low
    in_ticks = channel.attributes.get(_UNITS[kind]) == cu.TICKS
    if kind == cm.PULSE_TIME:
        return (high, low) if in_ticks else (high / rate, low / rate)
    period = high + low
    return period if in_ticks else _over(rate, period), _over(high, period)


def _natural(channel: CounterChannel, rate: float, first: Numbers, second: Numbers, units: int) -> Any:
    kind = cm.kind_of(channel)
    if kind == cm.COUNT_EDGES:
        return first
    if kind in cm.ENCODERS:
        return first * step_of(channel) + second if units != cu.TICKS else first
    if kind == cm.DUTY_CYCLE:
        return _over(first, first + second)
    if kind in cm.PULSES:
        return pair(channel, rate, first, second)[0]
    if kind in (cm.FREQUENCY, cm.PERIOD):
        return _rate_or_period(channel, rate, first, second, units)
    return first if units == cu.TICKS else first / rate


def _rate_or_period(channel: CounterChannel, rate: float, first: Numbers, second: Numbers, units: int) -> Any:
    kind = cm.kind_of(channel)
    if cm.method_of(channel) == cu.HIGH_FREQUENCY:
        time = channel.attributes["CI_FREQ_MEAS_TIME" if kind == cm.FREQUENCY else "CI_PERIOD_MEAS_TIME"]
        hertz = first / time
    else:
        hertz = _over(rate * second, first)
    if units == cu.TICKS:
        return np.rint(_over(rate, hertz))
    return hertz if kind == cm.FREQUENCY else _over(1.0, hertz)


def _over(above: Any, below: Numbers) -> Numbers:
    above = np.broadcast_to(np.asarray(above, dtype=float), below.shape)
    return np.asarray(np.divide(above, below, out=np.zeros(below.shape), where=below > 0.0))


def step_of(channel: CounterChannel) -> float:
    """How far one count of an encoder is, in the units of the channel (of a custom scale: degrees, metres)."""
    a = channel.attributes
    factor = counts.FACTORS[a["CI_ENCODER_DECODING_TYPE"]]
    if cm.kind_of(channel) == cm.ANGLE:
        turn = 2.0 * math.pi if a["CI_ANG_ENCODER_UNITS"] == RADIANS else 360.0
        return float(turn / (factor * a["CI_ANG_ENCODER_PULSES_PER_REV"]))
    return float(a["CI_LIN_ENCODER_DIST_PER_PULSE"] / factor)
