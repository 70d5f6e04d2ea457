"""The map of an import: which column becomes which channel, and what the file does not say itself. TOML.

zone = "Europe/Berlin"            # of a start time that has none
start = 2026-03-01T10:00:00       # where the file tells none
time = "Zeit"                     # column of the times; "" for none
rate = "1 kHz"                    # of a file without times, or to which all channels are brought

[channels.transmitted_force]      # or "command/value", "measured/stroke"
column = "F1"                     # or "#3", the third of the file; without it the name of the channel
unit = "kN"                       # of the column; the file's own where it says one
scale = -1.0                      # value = scale * column + offset
offset = 0.2                      # in `unit`
delay = "0.2 ms"                  # by which the column is late
"""

from __future__ import annotations

import datetime
import difflib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files import toml_trees
from drivers.files.plain_values import Json
from drivers.files.text_files import Unusable
from rig.config.units.quantities import QuantityError, to_si
from rig.errors import ConfigError

KEYS = ("zone", "start", "time", "rate", "channels")
OF_CHANNEL = ("column", "unit", "scale", "offset", "delay")


@dataclass(frozen=True)
class Taken:
    """How one column becomes a channel. delay in s; unit None: as the file says."""

    channel: str
    column: str
    unit: str | None = None
    scale: float = 1.0
    offset: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True)
class Mapping_:
    """channels: empty where every column is taken, under its own name. time: None: found out; "": there is none."""

    channels: Mapping[str, Taken] = field(default_factory=dict)
    zone: datetime.tzinfo | None = None
    start: datetime.datetime | None = None
    time: str | None = None
    rate: float | None = None
    text: str = ""


def read(path: Path) -> Mapping_:
    """The map in a file. Raises ConfigError with every key that is wrong."""
    try:
        tree, text = toml_trees.read(path, "map")
    except Unusable as error:
        raise ConfigError(str(error)) from None
    wrong: list[str] = [f"{path}: {one}" for one in _unknown(tree, KEYS, "")]
    given = tree.get("channels", {})
    channels: dict[str, Taken] = {}
    if not isinstance(given, dict):
        wrong.append(f"{path}: channels: expected a table for each channel, as [channels.stroke]")
        given = {}
    for name, table in given.items():
        if not isinstance(table, dict):
            wrong.append(f"{path}: channels.{name}: expected a table, got {table!r}")
            continue
        wrong += [f"{path}: {one}" for one in _unknown(table, OF_CHANNEL, f"channels.{name}.")]
        channels[name] = _taken(path, name, table, wrong)
    found = Mapping_(channels, _zone(path, tree, wrong), _start(path, tree, wrong), _text(path, tree, "time", wrong),
                     _quantity(path, tree, "rate", "Hz", wrong), text)  # fmt: skip
    if found.rate is not None and not found.rate > 0.0:
        wrong.append(f"{path}: rate: expected a rate above 0 Hz")
    if wrong:
        raise ConfigError(wrong)
    return found


def _unknown(tree: Mapping[str, Json], known: tuple[str, ...], above: str) -> list[str]:
    found = []
    for key in tree:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            found.append(f"{above}{key}: no such key{f'; {near[0]} is meant?' if near else f'; there are {chr(44).join(known)}'}")
    return found


def _taken(path: Path, name: str, table: Mapping[str, Json], wrong: list[str]) -> Taken:
    where = f"channels.{name}."
    numbers = {}
    for key, usual in (("scale", 1.0), ("offset", 0.0)):
        value = table.get(key, usual)
        numbers[key] = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else usual
        if numbers[key] != value:
            wrong.append(f"{path}: {where}{key}: expected a number, got {value!r}")
    delay = _quantity(path, table, "delay", "s", wrong, where)
    column, unit = _text(path, table, "column", wrong, where), _text(path, table, "unit", wrong, where)
    return Taken(name, column or name.rpartition("/")[2], unit, numbers["scale"], numbers["offset"], delay or 0.0)


def _text(path: Path, tree: Mapping[str, Json], key: str, wrong: list[str], where: str = "") -> str | None:
    value = tree.get(key)
    if value is None or isinstance(value, str):
        return value
    wrong.append(f"{path}: {where}{key}: expected a text, got {value!r}")
    return None


def _quantity(path: Path, tree: Mapping[str, Json], key: str, unit: str, wrong: list[str], where: str = "") -> float | None:
    value = tree.get(key)
    if value is None:
        return None
    try:
        return to_si(str(value), unit)
    except QuantityError as error:
        wrong.append(f"{path}: {where}{key}: {error}")
        return None


def _zone(path: Path, tree: Mapping[str, Json], wrong: list[str]) -> datetime.tzinfo | None:
    text = _text(path, tree, "zone", wrong)
    if text is None:
        return None
    try:
        if text[:1] in ("+", "-"):
            return datetime.datetime.fromisoformat(f"2000-01-01T00:00:00{text}").tzinfo
        return zoneinfo.ZoneInfo(text)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
        wrong.append(f'{path}: zone: {text!r} is none; expected one as "Europe/Berlin", "UTC" or "+01:00"')
        return None


def _start(path: Path, tree: Mapping[str, Json], wrong: list[str]) -> datetime.datetime | None:
    value = tree.get("start")
    if isinstance(value, str):
        try:
            return datetime.datetime.fromisoformat(value)
        except ValueError:
            pass
    if value is None or isinstance(value, datetime.datetime):
        return value
    wrong.append(f"{path}: start: expected a date with a time, as 2026-03-01T10:00:00+01:00, got {value!r}")
    return None
