"""From the attributes of a channel to what measures."""

from __future__ import annotations

from collections.abc import Callable

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.subsystems.counter import intervals as iv
from drivers.simulated.daqmx.subsystems.counter import usages as cu

COUNT_EDGES, FREQUENCY, PERIOD, WIDTH, SEMI_PERIOD, SEPARATION = (
    ni.UsageTypeCI.COUNT_EDGES.value, ni.UsageTypeCI.FREQUENCY.value, ni.UsageTypeCI.PERIOD.value,
    ni.UsageTypeCI.PULSE_WIDTH_DIGITAL.value, ni.UsageTypeCI.PULSE_WIDTH_DIGITAL_SEMI_PERIOD.value,
    ni.UsageTypeCI.PULSE_WIDTH_DIGITAL_TWO_EDGE_SEPARATION.value,
)  # fmt: skip
PULSE_FREQUENCY, PULSE_TIME, PULSE_TICKS, DUTY_CYCLE, ANGLE, POSITION = (
    ni.UsageTypeCI.PULSE_FREQ.value, ni.UsageTypeCI.PULSE_TIME.value, ni.UsageTypeCI.PULSE_TICKS.value, ni.UsageTypeCI.DUTY_CYCLE.value,
    ni.UsageTypeCI.POSITION_ANGULAR_ENCODER.value, ni.UsageTypeCI.POSITION_LINEAR_ENCODER.value,
)  # fmt: skip
ANGULAR_VELOCITY, LINEAR_VELOCITY = ni.UsageTypeCI.VELOCITY_ANGULAR_ENCODER.value, ni.UsageTypeCI.VELOCITY_LINEAR_ENCODER.value
PULSES, ENCODERS, VELOCITIES = (PULSE_FREQUENCY, PULSE_TIME, PULSE_TICKS), (ANGLE, POSITION), (ANGULAR_VELOCITY, LINEAR_VELOCITY)
_UNITS = {
    FREQUENCY: "CI_FREQ_UNITS", PERIOD: "CI_PERIOD_UNITS", WIDTH: "CI_PULSE_WIDTH_UNITS", SEMI_PERIOD: "CI_SEMI_PERIOD_UNITS",
    SEPARATION: "CI_TWO_EDGE_SEP_UNITS", PULSE_FREQUENCY: "CI_PULSE_FREQ_UNITS", PULSE_TIME: "CI_PULSE_TIME_UNITS",
    ANGLE: "CI_ANG_ENCODER_UNITS", POSITION: "CI_LIN_ENCODER_UNITS", ANGULAR_VELOCITY: "CI_VELOCITY_ANG_ENCODER_UNITS",
    LINEAR_VELOCITY: "CI_VELOCITY_LIN_ENCODER_UNITS",
}  # fmt: skip

_STARTS = {
    WIDTH: "CI_PULSE_WIDTH_STARTING_EDGE", SEMI_PERIOD: "CI_SEMI_PERIOD_STARTING_EDGE", PULSE_FREQUENCY: "CI_PULSE_FREQ_START_EDGE",
    PULSE_TIME: "CI_PULSE_TIME_START_EDGE", PULSE_TICKS: "CI_PULSE_TICKS_START_EDGE", DUTY_CYCLE: "CI_DUTY_CYCLE_STARTING_EDGE",
}  # fmt: skip
_TERMS = {
    COUNT_EDGES: ("CI_COUNT_EDGES_TERM",), FREQUENCY: ("CI_FREQ_TERM",), PERIOD: ("CI_PERIOD_TERM",), WIDTH: ("CI_PULSE_WIDTH_TERM",),
    SEMI_PERIOD: ("CI_SEMI_PERIOD_TERM",), SEPARATION: ("CI_TWO_EDGE_SEP_FIRST_TERM", "CI_TWO_EDGE_SEP_SECOND_TERM"),
    PULSE_FREQUENCY: ("CI_PULSE_FREQ_TERM",), PULSE_TIME: ("CI_PULSE_TIME_TERM",), PULSE_TICKS: ("CI_PULSE_TICKS_TERM",),
    DUTY_CYCLE: ("CI_DUTY_CYCLE_TERM",), ANGLE: ("CI_ENCODER_A_INPUT_TERM", "CI_ENCODER_B_INPUT_TERM"),
    POSITION: ("CI_ENCODER_A_INPUT_TERM", "CI_ENCODER_B_INPUT_TERM"),
    **dict.fromkeys(VELOCITIES, ("CI_VELOCITY_ENCODER_A_INPUT_TERM", "CI_VELOCITY_ENCODER_B_INPUT_TERM")),
}  # fmt: skip


def kind_of(channel: CounterChannel) -> int:
    """Member of nidaqmx.constants.UsageTypeCI."""
    return as_int(channel.attributes["CI_MEAS_TYPE"])


def terms_of(channel: CounterChannel) -> tuple[str, ...]:
    """Properties that name the terminals of the measured signals."""
    return _TERMS[kind_of(channel)]


def check(channel: CounterChannel) -> None:
    """Raise NotServed for what is not simulated."""
    if kind_of(channel) not in _TERMS:
        raise NotServed(f"counter measurement {kind_of(channel)} that runs")


def meter_of(channel: CounterChannel) -> iv.Meter | None:
    """What times the channel's intervals, None for counts and positions."""
    kind, a = kind_of(channel), channel.attributes
    if kind in (FREQUENCY, PERIOD):
        head = "CI_FREQ" if kind == FREQUENCY else "CI_PERIOD"
        rising = a[f"{head}_STARTING_EDGE"] == cu.RISING
        if method_of(channel) == cu.HIGH_FREQUENCY:
            return iv.Windows(rising, as_float(a[f"{head}_MEAS_TIME"]))
        if method_of(channel) == cu.DYNAMIC:
            return iv.Dynamic(rising, as_int(a[f"{head}_DIV"]), as_float(a[f"{head}_MEAS_TIME"]))
        return iv.Periods(rising, as_int(a[f"{head}_DIV"]) if method_of(channel) == cu.LARGE_RANGE else 1)
    if kind in VELOCITIES:
        return iv.Speeds(as_int(a["CI_VELOCITY_ENCODER_DECODING_TYPE"]), as_int(a["CI_VELOCITY_DIV"]), as_float(a["CI_VELOCITY_MEAS_TIME"]))
    if kind == SEPARATION:
        return iv.Separations(a["CI_TWO_EDGE_SEP_FIRST_EDGE"] == cu.RISING, a["CI_TWO_EDGE_SEP_SECOND_EDGE"] == cu.RISING)
    if kind not in _STARTS:
        return None
    makers: dict[int, Callable[[bool], iv.Meter]] = {WIDTH: iv.Widths, SEMI_PERIOD: iv.SemiPeriods}
    return makers.get(kind, iv.Pulses)(a[_STARTS[kind]] == cu.RISING)


def units_of(channel: CounterChannel) -> int:
    """Units of what the channel reads; ticks where it has none."""
    return int(channel.attributes.get(_UNITS.get(kind_of(channel), ""), cu.TICKS))


def averages(channel: CounterChannel) -> bool:
    """Whether a sample clock takes the mean over the periods since the sample before."""
    return bool(channel.attributes.get("CI_FREQ_ENABLE_AVERAGING") or channel.attributes.get("CI_PERIOD_ENABLE_AVERAGING"))


def method_of(channel: CounterChannel) -> int | None:
    """How frequency or period is measured, a member of nidaqmx.constants.CounterFrequencyMethod."""
    method = channel.attributes.get("CI_FREQ_MEAS_METH", channel.attributes.get("CI_PERIOD_MEAS_METH"))
    return None if method is None else as_int(method)


def counts_source(channel: CounterChannel) -> bool:
    """Whether the measured signal is at the source of the counter, where the prescaler is, and not the timebase."""
    return bool(kind_of(channel) == COUNT_EDGES or method_of(channel) == cu.HIGH_FREQUENCY)


def origin_of(channel: CounterChannel) -> float:
    """Where an encoder is at the start, in the units of the channel."""
    return as_float(channel.attributes["CI_ANG_ENCODER_INITIAL_ANGLE" if kind_of(channel) == ANGLE else "CI_LIN_ENCODER_INITIAL_POS"])
