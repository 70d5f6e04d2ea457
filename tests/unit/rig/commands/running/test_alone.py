"""One session of a test at a time, its judgement included."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from rig.commands.records import verify
from rig.commands.running.alone import LOCK, alone, need_nobody
from rig.errors import ConfigError
from rig.streaming import streams


def test_nobody_else_meanwhile_and_nothing_is_left_of_it(tmp_path: Path) -> None:
    with alone(tmp_path):
        for attempt in (lambda: need_nobody(tmp_path), lambda: alone(tmp_path).__enter__()):
            with pytest.raises(ConfigError, match=r"is at work on this test.*nothing was done"):
                attempt()
        with pytest.raises(ConfigError, match="is at work on this test"):
            verify.execute(argparse.Namespace(run=tmp_path))
    need_nobody(tmp_path)
    assert not (tmp_path / LOCK).exists()


def test_one_that_was_killed_stands_in_nobody_s_way(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (tmp_path / LOCK).write_text(f"{process.pid} {streams.start_time(process.pid)}", encoding="ascii")
    with pytest.raises(ConfigError, match=f"process {process.pid}"):
        need_nobody(tmp_path)
    process.kill()
    process.communicate()
    with alone(tmp_path):
        pass


@pytest.mark.parametrize("text", ["", "12", "not a number 7"])
def test_a_lock_that_says_nothing_holds_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / LOCK).write_text(text, encoding="ascii")
    with alone(tmp_path):
        assert (tmp_path / LOCK).read_text(encoding="ascii") != text


def test_a_disk_that_lets_nothing_go_hides_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system", str(path))

    with alone(tmp_path):
        monkeypatch.setattr(Path, "unlink", read_only)
    assert (tmp_path / LOCK).exists()
