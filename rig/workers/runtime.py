"""One worker process: `python -m rig.workers.runtime NAME RUN_DIR`.

Commands come as JSON lines on standard input; its end means that the supervisor is gone. Reports, events and requests go out as
JSON lines on standard output. The loop beats on the board, so that a worker that hangs is seen as well as one that died.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TextIO

from drivers.errors import DriverError
from model.errors import ModelError
from rig import streams
from rig.board import Board
from rig.errors import RigError
from rig.plan import Plan
from rig.processes import WORKERS

REPORT_EVERY = 0.2  # s
ORPHANED = "orphaned"
SWITCH_INTERVAL = 0.5e-3  # s
WAITING = 20.0  # s that all drives may take to come to their end: one that says nothing takes seconds
LAST_READER = "recorder"  # drains every stream before it ends


class Worker(Protocol):
    """Four verbs and a flag; `command` takes what the supervisor sends."""

    done: bool

    def setup(self) -> None:
        """Open everything. Raises RigError, DriverError or ModelError with one clear message."""

    def step(self) -> float:
        """Do what is due; return the seconds to wait before the next call."""

    def report(self) -> dict[str, Any]:
        """Progress, JSON-able."""

    def command(self, verb: str, data: dict[str, Any]) -> None:
        """Take a command; `orphaned` means that the supervisor is gone."""

    def close(self) -> dict[str, Any]:
        """Everything into its safe state; returns the final figures, JSON-able."""


class Links:
    """The worker's side of its pipes."""

    def __init__(self, out: TextIO, board: Board, name: str) -> None:
        self._out, self._board, self._name = out, board, name
        self._lock = threading.Lock()
        self.alone = threading.Event()
        """Set when the supervisor is gone."""
        self.asked: Callable[[], bool] = lambda: False
        """Whether a command waits to be taken."""

    def send(self, message: str, **data: Any) -> None:
        """One line to the supervisor; a supervisor that is gone hears nothing, which standard input tells by itself."""
        with self._lock:
            try:
                self._out.write(json.dumps({"message": message, **data}) + "\n")
                self._out.flush()
            except (BrokenPipeError, ValueError, OSError):
                return

    def event(self, sample: int | None, kind: str, text: str, **data: Any) -> None:
        """Something that belongs in the record."""
        self.send("event", sample=sample, source=self._name, kind=kind, text=text, **data)

    def request(self, verb: str, **data: Any) -> None:
        """Ask the supervisor for something: "stop"."""
        self.send("request", verb=verb, **data)

    def progress(self, sample: int) -> None:
        """No sample before this one is needed any more."""
        self._board.done(self._name, sample)

    def reached(self, name: str) -> int:
        """Sample up to which another process is done."""
        return self._board.reached(name)

    def beat(self) -> None:
        """A sign of life, for steps that take long."""
        self._board.beat(self._name)

    @contextlib.contextmanager
    def signs_of_life(self) -> Iterator[None]:
        """For as long as this lasts, WAITING at the most: a drive that says nothing is waited for, and that is no hanging."""
        over = threading.Event()

        def beat() -> None:
            deadline = time.monotonic() + WAITING
            while not over.wait(REPORT_EVERY) and time.monotonic() < deadline:
                self.beat()

        beating = threading.Thread(target=beat, daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()


def _listen(inbox: queue.SimpleQueue[tuple[str, dict[str, Any]]], alone: threading.Event) -> None:
    for line in sys.stdin:
        data = json.loads(line)
        inbox.put((data.pop("verb"), data))
    alone.set()
    inbox.put((ORPHANED, {}))


def _loop(worker: Worker, links: Links, inbox: queue.SimpleQueue[tuple[str, dict[str, Any]]]) -> None:
    next_report = 0.0
    pause = 0.0
    while not worker.done:
        links.beat()
        try:
            while True:
                verb, data = inbox.get(timeout=pause) if pause > 0 else inbox.get_nowait()
                worker.command(verb, data)
                pause = 0.0
        except queue.Empty:
            pass
        pause = worker.step()
        now = time.monotonic()
        if now >= next_report:
            links.send("report", **worker.report())
            next_report = now + REPORT_EVERY


def run(name: str, run_dir: Path) -> int:
    """Life of one worker; returns the exit code."""
    # The terminal's Ctrl-C reaches every process of the group; only the supervisor answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Threads of the protocol wait for each other by this time at the most; 5 ms, the default, is half a block.
    sys.setswitchinterval(SWITCH_INTERVAL)
    plan = Plan.read(run_dir, name)
    board = Board(plan.rings / "board", WORKERS)
    links = Links(sys.stdout, board, name)
    inbox: queue.SimpleQueue[tuple[str, dict[str, Any]]] = queue.SimpleQueue()
    links.asked = lambda: not inbox.empty()
    threading.Thread(target=_listen, args=(inbox, links.alone), daemon=True).start()
    links.beat()
    worker: Worker | None = None
    code = 0
    try:
        worker = importlib.import_module(f"rig.workers.{name}").create(plan, links)
        gc.collect()  # not after the set-up: a watchdog runs by then
        worker.setup()
        gc.freeze()
        links.beat()  # the set-up may have taken long
        links.send("ready")
        _loop(worker, links, inbox)
    except (RigError, DriverError, ModelError) as error:
        links.send("failed", text=str(error), error=type(error).__name__, exit_code=getattr(error, "exit_code", 3))
        code = 3
    finally:
        board.gone(name)  # nobody waits for it any more
        if worker is not None:
            with links.signs_of_life():
                figures = worker.close()
            links.send("closed", figures=figures)
        if name == LAST_READER and links.alone.is_set():
            streams.remove_folder(plan.rings)  # the supervisor's part; what others still have mapped stays until they end
    return code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], Path(sys.argv[2])))
