"""One test in a program of its own: started, asked, stopped."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.bluesky.status import Status
from rig.errors import ConfigError, RigError
from rig.supervision.operation_client import NotRunning, ask

LOOK_EVERY = 0.05  # s
RECORDED = "recorded in "
"""With which `rig run` tells the folder of the run."""
DONE, STOPPED = ("done", "verdict_failed"), "stopped"
BEFORE = ("stopped", "starting")
"""States of a test that has not begun."""


class NotDone(RigError):
    """A test that did not come to its end: refused, stopped, tripped or failed."""


class RunningTest:
    """`rig run WORDS`. started: the command follows its trajectory. ended: nothing moves any more, the record is whole; an error where
    the test did not come to its end, unless by `stop`. over: the same, and never an error."""

    def __init__(self, words: Sequence[str]) -> None:
        self.started, self.ended, self.over = Status(), Status(), Status()
        self.folder: Path | None = None
        self.result: Mapping[str, Json] = {}
        self._asked_to_stop = False
        self._aside = tempfile.TemporaryDirectory(prefix="clearance-rig-")
        self._told, self._said = Path(self._aside.name) / "told", Path(self._aside.name) / "said"
        with self._told.open("wb") as told, self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "rig.bluesky.child", "run", *words],
                stdin=subprocess.PIPE, stdout=told, stderr=said, start_new_session=True,
            )  # fmt: skip  # a session of its own: Ctrl-C is for the RunEngine, which pauses
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Ask for a ramped stop, in whatever state the test is; returns at once."""
        self._asked_to_stop = self._asked_to_stop or not self.over.done
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def ask(self, verb: str, **data: Json) -> Mapping[str, Json]:
        """Of the operator's verbs. Raises NotRunning before the test has a folder and behind its end; Refused, RigError."""
        if self.folder is None or self.over.done:
            raise NotRunning("no test runs")
        return ask(self.folder, verb, **data)

    @property
    def state(self) -> str:
        """One of rig.streaming.states; stopped where nothing runs."""
        try:
            return str(table(self.ask("status")["status"])["state"])
        except (ConfigError, RigError):
            return "stopped"

    def _watch(self) -> None:
        while self._process.poll() is None:
            self.folder = self.folder or self._its_folder()
            if self.folder and not self.started.done and self.state not in BEFORE:
                self.started.finish()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK_EVERY)
        error = self._error()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._aside.cleanup()
        for status, what in ((self.over, None), (self.started, error), (self.ended, error)):
            status.finish(what)

    def _its_folder(self) -> Path | None:
        lines = (line for line in _text(self._said).splitlines(keepends=True) if line.startswith(RECORDED) and line.endswith("\n"))
        return next((Path(line.removeprefix(RECORDED).strip()) for line in lines), None)

    def _error(self) -> NotDone | None:
        """Of a test that has ended; its result is known then."""
        self.folder = self.folder or self._its_folder()
        with contextlib.suppress(ValueError, TypeError):
            self.result = table(json.loads(_text(self._told)))
        outcome = str(self.result.get("outcome", "failed"))
        if outcome in DONE or (outcome == STOPPED and self._asked_to_stop):
            return None
        lines = _text(self._said).strip().splitlines()
        why = self.result.get("reason") or self.result.get("error") or self.result.get("problems") or (lines[-1] if lines else "")
        return NotDone(f"{self.folder.name if self.folder else 'rig run'}: {outcome}: {why}")


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
