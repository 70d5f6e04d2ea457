"""docs/plant_keys.md has every key of every virtual plant, as the program reads it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rig.config import kinds, load
from rig.report.pages.plant_keys import PACKAGE, keys, page
from tests.each_row import each_row

ROOT = Path(__file__).parents[5]
PAGE = (ROOT / "docs/plant_keys.md").read_text(encoding="utf-8")


def test_the_page_is_as_the_program_would_write_it_now() -> None:
    assert page() == PAGE, "run: python -m rig.report.pages.plant_keys > docs/plant_keys.md"


@each_row("kind", kinds.names(PACKAGE))
def test_every_key_is_there(kind: str) -> None:
    """Those of the plant's own section, or of the one that it refers to."""
    sections = {part.split("`", 1)[0]: part for part in PAGE.split("\n## `")[1:]}
    own = sections[kind] + (sections["linkage_frame"] if "All keys of [`linkage_frame`]" in sections[kind] else "")
    assert len(keys(kind)) > 20
    for key in keys(kind):
        assert f"| `{key}` |" in own


def given(table: dict[str, object], before: str = "") -> list[str]:
    """Keys of a plant's table as a file has it."""
    found = []
    for key, value in table.items():
        inner = value[0] if isinstance(value, list) else value
        found += given(inner, f"{before}{key}.") if isinstance(inner, dict) else [f"{before}{key}"]
    return [key for key in found if key != "kind" and not key.startswith("mechanism.")]  # that is a description, see own_mechanism.md


@each_row("path", sorted((ROOT / "configs/benches").glob("virtual_*.toml")), ids=lambda path: path.stem)
def test_what_the_bench_files_set_is_there(path: Path) -> None:
    """Told from the files, not from the classes that the page is made of."""
    for key in given(tomllib.loads(path.read_text(encoding="utf-8")).get("plant", {})):
        assert f"| `{key}` |" in PAGE


@pytest.mark.parametrize(
    ("key", "value", "words"), [("clearance", "0.4 mm", "total play"), ("hydraulics.supply_force", "260 kN", "piston")]
)
def test_a_default_can_be_given_as_it_is_written(key: str, value: str, words: str) -> None:
    (row,) = [line for line in PAGE.split("\n## `linkage_frame`")[1].split("\n## `")[0].splitlines() if line.startswith(f"| `{key}` |")]
    assert f"| {value} |" in row and words in row
    setup = load(ROOT / "configs/experiments/linkage.toml", [f'bench.plant.{key}="{value}"'])
    assert setup.bench.plant == load(ROOT / "configs/experiments/linkage.toml").bench.plant
