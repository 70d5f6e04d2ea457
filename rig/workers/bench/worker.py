"""The bench: owns all drivers. Sends the command, reads the channels, checks every block, brings everything to its safe state."""

from __future__ import annotations

from functools import partial

from drivers.errors import DriverError
from rig.config.plan import Plan
from rig.errors import BenchRefused
from rig.host import clock
from rig.signals.summary_statistics import statistics
from rig.streaming.processes import SUPERVISOR_SILENT
from rig.streaming.states import CAN_HOLD, HOLD, HOLDING, MOVING, RESUMING, RUNNING, STOPPED, STOPPING, TRIPPED, allowed
from rig.trajectory import Trajectory
from rig.workers.bench.actuation.interface import Session
from rig.workers.bench.block_timing import BlockTiming
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.finding import Finding
from rig.workers.bench.operation import VERBS, NotNow, operate
from rig.workers.bench.output import Ahead, Block
from rig.workers.bench.setpoints import setpoint
from rig.workers.bench.setpoints.setpoint import NOT_COUNTED
from rig.workers.bench.test_run import TestRun
from rig.workers.bench.watchdog_feeding import CalledOff
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command, Figures, PreparationFigures, Report

STRICT = {"recorder": 0, "predictor": 1}  # blocks that each may be behind where the device can wait: no death takes more than two away
IDLE = 0.01  # s between two looks for the start


class Bench:
    """States: see `rig.streaming.states`; `outcome` and `reason` say how it ended."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        self.done = False
        self.state, self.outcome, self.reason = STOPPED, "done", ""
        self._held_from = 0
        self._begun = self._asked_to_stop = self._asked_to_begin = False
        self._equipment = Equipment(plan, self._alive)
        self._trajectory: Trajectory | None = None
        self._turns: BlockTiming | None = None
        self._safe = True
        self._preparing: Session | None = None
        self._test: TestRun | None = None
        self._refused: str | None = None
        self._prepared: PreparationFigures | None = None
        # With this pace the device waits for the program, so the program can wait for its slowest reader.
        self._waits_for_readers = plan.bench.pace == "lockstep"

    # -- the four verbs ------------------------------------------------------------------------------------------------------------

    def setup(self) -> None:
        """Open every instrument, learn the real rate, make the rings; nothing moves."""
        self._trajectory = setpoint.read(self._plan.experiment)  # not between preparation and test: that can take long
        self._equipment.open(partial(self._event, None))

    def step(self) -> float:
        """One block."""
        if not self._begun:
            return IDLE
        if self._preparing is not None:
            if self._asked_to_begin and self.state == "starting" and self._waits_for_readers:
                return IDLE  # the device stands still meanwhile, and every run begins at the same sample
            self._prepare(self._preparing)
            return 0.0
        assert self._test is not None
        if self._waits_for_readers and any(self._links.reached(name) < self._test.awaited(behind) for name, behind in STRICT.items()):
            return 0.001
        assert self._turns is not None
        try:
            self._exchange(self._test, self._turns)
        except DriverError as error:
            if self._waits_for_readers:  # and for the program: it cannot be too slow
                raise
            raise self._turns.explained(error) from error
        self._advance_state(self._test)
        self._tell_readings()
        self._tell_blocks(self._test)
        return 0.0

    def report(self) -> Report:
        """State, sample, cycle and expected end."""
        test = self._test if self._begun else None
        sample, cycle, end = (test.n, test.cycle, test.end) if test else (None, NOT_COUNTED, 0)
        held = (sample - self._held_from) / self._rate if self.state == HOLD and sample is not None and self._rate else 0.0
        phase = test.phase if test else 0.0
        return {
            "state": self.state, "sample": sample, "cycle": cycle, "phase": phase, "held_s": held, "end": end, "rate": self._rate,
            "place": test.place() if test else None, "memory": self._equipment.watching.memory() if test else {},
            "repeated": test.repeated if test else 0, "running": test.running if test else "",
            "learned": self._equipment.watching.learned() if test else [],
        }  # fmt: skip

    def command(self, verb: str, data: Command) -> None:
        """start, begin (the test, after its preparation), stop (ramped), hold, resume, set, trip (interlock), orphaned (the supervisor is
        gone: interlock), abandoned (it hangs: ramped stop)."""
        if verb == "start":
            if not self.done:  # a stop may have come before it
                self._start()
        elif verb == "begin":
            if self._preparing is not None and self.state == "starting":
                self._preparing.conclude()
                self._end_preparation(self._preparing)
        elif verb == "stop":
            self._stop(data["reason"], data.get("outcome", "stopped"))
        elif verb in VERBS:
            self._operate(verb, data)
        elif verb == "trip" and self._begun:
            self._trip(data["reason"])
        elif verb == ABANDONED:
            self._waits_for_readers = False  # nobody would say which of them is gone
            self._stop(f"the supervisor gave no sign of life for {SUPERVISOR_SILENT:g} s", "failed")
        elif verb == ORPHANED:
            self.done = not self._begun
            self._waits_for_readers = False  # nobody is left to say who is gone
            if self._begun:
                self._trip("supervisor is gone")

    def close(self) -> Figures:
        """Interlock if anything may still move, then close every task."""
        for text in self._equipment.close(self._safe):
            self._event(self._n, "close", text)
        filled: Ahead = self._test.output_figures() if self._test else {"min_ahead_s": None, "delay_s": statistics([])}
        return {
            "outcome": self.outcome, "reason": self.reason, "samples": self._n or 0, "rate": self._rate,
            "ao": {"underflows": self._equipment.daq.underflows, **filled},
            "turns": (self._turns or BlockTiming(0.0)).figures(),
            "clocks": self._equipment.clocks(),
            "instruments": self._equipment.instruments.figures(),
            "control": self._test.control_figures() if self._test else None,
            "pacing": self._test.pacing_figures() if self._test else None,
            "preparation": self._prepared if self._preparing is None else self._preparation(self._preparing),
        }  # fmt: skip

    # -- transitions ---------------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._safe = False
        try:
            with self._links.signs_of_life():  # drives on slow lines take seconds
                self._begin()
        except CalledOff:  # what was asked for is answered next: nothing has begun
            self._equipment.actuation.trip()
            self._preparing = None

    def _begin(self) -> None:
        own = self._equipment
        assert own.grid is not None
        own.daq.start_watchdog()  # not before: nothing has power yet, and a computer that starts five programs may hold this one up
        self._preparing = own.actuation.session(own.rings.preparation, own.grid.block, partial(self._event, None, "preparation"))
        if self._preparing is None:
            self._start_test(None)
            return
        self._preparing.begin()
        own.daq.reset_watchdog()
        self._begun = True
        self._enter("starting", "preparation")

    def _alive(self) -> None:
        """While pumps and interlocks, which take seconds, are waited for. Raises CalledOff when a command waits."""
        self._links.beat()
        if self._links.asked() or self._links.abandoned:
            raise CalledOff
        self._equipment.daq.reset_watchdog()

    def _start_test(self, prepared: Session | None) -> None:
        assert self._equipment.grid is not None
        daq = self._equipment.daq
        begin = self._equipment.actuation.prepare(self._equipment.feedback, prepared)
        daq.reset_watchdog()  # nobody attends between two blocks, and what is done here takes some, on a slow computer many
        self._turns = BlockTiming(self._equipment.grid.block / self._equipment.grid.rate)
        self._test = TestRun(self._plan, self._trajectory, daq, self._equipment.actuation, self._equipment.grid, begin)
        if self._plan.resumption is not None:
            self._equipment.watching.recall(self._plan.resumption.memory)
        daq.reset_watchdog()
        self._test.begin()
        self._equipment.instruments.start()
        daq.reset_watchdog()
        self._begun = True
        self._enter("starting")

    def _advance_state(self, test: TestRun) -> None:
        if self.state == "starting":
            # One block has been read, so the volts out there equal the feedback.
            self._equipment.actuation.enable()
            self._enter("running")
        elif self.state == HOLDING and test.settled:
            self._enter(HOLD)
            self._held_from = test.n
        elif self.state == HOLD:
            self._watch_hold(test)
        elif self.state == RESUMING and test.settled:
            self._enter(RUNNING)
        elif self.state in ("running", "resuming", "stopping") and test.over:
            self._come_to_an_end(test)
        elif self.state == "running" and test.ending:
            self._enter("stopping", "end of the program")
        elif self.state == "tripped" and test.lowered:
            self._finish()

    def _operate(self, verb: str, data: Command) -> bool:
        """What an operator, or a limit, asks for; returns whether it is done."""
        try:
            act = operate(
                verb, data, self.state, self._test if self._preparing is None else None, self._equipment.actuation.no_hold,
                self._equipment.watching.learn_anew,
            )  # fmt: skip
        except NotNow as refused:
            self._links.answer(data.get("asked"), str(refused))
            if data.get("asked") is None:
                self._event(self._n, "operation", f"no {verb}: {refused}")
            return False
        if act.state == self.state:
            self._event(self._n, "operation", act.text)
        else:
            self._enter(act.state, act.text)
        for note in act.notes:
            self._event(self._n, "operation", note)
        self._links.answer(data.get("asked"))
        return True

    def _watch_hold(self, test: TestRun) -> None:
        longest = self._plan.experiment.hold.longest
        if longest is not None and self._rate and test.n - self._held_from > longest * self._rate:
            self._stop(f"held for {longest:g} s, as long as hold.longest allows", "stopped")

    def _come_to_an_end(self, test: TestRun) -> None:
        """Force mode has ended at zero force; in stroke mode the specimen may still be loaded."""
        if self._equipment.actuation.ends_loaded and not test.unloading:
            test.begin_unloading(*self._equipment.watching.force_and_stroke(test.last))
            if not test.unloaded:
                self._enter("stopping", "unloading")
        if (test.unloading and not test.unloaded) or not self._equipment.actuation.rests():
            return
        self._release()
        self._finish()

    def _release(self) -> None:
        with self._links.signs_of_life():
            self._equipment.actuation.release()
            if self._links.abandoned:
                self._equipment.actuation.trip()  # nobody follows what comes after, so nothing is left that could move

    def _finish(self) -> None:
        self._safe = True
        self._enter("stopped")
        self.done = True

    def _stop(self, reason: str, outcome: str) -> None:
        if not self._begun:
            self.outcome, self.reason, self.done = outcome, reason, True
        elif self._preparing is not None:
            if self.state == "starting":
                self.outcome, self.reason = outcome, reason
                self._preparing.call_off()
                self._enter("stopping", reason)
        elif self.state not in (TRIPPED, STOPPED) and not self._comes_to_rest:
            assert self._test is not None
            self.outcome, self.reason, self._asked_to_stop = outcome, reason, True
            self._test.stop()
            self._enter("stopping", reason)

    def _stop_unloaded(self, reason: str) -> None:
        """A stop that leaves no load. Force mode ends without any; in stroke mode what is filled ahead is taken back, and the specimen is
        unloaded from where it stands, instead of behind the ramp."""
        self._stop(reason, "tripped")
        if self._test is not None and self.state == "stopping" and self._equipment.actuation.ends_loaded:
            self._test.begin_unloading(*self._equipment.watching.force_and_stroke(self._test.last))

    def _trip(self, reason: str) -> None:
        if self.state == "tripped":
            return
        self._equipment.actuation.trip()  # first of all: the output waits behind what is filled ahead
        self.outcome, self.reason = "tripped", reason
        if self._preparing is not None:
            self._preparing.refuse()
        else:
            assert self._test is not None
            self._test.abort()
        self._enter("tripped", reason)

    @property
    def _comes_to_rest(self) -> bool:
        """No other stop can bring it to rest sooner; the end of a program can be cut short."""
        return self.state == "stopping" and (self._asked_to_stop or self._test is None or self._test.unloading)

    def _enter(self, state: str, why: str = "") -> None:
        if not allowed(self.state, state) and state != self.state:  # told, not raised: what moves has to come to its rest all the same
            text = f"{self.state} to {state} is no way of the table of states; this is a fault of the program, report it"
            self._event(self._n, "fault", text)
        self.state = state
        self._event(self._n, "state", f"{state}: {why}" if why else state, state=state)

    def _event(self, sample: int | None, kind: str, text: str, **data: object) -> None:
        time_s = None if sample is None or self._rate is None else sample / self._rate
        self._links.event(sample, kind, text, time_s=time_s, **data)

    @property
    def _n(self) -> int | None:
        """Sample of the test; None while there is none."""
        return self._test.n if self._test else None

    @property
    def _rate(self) -> float | None:
        return self._equipment.grid.rate if self._equipment.grid else None

    # -- before the test -----------------------------------------------------------------------------------------------------------

    def _prepare(self, preparing: Session) -> None:
        """One block of the preparation."""
        measured = self._equipment.read(preparing.behind)
        self._react(self._equipment.watching.before(preparing.sample, measured), before=True)
        try:
            preparing.take(measured)
        except BenchRefused as error:
            self._equipment.actuation.trip()
            preparing.refuse()
            self._event(None, "refused", f"{error.name}: {error.text}", name=error.name)
            self.outcome, self.reason, self._refused = "failed", f"preparation: {error}", error.name
            self._enter("tripped", self.reason)
        if self.state != "tripped":
            self._attend()
        else:
            self._equipment.attending.keep()
        if preparing.done:
            self._end_preparation(preparing)
        elif preparing.ready and not self._asked_to_begin:
            self._asked_to_begin = True
            self._links.request("begin")  # whose death would end the test may have died a moment ago

    def _preparation(self, preparing: Session) -> PreparationFigures:
        return {"duration_s": preparing.duration, "largest_force": preparing.largest, "refused": self._refused}

    def _end_preparation(self, preparing: Session) -> None:
        self._prepared = self._preparation(preparing)
        self._preparing = None
        if self.state == "starting":
            self._start_test(preparing)
        else:
            if self.state == "stopping":
                self._release()
            self._finish()

    # -- parts of a step -----------------------------------------------------------------------------------------------------------

    def _exchange(self, test: TestRun, turns: BlockTiming) -> None:
        """One block of the test."""
        reading = self._equipment.reading
        asked = clock.now()
        measured = reading.next()
        arrived = clock.now()
        command = test.command()
        findings = self._equipment.watching.test(test.n, command, measured, self.state)
        self._react(findings)
        self._follow_stop(test, command, measured)
        if self.state == "tripped":
            test.lower()
            self._equipment.attending.keep()
        elif test.unloading:
            self._unload(test, measured)
            self._attend()
        else:
            self._learn(test, command, measured, findings)
            more = reading.left > 0
            test.refill(reading.times, more)
            self._attend(more)
        read = self._equipment.instruments.take(reading.times, test.n + len(measured))
        calculated = self._equipment.watching.calculated
        self._equipment.rings.append(command, measured, calculated, self._equipment.actuation.take_feedback(), read)
        self._react(self._equipment.watching.instruments(read))
        test.passed(command, measured)
        turns.passed(asked, arrived, clock.now())

    def _tell_readings(self) -> None:
        for text, ends in self._equipment.instruments.take_notes():
            self._event(self._n, "instrument", text)
            if ends:
                self._stop(text, "tripped")

    def _react(self, findings: list[Finding], before: bool = False) -> None:
        """before: nothing has begun that could be ramped down, and the samples are not the test's."""
        for found in findings:
            action = "interlock" if before and found.action in ("hold", "stop", "unload") else found.action
            at_rest = self._comes_to_rest and action in ("stop", "unload")
            if self.state == TRIPPED or at_rest or (action == "hold" and self.state not in CAN_HOLD):
                continue
            self._event(None if before else found.sample, found.kind, found.message, limit=found.limit)
            if action == "interlock":
                self._trip(self._with_cause(found.text))
            elif action == "stop" or (action == "hold" and not self._operate("hold", {"reason": found.text, "at_once": True})):
                self._stop(self._with_cause(found.text), "tripped")
            elif action == "unload":
                self._stop_unloaded(self._with_cause(found.text))

    def _with_cause(self, reason: str) -> str:
        """A loop that cannot give what an outer loop asks of it may pass a limit before the outer loop gives up: both are named. So may a
        drive that has stopped by itself."""
        if stopped := self._equipment.actuation.cause():
            return f"{stopped}; then {reason}"
        cause = self._test.out_of_reach() if self._test else ""
        return f"{reason}; {cause}" if cause else reason

    def _follow_stop(self, test: TestRun, command: Block, measured: Block) -> None:
        """A stop is a ramp; what does not follow it loses its pressure. The end of a program is its own wave, and no such ramp."""
        if self.state != STOPPING or not self._asked_to_stop or test.unloading:
            return
        if left := self._equipment.watching.stop(test.n, command, measured):
            self._event(left.sample, left.kind, left.message)
            self._trip(f"{self.reason}; then {left.text}" if self.reason else left.text)

    def _learn(self, test: TestRun, command: Block, measured: Block, findings: list[Finding]) -> None:
        """What came back corrects what goes out next; a block in which a limit was passed teaches nothing."""
        if self.state not in MOVING:
            return
        held = "" if self.state == RUNNING else "the test was held"
        for paced in test.pace(command, measured, self.state == RUNNING):
            self._event(paced.sample, "pacing", paced.text)
            if paced.hold and self.state == RUNNING and not self._operate("hold", {"reason": paced.text, "at_once": True}):
                self._stop(paced.text, "tripped")
        for note in test.learn(command, measured, findings[0].text if findings else held):
            self._event(note.sample, "control", note.text)
            if note.stop:
                self._stop(note.text, "tripped")

    def _attend(self, more: bool = False) -> None:
        """Heartbeat, watchdog, the controller's own state."""
        if fault := self._equipment.attending.attend(more):
            self._event(self._n, "interlock", fault)
            self._trip(fault)

    def _unload(self, test: TestRun, measured: Block) -> None:
        try:
            if done := test.unload(*self._equipment.watching.force_and_stroke(measured)):
                self._event(self._n, "unloading", done)
        except BenchRefused as error:
            self._trip(str(error))

    def _tell_blocks(self, test: TestRun) -> None:
        """The record says at which sample each block of a program began."""
        if self.state == "running":
            for sample, text in test.begun_blocks():
                self._event(sample, "block", text)


def create(plan: Plan, links: Links) -> Bench:
    """The bench worker."""
    return Bench(plan, links)
