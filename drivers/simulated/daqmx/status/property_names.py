"""Names of properties as the driver writes them into its errors: `DAQmx_AI_Voltage_Units` for AI_VOLTAGE_UNITS of the protocol.

The protocol has lost capitals and groups; both are restored from the groups of "NI-DAQmx C Properties".
"""

from __future__ import annotations

import re

from drivers.simulated.daqmx.status import counter_property_names

_GROUPS = {
    "AI": (
        "ACCEL_4_WIRE_DC_VOLTAGE=Accel_4WireDCVoltage", "ACCEL_CHARGE=Accel_Charge", "ACCEL=Accel", "AC_EXCIT=ACExcit",
        "BRIDGE_SHUNT_CAL=Bridge_ShuntCal", "BRIDGE_TWO_POINT_LIN_FIRST=Bridge_TwoPointLin_First",
        "BRIDGE_TWO_POINT_LIN_SECOND=Bridge_TwoPointLin_Second", "BRIDGE_TABLE=Bridge_Table", "BRIDGE_POLY=Bridge_Poly", "BRIDGE=Bridge",
        "CHAN_CAL=ChanCal", "CURRENT_SHUNT=CurrentShunt", "CURRENT_ACRMS=Current_ACRMS", "CURRENT=Current",
        "EDDY_CURRENT_PROX_PROBE=EddyCurrentProxProbe", "EXCIT=Excit", "FORCE_IEPE_SENSOR=Force_IEPESensor", "FORCE=Force", "FREQ=Freq",
        "LVDT=LVDT", "RVDT=RVDT", "MICROPHONE=Microphone", "PRESSURE=Pressure", "RESISTANCE=Resistance", "RNG=Rng",
        "ROSETTE_STRAIN_GAGE=RosetteStrainGage", "RTD=RTD",
        "SOUND_PRESSURE=SoundPressure", "STRAIN_GAGE=StrainGage", "STRAIN=Strain", "TEMP=Temp", "THRMCPL=Thrmcpl", "THRMSTR=Thrmstr",
        "TORQUE=Torque", "VELOCITY_IEPE_SENSOR=Velocity_IEPESensor", "VELOCITY=Velocity", "VOLTAGE_ACRMS=Voltage_ACRMS", "VOLTAGE=Voltage",
        "CHARGE=Charge", "LOSSY_LSB_REMOVAL=LossyLSBRemoval",
        "POWER_CONTROL=PowerControl", "SENSOR_POWER=SensorPower",
    ),
    "AO": ("POWER_AMP=PowerAmp", "VOLTAGE=Voltage", "CURRENT=Current", "DAC_RNG=DAC_Rng", "DAC_REF=DAC_Ref", "FUNC_GEN=FuncGen"),
    "SCALE": ("LIN=Lin", "MAP=Map", "POLY=Poly", "TABLE=Table"),
    "READ": ("CHANGE_DETECT=ChangeDetect", "DIGITAL_LINES=DigitalLines", "PLL=PLL", "SYNC=Sync"),
    "WRITE": ("DIGITAL_LINES=DigitalLines", "SYNC=Sync"),
    "CI": counter_property_names.INPUTS,
    "CO": counter_property_names.OUTPUTS,
}  # fmt: skip
_PARTS = ("AI_", "AO_", "CI_", "CO_", "DI_", "DO_", "TEDS_")
_TRIGGER = re.compile(
    r"^(?:(?P<kind>DIG_EDGE|DIG_LVL|DIG_PATTERN|ANLG_EDGE|ANLG_LVL|ANLG_WIN|ANLG_MULTI_EDGE)_)?(?P<trigger>(?:START|REF|PAUSE|ARM_START|HSHK"
    r"|WATCHDOG_EXPIR)_TRIG)_(?:(?P<part>DIG_FLTR|DIG_SYNC)_)?(?P<rest>\w+)$"
)
_EXPORTED = re.compile(
    r"^(?P<signal>\w+?)_(?P<rest>OUTPUT_TERM|OUTPUT_BEHAVIOR|PULSE_POLARITY|PULSE_WIDTH\w*|TOGGLE_IDLE_STATE|LVL_ACTIVE_LVL)$"
)
_TIMING = (
    "SAMP_CLK_TIMEBASE=SampClk_Timebase", "SAMP_CLK_DIG_FLTR=SampClk_DigFltr", "SAMP_CLK_DIG_SYNC=SampClk_DigSync", "SAMP_CLK=SampClk",
    "SAMP_QUANT=SampQuant", "REF_CLK=RefClk", "SYNC_PULSE=SyncPulse", "CHANGE_DETECT_DI=ChangeDetect_DI", "AI_CONV=AIConv",
    "ON_DEMAND=OnDemand", "FIRST_SAMP_TIMESTAMP=FirstSampTimestamp", "MASTER_TIMEBASE=MasterTimebase",
)  # fmt: skip
_STREAM = ("LOGGING_TDMS=Logging_TDMS", "LOGGING=Logging")
_HEADS = {
    "DEVICE": "Dev", "SYSTEM": "Sys", "PHYSICALCHANNEL": "PhysicalChan", "TASK": "Task", "READ": "Read", "WRITE": "Write", "BUFFER": "Buf",
    "WATCHDOG": "Watchdog", "SCALE": "Scale", "CALINFO": "", "TIMING": "", "TRIGGER": "", "CHANNEL": "", "EXPORTEDSIGNAL": "Exported",
    "PERSISTEDTASK": "PersistedTask", "PERSISTEDCHAN": "PersistedChan", "PERSISTEDSCALE": "PersistedScale",
}  # fmt: skip
_CAPITALS = {"cjc", "rtd", "iepe", "usb", "lsb", "dac", "adc", "r0", "r1"}
_SPECIAL = {
    "SAMP_CLK_TIMEBASE_DIV": "SampClk_TimebaseDiv", "TRIGGER_SYNC_TYPE": "Trigger_SyncType", "READ_OVERWRITE": "Read_OverWrite",
    "ON_DEMAND_SIMULTANEOUS_AO_ENABLE": "OnDemand_SimultaneousAOEnable", "ARM_START_TERM": "ArmStart_Term",
    "AI_CONV_TIMEBASE_DIV": "AIConv_TimebaseDiv", "SAMP_TIMING_TYPE": "SampTimingType", "BUFFER_INPUT_BUF_SIZE": "Buf_Input_BufSize",
    "BUFFER_OUTPUT_BUF_SIZE": "Buf_Output_BufSize", "BUFFER_INPUT_ONBRD_BUF_SIZE": "Buf_Input_OnbrdBufSize",
    "BUFFER_OUTPUT_ONBRD_BUF_SIZE": "Buf_Output_OnbrdBufSize",
    "AI_RESISTANCE_CFG": "AI_ResistanceCfg", "AI_EXCIT_D_COR_AC": "AI_Excit_DCorAC", "AI_IS_TEDS": "AI_TEDS_Is_TEDS",
    "AI_TEDS_UNITS": "AI_TEDS_Units", "AI_VOLTAGE_DB_REF": "AI_Voltage_dBRef",
    "PHYSICAL_CHAN_AO_MANUAL_CONTROL_SHORT_DETECTED": "PhysicalChan_AO_ManualControl_ShortDetected",
    "PHYSICAL_CHAN_TEDS_MFG_ID": "PhysicalChan_TEDS_MfgID", "PHYSICAL_CHAN_TEDS_TEMPLATE_I_DS": "PhysicalChan_TEDS_TemplateIDs",
    **counter_property_names.SPECIAL,
}  # fmt: skip


def c_name(name: str, family: str = "CHANNEL") -> str:
    """The name of a property in the driver's C interface; `family`: as the protocol has it."""
    special = _SPECIAL.get(f"{family}_{name}") or _SPECIAL.get(name)
    if special is not None:
        return f"DAQmx_{special}"
    if family == "CHANNEL":
        words = _of_channel(name)
    elif family in ("TRIGGER", "WATCHDOG") and (found := _TRIGGER.match(name)) is not None:
        parts = (found["kind"], found["trigger"], found["part"], found["rest"])
        words = "_".join(_camel(part) for part in parts if part)
    elif family == "EXPORTEDSIGNAL" and (found := _EXPORTED.match(name)) is not None:
        tail = found["rest"].replace("PULSE_", "PULSE/").replace("TOGGLE_", "TOGGLE/").replace("LVL_ACTIVE", "LVL/ACTIVE")
        words = "_".join(["Exported", _camel(found["signal"]), *map(_camel, tail.split("/"))])
    elif family == "READ" and name.startswith("LOGGING_"):
        words = _grouped(name, _STREAM)
    elif family == "PHYSICALCHANNEL" and not name.startswith("PHYSICAL_CHAN_"):
        words = _of_channel(name)
    elif head := _HEADS.get(family, family.title()):
        name = name.removeprefix("PHYSICAL_CHAN_")
        words = f"{head}_{_of_channel(name) if name.startswith(_PARTS) else _grouped(name, _GROUPS.get(family, ()))}"
    else:
        words = _grouped(name, _TIMING)
    return f"DAQmx_{words}"


def _of_channel(name: str) -> str:
    family, _, rest = name.partition("_")
    return f"{family}_{_grouped(rest, _GROUPS.get(family, ()))}"


def _grouped(name: str, groups: tuple[str, ...]) -> str:
    """Words of a name whose group is set off from the rest."""
    for group in groups:
        key, _, words = group.partition("=")
        if name == key or name.startswith(f"{key}_"):
            rest = name[len(key) + 1 :]
            return f"{words}_{_camel(rest)}" if rest else words
    return _camel(name)


def _camel(name: str) -> str:
    words = "".join(word if word.lower() in _CAPITALS else word.capitalize() for word in name.split("_"))
    for plain, written in (
        ("20MhzTimebase", "20MHzTimebase"),
        ("10MhzRefClk", "10MHzRefClk"),
        ("AiConvClk", "AIConvClk"),
        ("AiHold", "AIHold"),
    ):
        words = words.replace(plain, written)
    return words
