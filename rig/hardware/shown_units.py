"""The units in which a bench's channels are told to a person: those that its file is written in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.bench import InputChannel
from rig.config.named_files import put_in
from rig.config.tree import read
from rig.config.units.quantities import QuantityError, to_si
from rig.errors import ConfigError
from rig.signals.engineering_units import fitting


@dataclass(frozen=True)
class Shown:
    """A unit, and how much of the SI unit one of it is."""

    unit: str
    size: float = 1.0

    def number(self, value: float, digits: int = 6) -> str:
        """An SI value in this unit, without it."""
        return f"{value / self.size:.{digits}g}"

    def text(self, value: float, digits: int = 6) -> str:
        """An SI value in this unit, with it."""
        return f"{self.number(value, digits)} {self.unit}"


def of_bench(channels: Iterable[InputChannel], path: Path) -> dict[str, Shown]:
    """Of each channel of the bench file `path`: the unit of its capacity there, else of its sensitivity, else what prints well."""
    try:
        tree = read(path, "bench")[0]
        put_in(tree, path)
    except ConfigError:  # it was read a moment ago: whoever takes it away meanwhile has other words to read than this one's
        tree = {}
    rows = tree.get("channels")
    written = {row.get("name"): row.get("sensor") for row in rows if isinstance(row, dict)} if isinstance(rows, list) else {}
    return {channel.name: _stated_unit(channel.unit, written.get(channel.name)) for channel in channels}


def of_unit(unit: str, largest: float | None = None) -> Shown:
    """What prints well for an SI unit, and values up to `largest` (SI)."""
    name, factor = fitting(unit, None if largest is None else abs(largest))
    return Shown(name, 1.0 / factor)


def _stated_unit(unit: str, sensor: Json) -> Shown:
    record = sensor if isinstance(sensor, Mapping) else {}
    for key in ("capacity", "sensitivity"):
        name = str(record.get(key, "")).partition(" ")[2].strip()
        name = name.removesuffix("/V") if key == "sensitivity" and name.endswith("/V") else name.rpartition("/")[2]
        if name and (size := _size(name, unit)) is not None:
            return Shown(name, size)
    return of_unit(unit)


def _size(name: str, unit: str) -> float | None:
    """How much of the SI unit one is; None for another quantity, and for a scale with a zero of its own (degC)."""
    try:
        none, one = to_si(f"0 {name}", unit), to_si(f"1 {name}", unit)
    except QuantityError:
        return None
    return one if none == 0.0 and one > 0.0 and math.isfinite(one) else None
