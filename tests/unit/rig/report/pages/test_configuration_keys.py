"""docs/configuration.md has every key that an experiment or a bench file may hold, as the program reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rig.report.pages.configuration_keys import page
from tests.each_row import each_row

ROOT = Path(__file__).parents[5]
PAGE = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
OTHERS = ("plant", "bench")  # a page of its own; in an experiment, the bench file's own keys laid over
NAMED = "file"  # a mechanism of another file: keys laid over it go by the names of its joints


def test_the_page_is_as_the_program_would_write_it_now() -> None:
    assert page() == PAGE, "run: python -m rig.report.pages.configuration_keys > docs/configuration.md"


def keys(table: dict[str, Any]) -> Iterator[str]:
    """Names of keys as a file has them, however deep."""
    for key, value in table.items():
        if key in OTHERS:
            continue
        yield key
        if isinstance(value, dict) and NAMED in value:
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from keys(inner)


@each_row("path", sorted((ROOT / "configs").glob("[be]*/*.toml")), ids=lambda path: path.stem)
def test_what_the_files_set_is_there(path: Path) -> None:
    """Told from the files, not from the classes that the page is made of."""
    missing = {key for key in keys(tomllib.loads(path.read_text(encoding="utf-8"))) if f"| `{key}` |" not in PAGE}
    assert missing <= {"kind", "path", "file"}, missing  # which choose a table, or name another file that it is taken from


def test_the_plants_have_a_page_of_their_own() -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `plant` |")]
    assert "[plant keys](plant_keys.md)" in row
