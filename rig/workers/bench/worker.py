"""The bench: owns all drivers. Sends the command, reads the channels, checks every block, brings everything to its safe state."""

from __future__ import annotations

from functools import partial

from drivers.errors import DriverError
from rig.config.plan import Plan
from rig.signals.summary_statistics import statistics
from rig.streaming.processes import SUPERVISOR_SILENT
from rig.workers.bench.before_test import STARTING, BeforeTest
from rig.workers.bench.block_exchange import BlockExchange
from rig.workers.bench.block_timing import BlockTiming
from rig.workers.bench.course import Course
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.operation import VERBS
from rig.workers.bench.output import Ahead
from rig.workers.bench.setpoints import setpoint
from rig.workers.bench.setpoints.setpoint import NOT_COUNTED
from rig.workers.bench.test_run import TestRun
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command, Figures, Report

STRICT = {
    "recorder": 0,
    "predictor": 1,
    "estimator": 1,
}  # blocks that each may be behind where the device can wait: no death takes more than two away
IDLE = 0.01  # s between two looks for the start


class Bench:
    """The four verbs of a worker. Where a test is, and how it ended, is in `course`."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        self._equipment = Equipment(plan, lambda: self._before.alive(), links.gone)
        self.course = Course(plan, links, self._equipment)
        self._exchange = BlockExchange(self.course, self._equipment)
        self._before = BeforeTest(plan, links, self.course, self._equipment, self._exchange)
        self._turns: BlockTiming | None = None
        # With this pace the device waits for the program, so the program can wait for its slowest reader.
        self._waits_for_readers = plan.bench.pace == "lockstep"
        estimated = plan.experiment.estimate is not None
        self._readers = [(name, behind) for name, behind in STRICT.items() if estimated or name != "estimator"]

    @property
    def done(self) -> bool:
        """Nothing is left to be done."""
        return self.course.done

    def setup(self) -> None:
        """Open every instrument, learn the real rate, make the rings; nothing moves."""
        self._before.trajectory = setpoint.read(self._plan.experiment)
        self._equipment.open(partial(self.course.event, None))

    def step(self) -> float:
        """One block. Returns the s until there can be another one."""
        course = self.course
        if not course.begun:
            return IDLE
        if course.preparing is not None:
            if self._before.asked_to_begin and course.state == STARTING and self._waits_for_readers:
                return IDLE  # the device stands still meanwhile, and every run begins at the same sample
            self._before.prepare(course.preparing)
            return 0.0
        assert course.test is not None
        if self._waits_for_readers and any(self._links.reached(name) < course.test.awaited(behind) for name, behind in self._readers):
            return 0.001
        self._pass_block(course.test)
        course.advance(course.test)
        self._exchange.tell(course.test)
        return 0.0

    def report(self) -> Report:
        """State, sample, cycle and expected end."""
        course = self.course
        test = course.test if course.begun else None
        sample, cycle, end = (test.n, test.cycle, test.end) if test else (None, NOT_COUNTED, 0)
        return {
            "state": course.state, "sample": sample, "cycle": cycle, "phase": test.phase if test else 0.0, "held_s": course.held,
            "end": end, "rate": course.rate,
            "place": test.place() if test else None, "memory": self._equipment.watching.memory() if test else {},
            "repeated": test.repeated if test else 0, "running": test.running if test else "",
            "learned": self._equipment.watching.learned() if test else [],
        }  # fmt: skip

    def command(self, verb: str, data: Command) -> None:
        """start, begin (the test, after its preparation), stop (ramped), hold, resume, set, trip (interlock), orphaned (the supervisor is
        gone: interlock), abandoned (it hangs: ramped stop)."""
        course = self.course
        if verb == "start":
            if not course.done:  # a stop may have come before it
                self._before.start()
        elif verb == "begin":
            self._before.conclude()
        elif verb == "stop":
            course.stop(data["reason"], data.get("outcome", "stopped"))
        elif verb in VERBS:
            course.operate(verb, data)
        elif verb == "trip" and course.begun:
            course.trip(data["reason"])
        elif verb == ABANDONED:
            self._waits_for_readers = False  # nobody would say which of them is gone
            course.stop(f"the supervisor gave no sign of life for {SUPERVISOR_SILENT:g} s", "failed")
        elif verb == ORPHANED:
            self._waits_for_readers = False  # nobody is left to say who is gone
            if course.begun:
                course.trip("supervisor is gone")
            else:
                course.done = True

    def close(self) -> Figures:
        """Interlock if anything may still move, then close every task."""
        course, test = self.course, self.course.test
        for text in self._equipment.close(course.safe):
            course.event(course.n, "close", text)
        filled: Ahead = test.output_figures() if test else {"min_ahead_s": None, "delay_s": statistics([])}
        return {
            "outcome": course.outcome, "reason": course.reason, "samples": course.n or 0, "rate": course.rate,
            "ao": {"underflows": self._equipment.daq.underflows, **filled},
            "turns": (self._turns or BlockTiming(0.0)).figures(),
            "clocks": self._equipment.clocks(),
            "instruments": self._equipment.instruments.figures(),
            "control": test.control_figures() if test else None,
            "pacing": test.pacing_figures() if test else None,
            "preparation": self._before.figures(),
        }  # fmt: skip

    def _pass_block(self, test: TestRun) -> None:
        if self._turns is None:
            grid = self._equipment.grid
            assert grid is not None
            self._turns = BlockTiming(grid.block / grid.rate)
        try:
            self._exchange.exchange(test, self._turns)
        except DriverError as error:
            if self._waits_for_readers:  # and for the program: it cannot be too slow
                raise
            raise self._turns.explained(error) from error


def create(plan: Plan, links: Links) -> Bench:
    """The bench worker."""
    return Bench(plan, links)
