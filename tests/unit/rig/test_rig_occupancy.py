from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.occupancy import TEST, occupied, users

HOLD = """
import sys
from pathlib import Path
from rig.occupancy import occupied
with occupied(Path(sys.argv[1]), sys.argv[2]):
    print("in", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bench.toml"


def holder(path: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path), what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def test_of_another(path: Path) -> Iterator[subprocess.Popen[str]]:
    yield from holder(path, TEST)


@pytest.fixture
def tare_of_another(path: Path) -> Iterator[subprocess.Popen[str]]:
    yield from holder(path, "tare")


def test_nobody_tares_under_a_test(path: Path, test_of_another: subprocess.Popen[str]) -> None:
    with pytest.raises(ConfigError, match=f"bench.toml: a test is going on on this bench .process {test_of_another.pid}"), \
            occupied(path, "tare"):  # fmt: skip
        pass
    with occupied(path, TEST, unless=("tare", "shunt")) as warnings:  # simulated hardware is each run's own
        assert warnings == []
    assert users(path) == [(TEST, test_of_another.pid)]


def test_no_test_begins_under_a_tare(path: Path, tare_of_another: subprocess.Popen[str]) -> None:
    with pytest.raises(ConfigError, match="a tare is going on"), occupied(path, TEST, unless=("tare", "shunt")):
        pass


def test_what_the_dead_leave_behind_counts_for_nothing(path: Path, test_of_another: subprocess.Popen[str]) -> None:
    test_of_another.kill()
    test_of_another.wait()
    assert len(list(path.parent.iterdir())) == 1
    with occupied(path, "tare"):
        assert len(list(path.parent.iterdir())) == 1, "its own"
    assert list(path.parent.iterdir()) == []


def test_a_number_that_another_process_has_by_now_counts_for_nothing(path: Path, test_of_another: subprocess.Popen[str]) -> None:
    (lock,) = path.parent.iterdir()
    told = json.loads(lock.read_text())
    lock.write_text(json.dumps({**told, "started": told["started"] - 86400.0}))
    assert users(path) == []


def test_a_folder_that_takes_no_file_is_a_warning(tmp_path: Path) -> None:
    with occupied(tmp_path / "nosuch" / "bench.toml", TEST) as warnings:
        (said,) = warnings
    assert "cannot tell that this test goes on" in said


def test_it_ends_with_an_error_too(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), occupied(path, "shunt"):
        raise KeyboardInterrupt
    assert list(path.parent.iterdir()) == []
