"""The states that a test goes through: what brings each of them about, and how the test comes to rest.

By the table of states (`rig.streaming.states`). Nothing here reads a block or fills one: that is `block_exchange`.
"""

from __future__ import annotations

from rig.config.plan import Plan
from rig.streaming.states import HOLD, HOLDING, RESUMING, RUNNING, STOPPED, STOPPING, TRIPPED, allowed
from rig.workers.bench.actuation.interface import Session
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.operation import NotNow, operate
from rig.workers.bench.test_run import TestRun
from rig.workers.links import Links
from rig.workers.messages import Command


class Course:
    """`state`; `outcome` and `reason` say how it ended; `begun`: something may move, and `safe` that nothing can; `done`: nothing is left.

    `preparing` goes before `test`: one of the two is there once it has begun.
    """

    def __init__(self, plan: Plan, links: Links, equipment: Equipment) -> None:
        self._longest, self._links, self._equipment = plan.experiment.hold.longest, links, equipment
        self.state, self.outcome, self.reason = STOPPED, "done", ""
        self.done = self.begun = self.asked_to_stop = False
        self.safe = True
        self.preparing: Session | None = None
        self.test: TestRun | None = None
        self._held_from = 0

    @property
    def n(self) -> int | None:
        """Sample of the test; None while there is none."""
        return self.test.n if self.test else None

    @property
    def rate(self) -> float | None:
        """Of the samples, Hz; None before the device is open."""
        return self._equipment.grid.rate if self._equipment.grid else None

    @property
    def held(self) -> float:
        """s that the test has been held, this time."""
        n, rate = self.n, self.rate
        return (n - self._held_from) / rate if self.state == HOLD and n is not None and rate else 0.0

    @property
    def comes_to_rest(self) -> bool:
        """No other stop can bring it to rest sooner; the end of a program can be cut short."""
        return self.state == STOPPING and (self.asked_to_stop or self.test is None or self.test.unloading)

    def event(self, sample: int | None, kind: str, text: str, **data: object) -> None:
        """Something that belongs in the record."""
        time_s = None if sample is None or self.rate is None else sample / self.rate
        self._links.event(sample, kind, text, time_s=time_s, **data)

    def enter(self, state: str, why: str = "") -> None:
        """Another state, told and recorded."""
        if not allowed(self.state, state) and state != self.state:  # told, not raised: what moves has to come to its rest all the same
            text = f"{self.state} to {state} is no way of the table of states; this is a fault of the program, report it"
            self.event(self.n, "fault", text)
        self.state = state
        self.event(self.n, "state", f"{state}: {why}" if why else state, state=state)

    def advance(self, test: TestRun) -> None:
        """To the state that follows, where the block that has just passed has brought it about."""
        if self.state == "starting":
            # One block has been read, so the volts out there equal the feedback.
            self._equipment.actuation.enable()
            self.enter(RUNNING)
        elif self.state == HOLDING and test.settled:
            self.enter(HOLD)
            self._held_from = test.n
        elif self.state == HOLD:
            self._watch_hold()
        elif self.state == RESUMING and test.settled:
            self.enter(RUNNING)
        elif self.state in (RUNNING, RESUMING, STOPPING) and test.over:
            self._come_to_an_end(test)
        elif self.state == RUNNING and test.ending:
            self.enter(STOPPING, "end of the program")
        elif self.state == TRIPPED and test.lowered:
            self.finish()

    def operate(self, verb: str, data: Command) -> bool:
        """What an operator, or a limit, asks for; returns whether it is done."""
        try:
            act = operate(
                verb, data, self.state, self.test if self.preparing is None else None, self._equipment.actuation.no_hold,
                self._equipment.watching.learn_anew,
            )  # fmt: skip
        except NotNow as refused:
            self._links.answer(data.get("asked"), str(refused))
            if data.get("asked") is None:
                self.event(self.n, "operation", f"no {verb}: {refused}")
            return False
        if act.state == self.state:
            self.event(self.n, "operation", act.text)
        else:
            self.enter(act.state, act.text)
        for note in act.notes:
            self.event(self.n, "operation", note)
        self._links.answer(data.get("asked"))
        return True

    def stop(self, reason: str, outcome: str) -> None:
        """By a ramp."""
        if not self.begun:
            self.outcome, self.reason, self.done = outcome, reason, True
        elif self.preparing is not None:
            if self.state == "starting":
                self.outcome, self.reason = outcome, reason
                self.preparing.call_off()
                self.enter(STOPPING, reason)
        elif self.state not in (TRIPPED, STOPPED) and not self.comes_to_rest:
            assert self.test is not None
            self.outcome, self.reason, self.asked_to_stop = outcome, reason, True
            self.test.stop()
            self.enter(STOPPING, reason)

    def stop_unloaded(self, reason: str) -> None:
        """A stop that leaves no load. Force mode ends without any; in stroke mode what is filled ahead is taken back, and the specimen is
        unloaded from where it stands, instead of behind the ramp."""
        self.stop(reason, "tripped")
        if self.test is not None and self.state == STOPPING and self._equipment.actuation.ends_loaded:
            self.test.begin_unloading(*self._equipment.watching.force_and_stroke(self.test.last))

    def trip(self, reason: str) -> None:
        """By the interlock, at once."""
        if self.state == TRIPPED:
            return
        self._equipment.actuation.trip()  # first of all: the output waits behind what is filled ahead
        self.outcome, self.reason = "tripped", reason
        if self.preparing is not None:
            self.preparing.refuse()
        else:
            assert self.test is not None
            self.test.abort()
        self.enter(TRIPPED, reason)

    def release(self) -> None:
        """What moves is let go."""
        with self._links.signs_of_life():
            self._equipment.actuation.release()
            if self._links.abandoned:
                self._equipment.actuation.trip()  # nobody follows what comes after, so nothing is left that could move

    def finish(self) -> None:
        """At rest."""
        self.safe = True
        self.enter(STOPPED)
        self.done = True

    def _watch_hold(self) -> None:
        if self._longest is not None and self.held > self._longest:
            self.stop(f"held for {self._longest:g} s, as long as hold.longest allows", "stopped")

    def _come_to_an_end(self, test: TestRun) -> None:
        """Force mode has ended at zero force; in stroke mode the specimen may still be loaded."""
        if self._equipment.actuation.ends_loaded and not test.unloading:
            test.begin_unloading(*self._equipment.watching.force_and_stroke(test.last))
            if not test.unloaded:
                self.enter(STOPPING, "unloading")
        if (test.unloading and not test.unloaded) or not self._equipment.actuation.rests():
            return
        self.release()
        self.finish()
