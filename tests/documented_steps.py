"""What a reader of a tutorial does, block by block: commands that are typed, lines that are changed, tables that are put at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
STEP = re.compile(r"```(sh|diff|toml)\n(.*?)```", re.DOTALL)


def steps(page: str) -> list[tuple[str, str]]:
    """(kind of the block, its text), in their order."""
    return STEP.findall((DOCS / page).read_text(encoding="utf-8"))


def changed(text: str, block: str) -> str:
    """A file with lines replaced: each one behind a minus by those behind the plus signs below it. Each must be there, once."""
    for old, new in _changes(block):
        assert text.count(f"{old}\n") == 1, f"{old!r} stands there {text.count(old)} times"
        text = text.replace(f"{old}\n", "".join(f"{line}\n" for line in new))
    return text


def _changes(block: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^-", block, flags=re.MULTILINE)[1:]:
        old, *new = part.splitlines()
        yield old, [line.removeprefix("+") for line in new]
