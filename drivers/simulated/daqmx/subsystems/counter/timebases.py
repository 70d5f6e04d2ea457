"""The timebase of a counter: the one that was chosen, or the fastest that suits what is measured or put out; and what its rate allows.

"NI-DAQmx Key Concepts", Configuring a Time Measurement: by the expected range the driver picks the internal timebase of the highest
resolution. What fits is what the driver's errors -200136 to -200139 and -200745 say: every interval takes two ticks at least and at
most as many as a counter of 32 bits counts. A rate from outside has to be told where ticks are to become seconds (-200143).
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.values import as_float, as_int
from drivers.simulated.daqmx.products.product import Counters
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.subsystems.counter.tick_source import Source
from drivers.simulated.daqmx.subsystems.counter.trains import SHORTEST

MOST = 2**32 - 1
"""Counts of a counter of 32 bits, the Counter Maximum Count of the driver's errors."""
PRESCALERS = (1, 2, 8)
""" "X Series User Manual", Prescaling."""


@dataclass(frozen=True)
class Span:
    """Intervals (s) that a counter has to cope with; `code`: what is answered where it cannot, with the properties that ask for them."""

    shortest: float
    longest: float
    code: int
    properties: tuple[str, ...] = ()

    def fits(self, rate: float) -> bool:
        """Whether a timebase of that rate (Hz) does."""
        # A figure that is met to the last digit is met.
        return self.shortest * rate >= SHORTEST * (1.0 - 1e-12) and self.longest * rate <= MOST * (1.0 + 1e-12)


def rates(counting: Counters) -> tuple[float, ...]:
    """Internal timebases (Hz) of a product's counters, the fastest first; those of a counter module have one."""
    return (counting.timebase, 20e6, 100e3) if counting.outputs else (counting.timebase,)


def name_of(rate: float) -> str:
    """Name of an internal timebase."""
    return f"{rate / 1e6:g}MHzTimebase" if rate >= 1e6 else f"{rate / 1e3:g}kHzTimebase"


def chosen(bench: Bench, channel: ch.CounterChannel, span: Span | None, scaled: bool) -> Source:
    """The timebase of a channel. `scaled`: whether ticks become seconds. Raises DaqmxError."""
    family = "CO" if channel.kind == ch.COUNTER_OUTPUT else "CI"
    a = channel.attributes
    source, prescaler = str(a[f"{family}_CTR_TIMEBASE_SRC"]), as_int(a[f"{family}_PRESCALER"])
    told = None if a[f"{family}_CTR_TIMEBASE_RATE"] is None else as_float(a[f"{family}_CTR_TIMEBASE_RATE"])
    counting = bench.devices[channel.device].counting
    assert counting is not None
    if source.lower() in cu.ONBOARD:
        rate = _internal(channel, rates(counting), told, span, family)
        terminal = bench.routes.canonical(f"/{channel.device}/{name_of(rate)}")
        found = Source(terminal, rate, rate)
    else:
        terminal = bench.routes.canonical(source, channel.device)
        known = bench.routes.frequency(terminal)
        internal = known is not None and "timebase" in terminal
        if internal and told is not None and told != known:
            raise DaqmxError(-200134, Property=c_name(f"{family}_CTR_TIMEBASE_RATE"), Requested_Value=told, Channel_Name=channel.name)
        found = Source(terminal, known, known if internal else told, prescaler)
        if scaled and found.told is None:
            raise DaqmxError(-200143, Property=c_name(f"{family}_CTR_TIMEBASE_RATE"), Channel_Name=channel.name)
    if prescaler != 1 and found.rate is not None and not (family == "CI" and cm.counts_source(channel)):
        raise DaqmxError(-200840, Property=c_name(f"{family}_PRESCALER"), Requested_Value=prescaler, Channel_Name=channel.name)
    ticking = None if found.told is None else found.told / found.prescaler
    if span is not None and ticking is not None and not span.fits(ticking):
        raise _beyond(channel, span, found.told)
    return found


def _internal(channel: ch.CounterChannel, able: tuple[float, ...], told: float | None, span: Span | None, family: str) -> float:
    if told is not None:
        if told not in able:
            raise DaqmxError(-200142, Property=c_name(f"{family}_CTR_TIMEBASE_RATE"), Requested_Value=told, Channel_Name=channel.name)
        return told
    if span is None:
        return able[0]
    fitting = [rate for rate in able if span.fits(rate)]
    if not fitting:
        raise _beyond(channel, span, None)
    return fitting[0]


def _beyond(channel: ch.CounterChannel, span: Span, rate: float | None) -> DaqmxError:
    details: dict[str, object] = {}
    for number, name in enumerate(span.properties):
        details |= {"Property" if not number else "Conflicting_Property": c_name(name)}
        details |= {"Requested_Value" if not number else "Conflicting_Value": channel.attributes[name]}
    if rate is not None:
        details["Counter_Timebase_Rate"] = rate
    return DaqmxError(span.code, **details, Channel_Name=channel.name)


# -- what is measured ------------------------------------------------------------------------------------------------------------------

_TIMES = (cm.PERIOD, cm.WIDTH, cm.SEMI_PERIOD, cm.SEPARATION, cm.PULSE_TIME)
_FREQUENCIES = (cm.FREQUENCY, cm.PULSE_FREQUENCY)


def of_input(bench: Bench, channel: ch.CounterChannel) -> Source:
    """The timebase of a measurement. Raises DaqmxError."""
    kind = cm.kind_of(channel)
    ticks = cm.units_of(channel) == cu.TICKS
    scaled = kind in (*_TIMES, *_FREQUENCIES, *cm.VELOCITIES) and not ticks
    return chosen(bench, channel, None if ticks else _span(bench, channel), scaled)


def _span(bench: Bench, channel: ch.CounterChannel) -> Span | None:
    kind, a = cm.kind_of(channel), channel.attributes
    counting = bench.devices[channel.device].counting
    if kind not in (*_TIMES, *_FREQUENCIES) or cm.method_of(channel) == cu.HIGH_FREQUENCY or counting is None or not counting.outputs:
        return None
    low, high = as_float(a["CI_MIN"]), as_float(a["CI_MAX"])
    if cm.units_of(channel) == cu.FROM_CUSTOM_SCALE:
        low, high = sorted(float(v) for v in scales.find(bench, str(a["CI_CUSTOM_SCALE_NAME"])).law().back([low, high]))
    if kind in _FREQUENCIES:
        low, high = _over(high), _over(low)
    periods = as_int(a["CI_FREQ_DIV" if kind == cm.FREQUENCY else "CI_PERIOD_DIV"]) if cm.method_of(channel) == cu.LARGE_RANGE else 1
    return Span(low * periods, high * periods, -200139 if kind in _FREQUENCIES else -200138, ("CI_MAX", "CI_MIN"))


def _over(frequency: float) -> float:
    return 1.0 / frequency if frequency > 0.0 else float("inf")


# -- what is put out -------------------------------------------------------------------------------------------------------------------


def of_output(bench: Bench, channel: ch.CounterChannel) -> Source:
    """The timebase of pulses. Raises DaqmxError."""
    a = channel.attributes
    if a["CO_OUTPUT_TYPE"] == cu.BY_TICKS:
        return chosen(bench, channel, None, scaled=False)
    delay = cu.DELAYS[as_int(a["CO_OUTPUT_TYPE"])]
    wait = as_float(a[delay])
    if a["CO_OUTPUT_TYPE"] == cu.BY_TIME:
        times = (as_float(a["CO_PULSE_HIGH_TIME"]), as_float(a["CO_PULSE_LOW_TIME"]))
        span = Span(min(times), max(*times, wait), -200137, ("CO_PULSE_HIGH_TIME", "CO_PULSE_LOW_TIME", delay))
        return chosen(bench, channel, span, scaled=True)
    period = 1.0 / as_float(a["CO_PULSE_FREQ"])
    source = chosen(bench, channel, Span(period, max(period, wait), -200136, ("CO_PULSE_FREQ", delay)), scaled=True)
    # Each of the two phases takes two ticks: that is the tighter limit, which another error tells.
    chosen(bench, channel, Span(0.5 * period, max(period, wait), -200745, ("CO_PULSE_FREQ", delay)), scaled=True)
    return source
