"""A process that is stopped for ever: the most important rows of docs/hangs.md, in lockstep; `make campaign` has all, ten times each."""

import contextlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bench_run import LINKAGE, RIG, ROOT, UNPREPARED
from hangs import HANGS
from waiting import until


@pytest.mark.parametrize("row", ["supervisor, running", "recorder, running", "virtual_bench, running"])
def test_hang(tmp_path: Path, row: str) -> None:
    HANGS[row](tmp_path, "lockstep", random.Random(row))


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_a_terminal_that_is_stopped_with_ctrl_s_stops_no_test(tmp_path: Path) -> None:
    """Nobody has read anything when the test is over and summed up; the rest is told when somebody does."""
    import pty

    terminal, end = pty.openpty()
    words = ["run", str(LINKAGE), "--headless", "--out", str(tmp_path), "--set", "trajectory.cycles=3", "--set", "bench.pace=lockstep"]
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
