"""Tables that stand in a file of their own, so that what several benches or experiments share is entered once.

`sensor = "../sensors/lc-1.toml"` takes a sensor's record from there; `[channels.sensor] file = "../sensors/lc-1.toml"` with further keys
takes these before the file's: a conditioner's bandwidth, say. `[plant.mechanism] file = "../experiments/six_bar.toml"` takes that
experiment's [mechanism] for the specimen as built, and `[mechanism] file = "six_bar.toml"` in another experiment for its model.
`[mechanism] from = "identified.toml"` lays the numbers over the mechanism that `rig identify` has found of a specimen.
"""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.tree import Override, Path_, dotted, read, standing_at, table_overrides
from rig.errors import ConfigError

FROM = "from"


@dataclass
class NamedFiles:
    """Which files were read for which tables of a file, and which keys that gives itself."""

    files: dict[Path_, Path] = field(default_factory=dict)
    own: dict[Path_, frozenset[str]] = field(default_factory=dict)
    within: dict[Path_, Path_] = field(default_factory=dict)
    """The table of the file that is meant, where it is not the whole of it."""
    chosen: list[Override] = field(default_factory=list)
    """Those of the command line's that say which file."""
    laid_over: list[Override] = field(default_factory=list)
    """What the file says beside the name of another's table: it goes over that."""
    texts: dict[str, str] = field(default_factory=dict)
    """Name as it is given -> text."""
    read: dict[Path_, dict[str, Json]] = field(default_factory=dict)
    """The table as it stands in the other file, with nothing laid over it."""

    def owner(self, path: Path_) -> tuple[Path, Path_] | None:
        """(file, path within it) where what stands at `path`, or is missing there, is that file's business."""
        for at, file in self.files.items():
            deeper = path[len(at) :]
            if path[: len(at)] == at and not (deeper and deeper[0] in self.own[at]):
                return file, (*self.within.get(at, ()), *deeper)
        return None

    def unchanged(self, path: Path_, tree: Mapping[str, Json]) -> tuple[Path, Path_] | None:
        """The same for what stands in an item of a list that was laid over the file's, where that item is the file's as it was."""
        for at, table in self.read.items():
            if path[: len(at)] != at or len(path) < len(at) + 2:
                continue
            key, listed = path[len(at)], table.get(str(path[len(at)]))
            item = standing_at(tree, path[: len(at) + 2])
            if item is not None and isinstance(listed, list) and item in listed:
                return self.files[at], (*self.within.get(at, ()), key, listed.index(item), *path[len(at) + 2 :])
        return None

    def remarks(self) -> list[str]:
        """The texts as lines, to stand as comments below the file's own in a record."""
        return [line for name, text in self.texts.items() for line in (f"{name}:", *(f"  {part}" for part in text.rstrip().splitlines()))]


def put_in(tree: Mapping[str, Json], bench: Path, overrides: Sequence[Override] = ()) -> NamedFiles:
    """Replace every table that names a file by what stands there, or in the one that an override names; `tree` is changed.

    Raises ConfigError for a file that is not there.
    """
    found = NamedFiles()
    channels = tree.get("channels")
    for i, channel in enumerate(channels if isinstance(channels, list) else []):
        if isinstance(channel, dict):
            _put_sensor_in(found, channel, ("channels", i, "sensor"), bench)
    plant = tree.get("plant")
    if isinstance(plant, dict):
        _put_mechanism_in(found, plant, ("plant", "mechanism"), bench, overrides)
    return found


def put_mechanism_in(tree: dict[str, Json], experiment: Path, overrides: Sequence[Override] = ()) -> NamedFiles:
    """The same of an experiment whose [mechanism] is another's."""
    found = NamedFiles()
    _put_mechanism_in(found, tree, ("mechanism",), experiment, overrides)
    return found


def _put_sensor_in(found: NamedFiles, channel: dict[str, Json], at: Path_, bench: Path) -> None:
    given = channel.get("sensor")
    own = dict(given) if isinstance(given, Mapping) else {}
    name = own.pop("file", None) if own else given
    if isinstance(name, str):
        record = _read(found, name, "sensor", at, bench, f"{dotted(at)} of {bench}")
        channel["sensor"] = {**record, **own}
        found.own[at] = frozenset(own)


def _put_mechanism_in(found: NamedFiles, table: dict[str, Json], at: Path_, owner: Path, overrides: Sequence[Override]) -> None:
    identified = _identified(found, table, at, owner, overrides)
    _put_other_mechanism_in(found, table, at, owner, overrides)
    found.laid_over += identified  # last: what was measured of a specimen goes over what was drawn


def _identified(found: NamedFiles, table: dict[str, Json], at: Path_, owner: Path, overrides: Sequence[Override]) -> list[Override]:
    """The numbers of the file that `from` names, which is taken out of the table."""
    given = table.get("mechanism")
    if not isinstance(given, dict):
        return []
    name, by = given.pop(FROM, None), f"{dotted(at)} of {owner}"
    found.chosen += (chosen := [override for override in overrides if override.keys == (*at, FROM)])
    if chosen:
        name, by = chosen[-1].value, f"{chosen[-1].said}, from the folder of {owner}"
    if name is None:
        return []
    if not isinstance(name, str):
        raise ConfigError(f"{dotted((*at, FROM))} of {owner}: expected a file that `rig identify` has written, got {name!r}")
    path = Path(os.path.normpath(owner.parent / name))
    try:
        record, text = read(path, "file of identified numbers")
    except ConfigError as error:
        raise ConfigError([f"{text} (named by {by})" for text in error.problems]) from None
    numbers = record.get("mechanism")
    if not isinstance(numbers, dict) or not numbers:
        raise ConfigError(f"{path}: expected a table [mechanism] with numbers in it, as `rig identify` writes it (named by {by})")
    found.texts[f"{name}, sha256 {hashlib.sha256(text.encode()).hexdigest()}"] = text
    return table_overrides(numbers, f"{path}: mechanism", tuple(str(step) for step in at))


def _put_other_mechanism_in(found: NamedFiles, table: dict[str, Json], at: Path_, owner: Path, overrides: Sequence[Override]) -> None:
    given, by = table.get("mechanism"), f"{dotted(at)} of {owner}"
    name = given.get("file") if isinstance(given, Mapping) else None
    found.chosen += (chosen := [override for override in overrides if override.keys == (*at, "file")])
    if chosen:
        if not isinstance(name, str):
            raise ConfigError(f"{chosen[-1].said}: {by} names no file that another could take the place of; it stands there itself")
        name, by = chosen[-1].value, f"{chosen[-1].said}, from the folder of {owner}"
        if not isinstance(name, str):
            raise ConfigError(f"{chosen[-1].said}: expected an experiment file, got {name!r}")
    if not isinstance(given, Mapping) or not isinstance(name, str):
        return
    record = _read(found, name, "experiment", at, owner, by)
    inner = record.get("mechanism")
    if not isinstance(inner, dict):
        raise ConfigError(f"{found.files[at]}: expected a table [mechanism] in it (named by {by})")
    table["mechanism"], found.within[at], found.read[at] = inner, ("mechanism",), copy.deepcopy(inner)
    own = {key: _by_name(inner.get(key), value) for key, value in given.items() if key != "file"}
    found.laid_over += table_overrides(own, f"{owner}: {dotted(at)}", tuple(str(step) for step in at))


def _by_name(listed: Json, over: Json) -> Json:
    """What takes the place of a list of the file's: where the items of both have names, those over it go by these, and new ones are added.

    So a bench's model takes bodies and forces besides, as a shaft that gives way, with nothing of the drawing said twice.
    """
    if not (_named(listed) and _named(over)):
        return over
    assert isinstance(listed, list) and isinstance(over, list)
    if _twice(listed) or _twice(over):
        return [*listed, *over]  # which is told where the items are made
    items = {str(item["name"]): dict(item) for item in listed if isinstance(item, Mapping)}
    for item in over:
        assert isinstance(item, Mapping)
        below = items.get(str(item["name"]), {})
        items[str(item["name"])] = {**below, **item} if item.get("kind", below.get("kind")) == below.get("kind") else dict(item)
    return list(items.values())


def _named(listed: Json) -> bool:
    """Whether it is a list of tables that have names."""
    return isinstance(listed, list) and all(isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in listed)


def _twice(listed: list[Json]) -> bool:
    """Whether a name stands there more than once."""
    return len({item["name"] for item in listed if isinstance(item, Mapping)}) < len(listed)


def _read(found: NamedFiles, name: str, what: str, at: Path_, owner: Path, by: str) -> dict[str, Json]:
    """The file that is named at a place of its owner's, or in its stead; by: where the name stands."""
    path = Path(os.path.normpath(owner.parent / name))
    try:
        record, text = read(path, what)
    except ConfigError as error:
        raise ConfigError([f"{text} (named by {by})" for text in error.problems]) from None
    found.files[at], found.own[at], found.texts[name] = path, frozenset(), text
    return record
