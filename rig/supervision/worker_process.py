"""The processes of a run as the supervisor sees them: start, talk, watch, end."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import psutil

from drivers.interpreter import environment, python
from rig.console.outbox import Outbox
from rig.host import clock
from rig.streaming.processes import LAST_READER, VIRTUAL_BENCH
from rig.workers.messages import Figures, Message, Report


# The terminal's Ctrl-C is the supervisor's to answer, and so is the end of the terminal: on Windows both go to every program of a console,
# so that a child has a group of its own and a console of its own, which nobody sees.
class _Apart(TypedDict, total=False):
    creationflags: int
    start_new_session: bool


_APART: _Apart
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
else:
    _APART = {"start_new_session": True}
Mail = queue.SimpleQueue[tuple[str, str, Message]]
KILLED_WITHIN = 2.0  # s: one that waits for a disk that does not answer cannot be ended, and is not waited for


STANDING = {
    psutil.STATUS_STOPPED: "it had been stopped (SIGSTOP, Ctrl-Z)",
    psutil.STATUS_TRACING_STOP: "a debugger held it",
    psutil.STATUS_DISK_SLEEP: "it waited for a disk that did not answer",
}


MEANING = {
    "SIGSEGV": ", a fault inside a library, as where it gets no more memory",
    "SIGABRT": ", given up inside a library, as where it gets no more memory",
    "SIGBUS": ", as where a disk or the shared memory is full",
    "SIGKILL": ", ended from outside: by somebody, or by the system where memory is short",
}
"""What may be behind an end by a signal."""


class Usage(TypedDict):
    """What a process has taken so far, and its exit code; None while it runs."""

    cpu_s: float
    rss_max_bytes: int
    exit: int | None


class WorkerProcess:
    """One process. Its lines of JSON arrive in `mail` as (name, kind, message); lines that are not JSON as of the kind "line".

    `take` keeps what is about the process itself: ready, report, failure, final figures, `silent` once its output has ended.
    """

    def __init__(self, name: str, command: Sequence[str], log: Path, mail: Mail, nice: int = 0) -> None:
        self.name, self.ready, self.silent = name, False, False
        self.figures: Figures | None = None
        self.report: Report = {}
        self.ports: dict[str, str] = {}
        self.failure: Message | None = None
        self.usage: Usage = {"cpu_s": 0.0, "rss_max_bytes": 0, "exit": None}
        self._log = log
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8",
                env={**environment(), "PYTHONIOENCODING": "utf-8"}, **_APART,
            )  # fmt: skip
        assert self._process.stdin is not None
        self._outbox = Outbox(self._process.stdin)
        self.started = clock.now()
        self._watched = psutil.Process(self._process.pid)
        prefer(self._watched.pid, nice)
        self._reader = threading.Thread(target=self._listen, args=(mail,), daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit(self) -> int | None:
        """Exit code; None while it runs."""
        return self._process.poll()

    def send(self, verb: str, **data: object) -> None:
        """One command. A process that is gone hears nothing (its end is seen by `exit`), one that hangs keeps nobody waiting."""
        self._outbox.put(json.dumps({"verb": verb, **data}))

    def take(self, kind: str, message: Message) -> None:
        """Keep what the process says about itself."""
        if kind == "ready":
            self.ready = True
        elif kind == "report":
            self.report = message
        elif kind == "failed":
            self.failure = message
        elif kind == "closed":
            self.figures = message["figures"]
        elif kind == "end of output":
            self.silent = True
        elif kind == "line" and message["text"].startswith("listening "):
            self.report = {"listening": message["text"].removeprefix("listening ").strip()}
        elif kind == "line" and message["text"].startswith("serial "):
            name, _, port = message["text"].removeprefix("serial ").strip().rpartition(" ")
            self.ports[name] = port

    def last_words(self) -> str:
        """Why it ended, in words. What a worker wrote into its log is the end of a traceback; a virtual bench tells its story there."""
        if self.failure:
            return self.failure["text"]
        died = f"{self.name} died (exit {self.exit}{_signal_of(self.exit)})"
        with contextlib.suppress(OSError):  # with the folder of the run
            if self.name != VIRTUAL_BENCH and (said := self._log.read_text(encoding="utf-8", errors="replace").strip()):
                return f"{died}: {said.splitlines()[-1].strip()} (see {self._log})"
        return died

    def standing(self) -> str:
        """In words what keeps a process that gives no sign of life, as far as the system tells; empty where it does not."""
        with contextlib.suppress(psutil.Error):
            return STANDING.get(self._watched.status(), "")
        return ""

    def measure(self) -> None:
        """Note CPU time and memory while it can still be asked."""
        with contextlib.suppress(psutil.Error):
            with self._watched.oneshot():
                times, memory = self._watched.cpu_times(), self._watched.memory_info()
            self.usage["cpu_s"] = times.user + times.system
            self.usage["rss_max_bytes"] = max(self.usage["rss_max_bytes"], memory.rss)
        self.usage["exit"] = self.exit

    def close_input(self) -> None:
        """Behind the last command; a process takes that as the end."""
        self._outbox.close()

    def end(self, patience: float) -> None:
        """Close its input, wait `patience` s, then kill."""
        self.measure()
        self.close_input()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
        self._reader.join(1.0)
        self.usage["exit"] = self.exit

    def kill(self) -> None:
        """End it now. One that the system does not end, because it waits for a disk, is left to itself; `exit` stays None then."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILLED_WITHIN)

    def _listen(self, mail: Mail) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = json.loads(line)
                mail.put((self.name, message.pop("message"), message))
            except json.JSONDecodeError:
                mail.put((self.name, "line", {"text": line.rstrip("\n")}))
        mail.put((self.name, "end of output", {}))


def _signal_of(code: int | None) -> str:
    """By which signal a process ended, in words; empty where it ended by itself."""
    if sys.platform == "win32" or code is None or code >= 0:
        return ""
    try:
        name = signal.Signals(-code).name
    except ValueError:
        return f", by signal {-code}"
    return f", by signal {-code}: {name}{MEANING.get(name, '')}"


def prefer(pid: int, nice: int) -> None:
    """Give a process its priority before it has threads; a user who may not do that gets the ordinary one.

    Linux weighs sessions against each other first (autogroups), and every process here has a session of its own: the priority of a
    process alone would count for nothing against other people's programs.
    """
    if sys.platform == "win32" or nice == 0:
        return
    with contextlib.suppress(psutil.Error, OSError):
        psutil.Process(pid).nice(nice)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(f"{nice}\n", encoding="ascii")


def hurry(pid: int, priority: int) -> None:
    """Give a process, with every thread that it has, a real-time priority (round robin), which counts before all others.

    For one that has been set up: who loads and compiles for seconds would keep everybody else from working.
    """
    if sys.platform != "linux" or not priority:
        return
    given: set[int] = set()
    with contextlib.suppress(OSError):
        while threads := {int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()} - given:  # some are begun meanwhile
            for thread in threads:
                with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                    os.sched_setscheduler(thread, os.SCHED_RR, os.sched_param(priority))
            given |= threads


def worker_command(name: str, run_dir: Path) -> list[str]:
    """How a worker is started."""
    if name == LAST_READER:  # it has to tidy up behind the others
        return python("-m", "rig.workers.runtime", name, str(run_dir))
    return [*_begin(), "rig.workers.runtime", name, str(run_dir)]


def virtual_bench_command(run_dir: Path) -> list[str]:
    """How the simulated hardware of a virtual bench is started: a program of its own, which ends when this one does."""
    return [*_begin(), "rig.virtual.virtual_bench", "--plan", str(run_dir), "--port", "0", "--with-parent"]


def _begin() -> list[str]:
    return python("-m", "rig.host.begin", str(os.getpid()))
