"""The three packages are ours: a flat layout must not pick up somebody else's `model` or `drivers`."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["rig", "model", "drivers"])
def test_package_is_of_this_checkout(name: str) -> None:
    assert Path(importlib.import_module(name).__file__ or "").parent == ROOT / name


def test_every_package_folder_is_listed_for_installation() -> None:
    import tomllib

    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts) for top in ("rig", "model", "drivers") for path in (ROOT / top).rglob("__init__.py")
    }
    assert found == listed
