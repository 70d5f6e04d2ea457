"""The three packages are ours: a flat layout must not pick up somebody else's `model` or `drivers`."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["rig", "model", "drivers"])
def test_package_is_of_this_checkout(name: str) -> None:
    assert Path(importlib.import_module(name).__file__ or "").parent == ROOT / name


def test_every_folder_with_code_is_a_package_and_so_is_installed() -> None:
    for top in ("rig", "model", "drivers"):
        for path in (ROOT / top).rglob("*.py"):
            assert (path.parent / "__init__.py").exists() or path.parent.name in ("run_site", "distribution"), path
