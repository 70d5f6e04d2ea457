"""Digital filters of the clock, the triggers and the lines of a task: which there are, how wide, and what is checked about them.

"Digital Filtering Considerations for X Series and NI 661x Devices" (NI-DAQmx): three fixed widths (90 ns, 5.12 us, 2.56 ms), everywhere but
on port 0 a custom one as well, the same for all lines of the device; the same page for C Series: 112.5 ns, 6.4 us, 2.56 ms. "X Series User
Manual", PFI Filters: signals from inside the device have none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from drivers.simulated.daqmx.configuration.digital_sources import sources
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.digital_filter import CLOCKS_KEPT, OUTSIDE, Filter, inner_rate, whole
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.values import as_float
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE, COMPACT_DAQ_CHASSIS, TIMEBASE, X_SERIES
from drivers.simulated.daqmx.routing.route_rules import check_source, home
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import filters, terminals

C_SERIES = (112.5e-9, 6.4e-6, 2.56e-3)
FIXED = {X_SERIES: (90e-9, 5.12e-6, 2.56e-3), C_SERIES_MODULE: C_SERIES, COMPACT_DAQ_CHASSIS: C_SERIES}
"""Fixed widths (s) by the category of the products whose filters are simulated."""
CHASSIS_TIMEBASE = 80e6
"""Fastest filter clock of a chassis (Hz): 112.5 ns are nine of it."""


@dataclass(frozen=True)
class Place:
    """A filter of a task: the key by which it is asked for, device and pin (canonical) that it is at, and its width (s)."""

    key: str
    device: str
    pin: str
    width: float


def signal_filters(engine: Engine, task: Task) -> dict[str, str]:
    """Sources of the task's clock and digital triggers whose filters are on, by the head of the properties of the filter."""
    found = {name.removesuffix("_SRC"): source for name, source in sources(task).items()}
    if task.sampled:
        found["SAMP_CLK"] = task.timing.source
    return {head: source for head, source in found.items() if task.settings.get(f"{head}_DIG_FLTR_ENABLE", False)}


def clock_rate(engine: Engine, task: Task, head: str) -> float:
    """Frequency (Hz) of the filter clock: that of an internal timebase, what was told of an external one, else the device's fastest."""
    source = str(task.settings.get(f"{head}_DIG_FLTR_TIMEBASE_SRC", ""))
    told = as_float(task.settings.get(f"{head}_DIG_FLTR_TIMEBASE_RATE", 0.0))
    fastest = CHASSIS_TIMEBASE if task.host else TIMEBASE
    return (inner_rate(source) or told) if source else told or fastest


def width_of(engine: Engine, task: Task, head: str) -> float:
    """Minimum pulse width (s) of the filter of a clock or trigger: whole cycles of its clock; as it was set where that has no rate."""
    asked, rate = as_float(task.settings.get(f"{head}_DIG_FLTR_MIN_PULSE_WIDTH", 0.0)), clock_rate(engine, task, head)
    return whole(asked, rate) if rate else asked


def need_filters(engine: Engine, device: str) -> None:
    """Raise NotServed for a device whose filters are not simulated."""
    if engine.devices[device].category not in FIXED:
        raise NotServed("digital filters of this device")


def places(engine: Engine, task: Task) -> list[Place]:
    """All filters of a task that are on."""
    found = []
    for head, source in signal_filters(engine, task).items():
        found.append(Place(head, task.owner, engine.routes.canonical(source, task.device), width_of(engine, task, head)))
    for channel in task.channels:
        if isinstance(channel, ch.LineChannel) and channel.attributes.get("DI_DIG_FLTR_ENABLE"):
            width = as_float(channel.attributes["DI_DIG_FLTR_MIN_PULSE_WIDTH"])
            found += [Place(line, channel.device, line, width) for line in channel.lines]
        if isinstance(channel, ch.CounterChannel):
            found += _of_counter(engine, channel)
    return found


def _of_counter(engine: Engine, channel: ch.CounterChannel) -> list[Place]:
    heads = {term: filters.prefix_of(term) for term in terminals.used(channel)}
    return [
        Place("", home(engine, channel.device), engine.routes.canonical(str(channel.attributes[term]), channel.device),
              filters.width_of(channel, head))
        for term, head in heads.items() if channel.attributes.get(f"{head}_DIG_FLTR_ENABLE")
    ]  # fmt: skip


def make_filters(engine: Engine, task: Task) -> dict[str, Filter]:
    """The filters of a run of clock, triggers and lines, by their keys; counters have their own."""
    return {place.key: Filter(place.width, place.pin) for place in places(engine, task) if place.key}


# -- what is checked -------------------------------------------------------------------------------------------------------------------


def verify(engine: Engine, task: Task) -> None:
    """Raise DaqmxError for filters that the task cannot have, NotServed for those that are not simulated."""
    for head, source in signal_filters(engine, task).items():
        _verify_signal(engine, task, head, source)
    for channel in task.channels_of(ch.LineChannel):
        if channel.kind == ch.DIGITAL_INPUT and channel.attributes["DI_DIG_FLTR_ENABLE"]:
            _verify_lines(engine, task, channel)
    _verify_widths(engine, task)


def _verify_signal(engine: Engine, task: Task, head: str, source: str) -> None:
    need_filters(engine, task.owner)
    family = "TIMING" if head == "SAMP_CLK" else "TRIGGER"
    if not OUTSIDE.fullmatch(engine.routes.full(source, task.device).partition("/")[2]):
        raise task.fail(-201367, Property=c_name(f"{head}_DIG_FLTR_ENABLE", family), Terminal=source or "OnboardClock")
    width, rate = width_of(engine, task, head), clock_rate(engine, task, head)
    if not width:
        raise task.fail(-200771, Property=c_name(f"{head}_DIG_FLTR_ENABLE", family))
    check_source(engine, task, str(task.settings.get(f"{head}_DIG_FLTR_TIMEBASE_SRC", "")), f"{head}_DIG_FLTR_TIMEBASE_SRC", "")
    if not rate:
        raise task.fail(-200077, Property=c_name(f"{head}_DIG_FLTR_TIMEBASE_RATE", family), Requested_Value=rate)
    if width * rate > CLOCKS_KEPT:
        raise task.fail(
            -200077, Property=c_name(f"{head}_DIG_FLTR_MIN_PULSE_WIDTH", family), Requested_Value=width, Maximum_Value=CLOCKS_KEPT / rate
        )


def _verify_lines(engine: Engine, task: Task, channel: ch.LineChannel) -> None:
    if not task.clocked:
        raise NotServed("digital filters of lines that are read on demand")
    details = {"Property": "DAQmx_DI_DigFltr_MinPulseWidth", "Channel_Name": channel.name}
    width, fixed = as_float(channel.attributes["DI_DIG_FLTR_MIN_PULSE_WIDTH"]), FIXED[engine.devices[channel.device].category]
    if not width:
        raise task.fail(-200771, Property="DAQmx_DI_DigFltr_Enable", Channel_Name=channel.name)
    if any("/port0/" in line for line in channel.lines) and not _among(width, fixed):
        raise task.fail(-200077, 0, **details, Requested_Value=width, Possible_Values=", ".join(f"{value:g}" for value in fixed))
    if width * TIMEBASE > CLOCKS_KEPT:
        raise task.fail(-200077, 0, **details, Requested_Value=width, Maximum_Value=CLOCKS_KEPT / TIMEBASE)


def _verify_widths(engine: Engine, task: Task) -> None:
    """One width at a terminal (-200774, -200775), and one custom width on a device (-200807, -200806)."""
    mine = places(engine, task)
    others = [other for other in engine.tasks.values() if other is not task and other.state >= State.RESERVED] if mine else []
    theirs = [place for other in others for place in places(engine, other)]
    for number, place in enumerate(mine):
        for known, pin, custom in ((mine[:number], -200774, -200807), (theirs, -200775, -200806)):
            for other in known:
                if math.isclose(place.width, other.width, rel_tol=1e-9):
                    continue
                if place.pin == other.pin:
                    raise task.fail(pin, Terminal=place.pin)
                if place.device == other.device and _is_custom(engine, place) and _is_custom(engine, other):
                    raise task.fail(custom, Device=place.device, Requested_Value=place.width)


def _is_custom(engine: Engine, place: Place) -> bool:
    category = engine.devices[place.device].category
    return category in FIXED and not _among(place.width, FIXED[category])


def _among(width: float, fixed: tuple[float, ...]) -> bool:
    return any(math.isclose(width, value, rel_tol=1e-9) for value in fixed)
