"""What `rig check` says of the programs that are told of a test, and the trial that it sends them."""

from __future__ import annotations

import json
from pathlib import Path

from rig.commands.bench.notifying import doubts, in_lines, looked_at
from rig.notification.settings import Notifier


def test_without_a_trial_it_says_only_whether_they_can_be_started(tmp_path: Path) -> None:
    rows = looked_at([Notifier(("/bin/sh", "-c", f"cat > {tmp_path}/told")), Notifier(("nobody-has-this",))], "linkage", send=False)
    assert [(row["usable"], row["ok"]) for row in rows] == [(True, None), (False, None)] and not (tmp_path / "told").exists()
    assert doubts(rows) == ["notify: nobody-has-this: nobody-has-this: not found on the PATH"]
    assert in_lines(rows)[2].endswith(": can be started") and in_lines([]) == []


def test_a_trial_goes_to_each_whatever_it_listens_to(tmp_path: Path) -> None:
    well = Notifier(("/bin/sh", "-c", f"cat > {tmp_path}/told"), on=("trip",))
    rows = looked_at([well, Notifier(("/bin/false",)), Notifier(("/bin/sleep", "60"), time_limit=0.2)], "linkage", send=True)
    assert [row["ok"] for row in rows] == [True, False, False] and len(doubts(rows)) == 2
    told = json.loads((tmp_path / "told").read_text())
    assert told["notice"] == "trial" and "nothing has happened" in told["text"] and told["run"] == "linkage"
