"""Properties of counters as they are read: what the driver chose for what nobody set, and what it made of what was asked for."""

from __future__ import annotations

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.counter import filters, frequency_output
from drivers.simulated.daqmx.subsystems.counter import generation as work
from drivers.simulated.daqmx.subsystems.counter import pulses as cp
from drivers.simulated.daqmx.subsystems.counter import timebases as ct
from drivers.simulated.daqmx.subsystems.counter import usages as cu

_WIDTH = "_DIG_FLTR_MIN_PULSE_WIDTH"
_RATE = "_DIG_FLTR_TIMEBASE_RATE"


def shown(engine: Engine, task: Task, channel: ch.CounterChannel, name: str) -> Value:
    """A property of a counter channel. Raises DaqmxError where what is configured contradicts itself."""
    with task.naming():
        return _shown(engine, task, channel, name)


def _shown(engine: Engine, task: Task, channel: ch.CounterChannel, name: str) -> Value:
    value = channel.attributes[name]
    if name.endswith("_CTR_TIMEBASE_SRC"):
        return value or _source(engine, channel)
    if name.endswith("_CTR_TIMEBASE_RATE"):
        return value if value is not None else _rate(engine, channel)
    if name in cu.LIVE:
        return cp.coerced(engine, channel)[cp.FIELDS[as_int(channel.attributes["CO_OUTPUT_TYPE"])].index(name)]
    if name == cu.DELAYS.get(channel.attributes.get("CO_OUTPUT_TYPE", 0)) and channel.number >= 0:
        return cp.coerced_delay(engine, channel)
    if name == "CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER":
        return work.delays_again(task, channel)
    if name.endswith(_WIDTH):
        return filters.width_of(channel, name.removesuffix(_WIDTH))
    if name.endswith(_RATE):
        return filters.clock_rate(channel, name.removesuffix(_RATE))
    return value


def _source(engine: Engine, channel: ch.CounterChannel) -> str:
    """Name of the internal timebase that the driver takes."""
    if channel.number < 0:
        return f"/{channel.device}/{frequency_output.clock_of(channel)[0]}"
    rate = _rate(engine, channel)
    entry = engine.entries.get(channel.device)
    home = entry.chassis if entry is not None and entry.chassis and _chassis_has(engine, entry.chassis, rate) else channel.device
    return f"/{home}/{ct.name_of(rate)}"


def _chassis_has(engine: Engine, chassis: str, rate: float) -> bool:
    return ct.name_of(rate) in engine.devices[chassis].terminals


def _rate(engine: Engine, channel: ch.CounterChannel) -> float:
    if channel.number < 0:
        return frequency_output.CLOCKS[frequency_output.clock_of(channel)[0]]
    source = ct.of_output(engine, channel) if channel.kind == ch.COUNTER_OUTPUT else ct.of_input(engine, channel)
    if source.told is None:
        family = "CO" if channel.kind == ch.COUNTER_OUTPUT else "CI"
        raise DaqmxError(-200143, Property=f"DAQmx_{family}_CtrTimebaseRate", Channel_Name=channel.name)
    return source.told
