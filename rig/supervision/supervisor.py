"""The supervisor: starts the processes of a run, follows its state, answers deaths and stops, and always ends everything.

It touches no driver: the bench process acts, also when this one dies.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TypedDict

from rig.config.plan import Plan
from rig.config.virtual_ports import fixed, resolved, wanted
from rig.errors import WorkerDied
from rig.host import clock
from rig.streaming.injection_words import SOURCE
from rig.streaming.processes import PROCESSES, VIRTUAL_BENCH, row
from rig.streaming.states import in_words
from rig.supervision import injecting
from rig.supervision.deaths import Deaths
from rig.supervision.disk_forecast import SHORT, DiskForecast, Room, learned
from rig.supervision.ending import FAILED_PATIENCE, Ending
from rig.supervision.event_log import EventLog
from rig.supervision.kept_window import KeptWindow
from rig.supervision.notices import Notices
from rig.supervision.operation import Operation, operator_words
from rig.supervision.operation_server import Request
from rig.supervision.outcome import Outcome
from rig.supervision.process_group import ProcessGroup
from rig.supervision.recording_delay import SLOW, RecordingDelay
from rig.supervision.start_allowance import ComingUp
from rig.supervision.state_keeper import StateKeeper
from rig.workers.messages import Message, Report

STATUS_EVERY = 0.2  # s between two status messages to the display
MEASURE_EVERY = 1.0  # s between two looks at CPU and memory
ANSWERED = 1.0  # s until a stop has been heard and is under way, at most
NEEDED = ("bench", "predictor", "recorder")


class Status(TypedDict):
    """Where a test is: for the window, and for the progress in a terminal."""

    state: str
    time_s: float
    duration_s: float
    cycle: int
    lag_s: float | None
    lost: int
    message: str
    disk: Room | None


class Supervisor:
    """One run. `watch` is called several times a second with the status, for a progress bar."""

    def __init__(self, plan: Plan, window: bool, watch: Callable[[Status], None], keep_window: bool = False) -> None:
        """keep_window: it stays when `run` returns; then `show_ended`, and `wait_for_window` at last."""
        self._plan, self._watch = plan, watch
        virtual = plan.bench.plant is not None and plan.bench.address is None
        wanted = {"always": True, "virtual": virtual, "window": window, "estimate": plan.experiment.estimate is not None}
        table = [row(process.name, plan.bench.lines) for process in PROCESSES if wanted[process.when]]
        self._group = ProcessGroup(table, plan.run_dir, plan.rings, self._hear, hurry=plan.bench.pace == "real")
        self.result = Outcome()
        self._operation = Operation(plan, self._group.tell)
        self._log = EventLog(plan, self._group, self.result, self._operation.status.limits)
        self._deaths = Deaths(plan, self._group, self.result, self._log)
        self._window = KeptWindow(self._group, keep_window)
        self._ending = Ending(self._group, self.result, self._log, self._deaths, self._window)
        command, rate = plan.experiment.command, plan.experiment.acquisition.rate
        stopping = (command.stop_ramp + command.ahead + ANSWERED) * rate
        self._disk = DiskForecast(plan.run_dir, plan.experiment.record.reserve, stopping, learned(plan.experiment))
        self._recording = RecordingDelay(plan.experiment.acquisition.ring)
        self._called_off = self._started = False
        self._stops: list[str] = []
        self._stops_sent = 0
        self._asked_to_begin: float | None = None  # when the bench worker asked whether the test may begin, by `clock`
        self._next_status = self._next_measure = 0.0
        self._keeper, self._not_kept = StateKeeper(plan, self._operation.status.limits), False

    @property
    def state(self) -> str:
        """Of the test."""
        return self._log.state

    @property
    def notices(self) -> Notices:
        """Whom this test is told to."""
        return self._log.notices

    def stop(self, reason: str) -> None:
        """Ask for a ramped stop; asked again it is an interlock. Safe to call from a signal handler."""
        self._stops.append(reason)

    def run(self) -> Outcome:
        """The whole run. Raises nothing that a bench or a worker can cause: that is in the outcome."""
        try:
            self._operation.open()
            self._log.open()
            self._start()
            self._follow()
        except WorkerDied as error:
            self.result.worse("failed", str(error))
        except OSError as error:  # of its own files: the folder of the run is gone, or its disk is full
            self.result.worse("failed", f"supervisor: {error.filename or self._plan.run_dir}: {error.strerror or error}")
        finally:
            self._end()
            self._keep_state(ended=True)
            self.notices.over()
            self._operation.close()  # behind what ends the motion: it waits for a thread
            if not self.window_stays:
                self._group.board.close()
        return self.result

    @property
    def window_stays(self) -> bool:
        """Whether there is a window that is to be kept, and that nobody has closed."""
        return self._window.stays

    def show_ended(self, **data: object) -> None:
        """Tell the window how it ended."""
        self._group.tell("display", "ended", **data)

    def close_window(self) -> None:
        """Do not wait for it any longer. Safe to call from a signal handler."""
        self._window.close()

    def signs_of_life(self) -> AbstractContextManager[None]:
        """While something takes long: a window that stays takes a supervisor without them for one that hangs."""
        return self._window.signs_of_life()

    def wait_for_window(self) -> str:
        """Until it is closed, or hangs, or `close_window` is called. Returns in words that it did not answer; empty: it did."""
        return self._window.wait(FAILED_PATIENCE)

    # -- start ---------------------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Everything up and ready; the bench, which needs the others' streams last, comes last. Raises WorkerDied."""
        for name in self._group.table:
            if name != "bench":
                self._group.start(name)
        if VIRTUAL_BENCH in self._group:
            bench = replace(self._plan.bench, address=self._address())
            replace(self._plan, bench=resolved(bench, self._group[VIRTUAL_BENCH].ports)).write()
            self._group.equipped()
        elif wanted(self._plan.bench):
            replace(self._plan, bench=resolved(self._plan.bench, fixed(self._plan.bench))).write()
        self._group.start("bench")
        needed = [name for name in (*NEEDED, "estimator") if name in self._group]
        while not all(self._group[name].ready for name in needed):
            self._tick_before()
            if self._stops:
                self.result.worse("stopped", self._stops[0])
                return
            if unable := [name for name in needed if name in self._group.gone]:
                # Others end with exit 0 because of the one that failed, and may be found first.
                failed = [name for name in needed if self._group[name].failure]
                raise WorkerDied(self._group[(failed or unable)[0]].last_words())
        self._group.hurry("bench")
        if self._plan.resumption is not None:
            self._log.write("supervisor", "resumed", self._plan.resumption.text)
        for text in injecting.configured(self._plan.bench):
            self._log.write(VIRTUAL_BENCH, injecting.KIND, text)
        self._group.tell("bench", "start")
        self._started = True

    def _tick_before(self) -> None:
        """One before the test. Raises WorkerDied where this process has hung meanwhile: no test begins."""
        self._tick()
        if self._deaths.hung:
            raise WorkerDied(self.result.reason)

    def _address(self) -> str:
        child = self._group[VIRTUAL_BENCH]
        coming = ComingUp(child, wanted(self._plan.bench))
        while coming.goes_on() and VIRTUAL_BENCH not in self._group.gone:
            self._tick_before()
            if coming.address is not None:
                self._group.hurry(VIRTUAL_BENCH)
                return coming.address
        self._group.end(VIRTUAL_BENCH, 1.0)
        raise coming.failed(self._plan.run_dir / f"{VIRTUAL_BENCH}.log")

    # -- while it runs -------------------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Until the bench has come to its end, by itself or by a death."""
        bench = self._group["bench"]
        while bench.figures is None and "bench" not in self._group.gone and self.result.outcome != "stopped":
            self._tick()
            self._forward_stops()
            if self.result.failed and VIRTUAL_BENCH in self._group.gone:
                return

    def _forward_stops(self) -> None:
        for reason in self._stops[self._stops_sent :]:
            if self._stops_sent == 0:
                self._group.tell("bench", "stop", reason=reason, outcome="stopped")
            else:
                self._group.tell("bench", "trip", reason=f"{reason}, asked again")
            self._stops_sent += 1

    def _tick(self) -> None:
        self._group.listen()
        self._deaths.look()
        self._let_begin()
        self._operate()
        self._log.hear_notified()
        now = clock.now()
        if now >= self._next_status:
            self._next_status = now + STATUS_EVERY
            self._show_status()
        if now >= self._next_measure:
            self._next_measure = now + MEASURE_EVERY
            self._group.measure()
            self._watch_disk()

    def _watch_disk(self) -> None:
        """Tell that the disk will not hold the rest; where next to nothing is left the test ends by a ramp, and its record is whole."""
        (bench,) = self._reports("bench")
        if late := self._recording.look(bench.get("sample"), self._group.board.reached("recorder"), bench.get("rate")):
            self._log.write("supervisor", SLOW, late)
        if (found := self._disk.look(bench.get("sample") or 0, bench.get("end", 0))) is None:
            return
        self._log.write("supervisor", SHORT, found.text)
        if found.ends:
            self._group.tell("bench", "stop", reason=found.text, outcome="failed")
        else:
            self.result.warnings.append(found.text)

    def _operate(self) -> None:
        """What an operator has asked for in another terminal."""
        for request in self._operation.take():
            if request.verb == "status":
                (bench,) = self._reports("bench")
                request.reply(status=self._operation.status.fields(self.state, bench, self._disk.room, self.result.events))
            elif request.verb == "stop":
                self.stop(operator_words("stop", request.data))
                request.reply(state=self.state)
            elif request.verb == injecting.VERB:
                self._inject(request)
            elif self._started and "bench" not in self._group.gone:
                (bench,) = self._reports("bench")
                self._operation.forward(request, bench.get("running", ""))
            else:
                request.refuse(f"the test is {in_words(self.state)}; expected one that runs")

    def _inject(self, request: Request) -> None:
        """A fault on the virtual bench of this run, written down before it comes."""
        if why := injecting.refused(self._plan.bench, VIRTUAL_BENCH in self._group, request.data):
            request.refuse(why)
            return
        self._log.write(VIRTUAL_BENCH, injecting.KIND, injecting.asked(request.data))
        self._group.tell(VIRTUAL_BENCH, injecting.VERB, injections=request.data["injections"])
        request.reply(done=request.verb)

    def _reports(self, *names: str) -> list[Report]:
        return [self._group[name].report if name in self._group else Report() for name in names]

    def _let_begin(self) -> None:
        """The test that has been prepared, once everybody whose death would stop it has given a sign of life since this was asked for."""
        asked = self._asked_to_begin
        if asked is None or self._stops or self._deaths.hung:
            return
        if all(name not in self._group.gone and self._group.board.alive(name) > asked for name in self._deaths.stopping()):
            self._asked_to_begin = None
            self._group.tell("bench", "begin")

    def _hear(self, name: str, kind: str, message: Message) -> None:
        if self._called_off:
            return
        if kind == "event":
            self._log.note(message)
        elif kind == "failed":
            self._log.write(name, "failure", message["text"])
        elif kind == "request" and message["verb"] == "stop" and name == "display":
            self.stop(message["reason"])  # a person, as with Ctrl-C: asked again it is an interlock
        elif kind == "answer":
            self._operation.answered(message)
        elif kind == "line" and (begun := injecting.begun(message["text"])) is not None:
            self._log.write(name, SOURCE, *begun)
        elif kind == "request" and message["verb"] in ("hold", "resume"):
            self._group.tell("bench", message["verb"], reason=message["reason"])
        elif kind == "request" and message["verb"] == "begin":
            self._asked_to_begin = clock.now()
        elif kind == "request" and message["verb"] == "stop":
            self._group.tell("bench", "stop", reason=message["reason"], outcome=message.get("outcome", "stopped"))

    def _keep_state(self, ended: bool = False) -> None:
        """For one who goes on with this test when it has been broken off."""
        (bench,) = self._reports("bench")
        if not ended:
            self._keeper.keep(bench, self.state, self._log.block)
        else:
            self._keeper.keep(bench, self.state, self._log.block, self.result.outcome, self.result.reason)
            self._keeper.close()
        if self._keeper.error is not None and not self._not_kept:
            self._not_kept = True
            why = f"state.json cannot be written ({self._keeper.error.strerror}): a test that is broken off now has lost its place"
            self.result.warnings.append(why)
            if not ended:
                self._log.write("supervisor", "state_file", why)

    # -- status --------------------------------------------------------------------------------------------------------------------

    def _show_status(self) -> None:
        bench, predictor, recorder = self._reports(*NEEDED)
        self._keep_state()
        self._operation.status.note_lag(predictor.get("lag_s"))
        rate, before = bench.get("rate") or 1.0, self._plan.first_sample  # times are those of the test, not of this session
        status: Status = {
            "state": self.state,
            "time_s": ((bench.get("sample") or 0) + before) / rate,
            "duration_s": (bench.get("end", 0) + before) / rate,
            "cycle": int(bench.get("cycle", -1)),
            "lag_s": predictor.get("lag_s"),
            "lost": int(recorder.get("lost_samples", 0)),
            "message": self.result.reason,
            "disk": self._disk.room,
        }
        self._watch(status)
        self._group.tell("display", "status", **status, events=self._log.new())

    # -- end -----------------------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Bench first, so that nothing moves; then those who drain its streams; the simulated hardware last."""
        self._log.over()
        self._ending.end_bench(called_off=bool(self._stops) and not self._started)
        self._show_status()  # at rest
        if self._log.first_sample_at is None:
            self._ending.send_home(self._turn_deaf)
        else:
            self._ending.end_others()

    def _turn_deaf(self) -> None:
        self._called_off = True
