"""How the driver writes what stands under the message of an error: properties, numbers, members of enumerations.

As published: `Property: DAQmx_AO_Min`, `Requested Value: -10.0`, `Maximum Value:  3.500000` (ni/nidaqmx-python, issue 1007),
`Requested Value: DAQmx_Val_Rising`, `Possible Values: DAQmx_Val_Falling` (issue 448), `52.0e3`, `51.367188e3`.
"""

from __future__ import annotations

import math
import tomllib
from importlib.resources import files

from drivers.simulated.daqmx.status.property_names import c_name

_TABLES = tomllib.loads(files(__package__).joinpath("values.toml").read_text(encoding="utf-8"))
VALUES: dict[int, str] = {int(number): name for number, name in _TABLES["values"].items()}
"""Members of the driver's enumerations (NIDAQmx.h), without `DAQmx_Val_`."""
_WORDS: dict[str, int] = _TABLES["words"]
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
