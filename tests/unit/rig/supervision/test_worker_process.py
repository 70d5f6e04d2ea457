"""Priorities of the processes of a run."""

import os
import queue
import sys
from pathlib import Path

import psutil
import pytest
from waiting import comes_true

from rig.supervision.worker_process import WorkerProcess, hurry

WAITS = [sys.executable, "-c", "import sys; sys.stdin.read()"]


@pytest.mark.skipif(sys.platform != "linux", reason="sessions are weighed against each other on Linux only")
def test_a_priority_counts_against_other_sessions(tmp_path):
    """Each process has a session of its own, and Linux shares the processor among sessions first."""
    child = WorkerProcess("worker", WAITS, tmp_path / "log", queue.SimpleQueue(), nice=5)
    try:
        assert psutil.Process(child.pid).nice() == 5
        session = Path(f"/proc/{child.pid}/autogroup")
        assert not session.exists() or session.read_text().split()[-1] == "5"
    finally:
        child.end(2.0)


@pytest.mark.skipif(sys.platform != "linux", reason="real-time scheduling as Linux has it")
def test_what_feeds_the_output_comes_before_every_ordinary_program(tmp_path):
    """Every thread of it, where the system grants it; the same call made here tells whether it does."""
    threads = "import sys, threading; threading.Thread(target=sys.stdin.read).start(); print('up', flush=True); sys.stdin.read()"
    program, mails = [sys.executable, "-c", threads], (queue.SimpleQueue(),) * 2
    ordinary, urgent = (WorkerProcess("worker", program, tmp_path / "log", mail, -1) for mail in mails)
    try:
        assert os.sched_getscheduler(ordinary.pid) == os.SCHED_OTHER
        for child in (ordinary, urgent):
            assert comes_true(lambda child=child: len(threads_of(child)) == 2)
        hurry(urgent.pid, 2)
        try:
            os.sched_setscheduler(ordinary.pid, os.SCHED_RR, os.sched_param(2))
        except PermissionError:
            assert os.sched_getscheduler(urgent.pid) == os.SCHED_OTHER
        else:
            for thread in threads_of(urgent):
                assert os.sched_getscheduler(thread) == os.SCHED_RR
                assert os.sched_getparam(thread).sched_priority == 2
    finally:
        ordinary.end(2.0)
        urgent.end(2.0)
    hurry(urgent.pid, 2)  # one that has ended is no matter


def threads_of(child: WorkerProcess) -> list[int]:
    return [int(thread.name) for thread in Path(f"/proc/{child.pid}/task").iterdir()]


@pytest.mark.parametrize(
    ("program", "said"),
    [("raise ImportError('this folder has a random.py')", "worker died (exit 1): ImportError: this folder has a random.py (see {log})"),
     ("raise SystemExit(4)", "worker died (exit 4)"),
     ("import ctypes; ctypes.string_at(8)",
      "worker died (exit -11, by signal 11: SIGSEGV, a fault inside a library, as where it gets no more memory)")],
)  # fmt: skip
def test_one_that_dies_tells_where_to_read_on_and_the_last_line_of_it(tmp_path: Path, program: str, said: str) -> None:
    log = tmp_path / "worker.log"
    child = WorkerProcess("worker", [sys.executable, "-c", program], log, queue.SimpleQueue())
    child.end(30.0)
    assert child.last_words() == said.format(log=log)


def test_a_virtual_bench_tells_its_story_in_its_log_and_no_reason(tmp_path: Path) -> None:
    log = tmp_path / "virtual_bench.log"
    program = "import sys; print('{}', file=sys.stderr); sys.exit(5)"
    child = WorkerProcess("virtual_bench", [sys.executable, "-c", program], log, queue.SimpleQueue())
    child.end(30.0)
    assert child.last_words() == "virtual_bench died (exit 5)"
