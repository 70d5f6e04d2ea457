"""Compiling is told once, when it takes longer than a moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from waiting import comes_true

from rig.console.compile_notice import Notice

ROOT = Path(__file__).parents[4]
PROGRAM = """
import sys
from rig.console import compile_notice
compile_notice.MOMENT = 0.0
compile_notice.Notice.__init__.__defaults__ = (0.0,)
compile_notice.watch()
assert "numba" not in sys.modules
import numba
@numba.njit("f8(f8)")
def twice(x):
    return 2.0 * x
@numba.njit("f8(f8)")
def thrice(x):
    return 3.0 * x
print(twice(1.0) + thrice(1.0))
"""


def test_it_is_told_once_and_only_what_lasts() -> None:
    said: list[str] = []
    quick = Notice(lambda: said.append("quick"), moment=1000.0)
    quick.begins()
    quick.ends()
    assert not said
    slow = Notice(lambda: said.append("slow"), moment=0.0)
    slow.begins()
    assert comes_true(lambda: said == ["slow"])
    slow.ends()
    slow.begins()
    assert slow._timer is None and said == ["slow"], "once"


def test_what_is_through_by_then_is_not_told_and_the_next_is() -> None:
    said: list[str] = []
    notice = Notice(lambda: said.append("told"), moment=1000.0)
    notice.begins()
    notice.ends()
    timer = notice._timer
    assert timer is not None
    timer.cancel()
    notice._look()
    assert not said and notice._timer is None
    notice.begins()
    assert notice._timer is not None
    notice._timer.cancel()
    notice._look()
    assert said == ["told"]


def test_numba_tells_it_and_is_not_loaded_for_it() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.stdout == "5.0\n", done.stderr
    assert done.stderr.count("compiling, which takes a minute or two") == 1 and done.stderr.count("\n") == 1
