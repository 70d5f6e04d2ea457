"""The examples of docs/mechanism_parts.md run as they stand, added to the file that the page begins with."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from rig.config import load_experiment
from rig.prediction.simulation import simulate
from tests.documented_files import DOCS
from tests.tiers import quick

BLOCKS = re.findall(r"```toml\n(.*?)```", (DOCS / "mechanism_parts.md").read_text(encoding="utf-8"), re.DOTALL)
BASE, *PARTS = BLOCKS
KINDS = {
    folder: {path.stem for path in (DOCS.parent / "model/assembly" / folder).glob("[a-z]*.py")} for folder in ("joints", "drives", "forces")
}


def named(part: str) -> str:
    """The kind of its first table."""
    found = re.search(r'^kind = "(\w+)"', part, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("part", quick(PARTS, 5), ids=named)
def test_an_example_runs_as_it_stands(part: str, tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    file.write_text(BASE.replace("[integrator]", f"{part}\n[integrator]"))
    found = simulate(load_experiment(file).experiment)
    assert len(found.values) == 201 and np.all(np.isfinite(found.values))
    assert np.max(np.ptp(found.values, axis=0)) > 1e-3, "something moves"
    assert not any("far from" in remark or "the radii want" in remark for remark in found.remarks), found.remarks


def test_the_base_alone_stands_still(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    file.write_text(BASE)
    assert np.max(np.ptp(simulate(load_experiment(file).experiment).values, axis=0)) == 0.0


def test_every_kind_is_in_the_manual() -> None:
    manual = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("own_mechanism.md", "mechanism_parts.md"))
    missing = [f"{folder}: {kind}" for folder, kinds in KINDS.items() for kind in sorted(kinds) if f"`{kind}`" not in manual]
    assert missing == []
