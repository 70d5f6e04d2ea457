"""A child that is still being set up ends when its parent dies; afterwards it looks after that by itself."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
print(sys.argv[1], __name__, flush=True)
time.sleep(60.0)
"""
NOBODY = 2**22 + 1  # above the largest process id of Linux


@pytest.fixture
def begin(tmp_path, monkeypatch):
    (tmp_path / "grown_up.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)

    def run(parent: int, word: str) -> subprocess.Popen[str]:
        begun = [sys.executable, "-m", "rig.host.begin", str(parent), "grown_up", word]
        return subprocess.Popen(begun, stdout=subprocess.PIPE, text=True)

    return run


def test_an_orphan_ends_in_the_middle_of_what_it_does(begin):
    with begin(NOBODY, "busy") as child:
        assert child.wait(30.0) == 3


def test_a_child_whose_parent_lives_goes_on_as_a_program(begin):
    with begin(os.getpid(), "busy") as child:
        assert child.stdout.readline() == "busy __main__\n"
        assert child.poll() is None
        child.kill()


def test_one_that_is_set_up_is_not_watched():
    """In a process of its own, which would end by it: the parent is missed only after it was set up."""
    code = f"""
import threading
from rig.host import parent_watch as w
w.EVERY = 20.0
w.follow({NOBODY})
w.settled()
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join(10.0)
        assert not thread.is_alive()"""
    assert subprocess.run([sys.executable, "-c", code], timeout=30.0, check=False).returncode == 0
