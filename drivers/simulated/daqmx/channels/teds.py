"""Channels of sensors that describe themselves: what a template says stands for fields of the call that makes such a channel otherwise.

Which attributes come from the data sheet: NI's tests of its nidaqmx package (tests/component/task/channels/test_ai_channel.py). A sensor of
another kind than the call is for is refused (-200756), and so are a range that is none (-200815, -200816) and a template, or what one
says, that is not known here (-200754).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import analog_input
from drivers.simulated.daqmx.channels import creation as creating
from drivers.simulated.daqmx.channels.data_sheet import Described
from drivers.simulated.daqmx.core.channel import ANALOG_INPUT
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.sensors import measurements as ms
from drivers.simulated.daqmx.sensors import teds_templates as tt
from drivers.simulated.daqmx.sensors.characteristics import CUSTOM_RTD, G
from drivers.simulated.daqmx.sensors.teds_ni_templates import UNREAD
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import teds

VOLTS_PER_G, MILLIVOLTS_PER_NEWTON, VOLTS_PER_VOLT = (
    ni.AccelSensitivityUnits.VOLTS_PER_G.value, ni.ForceIEPESensorSensitivityUnits.MILLIVOLTS_PER_NEWTON.value,
    ni.BridgeElectricalUnits.VOLTS_PER_VOLT.value,
)  # fmt: skip
QUARTER_HALF_FULL = (
    ni.BridgeConfiguration.QUARTER_BRIDGE.value, ni.BridgeConfiguration.HALF_BRIDGE.value, ni.BridgeConfiguration.FULL_BRIDGE.value,
)  # fmt: skip
THERMOCOUPLES = (
    ni.ThermocoupleType.B.value, ni.ThermocoupleType.E.value, ni.ThermocoupleType.J.value, ni.ThermocoupleType.K.value,
    ni.ThermocoupleType.N.value, ni.ThermocoupleType.R.value, ni.ThermocoupleType.S.value, ni.ThermocoupleType.T.value,
)  # fmt: skip
"""B E J K N R S T."""
FORCE, PRESSURE, TORQUE = {4: 15875, 5: 15876, 6: 15877}, {12: 10081, 13: 15879}, {9: 15881, 10: 15881, 11: 15882}
"""Units by the standard's number of what a sensor measures."""
WORDS = (
    "Kelvin", "Celsius", "strain", "microstrain", "Newton", "forcelb", "kilogram-force", "m/s^2", "g", "Nm/radian", "Nm", "oz-in", "Pascal",
    "psi", "kg", "gram", "m", "mm", "inch", "m/s", "mph", "fps", "radian", "degrees", "radian/s", "rpm", "Hertz", "kg/m^3", "g/l",
    "mole/m^3", "mole/l", "m^3/m^3", "l/l", "kg/s", "m^3/s", "m^3/hr", "gpm", "cfm", "l/min", "RH", "%", "V", "V rms", "A", "A rms", "W",
)  # fmt: skip
"""Units as AI.TEDS.Units has them, by the standard's number (listed in L-Card's ltedsapi_stdtmpl.h; those above are reserved); only the
words for temperature and for force in pounds are known from NI.
"""

Sheet = Mapping[str, float]
"""What a template says, by names of our own (`sensors/teds_templates.py`)."""


def _line(v: Sheet) -> Law:
    slope = (v["high"] - v["low"]) / (v["electrical_high"] - v["electrical_low"])
    return Law(slope, v["low"] - slope * v["electrical_low"])


def _unit(v: Sheet) -> str:
    return WORDS[int(v["measurand"])]


def _accelerometer(v: Sheet) -> Described | None:
    if v[tt.IN_FORCE]:
        return None
    return Described({"sensitivity": v["sensitivity"] * G, "sensitivity_units": VOLTS_PER_G})


def _force_sensor(v: Sheet) -> Described | None:
    if not v[tt.IN_FORCE]:
        return None
    return Described({"sensitivity": v["sensitivity"] * 1e3, "sensitivity_units": MILLIVOLTS_PER_NEWTON})


def _arms(v: Sheet) -> dict[str, Value]:
    return {"bridge_config": QUARTER_HALF_FULL[min(int(v["bridge"]), 2)], "nominal_bridge_resistance": v["resistance"]}


def _loaded(units: Mapping[int, int]) -> Callable[[Sheet], Described | None]:
    def described(v: Sheet) -> Described | None:
        if int(v["measurand"]) not in units:
            return None
        points = {
            "first_electrical_val": v["electrical_low"], "second_electrical_val": v["electrical_high"], "electrical_units": VOLTS_PER_VOLT,
            "first_physical_val": v["low"], "second_physical_val": v["high"], "physical_units": units[int(v["measurand"])],
        }  # fmt: skip
        return Described(_arms(v) | points, _unit(v))

    return described


def _thermocouple(v: Sheet) -> Described | None:
    kind = int(v["kind"])
    return Described({"thermocouple_type": THERMOCOUPLES[kind]}) if kind < len(THERMOCOUPLES) else None


def _quantity(v: Sheet) -> Described:
    """Of a sensor in its own units."""
    if v.get(UNREAD):
        return Described({}, _unit(v), unread=True)
    return Described({}, _unit(v), _line(v))


def _thermistor(v: Sheet) -> Described:
    return Described({name: v[name] for name in "abc"})


@dataclass(frozen=True)
class _Maker:
    call: str
    template: int
    described: Callable[[Sheet], Described | None] | None = None


MAKERS: dict[str, _Maker] = {
    "AccelChan": _Maker("CreateAIAccelChan", tt.ACCELEROMETER, _accelerometer),
    "ForceIEPEChan": _Maker("CreateAIForceIEPEChan", tt.ACCELEROMETER, _force_sensor),
    "VoltageChan": _Maker("CreateAIVoltageChan", tt.VOLTAGE, _quantity),
    "BridgeChan": _Maker("CreateAIBridgeChan", tt.BRIDGE, lambda v: Described(_arms(v), _unit(v), _line(v))),
    "VoltageChanWithExcit": _Maker(
        "CreateAIVoltageChanWithExcit", tt.BRIDGE, lambda v: Described(_arms(v) | {"use_excit_for_scaling": True}, _unit(v), _line(v))
    ),
    "ForceBridgeChan": _Maker("CreateAIForceBridgeTwoPointLinChan", tt.BRIDGE, _loaded(FORCE)),
    "PressureBridgeChan": _Maker("CreateAIPressureBridgeTwoPointLinChan", tt.BRIDGE, _loaded(PRESSURE)),
    "TorqueBridgeChan": _Maker("CreateAITorqueBridgeTwoPointLinChan", tt.BRIDGE, _loaded(TORQUE)),
    "ThrmcplChan": _Maker("CreateAIThrmcplChan", tt.THERMOCOUPLE, _thermocouple),
    "CurrentChan": _Maker("CreateAICurrentChan", tt.CURRENT, _quantity),
    "ResistanceChan": _Maker("CreateAIResistanceChan", tt.RESISTANCE, _quantity),
    "RTDChan": _Maker("CreateAIRTDChan", tt.RTD, lambda v: Described({"rtd_type": CUSTOM_RTD, "r0": 100.0}, unread=True)),
    "ThrmstrChanIex": _Maker("CreateAIThrmstrChanIex", tt.THERMISTOR, _thermistor),
    "ThrmstrChanVex": _Maker("CreateAIThrmstrChanVex", tt.THERMISTOR, _thermistor),
    "MicrophoneChan": _Maker(
        "CreateAIMicrophoneChan", tt.MICROPHONE, lambda v: Described({"mic_sensitivity": v["sensitivity"] * 1e3})
    ),
    # Of these templates no layout was at hand.
    "PosLVDTChan": _Maker("CreateAIPosLVDTChan", 34), "PosRVDTChan": _Maker("CreateAIPosRVDTChan", 34),
    "StrainGageChan": _Maker("CreateAIStrainGageChan", 35),
}  # fmt: skip
"""By the last part of the name of a call: the ordinary one, the template, and what that says."""


def add(engine: Engine, task: Task, name: str, request: Fields) -> None:
    """Add channels whose sensor describes itself. Raises DaqmxError -200709 where there is none, -200754, -200756,
    -200815, -200816, and -200431 for an input that cannot be of this kind.
    """
    maker = MAKERS[name]
    with engine.lock:
        creating.open_for(task, ANALOG_INPUT)
        creation = ms.CREATIONS[maker.call]
        names = creating.physical_names(task, str(request["physical_channel"]))
        places = [analog_input.place(engine, task, full, creation) for full in names]
        sheets = {physical: _sheet(engine, task, maker, device, physical.partition("/")[2]) for physical, device, _ in places}
        analog_input.add_input(engine, task, maker.call, request, sheets)


def _sheet(engine: Engine, task: Task, maker: _Maker, device: str, channel: str) -> Described:
    stream = engine.nonvolatile.teds.get(terminal(f"{device}/{channel}"))
    if stream is None:
        raise task.fail(-200709, Device=device, Physical_Channel_Name=channel)
    found = next((t for t in teds.decode(stream).templates if t.number == maker.template), None)
    refused = task.fail(-200756, Device=device, Physical_Channel_Name=channel)
    if found is None:
        raise refused
    if maker.described is None or not found.values or found.values.get("measurand", 0.0) >= len(WORDS):
        raise task.fail(-200754, Device=device, Physical_Channel_Name=channel, Template_ID=found.number)
    _check(task, found.values, Device=device, Physical_Channel_Name=channel)
    described = maker.described(found.values)
    if described is None:
        raise refused
    return described


def _check(task: Task, v: Sheet, **details: object) -> None:
    for low, high, code in (("low", "high", -200815), ("electrical_low", "electrical_high", -200816)):
        if low in v and v[low] >= v[high]:
            raise DaqmxError(code, task.name, 0, **details, Minimum_Value=v[low], Maximum_Value=v[high])
