"""From the attributes of a channel to what measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from drivers.simulated.daqmx import counter_usages as cu
from drivers.simulated.daqmx.counter_intervals import Meter, Periods, Pulses, SemiPeriods, Separations, Widths, Windows
from drivers.simulated.daqmx.not_served import NotServed

if TYPE_CHECKING:
    from drivers.simulated.daqmx.channels import CounterChannel

COUNT_EDGES, FREQUENCY, PERIOD, WIDTH, SEMI_PERIOD, SEPARATION = 10125, 10179, 10256, 10359, 10289, 10267
PULSE_FREQUENCY, PULSE_TIME, PULSE_TICKS, DUTY_CYCLE, ANGLE, POSITION = 15864, 15865, 15866, 16070, 10360, 10361
PULSES, ENCODERS = (PULSE_FREQUENCY, PULSE_TIME, PULSE_TICKS), (ANGLE, POSITION)

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
}  # fmt: skip


def kind_of(channel: CounterChannel) -> int:
    """Member of nidaqmx.constants.UsageTypeCI."""
    return int(channel.attributes["CI_MEAS_TYPE"])


def terms_of(channel: CounterChannel) -> tuple[str, ...]:
    """Properties that name the terminals of the measured signals."""
    return _TERMS[kind_of(channel)]


def check(channel: CounterChannel) -> None:
    """Raise NotServed for what is not simulated."""
    if kind_of(channel) not in _TERMS:
        raise NotServed(f"counter measurement {kind_of(channel)} that runs")
    if method_of(channel) == cu.DYNAMIC:
        raise NotServed("dynamic averaging")
    if channel.attributes.get("CI_PRESCALER", 1) != 1:
        raise NotServed("a prescaler of a counter input")


def meter_of(channel: CounterChannel) -> Meter | None:
    """What times the channel's intervals, None for counts and positions."""
    kind, a = kind_of(channel), channel.attributes
    if kind in (FREQUENCY, PERIOD):
        head = "CI_FREQ" if kind == FREQUENCY else "CI_PERIOD"
        rising = a[f"{head}_STARTING_EDGE"] == cu.RISING
        if method_of(channel) == cu.HIGH_FREQUENCY:
            return Windows(rising, a[f"{head}_MEAS_TIME"])
        return Periods(rising, a[f"{head}_DIV"] if method_of(channel) == cu.LARGE_RANGE else 1)
    if kind == SEPARATION:
        return Separations(a["CI_TWO_EDGE_SEP_FIRST_EDGE"] == cu.RISING, a["CI_TWO_EDGE_SEP_SECOND_EDGE"] == cu.RISING)
    if kind not in _STARTS:
        return None
    makers: dict[int, Callable[[bool], Meter]] = {WIDTH: Widths, SEMI_PERIOD: SemiPeriods}
    return makers.get(kind, Pulses)(a[_STARTS[kind]] == cu.RISING)


def longest_of(channel: CounterChannel) -> float:
    """Longest interval (s) that the limits of the channel allow for, 0 where they say nothing."""
    kind, low, high = kind_of(channel), channel.attributes.get("CI_MIN"), channel.attributes.get("CI_MAX")
    if kind in (FREQUENCY, PULSE_FREQUENCY, DUTY_CYCLE):
        return 1.0 / low if low else 0.0
    return float(high or 0.0) if kind in (PERIOD, WIDTH, SEMI_PERIOD, SEPARATION, PULSE_TIME) else 0.0


def averages(channel: CounterChannel) -> bool:
    """Whether a sample clock takes the mean over the periods since the sample before."""
    return bool(channel.attributes.get("CI_FREQ_ENABLE_AVERAGING") or channel.attributes.get("CI_PERIOD_ENABLE_AVERAGING"))


def method_of(channel: CounterChannel) -> int | None:
    """How frequency or period is measured, a member of nidaqmx.constants.CounterFrequencyMethod."""
    return channel.attributes.get("CI_FREQ_MEAS_METH", channel.attributes.get("CI_PERIOD_MEAS_METH"))


def origin_of(channel: CounterChannel) -> float:
    """Where an encoder is at the start, in the units of the channel."""
    return float(channel.attributes["CI_ANG_ENCODER_INITIAL_ANGLE" if kind_of(channel) == ANGLE else "CI_LIN_ENCODER_INITIAL_POS"])
