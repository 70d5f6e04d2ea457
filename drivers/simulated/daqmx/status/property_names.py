"""Names of properties as the driver writes them into its errors: `DAQmx_AI_Voltage_Units` for AI_VOLTAGE_UNITS of the protocol.

The protocol has lost capitals and groups; both are restored from the groups of "NI-DAQmx C Properties".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files

_TABLES = tomllib.loads(files(__package__).joinpath("property_names.toml").read_text(encoding="utf-8"))
_GROUPS: dict[str, dict[str, str]] = _TABLES["groups"]
_HEADS: dict[str, str] = _TABLES["heads"]
_SPECIAL: dict[str, str] = _TABLES["special"]
_PARTS = ("AI_", "AO_", "CI_", "CO_", "DI_", "DO_", "TEDS_")
_TRIGGER = re.compile(
    r"^(?:(?P<kind>DIG_EDGE|DIG_LVL|DIG_PATTERN|ANLG_EDGE|ANLG_LVL|ANLG_WIN|ANLG_MULTI_EDGE)_)?(?P<trigger>(?:START|REF|PAUSE|ARM_START|HSHK"
    r"|WATCHDOG_EXPIR)_TRIG)_(?:(?P<part>DIG_FLTR|DIG_SYNC)_)?(?P<rest>\w+)$"
)
_EXPORTED = re.compile(
    r"^(?P<signal>\w+?)_(?P<rest>OUTPUT_TERM|OUTPUT_BEHAVIOR|PULSE_POLARITY|PULSE_WIDTH\w*|TOGGLE_IDLE_STATE|LVL_ACTIVE_LVL)$"
)
_CAPITALS = {"cjc", "rtd", "iepe", "usb", "lsb", "dac", "adc", "r0", "r1"}


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
        words = _grouped(name, _GROUPS["LOGGING"])
    elif family == "PHYSICALCHANNEL" and not name.startswith("PHYSICAL_CHAN_"):
        words = _of_channel(name)
    elif head := _HEADS.get(family, family.title()):
        name = name.removeprefix("PHYSICAL_CHAN_")
        words = f"{head}_{_of_channel(name) if name.startswith(_PARTS) else _grouped(name, _GROUPS.get(family, {}))}"
    else:
        words = _grouped(name, _GROUPS["TIMING"])
    return f"DAQmx_{words}"


def _of_channel(name: str) -> str:
    family, _, rest = name.partition("_")
    return f"{family}_{_grouped(rest, _GROUPS.get(family, {}))}"


def _grouped(name: str, groups: Mapping[str, str]) -> str:
    """Words of a name whose group is set off from the rest."""
    for key, words in groups.items():
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
