"""Every value of a configuration by its key, as it stands in a file and as the program takes it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from drivers.files import toml_trees
from drivers.files.plain_values import Json
from rig.config.shape import Shape, shapes
from rig.files.tree_leaves import leaves

UNKNOWN = object()
"""Of a key whose default is none, or nobody's to tell."""


@dataclass(frozen=True)
class Stated:
    """A key that a file states, its value as written, and what it would be without (UNKNOWN: it has to be given)."""

    key: str
    text: str
    default: object
    unit: str
    differs: bool


def stated(text: str, config: object) -> list[Stated]:
    """The values of a file, in order. config: what the program made of it. None of a text that cannot be read."""
    with contextlib.suppress(toml_trees.NotToml, toml_trees.OutOfBounds):
        return [*_walk(toml_trees.parse(text), config, "")]
    return []


def values(tree: Json) -> Iterator[tuple[str, Json]]:
    """(key, value) of each leaf of a tree; items of a list of tables by their numbers, as `--set` counts them."""
    return leaves(tree, lambda number, _: f"[{number}]")


def _walk(tree: Mapping[str, Json], config: object, above: str) -> Iterator[Stated]:
    known = _shapes(config)
    for key, value in tree.items():
        name = f"{above}{key}"
        made = getattr(config, key, None)
        if isinstance(value, Mapping):
            yield from _walk(value, made, f"{name}.")
        elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            for number, inner in enumerate(value):
                one = made[number] if isinstance(made, tuple) and len(made) > number else None
                yield from _walk(inner, one, f"{name}[{number}].")
        else:
            yield _stated(name, value, known.get(key), made)


def _stated(name: str, value: Json, shape: Shape | None, made: object) -> Stated:
    if shape is None or shape.required:
        return Stated(name, written(value), UNKNOWN, "", False)
    return Stated(name, written(value), shape.default, str(shape.metadata.get("unit", "")), made != shape.default)


def _shapes(config: object) -> Mapping[str, Shape]:
    if config is None or isinstance(config, (Mapping, str, int, float, tuple, list)):
        return {}
    with contextlib.suppress(AssertionError, TypeError):  # of the user's own, or left as it came
        return shapes(type(config))
    return {}


def written(value: Json) -> str:
    """As an engineer writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(written(one) for one in value) or "[]"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {written(one)}" for key, one in value.items())
    return f"{value:.12g}" if isinstance(value, float) else str(value)
