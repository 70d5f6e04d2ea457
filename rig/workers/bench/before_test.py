"""From the command to start to the first block of the test: power, the preparation of a loader, and the test made from what it found."""

from __future__ import annotations

from functools import partial

from rig.config.plan import Plan
from rig.errors import BenchRefused
from rig.streaming.states import STOPPING, TRIPPED
from rig.trajectory import Trajectory
from rig.workers.bench.actuation.interface import Session
from rig.workers.bench.block_exchange import BlockExchange
from rig.workers.bench.course import Course
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.test_run import TestRun
from rig.workers.bench.watchdog_feeding import CalledOff
from rig.workers.links import Links
from rig.workers.messages import PreparationFigures

STARTING = "starting"


class BeforeTest:
    """`trajectory`: what the test follows, read before anything moves, as that can take long; `asked_to_begin`: everything is prepared."""

    def __init__(self, plan: Plan, links: Links, course: Course, equipment: Equipment, exchange: BlockExchange) -> None:
        self._plan, self._links, self._course, self._equipment, self._exchange = plan, links, course, equipment, exchange
        self.trajectory: Trajectory | None = None
        self.asked_to_begin = False
        self._prepared: PreparationFigures | None = None
        self._refused: str | None = None

    def start(self) -> None:
        """Power on; the preparation begins, or where there is none, the test."""
        self._course.safe = False
        try:
            with self._links.signs_of_life():  # drives on slow lines take seconds
                self._begin()
        except CalledOff:  # what was asked for is answered next: nothing has begun
            self._equipment.actuation.trip()
            self._course.preparing = None

    def prepare(self, preparing: Session) -> None:
        """One block of the preparation."""
        course, equipment = self._course, self._equipment
        measured = equipment.read(preparing.behind)
        self._exchange.react(equipment.watching.before(preparing.sample, measured), before=True)
        try:
            preparing.take(measured)
        except BenchRefused as error:
            self._refuse(preparing, error)
        if course.state != TRIPPED:
            self._exchange.attend()
        else:
            equipment.attending.keep()
        if preparing.done:
            self.end(preparing)
        elif preparing.ready and not self.asked_to_begin:
            self.asked_to_begin = True
            self._links.request("begin")  # whose death would end the test may have died a moment ago

    def conclude(self) -> None:
        """The test may begin."""
        if (preparing := self._course.preparing) is not None and self._course.state == STARTING:
            preparing.conclude()
            self.end(preparing)

    def end(self, preparing: Session) -> None:
        """The preparation is over: the test follows, or the end."""
        self._prepared = self._figures_of(preparing)
        self._course.preparing = None
        if self._course.state == STARTING:
            self._start_test(preparing)
            return
        if self._course.state == STOPPING:
            self._course.release()
        self._course.finish()

    def figures(self) -> PreparationFigures | None:
        """Of the preparation, also of one that has not come to its end."""
        return self._prepared if self._course.preparing is None else self._figures_of(self._course.preparing)

    def alive(self) -> None:
        """While pumps and interlocks, which take seconds, are waited for. Raises CalledOff when a command waits."""
        self._links.beat()
        if self._links.asked() or self._links.abandoned:
            raise CalledOff
        self._equipment.daq.reset_watchdog()

    def _begin(self) -> None:
        own, course = self._equipment, self._course
        assert own.grid is not None
        own.daq.start_watchdog()  # not before: nothing has power yet, and a computer that starts five programs may hold this one up
        course.preparing = own.actuation.session(own.rings.preparation, own.grid.block, partial(course.event, None, "preparation"))
        if course.preparing is None:
            self._start_test(None)
            return
        course.preparing.begin()
        own.daq.reset_watchdog()
        course.begun = True
        course.enter(STARTING, "preparation")

    def _start_test(self, prepared: Session | None) -> None:
        own = self._equipment
        assert own.grid is not None
        begin = own.actuation.prepare(own.feedback, prepared)
        own.daq.reset_watchdog()  # nobody attends between two blocks, and what is done here takes some, on a slow computer many
        self._course.test = TestRun(self._plan, self.trajectory, own.daq, own.actuation, own.grid, begin)
        if self._plan.resumption is not None:
            own.watching.recall(self._plan.resumption.memory)
        own.daq.reset_watchdog()
        self._course.test.begin()
        own.instruments.start()
        own.daq.reset_watchdog()
        self._course.begun = True
        self._course.enter(STARTING)

    def _refuse(self, preparing: Session, error: BenchRefused) -> None:
        course = self._course
        self._equipment.actuation.trip()
        preparing.refuse()
        course.event(None, "refused", f"{error.name}: {error.text}", name=error.name)
        course.outcome, course.reason, self._refused = "failed", f"preparation: {error}", error.name
        course.enter(TRIPPED, course.reason)

    def _figures_of(self, preparing: Session) -> PreparationFigures:
        return {"duration_s": preparing.duration, "largest_force": preparing.largest, "refused": self._refused}
