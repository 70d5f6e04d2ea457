"""What happens in a run, in order: kept for its outcome, sent to the recorder, told to whoever is to be notified."""

from __future__ import annotations

import time

from rig.config.plan import Plan
from rig.host import clock
from rig.supervision.limit_status import LimitStatus
from rig.supervision.notices import KIND, SOURCE, Notices
from rig.supervision.outcome import Outcome
from rig.supervision.process_group import ProcessGroup
from rig.workers.messages import EventMessage, Report, recorded


class EventLog:
    """`state` and `block`: of the test, as the bench's own events tell; `first_sample_at`: by `clock`, None before there was one.

    Events go into `result`, which is also told when the test began; `limits` takes the one that a limit has made.
    """

    def __init__(self, plan: Plan, group: ProcessGroup, result: Outcome, limits: LimitStatus) -> None:
        self._plan, self._group, self._result, self._limits = plan, group, result, limits
        self.notices = Notices(plan.bench.notify, plan.run, plan.run_dir)
        self.state = "ready"  # until the bench says more: nothing has begun, so nothing has stopped
        self.block: str | None = None
        self.first_sample_at: float | None = None
        self._begun, self._cpu_at_start, self._shown = 0.0, 0.0, 0

    def open(self) -> None:
        """The run begins."""
        self._begun = clock.now()
        self.notices.open()

    def note(self, event: EventMessage) -> None:
        """Something that a process has said. The bench's own tell the state."""
        event.setdefault("time_s", None)
        self._place(event)
        if event["kind"] == "block":
            self.block = event["text"]
        if state := event.get("state"):
            self.state = state
            if state == "starting" and self.first_sample_at is None:  # there may be a preparation before the test proper
                self._starts()
        self._limits.note(event)
        self._result.events.append(event)
        self.notices.note(event, self._bench())
        self._group.tell("recorder", "event", **recorded(event))

    def write(self, source: str, kind: str, text: str, sample: int | None = None) -> None:
        """Something that this process has found; sample: of the session (None: the newest)."""
        bench = self._bench()
        sample, rate = bench.get("sample") if sample is None else sample, bench.get("rate")
        time_s = sample / rate if sample is not None and rate else None
        self.note({"sample": sample, "time_s": time_s, "source": source, "kind": kind, "text": text})

    def hear_notified(self) -> None:
        """How the programs went that were told of this test."""
        for text in self.notices.take():
            self.write(SOURCE, KIND, text)

    def new(self) -> list[dict[str, str | int | float | None]]:
        """Events since the last call, as they are shown."""
        events = [recorded(event) for event in self._result.events[self._shown :]]
        self._shown = len(self._result.events)
        return events

    def over(self) -> None:
        """The motion has ended: how long the test was, and what it took."""
        if self.first_sample_at is not None:
            self._result.duration_s = clock.now() - self.first_sample_at
            self._result.cpu_cores = (self._group.cpu() - self._cpu_at_start) / max(self._result.duration_s, 1e-9)

    def _starts(self) -> None:
        self.first_sample_at = clock.now()
        self._result.begun_at = time.time()
        self._result.startup_s = self.first_sample_at - self._begun
        self._cpu_at_start = self._group.cpu()

    def _place(self, event: EventMessage) -> None:
        """In the whole record, where this is not the first session of its test."""
        if first := self._plan.first_sample:
            sample, time_s = event["sample"], event["time_s"]
            event["sample"] = None if sample is None else sample + first
            rate = self._bench().get("rate") or self._plan.experiment.acquisition.rate
            event["time_s"] = None if time_s is None else time_s + first / rate

    def _bench(self) -> Report:
        return self._group["bench"].report if "bench" in self._group else Report()
