"""A process that is stopped for ever: the most important rows of docs/hangs.md, in lockstep; `make campaign` has all, ten times each."""

import contextlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from bench_run import HEADLESS, LINKAGE, RIG, ROOT, UNPREPARED, Running
from hangs import HANGS
from waiting import until

from rig.streaming.processes import SUPERVISOR_SILENT
from tests.tiers import quick


@pytest.mark.parametrize(
    "row", quick(["supervisor, running", "recorder, running", "virtual_bench, running"], ["supervisor, running"])
)
def test_hang(tmp_path: Path, row: str) -> None:
    HANGS[row](tmp_path, "lockstep", random.Random(row))


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
@pytest.mark.long
def test_a_terminal_that_is_stopped_with_ctrl_s_stops_no_test(tmp_path: Path) -> None:
    """Nobody has read anything when the test is over and summed up; the rest is told when somebody does."""
    import pty

    terminal, end = pty.openpty()
    words = ["run", str(LINKAGE), *HEADLESS, "--out", str(tmp_path), "--set", "trajectory.cycles=5", "--set", "bench.pace=lockstep"]
    run = subprocess.Popen([*RIG, *words, "--set", UNPREPARED], stdout=end, stderr=end, stdin=end, cwd=ROOT, start_new_session=True)
    os.close(end)
    said = b""
    try:
        until(lambda: bool([*tmp_path.glob("*/processes.json")]), "it has begun", 60.0)
        os.write(terminal, b"\x13")
        until(lambda: bool([*tmp_path.glob("*/summary.json")]), "it is over", 60.0)
        assert run.poll() is None, "it waits to be read"
        os.write(terminal, b"\x11")
        with contextlib.suppress(OSError):  # the last one has closed it
            while part := os.read(terminal, 65536):
                said += part
        assert run.wait(30.0) == 0
        assert b"verdict: PASS" in said, said
    finally:
        run.kill()
        run.wait()
        os.close(terminal)


@pytest.mark.skipif(sys.platform == "win32", reason="stopped and continued by signals")
@pytest.mark.long
def test_a_test_that_is_complete_stays_so_where_its_program_is_stopped_afterwards(tmp_path: Path) -> None:
    """Ctrl-Z as soon as the bench worker has ended, `fg` when the others have given up waiting."""
    run = Running(tmp_path, "trajectory.cycles=2", "bench.pace=lockstep", UNPREPARED)
    bench = run.wait_for_process("bench")
    with contextlib.suppress(psutil.NoSuchProcess):
        while bench.status() != psutil.STATUS_ZOMBIE:
            assert run.process.poll() is None
    supervisor = psutil.Process(run.process.pid)
    supervisor.suspend()
    time.sleep(SUPERVISOR_SILENT + 2.0)
    supervisor.resume()
    code, data, _ = run.end()
    assert (code, data["outcome"], data["reason"]) == (0, "done", ""), data
    assert data["streams"]["measured"]["lost_samples"] == 0
