"""Names of properties as the driver writes them into its errors: `DAQmx_AI_Voltage_Units` for AI_VOLTAGE_UNITS of the protocol.

The protocol has lost capitals and groups; both are restored from the groups of "NI-DAQmx C Properties".
"""

from __future__ import annotations

_GROUPS = {
    "AI": (
        "ACCEL_4_WIRE_DC_VOLTAGE=Accel_4WireDCVoltage", "ACCEL_CHARGE=Accel_Charge", "ACCEL=Accel", "AC_EXCIT=ACExcit",
        "BRIDGE_SHUNT_CAL=Bridge_ShuntCal", "BRIDGE_TWO_POINT_LIN_FIRST=Bridge_TwoPointLin_First",
        "BRIDGE_TWO_POINT_LIN_SECOND=Bridge_TwoPointLin_Second", "BRIDGE_TABLE=Bridge_Table", "BRIDGE_POLY=Bridge_Poly", "BRIDGE=Bridge",
        "CHAN_CAL=ChanCal", "CURRENT_SHUNT=CurrentShunt", "CURRENT_ACRMS=Current_ACRMS", "CURRENT=Current",
        "EDDY_CURRENT_PROX_PROBE=EddyCurrentProxProbe", "EXCIT=Excit", "FORCE_IEPE_SENSOR=Force_IEPESensor", "FORCE=Force", "FREQ=Freq",
        "LVDT=LVDT", "RVDT=RVDT", "MICROPHONE=Microphone", "PRESSURE=Pressure", "RESISTANCE=Resistance", "RNG=Rng", "RTD=RTD",
        "SOUND_PRESSURE=SoundPressure", "STRAIN_GAGE=StrainGage", "STRAIN=Strain", "TEMP=Temp", "THRMCPL=Thrmcpl", "THRMSTR=Thrmstr",
        "TORQUE=Torque", "VELOCITY_IEPE_SENSOR=Velocity_IEPESensor", "VELOCITY=Velocity", "VOLTAGE_ACRMS=Voltage_ACRMS", "VOLTAGE=Voltage",
        "CHARGE=Charge", "LOSSY_LSB_REMOVAL=LossyLSBRemoval",
    ),
    "AO": ("VOLTAGE=Voltage", "CURRENT=Current", "DAC_RNG=DAC_Rng", "DAC_REF=DAC_Ref", "FUNC_GEN=FuncGen"),
    "CI": (
        "ANG_ENCODER=AngEncoder", "LIN_ENCODER=LinEncoder", "COUNT_EDGES=CountEdges", "CTR_TIMEBASE=CtrTimebase",
        "DUTY_CYCLE=DutyCycle", "ENCODER=Encoder", "FREQ=Freq", "PERIOD=Period",
        "PULSE_FREQ=Pulse_Freq", "PULSE_TIME=Pulse_Time", "PULSE_TICKS=Pulse_Ticks", "PULSE_WIDTH=PulseWidth",
        "SEMI_PERIOD=SemiPeriod", "TWO_EDGE_SEP=TwoEdgeSep",
    ),
    "CO": (
        "CTR_TIMEBASE=CtrTimebase", "PULSE_FREQ_INITIAL_DELAY=Pulse_Freq_InitialDelay",
        "PULSE_TIME_INITIAL_DELAY=Pulse_Time_InitialDelay", "PULSE_TICKS_INITIAL_DELAY=Pulse_Ticks_InitialDelay", "PULSE=Pulse",
    ),
}  # fmt: skip
_CAPITALS = {"cjc", "rtd", "iepe", "usb", "lsb", "dac", "adc", "r0", "r1"}
_SPECIAL = {
    "AI_RESISTANCE_CFG": "AI_ResistanceCfg", "AI_EXCIT_D_COR_AC": "AI_Excit_DCorAC", "AI_IS_TEDS": "AI_TEDS_Is_TEDS",
    "AI_TEDS_UNITS": "AI_TEDS_Units", "AI_VOLTAGE_DB_REF": "AI_Voltage_dBRef", "CI_ENCODER_Z_INDEX_VAL": "CI_Encoder_ZIndexVal",
    "CI_ENCODER_Z_INDEX_ENABLE": "CI_Encoder_ZIndexEnable", "CI_ENCODER_Z_INDEX_PHASE": "CI_Encoder_ZIndexPhase",
}  # fmt: skip


def c_name(name: str) -> str:
    """The name of a property of a channel in the driver's C interface."""
    if name in _SPECIAL:
        return f"DAQmx_{_SPECIAL[name]}"
    family, _, rest = name.partition("_")
    parts = [family]
    for group in _GROUPS.get(family, ()):
        key, _, words = group.partition("=")
        if rest == key or rest.startswith(f"{key}_"):
            parts.append(words)
            rest = rest[len(key) + 1 :]
            break
    if rest:
        parts.append("".join(word if word.lower() in _CAPITALS else word.capitalize() for word in rest.split("_")))
    return f"DAQmx_{'_'.join(parts)}"
