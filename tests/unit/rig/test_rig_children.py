"""Priorities of the processes of a run."""

import os
import queue
import sys
from pathlib import Path

import psutil
import pytest

from rig.children import Child

WAITS = [sys.executable, "-c", "import sys; sys.stdin.read()"]


@pytest.mark.skipif(sys.platform != "linux", reason="sessions are weighed against each other on Linux only")
def test_a_priority_counts_against_other_sessions(tmp_path):
    """Each process has a session of its own, and Linux shares the processor among sessions first."""
    child = Child("worker", WAITS, tmp_path / "log", queue.SimpleQueue(), nice=5)
    try:
        assert psutil.Process(child.pid).nice() == 5
        session = Path(f"/proc/{child.pid}/autogroup")
        assert not session.exists() or session.read_text().split()[-1] == "5"
    finally:
        child.end(2.0)


@pytest.mark.skipif(sys.platform != "linux", reason="real-time scheduling as Linux has it")
def test_what_feeds_the_output_comes_before_every_ordinary_program(tmp_path):
    """Where the system grants it; the same call made here tells whether it does."""
    ordinary, urgent = (Child("worker", WAITS, tmp_path / "log", queue.SimpleQueue(), -1, priority) for priority in (0, 2))
    try:
        assert os.sched_getscheduler(ordinary.pid) == os.SCHED_OTHER
        try:
            os.sched_setscheduler(ordinary.pid, os.SCHED_RR, os.sched_param(2))
        except PermissionError:
            assert os.sched_getscheduler(urgent.pid) == os.SCHED_OTHER
        else:
            assert os.sched_getscheduler(urgent.pid) == os.SCHED_RR
            assert os.sched_getparam(urgent.pid).sched_priority == 2
    finally:
        ordinary.end(2.0)
        urgent.end(2.0)
