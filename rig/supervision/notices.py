"""The side of a running test that tells others of it: a process beside it does, and nothing here waits before the test has ended."""

from __future__ import annotations

import contextlib
import datetime
import json
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from drivers.interpreter import environment, python
from rig.console.outbox import Outbox
from rig.host import clock
from rig.notification import program
from rig.notification.kinds import kind_of, kinds_of_end
from rig.notification.notice import Notice
from rig.notification.settings import Notifier
from rig.workers.messages import EventMessage, Report

LOG = "notify.log"
OUT = 2.0  # s beyond what its programs may take that the process is waited for at the end
SOURCE = KIND = "notify"


class Notices:
    """Of one run. Without notifiers nothing is started, and every call does nothing."""

    def __init__(self, notifiers: Sequence[Notifier], run: str, run_dir: Path) -> None:
        self._notifiers = notifiers
        self._known = Notice("end", "", run=run, run_dir=str(run_dir.resolve()), host=socket.gethostname())
        self._process: subprocess.Popen[str] | None = None
        self._replies: queue.SimpleQueue[dict[str, object] | None] = queue.SimpleQueue()
        self._state = ""
        self.warnings: list[str] = []

    def open(self) -> None:
        """Start the process. What is wrong with a program is said once; a test runs without it."""
        if not self._notifiers:
            return
        for notifier in self._notifiers:
            if why := program.unusable(notifier.program):
                self._reply(f"{notifier.called}: cannot be told of anything: {why}", False)
        try:
            self._start()
        except OSError as error:
            self._reply(f"nobody is told of this test: {error.strerror or error}", False)

    def note(self, event: EventMessage, report: Report) -> None:
        """Tell of an event, where it is one that is told; report: newest of the bench worker."""
        before, state = self._state, event.get("state")
        self._state = state or before
        if self._process is None or (kind := kind_of(event["kind"], event["text"], before, state)) is None:
            return
        cycle = report.get("cycle", -1.0)
        notice = replace(
            self._known, notice=kind, text=event["text"], at=_now(), state=self._state, source=event["source"], kind=event["kind"],
            sample=event["sample"], time_s=event["time_s"], cycle=int(cycle) if cycle >= 0.0 else None,
        )  # fmt: skip
        self._send(notice=asdict(notice))

    def take(self) -> list[str]:
        """How programs have gone since the last call, in words; those that went wrong are `warnings`, too."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                if (reply := self._replies.get_nowait()) is not None:
                    found.append(self._heard(reply))
        return found

    def over(self) -> None:
        """Nothing moves any more."""
        self._send(over=True)

    def ended(self, outcome: str, verdict: str, text: str) -> list[str]:
        """Tell of the end, and wait until all programs have ended: their longest time limit, program.LONGEST_BEYOND and OUT at most.
        Returns how they went."""
        if self._process is None:
            return self.take()
        end = replace(self._known, text=text, at=_now(), state=self._state, outcome=outcome, verdict=verdict)
        self._send(end=[asdict(replace(end, notice=kind)) for kind in kinds_of_end(outcome)])
        deadline = clock.now() + max(one.time_limit for one in self._notifiers) + program.LONGEST_BEYOND + OUT
        found, more = self.take(), True
        while more and (left := deadline - clock.now()) > 0.0:
            with contextlib.suppress(queue.Empty):
                reply = self._replies.get(timeout=left)
                more = reply is not None
                found += [self._heard(reply)] if reply is not None else []
        self.close()
        return found

    def close(self) -> None:
        """End the process, where it has not ended by itself."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(OUT)
            self._outbox.close()
            self._process = None

    def _start(self) -> None:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        with (Path(self._known.run_dir) / LOG).open("ab") as log:
            self._process = subprocess.Popen(
                python("-m", "rig.notification.process"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                encoding="utf-8", env={**environment(), "PYTHONIOENCODING": "utf-8"},
                start_new_session=sys.platform != "win32", creationflags=flags,
            )  # fmt: skip
        assert self._process is not None and self._process.stdin is not None
        self._outbox = Outbox(self._process.stdin)
        threading.Thread(target=self._listen, args=(self._process,), name="notices", daemon=True).start()
        self._send(notifiers=[asdict(one) for one in self._notifiers], run=asdict(self._known))

    def _send(self, **message: object) -> None:
        if self._process is not None:
            self._outbox.put(json.dumps(message))

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                self._replies.put(json.loads(line))
        self._replies.put(None)

    def _reply(self, text: str, ok: bool) -> None:
        self._replies.put({"text": text, "ok": ok})

    def _heard(self, reply: dict[str, object]) -> str:
        text = str(reply["text"])
        if not reply["ok"] and len(self.warnings) < 10:  # one that fails all night fills no table
            self.warnings.append(f"notify: {text}")
        return text


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
