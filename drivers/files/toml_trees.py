"""TOML texts as trees, within bounds: depth, lengths and counts are looked at before anybody works through them.

The parser of the standard library takes a square of the time for long dotted keys, ends in a RecursionError for deep nesting, and reads
numbers and texts that nothing behind it can hold.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from drivers.files.plain_values import Json
from drivers.files.text_files import Unusable, read_text

Place = tuple[str | int, ...]
"""Keys and numbers that lead to a value of a tree."""
DEEPEST = 32
MOST_VALUES = 50_000
LONGEST_TEXT = 65_536
LONGEST_WORD = 256
"""Characters of a key or a number."""
_SKIPPED = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)|' r"'''(?:[^']++|'(?!''))*+(?:'''|\Z)|" r'"(?:[^"\\\n]++|\\.)*+"?|' r"'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
_DOTTED = re.compile(rf"(?<![\w.-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")
_WORD = re.compile(rf"(?<![\w+-])[\w+-]{{{LONGEST_WORD + 1}}}")
_BRACKET = re.compile(r"[\[\]{}]")


class NotToml(ValueError):
    """A text that is no TOML; says where."""


class OutOfBounds(ValueError):
    """TOML that goes beyond what a file of settings may hold; says which bound, where, and what came."""


def read(path: Path, what: str) -> tuple[dict[str, Json], str]:
    """(tree, text) of a TOML file. Raises Unusable, in one line."""
    text = read_text(path, what)
    try:
        return parse(text), text
    except NotToml as error:
        raise Unusable(f"{path}: not TOML: {error}") from None
    except OutOfBounds as error:
        raise Unusable(f"{path}: {error}") from None


def parse(text: str) -> dict[str, Json]:
    """The tree of a text. Raises NotToml, OutOfBounds."""
    _need_shallow(_SKIPPED.sub(_blank, text))
    try:
        tree: dict[str, Json] = tomllib.loads(text)
    except RecursionError:
        raise OutOfBounds(f"nested too deep, expected at most {DEEPEST} tables or lists within each other") from None
    except ValueError as error:
        raise NotToml(str(error)) from None
    need_bounded(tree)
    return tree


def need_bounded(tree: Json) -> None:
    """Raises OutOfBounds for a tree with values that no setting can have."""
    for number, (path, value) in enumerate(_walk(tree)):
        if number > MOST_VALUES:
            raise OutOfBounds(f"more than {MOST_VALUES} values; is it the file that was meant?")
        if len(path) > DEEPEST:
            raise OutOfBounds(f"{_named(path)}: nested too deep, expected at most {DEEPEST} tables or lists within each other")
        if wrong := _wrong(value) or (_wrong_text(path[-1], "key", LONGEST_WORD) if path and isinstance(path[-1], str) else None):
            raise OutOfBounds(f"{_named(path)}: {wrong}")


def _wrong(value: Json) -> str | None:
    if isinstance(value, str):
        return _wrong_text(value, "text", LONGEST_TEXT)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return f"expected a whole number of at most 64 bits, got one of {value.bit_length()}"
    return None


def _wrong_text(text: str, what: str, longest: int) -> str | None:
    if len(text) > longest:
        return f"expected a {what} of at most {longest} characters, got {len(text)}"
    found = next((c for c in text if (c < " " and c not in "\t\n\r") or c == "\x7f" or "\ud800" <= c <= "\udfff"), None)
    return None if found is None else f"expected a {what} that can be written, got one with the character U+{ord(found):04X}"


def _walk(tree: Json) -> Iterator[tuple[Place, Json]]:
    """Every value with its path, without recursion."""
    left: list[tuple[Place, Json]] = [((), tree)]
    while left:
        path, value = left.pop()
        yield path, value
        if isinstance(value, Mapping):
            left += [((*path, key), item) for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            left += [((*path, number), item) for number, item in enumerate(value)]


def _named(path: Place) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{step[:40]}" for step in path[:8]]
    return "".join(steps).lstrip(".").encode("unicode_escape").decode() + ("..." if len(path) > 8 else "")


def _need_shallow(text: str) -> None:
    """What can be seen of a text without its strings and comments before it is parsed."""
    if found := _DOTTED.search(text):
        raise OutOfBounds(f"line {_line(text, found.start())}: a key of more than {DEEPEST} parts")
    if found := _WORD.search(text):
        raise OutOfBounds(f"line {_line(text, found.start())}: a key or number of more than {LONGEST_WORD} characters")
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth = max(depth + (1 if bracket[0] in "[{" else -1), 0)
        if depth > DEEPEST:
            raise OutOfBounds(f"line {_line(text, bracket.start())}: nested too deep, expected at most {DEEPEST} lists within each other")


def _blank(found: re.Match[str]) -> str:
    """Instead of a string or a comment: as many lines."""
    return ("" if found[0][0] == "#" else "_") + "\n" * found[0].count("\n")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
