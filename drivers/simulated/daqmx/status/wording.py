"""How the driver writes what stands under the message of an error: properties, numbers, members of enumerations.

As published: `Property: DAQmx_AO_Min`, `Requested Value: -10.0`, `Maximum Value:  3.500000` (ni/nidaqmx-python, issue 1007),
`Requested Value: DAQmx_Val_Rising`, `Possible Values: DAQmx_Val_Falling` (issue 448), `52.0e3`, `51.367188e3`.
"""

from __future__ import annotations

import math

from drivers.simulated.daqmx.status.property_names import c_name

VALUES: dict[int, str] = {
    10388: "SampClk", 10390: "OnDemand", 10451: "Implicit", 12504: "ChangeDetection", 10389: "Handshake", 12548: "BurstHandshake",
    14668: "PipelinedSampClk", 10178: "FiniteSamps", 10123: "ContSamps", 12522: "HWTimedSinglePoint",
    10280: "Rising", 10171: "Falling", 10230: "None", 10150: "DigEdge", 10099: "AnlgEdge", 10103: "AnlgWin", 10398: "DigPattern",
    10152: "DigLvl", 10101: "AnlgLvl", 15996: "Time", 16108: "AnlgMultiEdge", 10292: "Software", 10163: "EnteringWin", 10208: "LeavingWin",
    10192: "High", 10214: "Low", 10093: "AboveLvl", 10107: "BelowLvl", 10199: "InsideWin", 10251: "OutsideWin",
    10254: "PatternMatches", 10253: "PatternDoesNotMatch", 10364: "Seconds", 10286: "SampleClkPeriods", 10304: "Ticks",
    10045: "AC", 10050: "DC", 10066: "GND", 15888: "Master", 15889: "Slave", 10095: "ActiveHigh", 10096: "ActiveLow", 10265: "Pulse",
    10307: "Toggle", 10210: "Lvl", 10097: "AllowRegen", 10158: "DoNotAllowRegen",
    10252: "OverwriteUnreadSamps", 10159: "DoNotOverwriteUnreadSamps",
    10424: "FirstSample", 10425: "CurrReadPos", 10426: "RefTrig", 10427: "FirstPretrigSamp", 10428: "MostRecentSamp", 10430: "CurrWritePos",
    12523: "WaitForInterrupt", 12524: "Poll", 12525: "Yield", 12547: "Sleep", 10231: "Off", 15844: "Log", 15842: "LogAndRead",
    16065: "DynAvg", 10105: "LowFreq1Ctr", 10157: "HighFreq2Ctr", 10205: "LargeRng2Ctr",
    10310: "Tristate", 10160: "NoChange", 10083: "RSE", 10078: "NRSE", 10106: "Diff", 12529: "PseudoDiff",
}  # fmt: skip
"""Members of the driver's enumerations (NIDAQmx.h), without `DAQmx_Val_`."""
_WORDS = {
    "On Demand": 10390, "Sample Clock": 10388, "Implicit": 10451, "Change Detection": 12504, "Handshake": 10389, "Burst Handshake": 12548,
    "Dynamic Averaging": 16065, "Low Frequency with 1 Counter": 10105, "High Frequency with 2 Counters": 10157,
    "Large Range with 2 Counters": 10205,
    "Pipelined Sample Clock": 14668, "Finite Samples": 10178, "Continuous Samples": 10123, "Hardware Timed Single Point": 12522,
}  # fmt: skip
_OF_AN_ENUMERATION = (
    "Type", "Edge", "When", "Slope", "Mode", "Behavior", "Polarity", "Coupling", "RelativeTo", "OverWrite", "Units", "TermCfg", "State",
    "Lvl", "MeasMeth",
)  # fmt: skip
_BOUNDS = ("Maximum_Value", "Minimum_Value")
_KEYS = {"You_Can_Select": "Possible Values"}


def line(key: str, value: object, name: str = "") -> str:
    """One line under a message; `name`: of the property that it is about."""
    key = key.removesuffix("_2")  # of a second property
    if key == "Property":
        return f"Property: {value}"
    if isinstance(value, str):
        listed = [part.strip() for part in value.split(",")]
        if set(listed) & {*_WORDS}:
            value = ", ".join(f"DAQmx_Val_{VALUES[_WORDS[part]]}" if part in _WORDS else part for part in listed)
        if key in _BOUNDS and value[:1].isdigit():
            value = f" {value}"
    elif isinstance(value, float):
        value = f"{value: f}" if key in _BOUNDS and 1.0 <= abs(value) < 1000.0 else number(value)
    elif isinstance(value, int) and value in VALUES and name.endswith(_OF_AN_ENUMERATION):
        value = f"DAQmx_Val_{VALUES[value]}"
    return f"{_KEYS.get(key, key.replace('_', ' '))}: {value}"


def number(value: float) -> str:
    """A number with an exponent that three divides, and a space where there is no sign."""
    if not math.isfinite(value):
        return str(value)
    digits, _, exponent = f"{value:.16e}".partition("e")
    power = int(exponent) // 3 * 3
    factor = float(digits) * 10.0 ** (int(exponent) - power)
    if abs(round(factor, 6)) >= 1000.0:
        factor, power = factor / 1000.0, power + 3
    digits = f"{factor:.1f}" if abs(factor - round(factor)) < 1e-9 else f"{factor:.6f}"
    return ("" if value < 0 else " ") + digits + (f"e{power}" if power else "")


def property_name(text: str) -> str:
    """A property that an error names in any way, as the driver's C interface names it."""
    plain = text.removeprefix("DAQmx_")
    if "." in plain and " " not in plain:
        return f"DAQmx_{plain.replace('.', '_')}"
    if plain.isupper():
        return c_name(plain, _family(plain))
    return f"DAQmx_{plain}" if plain and " " not in plain else plain


def _family(name: str) -> str:
    if "_TRIG_" in name or name.startswith("TRIGGER"):
        return "TRIGGER"
    return "TIMING" if name.startswith(("SAMP_", "REF_CLK", "SYNC_PULSE", "CHANGE_DETECT", "ON_DEMAND", "AI_CONV")) else "CHANNEL"
