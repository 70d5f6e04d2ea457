"""States of channels that devices watch by themselves: overloads, open sensors, faults of excitation and supply.

"NI-DAQmx Properties", DAQmx Read and DAQmx Write: asking whether there are such channels clears the state, and names the channels for the
property that lists them, which is asked afterwards (-200362). A device that does not watch answers -200452. Overloads come of the signal,
open thermocouples and current loops of sensors that were broken (`drivers/simulated/faults.py`); supplies are always in order.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.subsystems.analog.input import Run

WORDS = {
    "overloaded": "OVERLOADED", "open_current_loop": "OPEN_CURRENT_LOOP", "open_thermocouple": "OPEN_THRMCPL", "common_mode":
    "COMMON_MODE_RANGE_ERROR", "excitation_fault": "EXCIT_FAULT", "overcurrent": "OVERCURRENT", "overtemperature": "OVERTEMPERATURE",
}  # fmt: skip
"""Words of a product's `reports`, and NI's names."""
INPUT = (
    *WORDS.values(), "OPEN", "PLL_UNLOCKED", "SYNC_UNLOCKED", "POWER_SUPPLY_FAULT", "INPUT_LIMITS_FAULT", "AUX_POWER_ERROR",
    "REMOTE_SENSE_ERROR", "REVERSE_VOLTAGE_ERROR",
)  # fmt: skip
OUTPUT = (
    "OVERLOADED", "OPEN_CURRENT_LOOP", "OVERCURRENT", "OVERTEMPERATURE", "EXTERNAL_OVERVOLTAGE", "POWER_SUPPLY_FAULT", "SYNC_UNLOCKED",
)  # fmt: skip
OPENED = ("OPEN_CURRENT_LOOP", "OPEN_THRMCPL")
SC_EXPRESS = ni.ProductCategory.SC_EXPRESS.value


def _watched(engine: Engine, task: Task, name: str, kind: int) -> None:
    """Raise DaqmxError -200452 unless a device of the task watches for it."""
    task.need_kind((kind,), -200452)
    for device in task.devices:
        product = engine.devices[device]
        part = product.inputs if kind == ch.ANALOG_INPUT else product.outputs
        if part is not None and any(WORDS[word] == name for word in part.reports):
            return
    raise task.fail(-200452, Property=f"DAQmx_{'Read' if kind == ch.ANALOG_INPUT else 'Write'}_{name.title().replace('_', '')}Chans")


def _there_are(name: str, kind: int) -> Property[Task]:
    def get(engine: Engine, task: Task) -> bool:
        _watched(engine, task, name, kind)
        if name in OPENED:
            return bool(_cut(engine, task))
        if name != "OVERLOADED" or not isinstance(task.run, Run):
            return False
        engine.update()
        found = task.run.converter.overloaded
        task.overloads = ", ".join(c.name for c, over in zip(task.channels, found, strict=True) if over)
        found[:] = False
        return bool(task.overloads)

    return Property(get)


def _cut(engine: Engine, task: Task) -> list[str]:
    """Channels whose sensor is broken."""
    return [channel.name for channel in task.channels if terminal(channel.physical) in engine.board.cut]


def _which(name: str, kind: int) -> Property[Task]:
    def get(engine: Engine, task: Task) -> str:
        _watched(engine, task, name, kind)
        if name in OPENED:
            return ", ".join(_cut(engine, task))
        if name != "OVERLOADED":
            return ""
        if task.overloads is None:
            raise task.fail(-200362, Property="DAQmx_Read_OverloadedChans")
        return task.overloads

    return Property(get)


def _of_accessories(value: Value, kind: int) -> Property[Task]:
    """Terminal blocks that were plugged in or out: modules that take one, at which nobody does so."""

    def get(engine: Engine, task: Task) -> Value:
        task.need_channels()
        if any(engine.devices[device].category != SC_EXPRESS for device in task.devices):
            raise task.fail(-200452, Property="DAQmx_Read_AccessoryInsertionOrRemovalDetected")
        return value

    return Property(get)


def _table(names: tuple[str, ...], kind: int) -> dict[str, Property[Task]]:
    return {
        **{f"{name}_CHANS_EXIST": _there_are(name, kind) for name in names},
        **{f"{name}_CHANS": _which(name, kind) for name in names},
        "ACCESSORY_INSERTION_OR_REMOVAL_DETECTED": _of_accessories(False, kind),
        "DEVS_WITH_INSERTED_OR_REMOVED_ACCESSORIES": _of_accessories("", kind),
    }


def _navigation(engine: Engine, task: Task) -> bool:
    """Of receivers for navigation, none of which is simulated."""
    raise task.fail(-200452, Property="DAQmx_Read_NavFixLost")


READ: dict[str, Property[Task]] = {
    **_table(INPUT, ch.ANALOG_INPUT), "OPEN_CHANS_DETAILS": _which("OPEN", ch.ANALOG_INPUT), "NAV_FIX_LOST": Property(_navigation),
}  # fmt: skip
WRITE: dict[str, Property[Task]] = _table(OUTPUT, ch.ANALOG_OUTPUT)
