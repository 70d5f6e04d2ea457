"""Priorities of the processes of a run."""

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
