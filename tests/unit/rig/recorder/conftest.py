"""A run's folder, empty or with a whole record in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from changed_records import made


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    (tmp_path / "0001-linkage").mkdir()
    return tmp_path / "0001-linkage"


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run as a test leaves it; only to be copied."""
    return made(tmp_path_factory.mktemp("whole")).run_dir


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(whole, tmp_path / "run"))
