"""One worker process: `python -m rig.workers.runtime NAME RUN_DIR`.

Commands come as JSON lines on standard input; its end means that the supervisor is gone. Reports, events and requests go out as
JSON lines on standard output. The loop beats on the board, so that a worker that hangs is seen as well as one that died.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from drivers.errors import DriverError
from model.errors import ModelError
from rig.config.plan import Plan
from rig.errors import RigError
from rig.host import clock, parent_watch
from rig.streaming import streams
from rig.streaming.heartbeat_table import HeartbeatTable
from rig.streaming.processes import LAST_READER, ROWS, row
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command

REPORT_EVERY = 0.2  # s
SWITCH_INTERVAL = 0.5e-3  # s
EXPECTED = (RigError, DriverError, ModelError, OSError, MemoryError)  # OSError: a folder that has gone, a disk that is full
RESERVE = 2**24
"""Bytes for coming to an end where there is no memory left: to say why, and to close the files. Never written to, so no page is used."""
MODULES = {
    "bench": "rig.workers.bench.worker", "predictor": "rig.workers.predictor.worker", "recorder": "rig.workers.recorder",
    "display": "rig.workers.display", "estimator": "rig.workers.estimator",
}  # fmt: skip
"""What each process is; no other is loaded by it."""
ONLY_COMPUTE = ("predictor", "estimator", "display")  # nothing moves by these, and nothing is lost with them

Inbox = queue.SimpleQueue[tuple[str, Command]]


class Worker(Protocol):
    """Four verbs and a flag; `command` takes what the supervisor sends."""

    done: bool

    def setup(self) -> None:
        """Open everything. Raises RigError, DriverError or ModelError with one clear message."""

    def step(self) -> float:
        """Do what is due; return the seconds to wait before the next call."""

    def report(self) -> Mapping[str, object]:
        """Progress, JSON-able."""

    def command(self, verb: str, data: Command) -> None:
        """Take a command; `orphaned` means that the supervisor is gone, `abandoned` that it has hung for SUPERVISOR_SILENT."""

    def close(self) -> Mapping[str, object]:
        """Everything into its safe state; returns the final figures, JSON-able."""


def _listen(inbox: Inbox, alone: threading.Event) -> None:
    # Half a line: who was writing it has been killed. No memory for it: nobody is heard any more, which comes to the same.
    with contextlib.suppress(ValueError, MemoryError):
        for line in sys.stdin:
            data = json.loads(line)
            inbox.put((data.pop("verb"), data))
    alone.set()
    inbox.put((ORPHANED, {}))


def _loop(worker: Worker, links: Links, inbox: Inbox) -> None:
    next_report = 0.0
    pause = 0.0
    told = False
    while not worker.done:
        links.beat()
        if links.abandoned and not told:
            told = True
            worker.command(ABANDONED, {})
        try:
            while True:
                verb, data = inbox.get(timeout=pause) if pause > 0 else inbox.get_nowait()
                worker.command(verb, data)
                pause = 0.0
        except queue.Empty:
            pass
        pause = worker.step()
        now = clock.now()
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
    board = HeartbeatTable(plan.rings / "board", ROWS)
    links = Links(sys.stdout, board, name)
    inbox: Inbox = queue.SimpleQueue()
    links.asked = lambda: not inbox.empty()
    threading.Thread(target=_listen, args=(inbox, links.alone), daemon=True).start()
    if name not in ONLY_COMPUTE:
        parent_watch.settled()
    links.beat()
    allowed = row(name, plan.bench.lines)
    worker: Worker | None = None
    reserve = bytearray(RESERVE)
    code = 0
    try:
        with links.signs_of_life(allowed.setup):
            worker = importlib.import_module(MODULES[name]).create(plan, links)
            gc.collect()  # not after the set-up: a start may come at any time then
            worker.setup()
        parent_watch.settled()
        gc.freeze()
        gc.enable()
        links.beat()  # the set-up may have taken long
        links.send("ready")
        _loop(worker, links, inbox)
    except EXPECTED as error:
        reserve.clear()
        code = links.failed(error)
    finally:
        board.gone(name)  # nobody waits for it any more
        if worker is not None:
            try:
                with links.signs_of_life(allowed.closing):
                    figures = worker.close()
                links.send("closed", figures=figures)
            except EXPECTED as error:
                reserve.clear()
                code = links.failed(error)
        said = links.said()
        if name == LAST_READER and links.alone.is_set():
            streams.remove_folder(plan.rings)  # the supervisor's part; what others still have mapped stays until they end
    if not said:
        os._exit(code)  # what keeps the last words from going out would keep the process from ending
    return code


if __name__ == "__main__":
    gc.disable()  # until it is set up: all that is loaded stays, and to look through it again and again takes a fifth of the time
    sys.exit(run(sys.argv[1], Path(sys.argv[2])))
