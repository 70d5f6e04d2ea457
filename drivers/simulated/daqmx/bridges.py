"""Remote calls and properties about the shunts of bridge modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx import configuring
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.names import expand
from drivers.simulated.daqmx.property import NotServed, Property
from drivers.simulated.daqmx.shunts import PREFIX, RESISTORS, ratio, resistor
from drivers.simulated.daqmx.tasks import Task

BUILT_IN = 10200
A = 12513
DEFAULTS: dict[str, Any] = {
    "ENABLE": False, "SELECT": A, "GAIN_ADJUST": 1.0,
    "SHUNT_CAL_A_SRC": BUILT_IN, "SHUNT_CAL_A_RESISTANCE": RESISTORS[-1], "SHUNT_CAL_A_ACTUAL_RESISTANCE": RESISTORS[-1],
}  # fmt: skip
CHOICES: dict[str, tuple[Any, ...]] = {"SELECT": (A,), "SHUNT_CAL_A_SRC": (BUILT_IN,), "SHUNT_CAL_A_RESISTANCE": RESISTORS}
READ_ONLY = ("SHUNT_CAL_A_ACTUAL_RESISTANCE",)

Fields = Mapping[str, Any]


def _property(name: str) -> Property:
    def get(engine: Engine, subject: tuple[Task, ch.Channel]) -> Any:
        task, channel = subject
        if channel.attributes.get("AI_MEAS_TYPE") != ch.FORCE_BRIDGE:
            raise task.fail(-200452, Property=f"{PREFIX}{name}", Channel_Name=channel.name)
        if name in READ_ONLY:
            return resistor(channel)
        return channel.attributes.get(f"{PREFIX}{name}", DEFAULTS[name])

    def change(engine: Engine, subject: tuple[Task, ch.Channel], value: Any) -> None:
        task, channel = subject
        get(engine, subject)
        if name in CHOICES and value not in CHOICES[name]:
            raise task.fail(-200077, Property=f"{PREFIX}{name}", Requested_Value=value, Channel_Name=channel.name)
        configuring.changed(engine, task)
        channel.attributes[f"{PREFIX}{name}"] = value

    return Property(get, None if name in READ_ONLY else change, DEFAULTS[name])


def calibrate(engine: Engine, fields: Fields, alive: Callable[[], bool]) -> Fields:
    """`perform_bridge_shunt_cal`: the gain by which the change found becomes the one that the given resistances stand for."""
    with engine.lock:
        task = engine.task(fields["task"])
        task.need_stopped()
        for channel in task.find(fields["channel"], expand(fields["channel"])):
            if channel.attributes.get("AI_MEAS_TYPE") != ch.FORCE_BRIDGE:
                if fields["skip_unsupported_channels"]:
                    continue
                raise task.fail(-200452, Property=f"{PREFIX}GAIN_ADJUST", Channel_Name=channel.name)
            if engine.board.source(channel.physical).kind == "open":
                raise NotServed("a shunt calibration of an input to which nothing is connected")
            nominal = channel.attributes["AI_BRIDGE_NOM_RESISTANCE"]
            bridge = nominal if fields["bridge_resistance"] <= 0.0 else fields["bridge_resistance"]
            found = ratio(engine.board.bridge(channel.physical), resistor(channel))
            configuring.changed(engine, task)
            channel.attributes[f"{PREFIX}GAIN_ADJUST"] = ratio(bridge, fields["shunt_resistor_value"]) / found
    return {}


CHANNEL: dict[str, Property] = {f"{PREFIX}{name}": _property(name) for name in DEFAULTS}
CALLS: dict[str, Callable[[Engine, Fields, Callable[[], bool]], Fields]] = {"PerformBridgeShuntCalEx": calibrate}
