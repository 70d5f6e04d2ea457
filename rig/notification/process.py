"""A program of its own that tells others of a test: `python -m rig.notification.process`, started by the supervisor, which waits for none.

Lines of JSON come in: the notifiers; notices; that the test is over; how it ended. Lines go out, one a program that has run. Where its
input ends before that, who gave it is gone, and this is told as well: nobody else is left to do it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from rig.notification.notice import Notice, from_json
from rig.notification.sending import Sending
from rig.notification.settings import Notifier

NICE = 10  # programs have the same: a test comes before
IDLE, BUSY = 3600.0, 0.2  # s between two looks
GONE = "the program that ran this test has died or was killed; what it moved is brought to rest by the bench worker, or by its watchdog"
NO_END = "the test came to its end, but the program died before it could say how it went"


class Teller:
    """What comes in, one line after the other."""

    def __init__(self) -> None:
        self.done = False
        self._sending: Sending | None = None
        self._last, self._over = Notice("end", ""), False
        self._lock = threading.Lock()

    def take(self, line: str | None) -> None:
        """One line; None: the end of the input."""
        data: dict[str, Any] = json.loads(line) if line else {"gone": True}
        if "notifiers" in data:
            self._sending = Sending([_notifier(one) for one in data["notifiers"]], self._say)
            self._last = from_json(data["run"])
        elif "notice" in data:
            self._last = from_json(data["notice"])
            self._need.note(self._last)
        elif "over" in data:
            self._over = True
        elif "end" in data:
            self._end([from_json(one) for one in data["end"]])
        elif "gone" in data and self._sending is not None:
            known = replace(self._last, text=NO_END if self._over else GONE, kind="death", source="supervisor", state="", count=1)
            self._end([replace(known, notice="death"), replace(known, notice="failed"), replace(known, notice="end")])

    def step(self) -> float:
        """Start what is due; s until the next look."""
        if self._sending is None:
            return IDLE
        wait = self._sending.step()
        return IDLE if wait > IDLE else max(BUSY, wait)

    def _end(self, notices: list[Notice]) -> None:
        self._need.at_once(notices)
        self._need.wait()
        self.done = True

    @property
    def _need(self) -> Sending:
        assert self._sending is not None, "the first line names the notifiers"
        return self._sending

    def _say(self, text: str, ok: bool) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):  # nobody is left to read it
            print(json.dumps({"text": text, "ok": ok}), flush=True)


def _notifier(data: dict[str, object]) -> Notifier:
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return Notifier(**{**data, **lists})  # type: ignore[arg-type]


def _prefer_others() -> None:
    """Linux weighs sessions against each other first."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.nice(NICE)
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(f"{NICE}\n", encoding="ascii")


def main() -> None:
    """Until the end of the input, or of the test."""
    _prefer_others()
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, name="input", daemon=True).start()
    teller, pause = Teller(), IDLE
    while not teller.done:
        with contextlib.suppress(queue.Empty):
            line = lines.get(timeout=pause)
            teller.take(line)
            if line is None:
                break
        pause = teller.step()
    sys.stdout.flush()
    os._exit(0)  # threads that read what a program's children still hold open are not waited for


if __name__ == "__main__":
    main()
