"""Remote calls and properties about bridges: their shunts, and the zero that is taken at rest."""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import settling
from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, as_float
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import ChannelOfTask, Property
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.analog import input as analog_input
from drivers.simulated.daqmx.subsystems.analog.shunts import PREFIX, RESISTORS, SHUNT_DEFAULTS, SHUNT_SOURCES, ratio, resistor

CHOICES: dict[str, tuple[Value, ...]] = {
    "SELECT": (SHUNT_DEFAULTS["SELECT"],), "SHUNT_CAL_A_SRC": SHUNT_SOURCES, "SHUNT_CAL_A_RESISTANCE": RESISTORS,
}  # fmt: skip
READ_ONLY = ("SHUNT_CAL_A_ACTUAL_RESISTANCE",)
STRAIN_GAGE = ni.UsageTypeAI.STRAIN_STRAIN_GAGE.value
BRIDGES = (ni.UsageTypeAI.BRIDGE.value, ch.FORCE_BRIDGE, ni.UsageTypeAI.PRESSURE_BRIDGE.value, ni.UsageTypeAI.TORQUE_BRIDGE.value)


def _property(name: str) -> Property[ChannelOfTask]:
    full = f"{PREFIX}{name}"

    def get(engine: Engine, subject: ChannelOfTask) -> Value:
        task, channel = subject
        if full not in channel.attributes:
            raise task.fail(-200452, Property=c_name(full), Channel_Name=channel.name)
        return resistor(channel) if name in READ_ONLY else channel.attributes[full]

    def change(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
        task, channel = subject
        get(engine, subject)
        if name in CHOICES and value not in CHOICES[name]:
            raise task.fail(-200077, Property=c_name(full), Requested_Value=value, Channel_Name=channel.name)
        setting_changes.changed(engine, task)
        channel.attributes[full] = value

    return Property(get, None if name in READ_ONLY else change, SHUNT_DEFAULTS[name])


def chosen(engine: Engine, fields: Fields, usages: tuple[int, ...], name: str) -> tuple[Task, list[ch.AnalogChannel]]:
    """The channels that a calibration is for. Raises DaqmxError -200452 for one that it does not apply to, unless these are skipped."""
    task = engine.task(str(fields["task"]))
    task.need_stopped()
    named = task.find(str(fields["channel"]), expand(str(fields["channel"])))
    for channel in named:
        if channel.attributes.get("AI_MEAS_TYPE") not in usages and not fields["skip_unsupported_channels"]:
            raise task.fail(-200452, Property=c_name(name), Channel_Name=channel.name)
    inputs = [channel for channel in named if isinstance(channel, ch.AnalogChannel)]
    return task, [channel for channel in inputs if channel.attributes.get("AI_MEAS_TYPE") in usages]


def _shunt(usages: tuple[int, ...]) -> Call:
    """The gain by which the change that a shunt makes becomes the one that the given resistances stand for."""

    def calibrate(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            task, channels = chosen(engine, fields, usages, f"{PREFIX}GAIN_ADJUST")
            for channel in channels:
                if engine.board.source(channel.physical).kind == "open":
                    # What is shown there changes with no shunt: no gain makes up for that (nidaqmx-python, test_task.py).
                    raise task.fail(-201493, Channel_Name=channel.name)
                given = as_float(fields.get("bridge_resistance", 0.0))
                bridge = as_float(channel.attributes["AI_BRIDGE_NOM_RESISTANCE"]) if given <= 0.0 else given
                found = ratio(engine.board.bridge(channel.physical), resistor(channel))
                setting_changes.changed(engine, task)
                channel.attributes[f"{PREFIX}GAIN_ADJUST"] = ratio(bridge, as_float(fields["shunt_resistor_value"])) / found
        return {}

    return calibrate


def null(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`perform_bridge_offset_nulling_cal`: what the bridge shows now becomes its initial ratio, of a strain gage its initial voltage."""
    with engine.lock:
        task, channels = chosen(engine, fields, (*BRIDGES, STRAIN_GAGE), "AI_BRIDGE_INITIAL_RATIO")
        if not channels:
            return {}
        setting_changes.changed(engine, task)
        settling.settle_all(engine, task)
        values = dict(zip(map(id, task.channels), analog_input.convert_now(engine, task), strict=True))
        for channel in channels:
            volts = float(channel.law.back(values[id(channel)]))
            if channel.attributes["AI_MEAS_TYPE"] == STRAIN_GAGE:
                channel.attributes["AI_BRIDGE_INITIAL_VOLTAGE"] = volts
            else:
                channel.attributes["AI_BRIDGE_INITIAL_RATIO"] = volts / as_float(channel.attributes["AI_EXCIT_VAL"])
    return {}


CHANNEL: dict[str, Property[ChannelOfTask]] = {f"{PREFIX}{name}": _property(name) for name in SHUNT_DEFAULTS}
CALLS: dict[str, Call] = {
    "PerformBridgeShuntCalEx": _shunt(BRIDGES),
    "PerformStrainShuntCalEx": _shunt((STRAIN_GAGE,)),
    "PerformBridgeOffsetNullingCalEx": null,
}
