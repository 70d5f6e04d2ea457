"""The blocks that docs/limits.md shows are taken as they stand there, in the linkage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rig.config import load

ROOT = Path(__file__).parents[4]
BLOCKS = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/limits.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_is_taken(tmp_path: Path, number: int) -> None:
    text = (ROOT / "configs/experiments/linkage.toml").read_text(encoding="utf-8")
    path = tmp_path / "documented.toml"
    path.write_text(text.replace("../benches", (ROOT / "configs/benches").as_posix()) + "\n" + BLOCKS[number], encoding="utf-8")
    setup = load(path)
    assert BLOCKS[number].count("[[limits]]") == len(setup.experiment.limits) - 3
    assert BLOCKS[number].count("[[calculated]]") == len(setup.experiment.calculated)


def test_there_are_some() -> None:
    assert len(BLOCKS) == 4
