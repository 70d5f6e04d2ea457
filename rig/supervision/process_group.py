"""All processes of a run together: started, heard, watched, measured, ended. What a death means is the supervisor's to say."""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from rig.host import clock
from rig.streaming.heartbeat_table import HeartbeatTable
from rig.streaming.processes import ROWS, SETUP_SILENT, SUPERVISOR, SUPERVISOR_SILENT, VIRTUAL_BENCH, WORKERS, Process
from rig.supervision.worker_process import Mail, WorkerProcess, hurry, virtual_bench_command, worker_command
from rig.workers.messages import Message

TICK = 0.05  # s that the mail is waited for
HEAR_OUT = 1.0  # s for the last words of a process that has ended
AWAY = 2.0  # s without a sign of life of this process after which it looks anew at who is silent
Handler = Callable[[str, str, Message], None]


class ProcessGroup:
    """`handler(name, kind, message)` gets everything that a process says, after the process's own entry has taken it.

    hurry: a clock runs that waits for nobody, so the processes get their priorities.
    """

    def __init__(self, table: Iterable[Process], run_dir: Path, rings: Path, handler: Handler, hurry: bool) -> None:
        self.table = {process.name: process for process in table}
        self.members: dict[str, WorkerProcess] = {}
        self.gone: set[str] = set()
        self.board = HeartbeatTable.create(rings / "board", ROWS)
        self.board.beat(SUPERVISOR)
        self.stood = 0.0
        """s that this process itself gave no sign of life, at the longest: beyond SUPERVISOR_SILENT the others have brought the test to its
        end."""
        self._back = -math.inf  # clock.now() at which it went on after it had been AWAY
        self._run_dir, self._handler, self._hurry = run_dir, handler, hurry
        self._mail: Mail = queue.SimpleQueue()
        self._equipped = math.inf if VIRTUAL_BENCH in self.table else -math.inf  # when the hardware was there, by `clock`

    def __getitem__(self, name: str) -> WorkerProcess:
        return self.members[name]

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def start(self, name: str) -> WorkerProcess:
        """Start one process of the table; processes.json tells its id to whoever looks from outside. A sign of life: on a computer that has
        much to do one takes seconds, and several are started behind each other."""
        self.beat()
        command = virtual_bench_command(self._run_dir) if name == VIRTUAL_BENCH else worker_command(name, self._run_dir)
        nice = self.table[name].nice if self._hurry else 0
        child = WorkerProcess(name, command, self._run_dir / f"{name}.log", self._mail, nice)
        self.members[name] = child
        pids = {"supervisor": os.getpid()} | {name: member.pid for name, member in self.members.items()}
        new = self._run_dir / "processes.json.new"
        new.write_text(json.dumps(pids) + "\n", encoding="utf-8")
        new.replace(self._run_dir / "processes.json")  # who looks never sees half of it
        return child

    def hurry(self, name: str) -> None:
        """Its real-time priority to a process that has been set up."""
        if self._hurry and name in self.members and self.members[name].exit is None:
            hurry(self.members[name].pid, self.table[name].real_time)

    def tell(self, name: str, verb: str, **data: object) -> None:
        """One command to a process, when the run has it."""
        if name in self.members:
            self.members[name].send(verb, **data)

    def listen(self) -> None:
        """Take what has come in; wait a little when there is nothing. A sign of life: whoever waits for something calls this meanwhile."""
        self.beat()
        with contextlib.suppress(queue.Empty):
            self._take(*self._mail.get(timeout=TICK))
            while True:
                self._take(*self._mail.get_nowait())

    def newly_dead(self) -> list[tuple[Process, WorkerProcess]]:
        """Processes found to have ended since the last call, heard out; one that shows no sign of life is ended."""
        found = []
        for name, child in self.members.items():
            if name in self.gone:
                continue
            if self._end_if_it_hangs(name) or child.exit is not None:
                self._bury(name)
                found.append((self.table[name], child))
        return found

    def end(self, name: str, patience: float) -> WorkerProcess | None:
        """Close a process's input, wait, then kill; it is heard out. None when the run does not have it."""
        child = self.members.get(name)
        if child is not None:
            child.close_input()
            self.wait_for(name, clock.now() + patience)
            child.end(0.0)
            self._bury(name)
        return child

    def wait_for(self, name: str, deadline: float) -> None:
        """Listen until a process has ended by itself or hangs, at most until `deadline` (clock.now())."""
        while name in self.members and self.members[name].exit is None and clock.now() < deadline:
            self.listen()
            if self._end_if_it_hangs(name):
                return

    def beat(self) -> None:
        """A sign of life of this process; how long there was none is kept in `stood`."""
        silent = self.board.silent(SUPERVISOR)
        self.board.beat(SUPERVISOR)
        if silent > AWAY:  # where the whole computer stood still, the others may not have had their turn yet
            self._back = clock.now()
        if silent > SUPERVISOR_SILENT:
            self.stood = max(self.stood, silent)

    def measure(self) -> None:
        """Note CPU time and memory of all."""
        for child in self.members.values():
            child.measure()

    def equipped(self) -> None:
        """The hardware is there: set-ups are timed from here, as some wait for what is behind it. Until then only signs of life count."""
        self._equipped = clock.now()

    def cpu(self) -> float:
        """CPU time of the rig's own processes, this one included, s (the virtual bench stands for hardware)."""
        self.measure()
        others = sum(float(child.usage["cpu_s"]) for name, child in self.members.items() if name != VIRTUAL_BENCH)
        return time.process_time() + others

    def _take(self, name: str, kind: str, message: Message) -> None:
        self.members[name].take(kind, message)
        self._handler(name, kind, message)

    def hear_out(self, name: str) -> None:
        """Take the last words of a process that has ended, which are on their way."""
        child, deadline = self.members[name], clock.now() + HEAR_OUT
        while not child.silent and clock.now() < deadline:
            self.listen()

    def _bury(self, name: str) -> None:
        """Hear a process out and mark its row, so that nobody waits for it."""
        self.hear_out(name)
        self.gone.add(name)
        if name in WORKERS:
            self.board.gone(name)

    def _end_if_it_hangs(self, name: str) -> bool:
        child = self.members[name]
        if child.exit is not None or not (what := self._hangs(name)):
            return False
        why = child.standing() or self._hardware_stands()
        child.kill()
        child.failure = {"text": f"{name} {what} and was ended" + (f": {why}" if why else "")}
        return True

    def _hardware_stands(self) -> str:
        """In words that the simulated hardware does: whoever waits for it hangs with it."""
        stands = self.members[VIRTUAL_BENCH].standing() if VIRTUAL_BENCH in self.members else ""
        return f"it waited for {VIRTUAL_BENCH}, of which the system says: {stands}" if stands else ""

    def _hangs(self, name: str) -> str:
        """In words; empty while there is nothing to be said against it."""
        if name not in WORKERS:
            return ""
        now, row, child = clock.now(), self.table[name], self.members[name]
        if not child.ready and now - max(child.started, self._equipped) > row.setup:
            return f"was not ready within {row.setup:g} s (see {name}.log in {self._run_dir}; `rig warmup` compiles everything ahead)"
        most = row.silent if child.ready else SETUP_SILENT
        silent = now - max(self.board.alive(name), child.started, self._back)
        return f"gave no sign of life for {most:g} s" if silent > most else ""
