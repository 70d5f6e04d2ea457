"""One block of a test: what came back is read and checked, what was found is answered, the next block goes out."""

from __future__ import annotations

from rig.errors import BenchRefused
from rig.host import clock
from rig.streaming.states import CAN_HOLD, MOVING, RUNNING, STOPPING, TRIPPED
from rig.workers.bench.block_timing import BlockTiming
from rig.workers.bench.course import Course
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.finding import Finding
from rig.workers.bench.output import Block
from rig.workers.bench.test_run import TestRun


class BlockExchange:
    """Tells `course` what the blocks show; changes no state by itself."""

    def __init__(self, course: Course, equipment: Equipment) -> None:
        self._course, self._equipment = course, equipment

    def exchange(self, test: TestRun, turns: BlockTiming) -> None:
        """One block. Raises DriverError."""
        reading, equipment = self._equipment.reading, self._equipment
        asked = clock.now()
        measured = reading.next()
        arrived = clock.now()
        command = test.command()
        findings = equipment.watching.test(test.n, command, measured, self._course.state)
        self.react(findings)
        self._follow_stop(test, command, measured)
        if self._course.state == TRIPPED:
            test.lower()
            equipment.attending.keep()
        elif test.unloading:
            self._unload(test, measured)
            self.attend()
        else:
            self._learn(test, command, measured, findings)
            more = reading.left > 0
            test.refill(reading.times, more)
            self.attend(more)
        read = equipment.instruments.take(reading.times, test.n + len(measured))
        equipment.rings.append(command, measured, equipment.watching.calculated, equipment.actuation.take_feedback(), read)
        self.react(equipment.watching.instruments(read))
        test.passed(command, measured)
        turns.passed(asked, arrived, clock.now())

    def react(self, findings: list[Finding], before: bool = False) -> None:
        """before: nothing has begun that could be ramped down, and the samples are not the test's."""
        course = self._course
        for found in findings:
            action = "interlock" if before and found.action in ("hold", "stop", "unload") else found.action
            at_rest = course.comes_to_rest and action in ("stop", "unload")
            if course.state == TRIPPED or at_rest or (action == "hold" and course.state not in CAN_HOLD):
                continue
            course.event(None if before else found.sample, found.kind, found.message, limit=found.limit)
            if action == "interlock":
                course.trip(self._with_cause(found.text))
            elif action == "stop" or (action == "hold" and not self._hold(found.text)):
                course.stop(self._with_cause(found.text), "tripped")
            elif action == "unload":
                course.stop_unloaded(self._with_cause(found.text))

    def attend(self, more: bool = False) -> None:
        """Heartbeat, watchdog, the controller's own state."""
        if fault := self._equipment.attending.attend(more):
            self._course.event(self._course.n, "interlock", fault)
            self._course.trip(fault)

    def tell(self, test: TestRun) -> None:
        """Notes of the instruments; and at which sample each block of a program began, which the record says."""
        for text, ends in self._equipment.instruments.take_notes():
            self._course.event(self._course.n, "instrument", text)
            if ends:
                self._course.stop(text, "tripped")
        if self._course.state == RUNNING:
            for sample, text in test.begun_blocks():
                self._course.event(sample, "block", text)

    def _hold(self, reason: str) -> bool:
        return self._course.operate("hold", {"reason": reason, "at_once": True})

    def _with_cause(self, reason: str) -> str:
        """A loop that cannot give what an outer loop asks of it may pass a limit before the outer loop gives up: both are named. So may a
        drive that has stopped by itself."""
        if stopped := self._equipment.actuation.cause():
            return f"{stopped}; then {reason}"
        cause = self._course.test.out_of_reach() if self._course.test else ""
        return f"{reason}; {cause}" if cause else reason

    def _follow_stop(self, test: TestRun, command: Block, measured: Block) -> None:
        """A stop is a ramp; what does not follow it loses its pressure. The end of a program is its own wave, and no such ramp."""
        course = self._course
        if course.state != STOPPING or not course.asked_to_stop or test.unloading:
            return
        if left := self._equipment.watching.stop(test.n, command, measured):
            course.event(left.sample, left.kind, left.message)
            course.trip(f"{course.reason}; then {left.text}" if course.reason else left.text)

    def _learn(self, test: TestRun, command: Block, measured: Block, findings: list[Finding]) -> None:
        """What came back corrects what goes out next; a block in which a limit was passed teaches nothing."""
        course = self._course
        if course.state not in MOVING:
            return
        held = "" if course.state == RUNNING else "the test was held"
        for paced in test.pace(command, measured, course.state == RUNNING):
            course.event(paced.sample, "pacing", paced.text)
            if paced.hold and course.state == RUNNING and not self._hold(paced.text):
                course.stop(paced.text, "tripped")
        for note in test.learn(command, measured, findings[0].text if findings else held):
            course.event(note.sample, "control", note.text)
            if note.stop:
                course.stop(note.text, "tripped")

    def _unload(self, test: TestRun, measured: Block) -> None:
        try:
            if done := test.unload(*self._equipment.watching.force_and_stroke(measured)):
                self._course.event(self._course.n, "unloading", done)
        except BenchRefused as error:
            self._course.trip(str(error))
