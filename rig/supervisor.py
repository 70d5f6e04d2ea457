"""The supervisor: starts the processes of a run, follows its state, answers deaths and stops, and always ends everything.

States: stopped, starting, running, stopping, tripped. It touches no driver: the bench process acts, also when this one dies.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rig import streams
from rig.board import Board
from rig.children import Child, Mail, virtual_bench_command, worker_command
from rig.errors import RigError, WorkerDied
from rig.plan import Plan
from rig.processes import PROCESSES, SILENT_AFTER, WORKERS, Process

SETUP_PATIENCE = 60.0  # s for all workers to be ready
LISTEN_PATIENCE = 30.0  # s for the virtual bench to listen
DRAIN_PATIENCE = 20.0  # s for predictor and recorder to finish once the bench has ended
BENCH_PATIENCE = 1.5  # s for the bench to reach its safe state when everything must end
TICK = 0.05  # s
STATUS_EVERY = 0.2  # s between two status messages to the display
MEASURE_EVERY = 1.0  # s between two looks at CPU and memory


@dataclass
class Outcome:
    """How a run went."""

    outcome: str = "done"  # done, stopped, tripped, failed
    reason: str = ""
    startup_s: float | None = None
    duration_s: float = 0.0
    cpu_cores: float | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    processes: dict[str, dict[str, Any]] = field(default_factory=dict)
    figures: dict[str, dict[str, Any]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


SEVERITY = {"done": 0, "stopped": 1, "tripped": 2, "failed": 3}


class Supervisor:
    """One run. `watch` is called several times a second with the status, for a progress bar."""

    def __init__(self, plan: Plan, window: bool, watch: Callable[[dict[str, Any]], None]) -> None:
        self._plan, self._watch = plan, watch
        virtual = plan.bench.plant is not None and plan.bench.address is None
        wanted = {"always": True, "virtual": virtual, "window": window}
        self._table = [process for process in PROCESSES if wanted[process.when]]
        self._mail: Mail = queue.SimpleQueue()
        self._children: dict[str, Child] = {}
        self._gone: set[str] = set()
        self.state = "stopped"
        self.result = Outcome()
        self._stop_wanted: str | None = None
        self._stops = 0
        self._sent_stop = 0
        self._shown = 0
        self._first_sample_at: float | None = None
        self._next_status = self._next_measure = 0.0

    def stop(self, reason: str) -> None:
        """Ask for a ramped stop; asked a second time it is an interlock. Safe to call from a signal handler."""
        self._stop_wanted = reason
        self._stops += 1

    def run(self) -> Outcome:
        """The whole run. Raises nothing that a bench or a worker can cause: that is in the outcome."""
        self._begun = time.monotonic()
        self._board = Board.create(self._plan.rings / "board", WORKERS)
        try:
            self._start_all()
            if self._children["bench"].exit is None and not self._over():
                self._bench.send("start")
                self._follow()
        except WorkerDied as error:
            self._fail(str(error))
        finally:
            self._end_all()
            self._board.close()
        return self.result

    # -- start ---------------------------------------------------------------------------------------------------------------------

    @property
    def _bench(self) -> Child:
        return self._children["bench"]

    def _start_all(self) -> None:
        for process in self._table:
            if process.name != "bench":
                self._spawn(process)
        if "virtual_bench" in self._children:
            replace(self._plan, bench=replace(self._plan.bench, address=self._listening())).write()
        self._spawn(next(process for process in self._table if process.name == "bench"))
        deadline = time.monotonic() + SETUP_PATIENCE
        needed = [self._children[name] for name in ("bench", "predictor", "recorder")]
        while not all(child.ready for child in needed):
            self._tick()
            if self._over() or self._stop_wanted:
                return
            if unable := [child for child in needed if child.name in self._gone]:
                said = (unable[0].failure or {}).get("text", f"it ended with exit {unable[0].exit}")
                raise WorkerDied(f"{unable[0].name} did not start: {said}; see {self._plan.run_dir / unable[0].name}.log")
            if time.monotonic() > deadline:
                late = ", ".join(child.name for child in needed if not child.ready)
                raise WorkerDied(f"{late} not ready within {SETUP_PATIENCE:g} s; see the logs in {self._plan.run_dir}")

    def _spawn(self, process: Process) -> None:
        log = self._plan.run_dir / f"{process.name}.log"
        run_dir = self._plan.run_dir
        command = virtual_bench_command(run_dir) if process.name == "virtual_bench" else worker_command(process.name, run_dir)
        self._children[process.name] = Child(process.name, command, log, self._mail, process.nice)
        pids = {"supervisor": os.getpid()} | {name: child.pid for name, child in self._children.items()}
        (run_dir / "processes.json").write_text(json.dumps(pids) + "\n", encoding="utf-8")

    def _listening(self) -> str:
        deadline = time.monotonic() + LISTEN_PATIENCE
        while time.monotonic() < deadline:
            self._tick()
            text = self._children["virtual_bench"].report.get("listening")
            if text:
                return str(text)
            if "virtual_bench" in self._gone:
                break
        raise WorkerDied(f"the virtual bench did not come up; see {self._plan.run_dir / 'virtual_bench.log'}")

    # -- while it runs -------------------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        while "bench" not in self._gone and self._bench.figures is None:
            self._tick()
            self._forward_stop()
            if self._over() and "virtual_bench" in self._gone:
                return
        self._measure()

    def _over(self) -> bool:
        return self.result.outcome == "failed"

    def _forward_stop(self) -> None:
        if self._stop_wanted and self._sent_stop < self._stops:
            self._sent_stop = self._stops
            if self._stops == 1:
                self._bench.send("stop", reason=self._stop_wanted, outcome="stopped")
            else:
                self._bench.send("trip", reason=f"{self._stop_wanted}, twice")

    def _tick(self) -> None:
        """Take what has come in, look who died, tell the display and the progress bar."""
        try:
            name, message = self._mail.get(timeout=TICK)
            self._take(name, message)
            while True:
                self._take(*self._mail.get_nowait())
        except queue.Empty:
            pass
        for process in self._table:
            self._look_after(process)
        now = time.monotonic()
        if now >= self._next_status:
            self._next_status = now + STATUS_EVERY
            self._show_status()
        if now >= self._next_measure:
            self._next_measure = now + MEASURE_EVERY
            self._measure()

    def _take(self, name: str, message: dict[str, Any]) -> None:
        child, kind = self._children[name], message.pop("message")
        if kind == "report":
            child.report = message
        elif kind == "ready":
            child.ready = True
        elif kind == "event":
            self._note(message)
        elif kind == "failed":
            child.failure = message
            self._event(name, "failure", message["text"])
        elif kind == "closed":
            child.figures = message["figures"]
        elif kind == "request" and message["verb"] == "stop":
            self._bench.send("stop", reason=message["reason"], outcome=message.get("outcome", "stopped"))
        elif kind == "line" and message["text"].startswith("listening "):
            child.report = {"listening": message["text"].removeprefix("listening ").strip()}

    def _note(self, event: dict[str, Any]) -> None:
        """An event of a worker: kept, recorded, shown."""
        rate = self._rate()
        event.setdefault("time_s", event["sample"] / rate if event["sample"] is not None and rate else None)
        if event["kind"] == "state" and event.get("state"):
            self.state = event["state"]
            if self.state == "starting":
                self._first_sample_at = time.monotonic()
                self.result.startup_s = self._first_sample_at - self._begun
                self._cpu_at_start = self._cpu()
        self.result.events.append(event)
        if "recorder" in self._children:
            self._children["recorder"].send("event", **{key: event[key] for key in ("sample", "time_s", "source", "kind", "text")})

    def _event(self, source: str, kind: str, text: str) -> None:
        self._note({"sample": self._sample(), "source": source, "kind": kind, "text": text})

    def _rate(self) -> float | None:
        bench = self._children.get("bench")
        return bench.report.get("rate") if bench else None

    def _sample(self) -> int | None:
        bench = self._children.get("bench")
        return bench.report.get("sample") if bench else None

    # -- deaths --------------------------------------------------------------------------------------------------------------------

    def _look_after(self, process: Process) -> None:
        child = self._children.get(process.name)
        if child is None or process.name in self._gone:
            return
        if child.exit is None:
            if process.name in WORKERS and self._silent(process.name):
                child.kill()
                self._event(process.name, "death", f"{process.name} gave no sign of life for {SILENT_AFTER:g} s and was ended")
            else:
                return
        while child.failure is None and not child.figures and self._drain_one():
            pass
        self._gone.add(process.name)
        if process.name in WORKERS:
            self._board.gone(process.name)
        if child.exit != 0 or (process.name == "virtual_bench"):
            self._answer_death(process, child)

    def _drain_one(self) -> bool:
        """What a process said last may still be on its way."""
        try:
            name, message = self._mail.get(timeout=0.2)
        except queue.Empty:
            return False
        end = message["message"] == "eof"
        self._take(name, message)
        return not end

    def _silent(self, name: str) -> bool:
        alive = self._board.alive(name)
        return alive > 0.0 and self._children[name].ready and time.monotonic() - alive > SILENT_AFTER

    def _answer_death(self, process: Process, child: Child) -> None:
        said = child.failure["text"] if child.failure else f"{process.name} died (exit {child.exit})"
        if child.failure is None:
            self._event(process.name, "death", said)
        answer = process.on_death
        if answer == "ask":
            answer = "stop quietly" if self._plan.experiment.predictor.on_death == "stop" else "go on"
        if answer == "go on":
            self.result.warnings.append(said)
        elif answer == "stop quietly":
            self._end_as("tripped", said)
            self._stop_bench(said)
        elif answer == "stop":
            self._fail(said)
            self._stop_bench(said)
        else:
            self._fail(said)

    def _stop_bench(self, reason: str) -> None:
        if "bench" in self._children:
            self._bench.send("stop", reason=reason, outcome="tripped")

    def _fail(self, reason: str) -> None:
        self._end_as("failed", reason)

    def _end_as(self, outcome: str, reason: str) -> None:
        if SEVERITY[outcome] > SEVERITY[self.result.outcome]:
            self.result.outcome, self.result.reason = outcome, reason

    # -- status and figures --------------------------------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """What a display or a progress bar shows."""
        bench = self._children["bench"].report if "bench" in self._children else {}
        predictor = self._children["predictor"].report if "predictor" in self._children else {}
        rate = bench.get("rate") or 1.0
        return {
            "state": self.state,
            "time_s": bench.get("sample", 0) / rate,
            "duration_s": bench.get("end", 0) / rate,
            "cycle": int(bench.get("cycle", -1)),
            "lag_s": predictor.get("lag_s"),
            "lost": int(self._children["recorder"].report.get("lost_samples", 0)) if "recorder" in self._children else 0,
            "message": self.result.reason,
        }

    def _show_status(self) -> None:
        status = self.status()
        self._watch(status)
        if "display" in self._children:
            new = [event["text"] for event in self.result.events[self._shown :]]
            self._shown = len(self.result.events)
            self._children["display"].send("status", **status, events=new)

    def _measure(self) -> None:
        for child in self._children.values():
            child.measure()

    def _cpu(self) -> float:
        """CPU time of the rig's own processes, s (the virtual bench stands for hardware)."""
        self._measure()
        others = sum(float(child.usage["cpu_s"]) for name, child in self._children.items() if name != "virtual_bench")
        return time.process_time() + others

    # -- end -----------------------------------------------------------------------------------------------------------------------

    def _end_all(self) -> None:
        if self._first_sample_at is not None:
            self.result.duration_s = time.monotonic() - self._first_sample_at
            self.result.cpu_cores = (self._cpu() - self._cpu_at_start) / max(self.result.duration_s, 1e-9)
        failed = self._over()
        self._end_bench()
        deadline = time.monotonic() + (BENCH_PATIENCE if failed and "virtual_bench" in self._gone else DRAIN_PATIENCE)
        for name in ("predictor", "recorder", "display"):
            self._finish(name, deadline)
        self._end_virtual_bench()
        self._collect()

    def _end_bench(self) -> None:
        child = self._children.get("bench")
        if child is None:
            return
        child.end(BENCH_PATIENCE)  # the end of its input makes a bench that still moves interlock
        while self._drain_one():
            pass
        self._board.gone("bench")
        if child.figures and child.figures.get("outcome"):
            self._end_as(child.figures["outcome"], child.figures.get("reason", ""))
        if child.exit != 0 and not self._over():
            self._fail(child.failure["text"] if child.failure else f"bench died (exit {child.exit})")

    def _finish(self, name: str, deadline: float) -> None:
        child = self._children.get(name)
        if child is None:
            return
        child.send("finish")
        while child.exit is None and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self._take(*self._mail.get(timeout=TICK))
        child.end(0.5)
        while self._drain_one():
            pass
        self._board.gone(name)
        if name == "recorder" and child.exit != 0:
            self._fail(child.failure["text"] if child.failure else f"recorder died (exit {child.exit}); `rig recover {self._plan.run_dir}`")

    def _end_virtual_bench(self) -> None:
        child = self._children.get("virtual_bench")
        if child is None:
            return
        if self._over() and "virtual_bench" not in self._gone:
            time.sleep(next(process.linger for process in self._table if process.name == "virtual_bench"))
        child.end(2.0)

    def _collect(self) -> None:
        for name, child in self._children.items():
            self.result.processes[name] = child.usage
            if child.figures is not None:
                self.result.figures[name] = child.figures


def make_plan(plan: Plan) -> Plan:
    """Give the run its folder for the rings and write plan.json. Raises RigError when there is no room."""
    channels = 3 + len(plan.bench.channels) + 2 * len(plan.bench.channels) + 8
    acquisition = plan.experiment.acquisition
    streams.sweep()
    rings = streams.make_folder(8 * (channels + 4) * streams.capacity(acquisition.rate, acquisition.ring))
    plan = replace(plan, rings=rings)
    plan.write()
    return plan


def remove_rings(folder: Path) -> None:
    """Take the rings away when every process has ended."""
    streams.remove_folder(folder)
    if folder.exists():
        raise RigError(f"streams: {folder} could not be removed")
