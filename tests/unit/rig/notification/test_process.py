"""The process beside a test, given its lines: what goes out, and what it does when whoever gave them is gone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from drivers.interpreter import environment, python
from rig.notification.notice import Notice
from rig.notification.sending import MOST
from rig.notification.settings import Notifier

KEEPS = "import os, sys; open(sys.argv[1], 'a').write(os.environ['RIG_NOTICE'] + ' ' + os.environ['RIG_COUNT'] + '\\n')"


class Beside:
    """It, and the files that its programs write."""

    def __init__(self, folder: Path, *notifiers: Notifier) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            python("-m", "rig.notification.process"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()
        )
        self.say(notifiers=[asdict(one) for one in notifiers], run=asdict(Notice("end", "", run="0001-test")))

    def say(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def notice(self, kind: str) -> None:
        self.say(notice=asdict(Notice(kind, f"it has come to {kind}")))

    def end(self) -> list[str]:
        out, _ = self.process.communicate(timeout=60.0)
        assert self.process.returncode == 0
        return [json.loads(line)["text"] for line in out.splitlines()]


def keeping(file: Path, **keys: Any) -> Notifier:
    return Notifier((sys.executable, "-S", "-c", KEEPS, str(file)), **keys)


def test_what_comes_is_told_and_the_end_waits_for_nothing_that_hangs(tmp_path: Path) -> None:
    hangs = Notifier(("/bin/sleep", "600"), on=("limit", "trip"), time_limit=1.0, every=0.0)
    started = time.monotonic()
    beside = Beside(tmp_path, hangs, keeping(tmp_path / "told", on=("trip", "limit", "end")))
    for _ in range(200):
        beside.notice("limit")
    beside.notice("trip")
    deadline = time.monotonic() + 30.0
    while not (tmp_path / "told").exists() or "trip" not in (tmp_path / "told").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    begun = time.monotonic()
    beside.say(end=[asdict(Notice("failed", "")), asdict(Notice("end", ""))])
    said = beside.end()
    assert time.monotonic() - begun < 20.0
    lines = (tmp_path / "told").read_text().splitlines()
    assert lines.count("trip 1") == 1 and lines[-1] == "end 1" and lines[0].startswith("limit ")
    rounds = 1.0 + (time.monotonic() - started) / 1.0  # of the time limit; a busy machine has more of them
    assert sum("sleep: told of" in text and "time limit" in text for text in said) <= MOST * rounds  # not 200 at once, and all have ended
    left = [text for text in said if "not told of" in text]
    counted = sum(int(line.split()[1]) for line in lines if line.startswith("limit"))
    rest = next((int(text.split(": ")[1].split()[0]) for text in left if "limit" in text and "python" in text), 0)
    assert counted + rest == 200


@pytest.mark.parametrize("over", [False, True])
def test_when_whoever_ran_the_test_is_gone_that_is_told(tmp_path: Path, over: bool) -> None:
    beside = Beside(
        tmp_path, keeping(tmp_path / "death", on=("death",)), keeping(tmp_path / "end", on=("end",)), keeping(tmp_path / "no", on=("lag",))
    )
    if over:
        beside.say(over=True)
    assert beside.process.stdin is not None
    beside.process.stdin.close()
    beside.process.stdin = None
    beside.end()
    assert (
        (tmp_path / "death").read_text() == "death 1\n" and (tmp_path / "end").read_text() == "end 1\n" and not (tmp_path / "no").exists()
    )
