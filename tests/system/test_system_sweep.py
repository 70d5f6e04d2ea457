"""`rig sweep` through kills: every task once in the result, nothing computed again but what was under way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import xarray
from swept import STARTING, campaign, computed, ended, journal_lines, kill_everything, started, wait_for_tasks, workers_of
from waiting import until

TASKS = 120
UNDER_WAY = 2 * 2 * 30  # of two workers: a batch each that is computed, and one that waits, of a second and a half at most


def need_whole(out: Path, tasks: int = TASKS) -> None:
    """Each task has its row, with its own figure."""
    with xarray.open_zarr(out) as found:
        assert found["state"].values.tolist() == [1] * tasks
        assert (found["y"].values == found["x"].values ** 2).all()
        assert found["x"].values.tolist() == [float(k + 1) for k in range(tasks)]


def test_a_campaign_goes_on_after_everything_was_killed(tmp_path: Path) -> None:
    path, out, counted = campaign(tmp_path, TASKS), tmp_path / "r.zarr", tmp_path / "counted"
    process = started(path, out, "--workers", "2", SWEEP_COUNTED=str(counted))
    wait_for_tasks(process, out, 5)
    process.send_signal(signal.SIGSTOP)  # it holds its place while another one comes
    beside = ended(started(path, out))
    assert beside["exit_code"] == 2
    assert "runs a campaign there" in beside["error"]
    kill_everything(process)
    there = journal_lines(out)
    assert 5 <= there < TASKS
    last = ended(started(path, out, "--workers", "2", SWEEP_COUNTED=str(counted)))
    assert (last["tasks"], last["done"], last["failed"], last["skipped"]) == (TASKS, TASKS, 0, there)
    assert last["scheduler"] == "local" and last["workers"] == 2
    need_whole(out)
    twice = [x for x, count in computed(counted).items() if count > 1]
    assert len(twice) <= UNDER_WAY
    assert len(computed(counted)) == TASKS
    again = ended(started(path, out))
    assert (again["skipped"], again["workers"], again["cpu_s"]) == (TASKS, 0, last["cpu_s"])


@pytest.mark.long
def test_a_worker_that_is_killed_costs_no_task(tmp_path: Path) -> None:
    path, out = campaign(tmp_path, TASKS), tmp_path / "r.zarr"
    process = started(path, out, "--workers", "2")
    wait_for_tasks(process, out, 5)
    workers_of(process)[0].kill()
    found = ended(process)
    assert (found["done"], found["failed"]) == (TASKS, 0)
    need_whole(out)


@pytest.fixture
def scheduler(tmp_path: Path):  # type: ignore[no-untyped-def]
    """(address, process) of a scheduler of Dask, and a worker of it."""
    told = tmp_path / "scheduler.json"
    quiet = ["--no-dashboard", "--scheduler-file", str(told)]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *quiet]
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(told.exists, "a scheduler", STARTING)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--local-directory", str(tmp_path), *quiet]
    worker = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    yield json.loads(told.read_text())["address"], first
    for one in (worker, first):
        one.kill()
        one.wait()


@pytest.mark.long
def test_the_same_file_on_a_scheduler_of_its_own_which_is_killed(tmp_path: Path, scheduler: tuple[str, subprocess.Popen[bytes]]) -> None:
    path, out, (address, process) = campaign(tmp_path, TASKS), tmp_path / "r.zarr", scheduler
    client = started(path, out, "--scheduler", address)
    wait_for_tasks(client, out, 5)
    process.kill()
    broken = ended(client)
    assert broken["exit_code"] == 3
    assert "the scheduler is gone" in broken["error"] and "the same command goes on with them" in broken["error"]
    there = journal_lines(out)
    found = ended(started(path, out, "--workers", "2"))
    assert (found["done"], found["skipped"]) == (TASKS, there)
    need_whole(out)
