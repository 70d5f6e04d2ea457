"""Disks that are full or slow, folders that go, memory that is short while a test runs: it comes to rest, its end is told, and it is no
bad input."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from pathlib import Path

import psutil
import pytest
from bench_run import LINKAGE, UNPREPARED, Running, first_words, rig

from rig.recorder.reading import read_run

LONG = ("trajectory.cycles=400", "bench.pace=lockstep", UNPREPARED)


def test_a_run_folder_that_is_removed_ends_the_test_by_a_ramp(tmp_path: Path) -> None:
    run = Running(tmp_path, *LONG)
    run.wait_for_samples(20_000)
    folder = run.folder
    while folder.exists():  # a file that is just being renamed is not there any more when its turn comes
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)
    data = run.ended_as(3, "failed")
    words = "is gone: it was removed or replaced while it was being written; nothing is recorded any more"
    first = ("journal.bin", "run.h5")  # whichever is missed first while the folder is emptied
    assert data["error"] in {f"recorder: {folder / name} {words}" for name in first}
    assert first_words(data)[-2:] == ["stopping", "stopped"]
    assert any("summary.json could not be written" in warning for warning in data["warnings"])
    assert {data["files"][name] for name in ("run", "record", "summary")} == {None}, "what is not there is not named"


def test_where_no_folder_can_be_made_that_is_all_that_is_said(tmp_path: Path) -> None:
    """Nothing of room on the disk before, and nothing is compiled or armed."""
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "runs"):
        code, data = rig("run", str(LINKAGE), "--headless", "--out", str(out))
        assert code == 2 and data["error"].startswith(f"--out {out}: no folder can be made there: "), data


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a running process's files can be bounded on Linux only")
def test_a_disk_that_takes_no_more_ends_the_test_by_a_ramp_and_what_it_took_is_there(tmp_path: Path) -> None:
    run = Running(tmp_path, *LONG)
    run.wait_for_samples(20_000)
    most = (run.folder / "journal.bin").stat().st_size + 2_000_000
    psutil.Process(run.pids["recorder"]).rlimit(psutil.RLIMIT_FSIZE, (most, most))  # for it alone; other files may be written
    data = run.ended_as(3, "failed")
    assert "recorder: " in data["error"] and "cannot be written: " in data["error"], data
    assert first_words(data)[-2:] == ["stopping", "stopped"]
    code, recovered = rig("recover", str(run.folder))
    assert code == 0, recovered
    assert read_run(run.folder).samples > 20_000


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a running process can be bounded on Linux only")
@pytest.mark.long
def test_a_recorder_without_memory_ends_the_test_at_once_and_says_why(tmp_path: Path) -> None:
    """It has stood still for a moment, so that there is more to be read than it has ever read at once."""
    run = Running(tmp_path, *LONG)
    run.wait_for_samples(20_000)
    recorder = psutil.Process(run.pids["recorder"])
    recorder.suspend()
    most = recorder.memory_info().vms
    recorder.rlimit(psutil.RLIMIT_AS, (most, most))
    time.sleep(1.0)
    recorder.resume()
    data = run.ended_as(3, "failed")
    assert data["error"].startswith("recorder: out of memory"), data
    assert first_words(data)[-2:] == ["stopping", "stopped"]
    assert not [event for event in data["events"] if event["kind"] == "death"]
    code, recovered = rig("recover", str(run.folder))
    assert code == 0, recovered
    assert read_run(run.folder).samples > 20_000
