"""Properties by family and NI's own name: how each is read, and how it is set where it can be."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.simulated.daqmx.configuration.exports import EXPORTED
from drivers.simulated.daqmx.configuration.timing import TIMING
from drivers.simulated.daqmx.configuration.triggers import TRIGGER
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import ChannelOfTask, Property
from drivers.simulated.daqmx.io import reading
from drivers.simulated.daqmx.io.lateness import REALTIME
from drivers.simulated.daqmx.io.streams import BUFFER, READ, WRITE
from drivers.simulated.daqmx.properties.channel_properties import CHANNEL
from drivers.simulated.daqmx.properties.family import Family, PropertyFamily
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.storage import persisted
from drivers.simulated.daqmx.system import custom_scales, enumeration, watchdogs
from drivers.simulated.daqmx.system.calibration_info import CALIBRATION
from drivers.simulated.daqmx.system.device_properties import DEVICE, SYSTEM
from drivers.simulated.daqmx.system.physical_properties import PHYSICALCHANNEL

TASK: dict[str, Property[Task]] = {
    "NAME": Property(lambda e, t: t.name),
    "CHANNELS": Property(lambda e, t: ", ".join(c.name for c in t.channels)),
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "DEVICES": Property(lambda e, t: ", ".join(t.devices)),
    "NUM_DEVICES": Property(lambda e, t: len(t.devices)),
    "COMPLETE": Property(lambda e, t: reading.is_done(e, t)),
}


def _task(engine: Engine, fields: Fields) -> Task:
    return engine.task(str(fields["task"]))


def _channels(engine: Engine, fields: Fields) -> list[ChannelOfTask]:
    task, text = _task(engine, fields), str(fields["channel"])
    return [(task, channel) for channel in task.find(text, expand(text))]


def _of_tasks(name: str, table: Mapping[str, Property[Task]], *, verifies: bool = False) -> PropertyFamily[Task]:
    return PropertyFamily(name, table, lambda e, f: [_task(e, f)], verifies)


_FAMILIES: tuple[Family, ...] = (
    _of_tasks("TASK", TASK), _of_tasks("READ", READ), _of_tasks("WRITE", WRITE), _of_tasks("BUFFER", BUFFER),
    _of_tasks("EXPORTEDSIGNAL", EXPORTED), _of_tasks("TIMING", TIMING, verifies=True), _of_tasks("TRIGGER", TRIGGER, verifies=True),
    _of_tasks("REALTIME", REALTIME),
    PropertyFamily("CHANNEL", CHANNEL, _channels, verifies=True),
    PropertyFamily("WATCHDOG", watchdogs.PROPERTIES, lambda e, f: [(_task(e, f), str(f["lines"]))]),
    PropertyFamily("SYSTEM", SYSTEM, lambda e, f: [None]),
    PropertyFamily("DEVICE", DEVICE, lambda e, f: [enumeration.device_of(e, str(f["device_name"]))]),
    PropertyFamily("CALINFO", CALIBRATION, lambda e, f: [e.product(str(f["device_name"]))]),
    PropertyFamily("PHYSICALCHANNEL", PHYSICALCHANNEL, lambda e, f: [str(f["physical_channel"])]),
    PropertyFamily("SCALE", custom_scales.SCALE, lambda e, f: [scales.find(e, str(f["scale_name"]))]),
    PropertyFamily("PERSISTEDTASK", persisted.PERSISTED, lambda e, f: [persisted.stored_task(e, str(f["task_name"]))]),
    PropertyFamily("PERSISTEDCHAN", persisted.PERSISTED, lambda e, f: [persisted.stored_channel(e, str(f["channel"]))]),
    PropertyFamily("PERSISTEDSCALE", persisted.PERSISTED, lambda e, f: [scales.stored(e, str(f["scale_name"]))]),
)  # fmt: skip
FAMILIES: Mapping[str, Family] = {family.name: family for family in _FAMILIES}
