"""What `rig check` says of the programs that are told of a test."""

from __future__ import annotations

import datetime
import socket
from collections.abc import Sequence
from typing import TypedDict

from rig.notification import program
from rig.notification.kinds import TRIAL
from rig.notification.notice import Notice
from rig.notification.sending import told
from rig.notification.settings import Notifier


class Told(TypedDict):
    """One program. `ok` is None where no trial was sent; `text` says what is wrong, or how the trial went."""

    program: list[str]
    on: list[str]
    usable: bool
    ok: bool | None
    text: str


def looked_at(notifiers: Sequence[Notifier], experiment: str, send: bool) -> list[Told]:
    """Whether each program can be started; send: one after the other gets a notice that is a trial."""
    return [_looked_at(notifier, experiment, send) for notifier in notifiers]


def _looked_at(notifier: Notifier, experiment: str, send: bool) -> Told:
    why = program.unusable(notifier.program)
    row: Told = {"program": [*notifier.program], "on": [*notifier.on], "usable": not why, "ok": None, "text": why}
    if send:
        text = f"a trial by rig check of {experiment}: nothing has happened"
        now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        ending = told(notifier, Notice(TRIAL, text, run=experiment, host=socket.gethostname(), at=now))
        row["ok"], row["text"] = ending.ok, ending.words
    return row


def in_lines(rows: Sequence[Told]) -> list[str]:
    """For a person."""
    if not rows:
        return []
    return ["", "is told:", *(f"  {' '.join(row['program'])}: {row['text'] or 'can be started'}" for row in rows)]


def doubts(rows: Sequence[Told]) -> list[str]:
    """Those that a test would tell nothing."""
    return [f"notify: {row['program'][0]}: {row['text']}" for row in rows if not row["usable"] or row["ok"] is False]
