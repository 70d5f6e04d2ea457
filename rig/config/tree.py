"""Trees of configuration: a TOML file as nested dicts, paths into it, and overrides from the command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files import toml_trees
from drivers.files.plain_values import Json
from drivers.files.text_files import Unusable
from rig.config.kinds import choosers, config_class
from rig.config.shape import shapes
from rig.errors import ConfigError

Path_ = tuple[str | int, ...]
NAMING_KEYS = ("name", "channel", "metric", "terminal", "signal", "drive", "key", "fault", "target")
"""Keys by which one item of a list of tables may be addressed: by one of its names, or by several as `ay:band_level`."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and where in the tree."""

    path: Path_
    text: str


SAID = "--set "
"""How messages begin that are of an override of the command line."""
LONGEST_SAID = 120
"""Characters of an override that a message repeats."""


def dotted(path: Iterable[str | int]) -> str:
    """`("limits", 0, "maximum")` as `limits[0].maximum`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def named(tree: Json, path: Path_, known: int = 0) -> str:
    """What the items of lists on the way to `path` are called, as `crank.A` of a point of a body; empty where none has a name.

    Not where the name itself is what the path leads to, nor on the first `known` steps.
    """
    found, at = [], tree
    for place, step in enumerate(path[:-2] if path[-1:] == ("name",) else path):
        if isinstance(at, list):
            at = at[step] if isinstance(step, int) and step < len(at) else None
        else:
            at = at.get(str(step)) if isinstance(at, dict) else None
        if place >= known and isinstance(step, int) and isinstance(at, dict) and isinstance(at.get("name"), str):
            found.append(at["name"])
    return ".".join(found)


def standing_at(tree: Json, path: Path_) -> Json:
    """What stands at `path`, or None."""
    for step in path:
        if isinstance(step, int):
            tree = tree[step] if isinstance(tree, (list, tuple)) and step < len(tree) else None
        else:
            tree = tree.get(step) if isinstance(tree, Mapping) else None
    return tree


def read(path: Path, what: str) -> tuple[dict[str, Json], str]:
    """(tree, text) of a TOML file. Raises ConfigError for a file that is missing, too large or no TOML, with the line."""
    try:
        return toml_trees.read(path, what)
    except Unusable as error:
        raise ConfigError(str(error)) from None


@dataclass(frozen=True)
class Override:
    """A value that goes over the file's own. `said` is how messages call it, as `--set mechanism.clearance=0.4mm`."""

    said: str
    keys: tuple[str, ...]
    value: Json


def parse_override(text: str) -> Override:
    """Take `mechanism.clearance="0.4 mm"` apart; a value that is not TOML is a text, as the shell strips quotes. Raises ConfigError."""
    said = f"{SAID}{text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + f'... ({len(text)} characters)'}"
    key, equals, value = text.partition("=")
    keys = tuple(part.strip() for part in key.split("."))
    if not equals or not all(keys):
        raise ConfigError(f"{said}: expected KEY=VALUE, such as mechanism.clearance=0.4mm")
    try:
        return Override(said, keys, _overriding(keys, value.strip()))
    except toml_trees.OutOfBounds as error:
        raise ConfigError(f"{said}: {error}") from None


def _overriding(keys: tuple[str, ...], value: str) -> Json:
    """Raises OutOfBounds, for what no file could hold either."""
    found: Json = value
    with contextlib.suppress(toml_trees.NotToml):
        tree = toml_trees.parse(f"value = {value}")
        found = tree["value"] if len(tree) == 1 else value  # a line break would end it
    if len(keys) > toml_trees.DEEPEST:
        raise toml_trees.OutOfBounds(f"a key of {len(keys)} parts, expected at most {toml_trees.DEEPEST}")
    for key in keys:
        toml_trees.need_bounded({key: found})
    return found


def table_overrides(table: Mapping[str, Json], said: str, keys: tuple[str, ...] = ()) -> list[Override]:
    """Every value of a table that is laid over another file, `said` being where the table stands."""
    found = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            found += table_overrides(value, f"{said}.{key}", (*keys, key))
        else:
            found.append(Override(f"{said}.{key}", (*keys, key), value))
    return found


def apply(cls: type, tree: dict[str, Json], overrides: Iterable[Override]) -> tuple[dict[Path_, Override], list[str], list[str]]:
    """Put overrides into `tree`, which is changed. Returns (where each went, what could not be put, remarks).

    A `kind` (or another key that chooses what its table is) that is overridden takes keys that only the old one knows out of the table.
    """
    overrides = list(overrides)
    problems: list[str] = []
    went: dict[Path_, Override] = {}
    remarks: list[str] = []
    for override in sorted(overrides, key=lambda o: not _chooses(cls, o.keys)):
        try:
            table, path = _reach(tree, override.keys)
        except LookupError as error:
            problems.append(f"{override.said}: {error.args[0]}")
            continue
        if _chooses(cls, override.keys) and isinstance(table, dict):
            remarks += _forget_old_kind(cls, override.keys[0], override.keys[1], table, override.value)
        _put(table, path[-1], override.value)
        went[path] = override
    return went, problems, remarks


def _reach(tree: dict[str, Json], keys: tuple[str, ...]) -> tuple[list[Json] | dict[str, Json], Path_]:
    """The table or list that holds the last key, made where it is missing, and the path with list positions as numbers."""
    at: Json = tree
    path: Path_ = ()
    for last, key in zip([False] * (len(keys) - 1) + [True], keys, strict=True):
        if isinstance(at, list):
            path += (place := _position(at, key, path),)
            below: Json = at[place]
        elif isinstance(at, dict):
            path += (key,)
            below = at.get(key) if last else at.setdefault(key, {})
        else:
            raise LookupError(f"{dotted(path)} is a value, not a table")
        if last:
            return at, path
        at = below
    raise AssertionError("an override has at least one key")


def _put(table: list[Json] | dict[str, Json], step: str | int, value: Json) -> None:
    if isinstance(table, list):
        assert isinstance(step, int)
        table[step] = value
    else:
        table[str(step)] = value


def _position(items: list[Json], key: str, path: Path_) -> int:
    if key.isdecimal() and len(key) < 10 and int(key) < len(items):
        return int(key)
    names = [_names(item) for item in items]
    found = [i for i, own in enumerate(names) if key in own or (":" in key and set(key.split(":")) <= set(own))]
    if len(found) == 1:
        return found[0]
    which = "several are" if found else "none is"
    numbers = "0" if len(items) == 1 else f"0 to {len(items) - 1}"
    there = f"there are {', '.join(_told_apart(names))} (or {numbers} by number)" if items else "it is empty"
    raise LookupError(f"{which} called '{key}' in {dotted(path)}; {there}")


def _names(item: Json) -> list[str]:
    """What one item of a list may be called."""
    return [str(item[name]) for name in NAMING_KEYS if isinstance(item.get(name), str)] if isinstance(item, Mapping) else []


def _told_apart(names: list[list[str]]) -> list[str]:
    """What to call each by: its first name, with the next one where others have that as well; its number where that does not do either."""
    first, two = ([":".join(own[:count]) for own in names] for count in (1, 2))
    return [
        next((name for name, all_of_them in ((first[i], first), (two[i], two)) if name and all_of_them.count(name) == 1), str(i))
        for i in range(len(names))
    ]


def _chooses(cls: type, keys: tuple[str, ...]) -> bool:
    shape = shapes(cls).get(keys[0]) if len(keys) == 2 else None
    return shape is not None and shape.form == "kind" and keys[1] in choosers(shape.metadata)


def _forget_old_kind(cls: type, name: str, key: str, table: dict[str, Json], kind: Json) -> list[str]:
    if table.get(key) == kind:
        return []
    try:
        known = shapes(config_class(choosers(shapes(cls)[name].metadata)[key], str(kind)))
    except LookupError:
        return []  # an unknown kind is reported when the tree is checked
    gone = [other for other in table if other != key and other not in known]
    for other in gone:
        del table[other]
    return [f"{name}.{key}={kind} has no {', '.join(gone)}: left out" for _ in gone[:1]]
