"""Properties of the digital filters of clocks, triggers and lines.

Synchronisation to the internal timebase, and the filter behind the circuit that compares for an analogue trigger, are not simulated: they
read as off, and cannot be switched on.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.simulated.daqmx.configuration import task_filters
from drivers.simulated.daqmx.configuration.settings import Need, anybody, never, setting
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.digital_filter import CLOCKS_KEPT
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value, as_float
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products.product import TIMEBASE, X_SERIES
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.not_served import NotServed

SLOWEST = 100e3
"""Slowest internal timebase (Hz)."""
DEFAULTS: dict[str, Value] = {
    "DIG_FLTR_ENABLE": False, "DIG_FLTR_MIN_PULSE_WIDTH": 0.0, "DIG_FLTR_TIMEBASE_SRC": "", "DIG_FLTR_TIMEBASE_RATE": 0.0,
    "DIG_SYNC_ENABLE": False,
}  # fmt: skip


def filter_properties(head: str, need: Need = anybody) -> dict[str, Property[Task]]:
    """Those of the filter of a clock or a digital trigger, by NI's names."""
    enable, width, source, rate, sync = (f"{head}_{tail}" for tail in DEFAULTS)
    return {
        enable: _checked(setting(enable, False, need=need), _may_filter),
        width: _width(head, setting(width, 0.0, need=need)), source: setting(source, "", need=need),
        rate: _checked(setting(rate, 0.0, need=need), _need_rate), sync: never(sync, need),
    }  # fmt: skip


def comparison_properties(head: str, need: Need = anybody) -> dict[str, Property[Task]]:
    """Those of the filter behind an analogue trigger's circuit, which is not simulated."""
    return {f"{head}_{tail}": never(f"{head}_{tail}", need, default) for tail, default in DEFAULTS.items()}


def check_line(engine: Engine, channel: ch.Channel, name: str, value: Value) -> None:
    """Raise DaqmxError, NotServed for a setting of the filter of a digital input that there is not."""
    if name == "DI_DIG_FLTR_ENABLE" and value and engine.devices[channel.device].category != X_SERIES:
        raise NotServed("digital filters of the lines of this device")
    if name == "DI_DIG_FLTR_MIN_PULSE_WIDTH" and not 0.0 <= as_float(value) <= CLOCKS_KEPT / TIMEBASE:
        raise DaqmxError(-200077, Property="DAQmx_DI_DigFltr_MinPulseWidth", Requested_Value=value, Maximum_Value=CLOCKS_KEPT / TIMEBASE)


def _checked(plain: Property[Task], check: Callable[[Engine, Task, Value], None]) -> Property[Task]:
    assert plain.set is not None
    change = plain.set

    def checked(engine: Engine, task: Task, value: Value) -> None:
        check(engine, task, value)
        change(engine, task, value)

    return Property(plain.get, checked, plain.default, plain.reset)


def _may_filter(engine: Engine, task: Task, value: Value) -> None:
    if value and task.channels:
        task_filters.need_filters(engine, task.owner)


def _need_rate(engine: Engine, task: Task, value: Value) -> None:
    if not as_float(value) >= 0.0:
        raise task.fail(-200077, Requested_Value=value)


def _width(head: str, plain: Property[Task]) -> Property[Task]:
    def check(engine: Engine, task: Task, value: Value) -> None:
        if not 0.0 <= as_float(value) <= CLOCKS_KEPT / SLOWEST:
            raise task.fail(-200077, Requested_Value=value, Maximum_Value=CLOCKS_KEPT / SLOWEST, Minimum_Value=0.0)

    def get(engine: Engine, task: Task) -> Value:
        plain.get(engine, task)
        return task_filters.width_of(engine, task, head) if task.channels else 0.0

    checked = _checked(plain, check)
    return Property(get, checked.set, plain.default, plain.reset)
