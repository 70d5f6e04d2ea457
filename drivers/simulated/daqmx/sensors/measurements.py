"""What analogue inputs measure, as data: for each call that makes channels the usage, the attributes that its fields set, and the law.

Defaults are those of the client's own calls and of "NI-DAQmx Properties", DAQmx Channel; a property that is in no row belongs to no
channel of that usage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.scaling import Law
from drivers.simulated.daqmx.core.values import Value, Values
from drivers.simulated.daqmx.sensors import characteristics as s

INTERNAL, EXTERNAL, NONE = ch.INTERNAL, ch.EXTERNAL, ch.NONE
USE_VOLTAGE, USE_CURRENT, USE_DC = (
    ni.ExcitationVoltageOrCurrent.USE_VOLTAGE.value, ni.ExcitationVoltageOrCurrent.USE_CURRENT.value, ni.ExcitationDCorAC.USE_DC.value,
)  # fmt: skip
TWO_POINTS, TABLE, POLYNOMIAL = ni.ScaleType.TWO_POINT_LINEAR.value, ni.ScaleType.TABLE.value, ni.ScaleType.POLYNOMIAL.value
CONSTANT = ni.CJCSource.CONSTANT_USER_VALUE.value
FROM_TEDS = ni.VoltageUnits.FROM_TEDS.value


@dataclass(frozen=True)
class Usage:
    """`fronts`: words of a product's inputs, one of which must be there. `units`: attribute of the unit, `known`: its members.

    `limits`: what AI.Min and AI.Max are reset to. `native`: which ranges of the device hold. `ac`: alternating part only, by default.
    """

    fronts: tuple[str, ...]
    units: str
    known: Mapping[int, object]
    law: Callable[[Values, int], Law]
    limits: tuple[float, float]
    native: str = "volts"
    ac: bool = False


def _thermistor(a: Values, unit: int) -> Law:
    return (s.thermistor_voltage if a["AI_EXCIT_VOLTAGE_OR_CURRENT"] == USE_VOLTAGE else s.thermistor_current)(a, unit)


_SINGLE, _IEPE, _BRIDGE = ("voltage",), ("accel",), ("bridge",)
_MULTI = ("multifunction",)
_BRIDGED = (-100.0, 100.0)
_WARM = (0.0, 100.0)
USAGES: dict[int, Usage] = {
    10322: Usage(_SINGLE, "AI_VOLTAGE_UNITS", s.VOLTS, s.voltage, (-5.0, 5.0)),
    10323: Usage((*_MULTI, "bridge", "strain"), "AI_VOLTAGE_UNITS", s.VOLTS, s.voltage_with_excitation, (-10.0, 10.0)),
    10134: Usage((*_MULTI, "current"), "AI_CURRENT_UNITS", s.AMPERES, s.current, (-0.01, 0.01)),
    10356: Usage(_IEPE, "AI_ACCEL_UNITS", s.ACCELERATION, s.acceleration, (-5.0, 5.0), ac=True),
    16106: Usage(("charge",), "AI_ACCEL_UNITS", s.ACCELERATION, s.acceleration_4_wire, (-5.0, 5.0)),
    16104: Usage(("charge",), "AI_ACCEL_UNITS", s.ACCELERATION, s.acceleration_charge, (-5.0, 5.0), native="coulombs"),
    16105: Usage(("charge",), "AI_CHARGE_UNITS", s.CHARGE, s.charge, (-1e-9, 1e-9), native="coulombs"),
    10354: Usage(_IEPE, "AI_SOUND_PRESSURE_UNITS", s.SOUND, s.sound, (-5.0, 5.0), ac=True),
    15895: Usage(_IEPE, "AI_FORCE_UNITS", s.FORCE, s.force_iepe, (-2000.0, 2000.0), ac=True),
    15966: Usage(_IEPE, "AI_VELOCITY_UNITS", s.VELOCITY, s.velocity_iepe, (-50.0, 50.0), ac=True),
    14835: Usage(_IEPE, "AI_EDDY_CURRENT_PROX_PROBE_UNITS", s.LENGTH, s.proximity, (0.0, 0.00254)),
    10352: Usage(("position",), "AI_LVDT_UNITS", s.LENGTH, s.lvdt, (-0.1, 0.1)),
    10353: Usage(("position",), "AI_RVDT_UNITS", s.ANGLE, s.rvdt, (-70.0, 70.0)),
    15908: Usage(_BRIDGE, "AI_BRIDGE_UNITS", s.RATIO, s.bridge, (-0.002, 0.002)),
    15899: Usage(_BRIDGE, "AI_FORCE_UNITS", s.FORCE, s.force_bridge, _BRIDGED),
    15902: Usage(_BRIDGE, "AI_PRESSURE_UNITS", s.PRESSURE, s.pressure_bridge, _BRIDGED),
    15905: Usage(_BRIDGE, "AI_TORQUE_UNITS", s.TORQUE, s.torque_bridge, _BRIDGED),
    10300: Usage((*_MULTI, "bridge", "strain"), "AI_STRAIN_UNITS", s.STRAIN, s.strain, (-0.001, 0.001)),
    10278: Usage(_MULTI, "AI_RESISTANCE_UNITS", s.OHMS, s.resistance, (100.0, 1000.0)),
    10303: Usage((*_MULTI, "thermocouple"), "AI_TEMP_UNITS", s.TEMPERATURE, s.thermocouple, _WARM),
    10301: Usage((*_MULTI, "rtd"), "AI_TEMP_UNITS", s.TEMPERATURE, s.rtd, _WARM),
    10302: Usage(_MULTI, "AI_TEMP_UNITS", s.TEMPERATURE, _thermistor, _WARM),
    10311: Usage(_MULTI, "AI_TEMP_UNITS", s.TEMPERATURE, s.built_in_temperature, _WARM),
    # Of no product that is simulated: frequency of a voltage, and root mean squares (a hand-held meter's).
    10181: Usage(("frequency",), "AI_FREQ_UNITS", s.HERTZ, s.voltage, (1.0, 100.0)),
    10350: Usage(("rms",), "AI_VOLTAGE_ACRMS_UNITS", s.VOLTS, s.voltage, (-5.0, 5.0)),
    10351: Usage(("rms",), "AI_CURRENT_ACRMS_UNITS", s.AMPERES, s.current, (-0.01, 0.01)),
}


@dataclass(frozen=True)
class Creation:
    """One call: `fields` of the request by the attribute that each sets; `fixed`: attributes of the same channels that it leaves alone."""

    usage: int
    fields: Mapping[str, str] = field(default_factory=dict)
    fixed: Values = field(default_factory=dict)


def _sensitivity(name: str) -> dict[str, str]:
    return {"sensitivity": name, "sensitivity_units": f"{name}_UNITS"}


_VOLTAGE_EXCITATION = {"voltage_excit_source": "AI_EXCIT_SRC", "voltage_excit_val": "AI_EXCIT_VAL"}
_CURRENT_EXCITATION = {"current_excit_source": "AI_EXCIT_SRC", "current_excit_val": "AI_EXCIT_VAL"}
_BY_VOLTAGE: dict[str, Value] = {
    "AI_EXCIT_VOLTAGE_OR_CURRENT": USE_VOLTAGE, "AI_EXCIT_D_COR_AC": USE_DC, "AI_EXCIT_IDLE_OUTPUT_BEHAVIOR": 12528,
}  # fmt: skip
_BY_CURRENT: dict[str, Value] = _BY_VOLTAGE | {"AI_EXCIT_VOLTAGE_OR_CURRENT": USE_CURRENT}
_SHUNT = {"shunt_resistor_loc": "AI_CURRENT_SHUNT_LOC", "ext_shunt_resistor_val": "AI_CURRENT_SHUNT_RESISTANCE"}
_BRIDGE_FIELDS = {"bridge_config": "AI_BRIDGE_CFG", **_VOLTAGE_EXCITATION, "nominal_bridge_resistance": "AI_BRIDGE_NOM_RESISTANCE"}
_BRIDGE_FIXED = _BY_VOLTAGE | {"AI_BRIDGE_INITIAL_RATIO": 0.0, "AI_EXCIT_USE_FOR_SCALING": True, "AI_EXCIT_SENSE": 16095}
_NO_POLYNOMIAL: dict[str, Value] = {"AI_BRIDGE_POLY_FORWARD_COEFF": [], "AI_BRIDGE_POLY_REVERSE_COEFF": []}
_SCALED = {"electrical_units": "AI_BRIDGE_ELECTRICAL_UNITS", "physical_units": "AI_BRIDGE_PHYSICAL_UNITS"}
_SHAPES: dict[str, tuple[int, dict[str, str]]] = {
    "TwoPointLin": (TWO_POINTS, {
        f"{which}_{side}_val": f"AI_BRIDGE_TWO_POINT_LIN_{which.upper()}_{side.upper()}_VAL"
        for which in ("first", "second") for side in ("electrical", "physical")
    }),
    "Table": (TABLE, {"electrical_vals": "AI_BRIDGE_TABLE_ELECTRICAL_VALS", "physical_vals": "AI_BRIDGE_TABLE_PHYSICAL_VALS"}),
    "Polynomial": (POLYNOMIAL, {"forward_coeffs": "AI_BRIDGE_POLY_FORWARD_COEFF", "reverse_coeffs": "AI_BRIDGE_POLY_REVERSE_COEFF"}),
}  # fmt: skip
_RESISTANCE = {"resistance_config": "AI_RESISTANCE_CFG"}
_ABC = {"a": "AI_THRMSTR_A", "b": "AI_THRMSTR_B", "c": "AI_THRMSTR_C"}
_COLD = {"cjc_source": "AI_THRMCPL_CJC_SRC", "cjc_val": "AI_THRMCPL_CJC_VAL", "cjc_channel": "AI_THRMCPL_CJC_CHAN"}
_GAGE = {
    "strain_config": "AI_STRAIN_GAGE_CFG", **_VOLTAGE_EXCITATION, "gage_factor": "AI_STRAIN_GAGE_GAGE_FACTOR",
    "initial_bridge_voltage": "AI_BRIDGE_INITIAL_VOLTAGE", "nominal_gage_resistance": "AI_BRIDGE_NOM_RESISTANCE",
    "poisson_ratio": "AI_STRAIN_GAGE_POISSON_RATIO", "lead_wire_resistance": "AI_LEAD_WIRE_RESISTANCE",
}  # fmt: skip
_AC_EXCITATION = {**_VOLTAGE_EXCITATION, "voltage_excit_freq": "AI_AC_EXCIT_FREQ", "ac_excit_wire_mode": "AI_AC_EXCIT_WIRE_MODE"}
_DB = {"AI_ACCEL_DB_REF": 1e-6}

CREATIONS: dict[str, Creation] = {
    "CreateAIVoltageChan": Creation(10322, fixed={"AI_VOLTAGE_DB_REF": 1.0}),
    "CreateAIVoltageChanWithExcit": Creation(
        10323, {"bridge_config": "AI_BRIDGE_CFG", **_VOLTAGE_EXCITATION, "use_excit_for_scaling": "AI_EXCIT_USE_FOR_SCALING"}, _BY_VOLTAGE
    ),
    "CreateAICurrentChan": Creation(10134, _SHUNT),
    "CreateAIAccelChan": Creation(10356, {**_sensitivity("AI_ACCEL_SENSITIVITY"), **_CURRENT_EXCITATION}, _BY_CURRENT | _DB),
    "CreateAIAccel4WireDCVoltageChan": Creation(
        16106,
        {
            **_sensitivity("AI_ACCEL_4_WIRE_DC_VOLTAGE_SENSITIVITY"), **_VOLTAGE_EXCITATION,
            "use_excit_for_scaling": "AI_EXCIT_USE_FOR_SCALING",
        },
        _BY_VOLTAGE | _DB,
    ),
    "CreateAIAccelChargeChan": Creation(16104, _sensitivity("AI_ACCEL_CHARGE_SENSITIVITY"), _DB),
    "CreateAIChargeChan": Creation(16105),
    "CreateAIMicrophoneChan": Creation(
        10354,
        {
            "mic_sensitivity": "AI_MICROPHONE_SENSITIVITY", "max_snd_press_level": "AI_SOUND_PRESSURE_MAX_SOUND_PRESSURE_LVL",
            **_CURRENT_EXCITATION,
        },
        _BY_CURRENT | {"AI_SOUND_PRESSURE_DB_REF": 20e-6},
    ),
    "CreateAIForceIEPEChan": Creation(15895, {**_sensitivity("AI_FORCE_IEPE_SENSOR_SENSITIVITY"), **_CURRENT_EXCITATION}, _BY_CURRENT),
    "CreateAIVelocityIEPEChan": Creation(
        15966, {**_sensitivity("AI_VELOCITY_IEPE_SENSOR_SENSITIVITY"), **_CURRENT_EXCITATION},
        _BY_CURRENT | {"AI_VELOCITY_IEPE_SENSOR_DB_REF": 1e-9},
    ),
    "CreateAIPosEddyCurrProxProbeChan": Creation(14835, _sensitivity("AI_EDDY_CURRENT_PROX_PROBE_SENSITIVITY")),
    "CreateAIPosLVDTChan": Creation(10352, {**_sensitivity("AI_LVDT_SENSITIVITY"), **_AC_EXCITATION}, {"AI_AC_EXCIT_SYNC_ENABLE": False}),
    "CreateAIPosRVDTChan": Creation(10353, {**_sensitivity("AI_RVDT_SENSITIVITY"), **_AC_EXCITATION}, {"AI_AC_EXCIT_SYNC_ENABLE": False}),
    "CreateAIBridgeChan": Creation(15908, _BRIDGE_FIELDS, _BRIDGE_FIXED | {"AI_BRIDGE_SCALE_TYPE": NONE, **_NO_POLYNOMIAL}),
    **{
        f"CreateAI{quantity}Bridge{shape}Chan": Creation(
            usage, {**_BRIDGE_FIELDS, **_SCALED, **fields}, _BRIDGE_FIXED | {"AI_BRIDGE_SCALE_TYPE": kind}
        )
        for quantity, usage in (("Force", 15899), ("Pressure", 15902), ("Torque", 15905))
        for shape, (kind, fields) in _SHAPES.items()
    },
    "CreateAIStrainGageChan": Creation(
        10300, _GAGE, _BY_VOLTAGE | {"AI_EXCIT_USE_FOR_SCALING": True, "AI_STRAIN_GAGE_FORCE_READ_FROM_CHAN": False}
    ),
    "CreateAIResistanceChan": Creation(10278, {**_RESISTANCE, **_CURRENT_EXCITATION}, _BY_CURRENT),
    "CreateAIThrmcplChan": Creation(
        10303, {"thermocouple_type": "AI_THRMCPL_TYPE", **_COLD},
        {"AI_THRMCPL_SCALE_TYPE": POLYNOMIAL, "AI_THRMCPL_LEAD_OFFSET_VOLTAGE": 0.0},
    ),
    "CreateAIRTDChan": Creation(10301, {"rtd_type": "AI_RTD_TYPE", **_RESISTANCE, **_CURRENT_EXCITATION, "r0": "AI_RTD_R0"}, _BY_CURRENT),
    "CreateAIThrmstrChanIex": Creation(10302, {**_RESISTANCE, **_CURRENT_EXCITATION, **_ABC}, _BY_CURRENT),
    "CreateAIThrmstrChanVex": Creation(10302, {**_RESISTANCE, **_VOLTAGE_EXCITATION, **_ABC, "r1": "AI_THRMSTR_R1"}, _BY_VOLTAGE),
    "CreateAITempBuiltInSensorChan": Creation(10311),
    "CreateAIFreqVoltageChan": Creation(10181, {"threshold_level": "AI_FREQ_THRESH_VOLTAGE", "hysteresis": "AI_FREQ_HYST"}),
    "CreateAIVoltageRMSChan": Creation(10350),
    "CreateAICurrentRMSChan": Creation(10351, _SHUNT),
}  # fmt: skip

_SOURCES = (INTERNAL, EXTERNAL, NONE)
CHOICES: dict[str, tuple[Value, ...]] = {
    "AI_EXCIT_SRC": _SOURCES,
    "AI_CURRENT_SHUNT_LOC": (-1, INTERNAL, EXTERNAL),
    "AI_BRIDGE_CFG": (10182, 10187, 10270, 10228),
    "AI_BRIDGE_ELECTRICAL_UNITS": tuple(s.RATIO),
    "AI_BRIDGE_SCALE_TYPE": (TWO_POINTS, TABLE, POLYNOMIAL, NONE),
    "AI_STRAIN_GAGE_CFG": (10183, 10184, 10185, 10188, 10189, 10271, 10272),
    "AI_RESISTANCE_CFG": (2, 3, 4),
    "AI_ADC_TIMING_MODE": tuple(mode.value for mode in ni.ADCTimingMode if mode is not ni.ADCTimingMode.CUSTOM),
    "AI_AUTO_ZERO_MODE": tuple(mode.value for mode in ni.AutoZeroType),
    "AI_RTD_TYPE": (*s.RTD, s.CUSTOM_RTD),
    "AI_THRMCPL_TYPE": (10072, 10073, 10077, 10082, 10085, 10086, 10047, 10055, 16208, 16209),
    "AI_THRMCPL_CJC_SRC": (10200, CONSTANT, 10113),
    "AI_THRMCPL_SCALE_TYPE": (POLYNOMIAL, TABLE),
    "AI_AC_EXCIT_WIRE_MODE": (4, 5, 6),
    "AI_EXCIT_VOLTAGE_OR_CURRENT": (USE_VOLTAGE, USE_CURRENT),
    "AI_EXCIT_D_COR_AC": (USE_DC, 10045),
    "AI_EXCIT_SENSE": (16095, 16096),
    "AI_EXCIT_IDLE_OUTPUT_BEHAVIOR": (12526, 12528),
    "AI_ACCEL_SENSITIVITY_UNITS": (12509, 12510),
    "AI_ACCEL_4_WIRE_DC_VOLTAGE_SENSITIVITY_UNITS": (12509, 12510),
    "AI_ACCEL_CHARGE_SENSITIVITY_UNITS": (16099, 16100, 16101),
    "AI_FORCE_IEPE_SENSOR_SENSITIVITY_UNITS": (15891, 15892),
    "AI_VELOCITY_IEPE_SENSOR_SENSITIVITY_UNITS": (15963, 15964),
    "AI_EDDY_CURRENT_PROX_PROBE_SENSITIVITY_UNITS": (14836, 14837, 14838, 14839, 14840),
    "AI_LVDT_SENSITIVITY_UNITS": (12506, 12505),
    "AI_RVDT_SENSITIVITY_UNITS": (12507, 12508),
    "AI_RAW_DATA_COMPRESSION_TYPE": (NONE, 12555, 12556),
    "AI_DATA_XFER_REQ_COND": (10241, 10237),
}
"""Values that each property takes, where only some are possible."""

DEFAULTS: dict[str, Value] = {
    "AI_EXCIT_SRC": NONE, "AI_EXCIT_VAL": 0.0, "AI_EXCIT_USE_FOR_SCALING": False, "AI_BRIDGE_CFG": 10182,
    "AI_BRIDGE_NOM_RESISTANCE": 350.0, "AI_CURRENT_SHUNT_LOC": -1, "AI_CURRENT_SHUNT_RESISTANCE": 249.0,
    "AI_ACCEL_SENSITIVITY": 1000.0, "AI_ACCEL_SENSITIVITY_UNITS": 12509,
    "AI_ACCEL_4_WIRE_DC_VOLTAGE_SENSITIVITY": 1000.0, "AI_ACCEL_4_WIRE_DC_VOLTAGE_SENSITIVITY_UNITS": 12509,
    "AI_ACCEL_CHARGE_SENSITIVITY": 100.0, "AI_ACCEL_CHARGE_SENSITIVITY_UNITS": 16099,
    "AI_MICROPHONE_SENSITIVITY": 10.0, "AI_SOUND_PRESSURE_MAX_SOUND_PRESSURE_LVL": 100.0,
    "AI_FORCE_IEPE_SENSOR_SENSITIVITY": 2.25, "AI_FORCE_IEPE_SENSOR_SENSITIVITY_UNITS": 15891,
    "AI_VELOCITY_IEPE_SENSOR_SENSITIVITY": 100.0, "AI_VELOCITY_IEPE_SENSOR_SENSITIVITY_UNITS": 15964,
    "AI_EDDY_CURRENT_PROX_PROBE_SENSITIVITY": 200.0, "AI_EDDY_CURRENT_PROX_PROBE_SENSITIVITY_UNITS": 14836,
    "AI_LVDT_SENSITIVITY": 50.0, "AI_LVDT_SENSITIVITY_UNITS": 12506, "AI_RVDT_SENSITIVITY": 50.0, "AI_RVDT_SENSITIVITY_UNITS": 12507,
    "AI_AC_EXCIT_FREQ": 2500.0, "AI_AC_EXCIT_WIRE_MODE": 4,
    "AI_STRAIN_GAGE_CFG": 10183, "AI_STRAIN_GAGE_GAGE_FACTOR": 2.0, "AI_STRAIN_GAGE_POISSON_RATIO": 0.3,
    "AI_BRIDGE_INITIAL_VOLTAGE": 0.0, "AI_LEAD_WIRE_RESISTANCE": 0.0,
    "AI_BRIDGE_ELECTRICAL_UNITS": 15897,
    "AI_BRIDGE_TWO_POINT_LIN_FIRST_ELECTRICAL_VAL": 0.0, "AI_BRIDGE_TWO_POINT_LIN_SECOND_ELECTRICAL_VAL": 2.0,
    "AI_BRIDGE_TWO_POINT_LIN_FIRST_PHYSICAL_VAL": 0.0, "AI_BRIDGE_TWO_POINT_LIN_SECOND_PHYSICAL_VAL": 100.0,
    "AI_BRIDGE_TABLE_ELECTRICAL_VALS": [-2.0, 0.0, 2.0], "AI_BRIDGE_TABLE_PHYSICAL_VALS": [-100.0, 0.0, 100.0],
    "AI_BRIDGE_POLY_FORWARD_COEFF": [0.0, 50.0], "AI_BRIDGE_POLY_REVERSE_COEFF": [0.0, 0.02],
    "AI_RESISTANCE_CFG": 2, "AI_RTD_TYPE": 12481, "AI_RTD_R0": 100.0, "AI_THRMCPL_TYPE": 10072,
    "AI_THRMCPL_CJC_SRC": CONSTANT, "AI_THRMCPL_CJC_VAL": 25.0, "AI_THRMCPL_CJC_CHAN": "",
    "AI_THRMSTR_A": 1.295361e-3, "AI_THRMSTR_B": 2.343159e-4, "AI_THRMSTR_C": 1.018703e-7, "AI_THRMSTR_R1": 5000.0,
    "AI_FREQ_THRESH_VOLTAGE": 0.0, "AI_FREQ_HYST": 0.0,
}  # fmt: skip
"""What a field's attribute is reset to."""
