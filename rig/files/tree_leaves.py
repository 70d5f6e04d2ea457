"""The values of a tree of tables, each by its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from drivers.files.plain_values import Json

Label = Callable[[int, Mapping[str, Json]], str]


def leaves(tree: Json, label: Label, above: str = "") -> Iterator[tuple[str, Json]]:
    """(key, value) in order. label: what is added to the key of a list of tables for one of them, by its number from 0 on and itself."""
    if isinstance(tree, Mapping):
        for key, inner in tree.items():
            yield from leaves(inner, label, f"{above}.{key}" if above else str(key))
    elif isinstance(tree, list) and tree and all(isinstance(one, Mapping) for one in tree):
        for number, inner in enumerate(tree):
            yield from leaves(inner, label, f"{above}{label(number, inner)}")
    else:
        yield above, tree
