"""Units of the channels that limits may name beside a bench's: calculated and predicted ones, known before the experiment is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json
from model.mechanisms.mechanism import Mechanism
from rig.calculated.expression import LATER, PREDICTED
from rig.config.bench import Bench
from rig.config.conversion import Conversion
from rig.config.schema import build
from rig.config.units.estimated import units_of
from rig.config.units.quantities import is_unit


@dataclass(frozen=True)
class _Predicting:
    mechanism: Mechanism = field(metadata={"kinds": "model.mechanisms"})


def of_tree(tree: Mapping[str, Json], channels: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Name -> SI unit, of an experiment that may still be wrong anywhere; channels: those of the bench."""
    units = {str(one["name"]): str(one["unit"]) for one in _tables(tree, "calculated") if "name" in one and _unit(one.get("unit"))}
    if any(str(one.get(key, "")).startswith(LATER) for one in _tables(tree, "limits") for key in ("channel", "of")):
        made = build(_Predicting, {"mechanism": tree.get("mechanism")}, Conversion(folder=folder))
        if made is not None:
            raw = {PREDICTED + name: unit for name, unit in made.mechanism.channels}
            units |= raw | {PREDICTED + name: unit for name, unit in channels.items()}
            free = _tables(identify, "free") if isinstance(identify := tree.get("identify"), Mapping) else ()
            units |= units_of([str(one.get("key", "")) for one in free], made.mechanism, channels)
    return units


def predicted(mechanism: Mechanism, bench: Bench) -> dict[str, str]:
    """`predicted.NAME` -> SI unit: of what the bench's channels show, as their sensors would, else as the model has it."""
    raw = dict(mechanism.channels)
    shown = {PREDICTED + channel.name: channel.unit for channel in bench.channels if channel.quantity in raw}
    return {PREDICTED + name: unit for name, unit in raw.items()} | shown


def _tables(tree: Mapping[str, Json], key: str) -> Iterator[Mapping[str, Json]]:
    given = tree.get(key)
    yield from (one for one in given if isinstance(one, Mapping)) if isinstance(given, list) else ()


def _unit(unit: Json) -> bool:
    return isinstance(unit, str) and is_unit(unit)
