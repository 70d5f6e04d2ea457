"""Keeps RUN/state.json: where the test stands, for one who lets it go on after a crash or a power cut (`rig.resumption.state_file`)."""

from __future__ import annotations

import queue
import threading
import time

from rig.config.plan import Plan
from rig.host import clock
from rig.host.user import user_name
from rig.release import VERSION
from rig.resumption.state_file import State, boot_id, digest_of, write
from rig.supervision.limit_status import LimitStatus
from rig.trajectory import create
from rig.workers.messages import Report

EVERY = 0.5  # s
PATIENCE = 10.0  # s for a disk that takes its time at the end


class StateKeeper:
    """Writes in a thread of its own: a disk may take longer for it than the supervisor may be silent."""

    def __init__(self, plan: Plan, limits: LimitStatus) -> None:
        self._plan, self._limits, self._boot, self._operator = plan, limits, boot_id(), user_name()
        trajectory = plan.experiment.trajectory
        self._cycles = None if trajectory is None else create(trajectory).cycles
        self._texts = digest_of(plan.experiment_text, plan.bench_text)
        self._next, self._kept = 0.0, ""
        self._newest: queue.SimpleQueue[State | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.error: OSError | None = None

    def keep(self, bench: Report, state: str, block: str | None, outcome: str = "", reason: str = "") -> None:
        """Where the bench worker says that the test is; written when it is due, or has come to another state."""
        now = clock.now()
        if bench.get("sample") is None or (now < self._next and state == self._kept and not outcome):
            return
        self._next, self._kept = now + EVERY, state
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="state", daemon=True)
            self._thread.start()
        self._newest.put(self._state(bench, state, block, outcome, reason))

    def close(self) -> None:
        """The last one is on the disk, or the disk has had its time."""
        if self._thread is not None:
            self._newest.put(None)
            self._thread.join(PATIENCE)

    def _state(self, bench: Report, state: str, block: str | None, outcome: str, reason: str) -> State:
        place, sample, cycle = bench.get("place"), bench["sample"], bench.get("cycle", -1.0)
        resumption = self._plan.resumption
        assert sample is not None
        return State(
            run=self._plan.run,
            session=resumption.session if resumption else 1,
            state=state,
            outcome=outcome,
            reason=reason,
            written=time.time(),
            boot=self._boot,
            sample=sample + self._plan.first_sample,
            rate=bench.get("rate"),
            cycle=int(cycle) if cycle >= 0.0 else None,
            cycles_total=self._cycles,
            phase=bench.get("phase", 0.0),
            block=block,
            pace=place["pace"] if place else 1.0,
            changes=place["changes"] if place else {},
            correction=place["correction"] if place else None,
            repeated=bench.get("repeated", 0),
            memory=bench.get("memory", {}),
            learned=bench.get("learned", []),
            acting=self._limits.acting,
            operator=self._operator,
            plan_sha256=self._texts,
            rig_version=VERSION,
        )

    def _run(self) -> None:
        while (state := self._newest.get()) is not None:
            while not self._newest.empty():  # only the newest counts
                following = self._newest.get()
                if following is None:
                    self._newest.put(None)
                    break
                state = following
            try:
                write(self._plan.run_dir, state)
                self.error = None
            except OSError as error:
                self.error = error
