"""The supervisor's side of notices: what it hands on, what it is told back, and how long the end of a test may wait."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rig.notification import program
from rig.notification.settings import Notifier
from rig.supervision.notices import OUT, Notices
from rig.workers.messages import EventMessage

KEEPS = "import os, sys; open(sys.argv[1], 'a').write(' '.join(os.environ['RIG_' + one] for one in sys.argv[2:]) + '\\n')"


def event(kind: str, text: str, state: str | None = None) -> EventMessage:
    made: EventMessage = {"sample": 512, "time_s": 0.01, "source": "bench", "kind": kind, "text": text}
    return {**made, "state": state} if state else made


def test_without_notifiers_nothing_is_started_and_nothing_waited_for(tmp_path: Path) -> None:
    notices = Notices((), "0001-test", tmp_path)
    notices.open()
    notices.note(event("state", "tripped: x", "tripped"), {})
    notices.over()
    assert notices.take() == [] and notices.ended("done", "pass", "") == [] and not (tmp_path / "notify.log").exists()


def test_states_and_findings_are_told_with_their_place_in_the_test(tmp_path: Path) -> None:
    file = tmp_path / "told"
    fields = ("NOTICE", "STATE", "CYCLE", "SAMPLE", "OUTCOME", "TEXT")
    notices = Notices([Notifier((sys.executable, "-S", "-c", KEEPS, str(file), *fields), on=("hold", "end"))], "0001-test", tmp_path)
    notices.open()
    notices.note(event("state", "running", "running"), {"cycle": 7.0})
    notices.note(event("state", "holding: by me", "holding"), {"cycle": 7.0})
    deadline = time.monotonic() + 30.0
    while not (found := notices.take()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert "told of hold: exit 0" in found[0]
    notices.over()
    assert "told of end: exit 0" in notices.ended("done", "pass", "done")[0]
    assert file.read_text().splitlines() == ["hold holding 7 512  holding: by me", "end holding   done done"]
    assert notices.warnings == []


def test_the_end_waits_no_longer_than_its_bound_for_a_program_that_hangs(tmp_path: Path) -> None:
    notices = Notices([Notifier(("/bin/sleep", "600"), time_limit=0.5), Notifier(("nobody-has-this",))], "0001-test", tmp_path)
    notices.open()
    begun = time.monotonic()
    found = notices.ended("failed", "none", "")
    assert time.monotonic() - begun < 10.0 + program.LONGEST_BEYOND + OUT
    assert any("sleep: told of failed: ended, as it took longer" in text for text in found)
    assert any("nobody-has-this: cannot be told of anything" in text for text in notices.warnings)


def test_where_the_process_was_killed_the_end_does_not_wait(tmp_path: Path) -> None:
    notices = Notices([Notifier(("/bin/true",))], "0001-test", tmp_path)
    notices.open()
    assert notices._process is not None
    notices._process.kill()
    begun = time.monotonic()
    assert notices.ended("done", "pass", "") == [] and time.monotonic() - begun < 5.0
