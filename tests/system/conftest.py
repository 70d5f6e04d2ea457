"""Tests at real pace run one after the other, in `make test` with nothing beside them. None leaves a process behind."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from machine import at_real_pace


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First of all, as `-m` chooses by what stands here."""
    for item in items:
        if at_real_pace(item):
            item.add_marker(pytest.mark.real_pace)
            item.add_marker(pytest.mark.xdist_group("real pace"))


@pytest.fixture(autouse=True)
def nothing_goes_on(tmp_path: Path) -> Iterator[None]:
    """A test that fails in mid-run takes its run along."""
    yield
    for process in psutil.process_iter(["cmdline"]):
        if any(str(tmp_path) in word for word in process.info["cmdline"] or ()):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
