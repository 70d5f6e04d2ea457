"""The text of a file with other values put over its own: what ran, as TOML that anybody can read back."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping, Sequence

from drivers.files.plain_values import Json

HEADING = "Values above that are not the file's own, and where they came from:"


def as_run(text: str, tree: Mapping[str, Json], remarks: Sequence[str] = ()) -> str:
    """`text` brought to the values of `tree`, which the result parses to; a text that has them already stays as it is.

    The author's comments, order and layout are kept. remarks: lines that follow at the end as comments.
    """
    if tomllib.loads(text) != tree:
        text = _with_values(text, tree)
    if not remarks:
        return text
    return "\n".join([text.rstrip(), "", *(f"# {_printable(remark)}".rstrip() for remark in remarks), ""])


def _with_values(text: str, tree: Mapping[str, Json]) -> str:
    import tomlkit  # 15 ms that a start without overrides does not spend
    from tomlkit.exceptions import TOMLKitError

    # tomlkit refuses or misplaces some rare layouts (tables out of order, dotted keys that grow to tables). What it makes is
    # therefore read back by the parser that the program itself goes by; where that differs, the values count, not the comments.
    try:
        document = tomlkit.parse(text)
        _bring_to(document, tree)
        edited = document.as_string()
        if tomllib.loads(edited) == tree:
            return edited
    except (TOMLKitError, ValueError, LookupError, TypeError):
        pass
    return tomlkit.dumps(tree)


def _bring_to(table: MutableMapping[str, Json], wanted: Mapping[str, Json]) -> None:
    """Change only what differs: a value that is set anew keeps the comment behind it."""
    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, value in wanted.items():
        there = table.get(key)
        if key not in table:
            table[key] = value
        elif isinstance(there, MutableMapping) and isinstance(value, Mapping):
            _bring_to(there, value)
        elif tables := _item_by_item(there, value):
            for item, wanted_item in tables:
                _bring_to(item, wanted_item)
        elif there != value:
            table[key] = value


def _item_by_item(there: Json, wanted: Json) -> list[tuple[MutableMapping[str, Json], Mapping[str, Json]]]:
    """Both lists of tables beside each other; empty where they are not, or not of the same length."""
    if not isinstance(there, list) or not isinstance(wanted, list) or len(there) != len(wanted):
        return []
    pairs = [(a, b) for a, b in zip(there, wanted, strict=True) if isinstance(a, MutableMapping) and isinstance(b, Mapping)]
    return pairs if len(pairs) == len(wanted) else []


def _printable(text: str) -> str:
    """One line that may stand in a comment, whatever the command line held."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
