"""Properties by family and NI's own name: how each is read, and how it is set where it can be.

A property that is not in a table is not served; one that is, but does not belong to the channel or device at hand, gives NI's error.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from drivers.simulated.daqmx.configuration.exports import EXPORTED
from drivers.simulated.daqmx.configuration.timing import TIMING
from drivers.simulated.daqmx.configuration.triggers import TRIGGER
from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property
from drivers.simulated.daqmx.io import reading
from drivers.simulated.daqmx.io.streams import BUFFER, READ, WRITE
from drivers.simulated.daqmx.properties.channel_properties import CHANNEL
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.storage.persisted import PERSISTED
from drivers.simulated.daqmx.subsystems.analog import input as analog_input
from drivers.simulated.daqmx.system import custom_scales, watchdogs
from drivers.simulated.daqmx.system.calibration_info import CALIBRATION
from drivers.simulated.daqmx.system.device_properties import DEVICE, SYSTEM
from drivers.simulated.daqmx.system.physical_properties import PHYSICALCHANNEL


def _names(task: Task) -> str:
    return ", ".join(c.name for c in task.channels)


TASK: dict[str, Property] = {
    "NAME": Property(lambda e, t: t.name),
    "CHANNELS": Property(lambda e, t: _names(t)),
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "DEVICES": Property(lambda e, t: ", ".join(t.devices)),
    "NUM_DEVICES": Property(lambda e, t: len(t.devices)),
    "COMPLETE": Property(lambda e, t: reading.is_done(e, t)),
}


FAMILIES: Mapping[str, Mapping[str, Property]] = {
    "TASK": TASK, "READ": READ, "WRITE": WRITE, "BUFFER": BUFFER, "TIMING": TIMING, "TRIGGER": TRIGGER, "EXPORTEDSIGNAL": EXPORTED,
    "CHANNEL": CHANNEL,
    "DEVICE": DEVICE, "SYSTEM": SYSTEM, "PHYSICALCHANNEL": PHYSICALCHANNEL, "WATCHDOG": watchdogs.PROPERTIES,
    "CALINFO": CALIBRATION,
    "SCALE": custom_scales.SCALE, "PERSISTEDTASK": PERSISTED, "PERSISTEDCHAN": PERSISTED, "PERSISTEDSCALE": PERSISTED,
}  # fmt: skip


def find(family: str, name: str) -> Property:
    """Raises NotServed."""
    try:
        return FAMILIES[family][name]
    except KeyError:
        raise NotServed(f"{family} property {name}") from None


OF_PROPERTIES = (-200077, -200197, -200231, -200451, -200452, -200557, -200601, -200983, -201118)
"""Errors that name the property that was asked for."""


@contextlib.contextmanager
def _named(family: str, name: str, subject: Any) -> Iterator[None]:
    try:
        yield
    except DaqmxError as error:
        if error.code in OF_PROPERTIES:
            task = subject[0] if isinstance(subject, tuple) else subject
            error.about(c_name(name, family), task.name if isinstance(task, Task) else "")
        raise


VERIFIES = ("CHANNEL", "TIMING", "TRIGGER")
"""Families whose properties the driver looks up in a verified task."""


def get_property(engine: Engine, family: str, name: str, subject: Any) -> Any:
    """Value of a property. Raises NotServed, DaqmxError."""
    served = find(family, name)
    with engine.lock, _named(family, name, subject):
        if family in VERIFIES:
            task = subject[0] if isinstance(subject, tuple) else subject
            analog_input.need_rate(engine, task)
        return served.get(engine, subject)


def set_property(engine: Engine, family: str, name: str, subject: Any, value: Any) -> None:
    """Set a property. Raises NotServed, DaqmxError (-200231 where it cannot be set)."""
    served = find(family, name)
    with engine.lock, _named(family, name, subject):
        if served.set is None:
            raise DaqmxError(-200231, Property=name)
        finite.need(c_name(name, family), value)
        served.set(engine, subject, value)


def reset_property(engine: Engine, family: str, name: str, subject: Any) -> None:
    """Set a property to its default. Raises as `set_property`."""
    served = find(family, name)
    if served.reset is not None:
        with engine.lock, _named(family, name, subject):
            served.reset(engine, subject)
        return
    if served.default is None:
        raise NotServed(f"reset of {family} property {name}")
    set_property(engine, family, name, subject, served.default)
