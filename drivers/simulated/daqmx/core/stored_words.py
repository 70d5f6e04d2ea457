"""Texts of stored attributes: `AI.MeasType = Voltage` as NI MAX exports it, numbers, and members of the client's enumerations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum

from nidaqmx import constants as c

from drivers.simulated.daqmx.core.values import Value, as_int
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

ENUMERATIONS: dict[str, type[Enum]] = {
    "AI_MEAS_TYPE": c.UsageTypeAI, "CI_MEAS_TYPE": c.UsageTypeCI, "AO_OUTPUT_TYPE": c.UsageTypeAO, "CO_OUTPUT_TYPE": c.UsageTypeCO,
    "AI_TERM_CFG": c.TerminalConfiguration, "AO_TERM_CFG": c.TerminalConfiguration,
    "AI_COUPLING": c.Coupling, "AI_VOLTAGE_UNITS": c.VoltageUnits,
    "AO_VOLTAGE_UNITS": c.VoltageUnits, "AI_CURRENT_UNITS": c.CurrentUnits, "AO_CURRENT_UNITS": c.CurrentUnits,
    "AI_ACCEL_UNITS": c.AccelUnits, "AI_ACCEL_SENSITIVITY_UNITS": c.AccelSensitivityUnits, "AI_FORCE_UNITS": c.ForceUnits,
    "AI_FORCE_IEPE_SENSOR_SENSITIVITY_UNITS": c.ForceIEPESensorSensitivityUnits, "AI_PRESSURE_UNITS": c.PressureUnits,
    "AI_TORQUE_UNITS": c.TorqueUnits, "AI_BRIDGE_UNITS": c.BridgeUnits, "AI_BRIDGE_CFG": c.BridgeConfiguration,
    "AI_BRIDGE_SCALE_TYPE": c.ScaleType, "AI_BRIDGE_ELECTRICAL_UNITS": c.BridgeElectricalUnits,
    "AI_BRIDGE_PHYSICAL_UNITS": c.BridgePhysicalUnits, "AI_STRAIN_UNITS": c.StrainUnits, "AI_STRAIN_GAGE_CFG": c.StrainGageBridgeType,
    "AI_SOUND_PRESSURE_UNITS": c.SoundPressureUnits, "AI_TEMP_UNITS": c.TemperatureUnits, "AI_THRMCPL_TYPE": c.ThermocoupleType,
    "AI_THRMCPL_CJC_SRC": c.CJCSource, "AI_RTD_TYPE": c.RTDType, "AI_RESISTANCE_UNITS": c.ResistanceUnits,
    "AI_RESISTANCE_CFG": c.ResistanceConfiguration, "AI_EXCIT_SRC": c.ExcitationSource,
    "AI_EXCIT_VOLTAGE_OR_CURRENT": c.ExcitationVoltageOrCurrent, "AI_CURRENT_SHUNT_LOC": c.CurrentShuntResistorLocation,
    "CI_FREQ_UNITS": c.FrequencyUnits, "CI_PERIOD_UNITS": c.TimeUnits, "CI_PULSE_WIDTH_UNITS": c.TimeUnits,
    "CI_ANG_ENCODER_UNITS": c.AngleUnits, "CI_LIN_ENCODER_UNITS": c.LengthUnits, "CI_ENCODER_DECODING_TYPE": c.EncoderType,
    "CI_COUNT_EDGES_DIR": c.CountDirection, "CI_COUNT_EDGES_ACTIVE_EDGE": c.Edge, "CI_FREQ_STARTING_EDGE": c.Edge,
    "CI_FREQ_MEAS_METH": c.CounterFrequencyMethod, "CI_PERIOD_MEAS_METH": c.CounterFrequencyMethod,
    "CO_PULSE_IDLE_STATE": c.Level, "CO_PULSE_FREQ_UNITS": c.FrequencyUnits, "CO_PULSE_TIME_UNITS": c.TimeUnits,
    "CHAN_TYPE": c.ChannelType, "SAMP_TIMING_TYPE": c.SampleTimingType, "SAMP_CLK_ACTIVE_EDGE": c.Edge,
    "SAMP_QUANT_SAMP_MODE": c.AcquisitionType, "REGEN_MODE": c.RegenerationMode,
    "SCALE_TYPE": c.ScaleType, "PRE_SCALED_UNITS": c.UnitsPreScaled,
}  # fmt: skip
SYNONYMS = {
    "differential": "diff", "pseudodifferential": "pseudodiff", "referencedsingleended": "rse", "nonreferencedsingleended": "nrse",
    "finitesamples": "finite", "continuoussamples": "continuous", "donotallowregeneration": "dontallowregeneration",
    "accelerometer": "accelerationaccelerometercurrentinput", "microphone": "soundpressuremicrophone", "straingage": "strainstraingage",
    "thermocouple": "temperaturethermocouple", "rtd": "temperaturertd", "thermistor": "temperaturethermistor",
    "customvoltagewithexcitation": "voltagecustomwithexcitation", "bridgevv": "bridge", "kelvins": "k", "kgf": "kilogramforce",
    "mvoltsg": "millivoltsperg", "voltsg": "voltsperg", "ms2": "meterspersecondsquared", "mvoltsvolt": "millivoltspervolt",
    "voltsvolt": "voltspervolt",
}  # fmt: skip
"""Words of NI MAX that are not those of the client's enumerations."""
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no", "")


def plain(text: str) -> str:
    """A name without what its spellings differ by: `AI.Voltage.Units` and `AI_VOLTAGE_UNITS` are the same."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def by_name(stored: Mapping[str, str], known: Iterable[str]) -> dict[str, str]:
    """The attributes that are known, under their names here."""
    names = {plain(name): name for name in known}
    return {names[plain(key)]: text for key, text in stored.items() if plain(key) in names}


def truth(text: str) -> bool:
    """Whether a text says yes."""
    return text.strip().lower() in _TRUE


def value(name: str, text: str, like: Value = None) -> Value:
    """What a stored text stands for; `like`: a value of the type that is wanted. Raises DaqmxError -200077."""
    text = text.strip()
    enumeration = ENUMERATIONS.get(name)
    if enumeration is not None and not re.fullmatch(r"-?\d+", text):
        word = SYNONYMS.get(plain(text), plain(text))
        for member in enumeration:
            if plain(member.name) == word:
                return as_int(member.value)
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=text)
    try:
        return _number(text, like)
    except ValueError:
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=text) from None


def _number(text: str, like: Value) -> Value:
    if isinstance(like, bool):
        if text.lower() not in _TRUE + _FALSE:
            raise ValueError(text)
        return truth(text)
    if isinstance(like, list):
        return [float(part) for part in text.split(",") if part.strip()]
    if isinstance(like, str):
        return text
    if isinstance(like, float):
        return float(text)
    if isinstance(like, int):
        return int(text, 0)
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", text) else float(text)


def text_of(value: Value) -> str:
    """The text that `value` reads back from."""
    return ", ".join(map(repr, value)) if isinstance(value, list) else str(value)
