"""What all calls that make channels have in common: physical names, names given, who may share a task."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import expand, unpadded
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import enumeration as en


def open_for(task: Task, kind: int) -> None:
    """Raise the DaqmxError for a task that takes no channel of this type.

    One that was verified takes more, whatever NI's text of -200160 says: ladisk/nidaqwrapper verifies its tasks after each channel that it
    adds, and its tests run against the driver.
    """
    task.need_stopped()
    if task.channels and task.kind != kind:
        raise task.fail(-200559)
    if task.state > State.VERIFIED:
        raise task.fail(-200160)


def physical_names(task: Task, text: str) -> list[str]:
    """Names in a list with ranges. Raises DaqmxError -200099 for none, -200498."""
    names = expand(text)
    if not names:
        raise task.fail(-200099)
    return names


def locate(engine: Engine, task: Task, full: str) -> tuple[str, Product, str]:
    """Device, product, and the rest of a physical name in lower case. Raises DaqmxError -200220, -201003."""
    device, _, channel = full.strip("/").partition("/")
    try:
        name, product = engine.product(device)
    except DaqmxError as error:
        raise task.fail(error.code, Device_Specified=device) from None
    if engine.gone(name):
        raise task.fail(-201003, Device=name)
    return name, product, unpadded(channel.lower())


def missing(engine: Engine, task: Task, device: str, channel: str) -> DaqmxError:
    """The device has no such channel (-200170), or one of another kind (-200430)."""
    product = engine.devices[device]
    kinds = (en.AI, en.AO, en.CI, en.CO, en.LINE, en.PORT)
    there = any(channel == name.lower() for kind in kinds for name in en.channels(product, kind))
    return task.fail(-200430 if there else -200170, Device=device, Physical_Channel_Name=channel)


OF_LIMITS = ("DAQmx_AI_Max", "DAQmx_AI_Min", "DAQmx_AO_Max", "DAQmx_AO_Min")


@contextlib.contextmanager
def limits_are_told_later() -> Iterator[None]:
    """Limits that cannot be are no reason not to make a channel: the driver finds them when the task is verified, or asked for a property.

    ladisk/nidaqwrapper, issue 6 (AO limits of 1e5 V raise no error before the next operation that verifies), and its test of limits the
    wrong way round, which runs against the driver.
    """
    try:
        yield
    except DaqmxError as error:
        if error.code != -200082 and not (error.code == -200077 and error.details.get("Property") in OF_LIMITS):
            raise


def append(engine: Engine, task: Task, made: Sequence[ch.Channel]) -> None:
    """Put the channels into the task, all or none. Raises DaqmxError -200489, -200371, -200620 and -200558."""
    taken = {c.name.lower() for c in task.channels}
    for channel in made:
        if channel.name.lower() in taken:
            raise task.fail(-200489, Channel_Name=channel.name)
        taken.add(channel.name.lower())
    _need_different(engine, task, made)
    devices = list(dict.fromkeys([*task.devices, *(c.device for c in made)]))
    if len(devices) > 1 and not _share_a_task(engine, [*task.channels, *made], devices):
        raise task.fail(-200558, Device=", ".join(devices))
    task.channels.extend(made)
    task.state = task.resting = State.UNVERIFIED
    task.host = engine.entries[devices[0]].chassis


def _need_different(engine: Engine, task: Task, made: Sequence[ch.Channel]) -> None:
    """Raise DaqmxError where a task would have a physical channel twice: -200371, and -200620 for inputs that are not scanned one by one.

    An output and a counter can only be one channel's; a multiplexer may be led to an input as often as a task likes, and so may what a
    chassis makes of its modules (ladisk/nidaqwrapper, ai_task.py: "The driver (and TASK_VERIFY) ACCEPTS duplicate physical AI channels").
    """
    seen = {place for channel in task.channels for place in _places(channel)}
    for channel in made:
        if channel.kind == ch.DIGITAL_INPUT or isinstance(channel, ch.RosetteChannel):  # what is worked out reads nothing itself
            continue
        inputs = engine.devices[channel.device].inputs if channel.kind == ch.ANALOG_INPUT else None
        if inputs is not None and (not inputs.simultaneous or engine.entries[channel.device].chassis):
            continue
        twice = next((place for place in _places(channel) if place in seen), None)
        if twice is not None:
            code = -200371 if inputs is None else -200620
            raise task.fail(code, Channel_Name=channel.name, Physical_Channel_Name=channel.physical)
        seen.update(_places(channel))


def _places(channel: ch.Channel) -> tuple[str, ...]:
    return channel.lines if isinstance(channel, ch.LineChannel) else (channel.physical.lower(),)


def _share_a_task(engine: Engine, channels: Sequence[ch.Channel], devices: Sequence[str]) -> bool:
    """Modules of one chassis; input modules that lock to the same reference clock: the driver gives them one sync pulse and one start."""
    chassis = {engine.entries[device].chassis for device in devices}
    if chassis != {""}:
        return len(chassis) == 1
    clocks = {inputs.shares for device in devices if (inputs := engine.devices[device].inputs) is not None}
    return all(c.kind == ch.ANALOG_INPUT for c in channels) and len(clocks) == 1 and "" not in clocks
