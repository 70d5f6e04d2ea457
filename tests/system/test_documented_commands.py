"""The commands that README and docs show in blocks, run as they stand; those with places to be filled in are read only (unit tests)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tests.documented_commands import ROOT, Documented, in_blocks

LITERAL = [documented for documented in in_blocks() if not documented.filled]
BESIDE = {after: before for before, after in pairwise(LITERAL) if before.background}
"""What has to be running beside a command."""
SERVERS = [documented for documented in LITERAL if documented.words[0] == "virtual-bench" and not documented.background]
ALONE = [documented for documented in LITERAL if documented.words[0] != "virtual-bench"]
STOPPED = 128 + signal.SIGINT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a user would be: a folder with configs, and nothing in it that the program made before."""
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    return tmp_path


def started(documented: Documented, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rig", *documented.words]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=environment)


@contextmanager
def serving(documented: Documented | None, folder: Path) -> Iterator[None]:
    """A bench that listens until the end, and is stopped as its user would."""
    if documented is None:
        yield
        return
    server = started(documented, folder)
    try:
        assert server.stdout is not None and server.stdout.readline().startswith("listening")
        yield
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=60.0)
        assert server.returncode in (0, STOPPED) and "Traceback" not in said, said
    finally:
        server.kill()


@pytest.mark.soak
@pytest.mark.parametrize("documented", ALONE, ids=str)
def test_a_command_as_it_stands(documented: Documented, folder: Path) -> None:
    with serving(BESIDE.get(documented), folder):
        _, said = (process := started(documented, folder)).communicate(timeout=900.0)
    assert process.returncode == documented.status, said
    assert "Traceback" not in said


@pytest.mark.soak
@pytest.mark.parametrize("documented", SERVERS, ids=str)
def test_a_bench_as_it_stands(documented: Documented, folder: Path) -> None:
    with serving(documented, folder):
        pass
