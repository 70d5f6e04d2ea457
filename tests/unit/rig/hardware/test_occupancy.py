from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.errors import Reserved
from rig.errors import ConfigError
from rig.hardware import occupancy
from rig.hardware.occupancy import TEST, occupied, tell, users
from rig.hardware.reservation_owner import holder_named
from rig.streaming import streams

NOBODY = "65534"
HOLD = """
import os
import sys
from pathlib import Path
from rig.hardware.occupancy import occupied
if sys.argv[3:] and os.geteuid() == 0:
    os.setuid(int(sys.argv[3]))
with occupied(Path(sys.argv[1]), sys.argv[2]):
    print("in", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bench.toml"


def files(path: Path) -> list[Path]:
    """What says that this bench is in use."""
    return list(occupancy.folder().glob(f"{occupancy._key(path)}.*"))


def holder(path: Path, what: str, *user: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), what, *user], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
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
    assert len(files(path)) == 1
    with occupied(path, "tare"):
        assert len(files(path)) == 1, "its own"
    assert files(path) == []


def test_a_number_that_another_process_has_by_now_counts_for_nothing(path: Path, test_of_another: subprocess.Popen[str]) -> None:
    (found,) = files(path)
    started = streams.start_time(test_of_another.pid)
    found.rename(found.with_name(found.name.rsplit(".", 1)[0] + f".{started - 86400.0:.0f}"))
    assert users(path) == []


def test_another_user_of_this_machine_counts_too(path: Path) -> None:
    for process in holder(path, TEST, NOBODY):
        assert users(path) == [(TEST, process.pid)]
    with occupied(path, TEST):
        other = subprocess.run([sys.executable, "-c", HOLD, str(path), "tare", NOBODY], capture_output=True, text=True)
        assert f"a test is going on on this bench (process {os.getpid()})" in other.stderr
        assert files(path), "nobody takes away what is another's"


def test_who_finds_a_device_reserved_is_told_whose_test_it_may_be(
    path: Path, tmp_path: Path, test_of_another: subprocess.Popen[str]
) -> None:
    (found,) = files(path)
    found.write_text(f"{tmp_path / 'runs/0007-linkage'}\n", encoding="utf-8")
    with pytest.raises(Reserved) as caught, occupied(path.with_name("other.toml"), TEST), holder_named():
        raise Reserved("DAQ: setting up: reserved (-50103); another program holds the device")
    said = str(caught.value)
    assert said.startswith("DAQ: setting up: reserved (-50103); another program holds the device: ")
    assert f"a test, process {test_of_another.pid}, {tmp_path / 'runs/0007-linkage'}" in said
    assert f"process {os.getpid()}" not in said


def test_the_run_is_told_by_the_file(path: Path, tmp_path: Path) -> None:
    with occupied(path, TEST):
        tell(path, TEST, tmp_path / "0001-x")
        assert [one.read_text() for one in files(path)] == [f"{tmp_path / '0001-x'}\n"]
        assert users(path) == [(TEST, os.getpid())]
    assert files(path) == []


def test_one_file_by_any_of_its_names(path: Path, test_of_another: subprocess.Popen[str]) -> None:
    path.touch()
    link = path.with_name("link.toml")
    link.symlink_to(path)
    for name in (path.parent / "nosuch" / ".." / "bench.toml", link):
        assert users(name) == [(TEST, test_of_another.pid)]


def test_the_folder_of_the_bench_file_is_left_alone(path: Path) -> None:
    with occupied(path, TEST) as warnings:
        assert list(path.parent.iterdir()) == []
        assert warnings == []


def test_a_folder_that_takes_no_file_is_a_warning(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupancy, "folder", lambda: tmp_path / "nosuch" / "folder")
    with occupied(path, TEST) as warnings:
        (said,) = warnings
    assert "cannot tell that this test goes on" in said


def test_it_ends_with_an_error_too(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), occupied(path, "shunt"):
        raise KeyboardInterrupt
    assert files(path) == []
