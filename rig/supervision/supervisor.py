"""The supervisor: starts the processes of a run, follows its state, answers deaths and stops, and always ends everything.

It touches no driver: the bench process acts, also when this one dies.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict

from rig.config.plan import Plan
from rig.config.virtual_ports import fixed, resolved, wanted
from rig.errors import WorkerDied
from rig.host import clock
from rig.streaming.heartbeat_table import beating
from rig.streaming.processes import PROCESSES, SUPERVISOR_SILENT, VIRTUAL_BENCH, Process, row
from rig.supervision import injecting
from rig.supervision.disk_forecast import SHORT, DiskForecast, Room, learned
from rig.supervision.notices import KIND, SOURCE, Notices
from rig.supervision.operation import Operation, operator_words
from rig.supervision.operation_server import Request
from rig.supervision.outcome import Outcome
from rig.supervision.process_group import ProcessGroup
from rig.supervision.recording_delay import SLOW, RecordingDelay
from rig.supervision.start_allowance import ComingUp
from rig.supervision.state_keeper import StateKeeper
from rig.supervision.worker_process import WorkerProcess
from rig.workers.messages import EventMessage, Message, Report, recorded

BENCH_PATIENCE = 1.5  # s for the bench to reach its safe state when everything must end
FAILED_PATIENCE = 3.0  # s for those who write nothing when the hardware is gone
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
        self._plan, self._watch, self._keep = plan, watch, keep_window
        self._closing = False
        virtual = plan.bench.plant is not None and plan.bench.address is None
        wanted = {"always": True, "virtual": virtual, "window": window}
        table = [row(process.name, plan.bench.lines) for process in PROCESSES if wanted[process.when]]
        self._group = ProcessGroup(table, plan.run_dir, plan.rings, self._hear, hurry=plan.bench.pace == "real")
        self.result = Outcome()
        command, rate = plan.experiment.command, plan.experiment.acquisition.rate
        stopping = (command.stop_ramp + command.ahead + ANSWERED) * rate
        self._disk = DiskForecast(plan.run_dir, plan.experiment.record.reserve, stopping, learned(plan.experiment))
        self._recording = RecordingDelay(plan.experiment.acquisition.ring)
        self.state = "ready"  # until the bench says more: nothing has begun, so nothing has stopped
        self._called_off = self._started = self._hung = False
        self._stops: list[str] = []
        self._stops_sent = self._events_shown = 0
        self._asked_to_begin: float | None = None  # when the bench worker asked whether the test may begin, by `clock`
        self._first_sample_at: float | None = None
        self._cpu_at_start = 0.0
        self._block: str | None = None
        self._next_status = self._next_measure = 0.0
        self._operation = Operation(plan, self._group.tell)
        self._keeper, self._not_kept = StateKeeper(plan, self._operation.status.limits), False
        self.notices = Notices(plan.bench.notify, plan.run, plan.run_dir)

    def stop(self, reason: str) -> None:
        """Ask for a ramped stop; asked again it is an interlock. Safe to call from a signal handler."""
        self._stops.append(reason)

    def run(self) -> Outcome:
        """The whole run. Raises nothing that a bench or a worker can cause: that is in the outcome."""
        self._begun = clock.now()
        try:
            self._operation.open()
            self.notices.open()
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
        return self._keep and "display" in self._group and "display" not in self._group.gone and self._group["display"].exit is None

    def show_ended(self, **data: object) -> None:
        """Tell the window how it ended."""
        self._group.tell("display", "ended", **data)

    def close_window(self) -> None:
        """Do not wait for it any longer. Safe to call from a signal handler."""
        self._closing = True

    def signs_of_life(self) -> contextlib.AbstractContextManager[None]:
        """While something takes long: a window that stays takes a supervisor without them for one that hangs."""
        # Else nobody looks, and the board is closed.
        return beating(self._group.beat, STATUS_EVERY) if self.window_stays else contextlib.nullcontext()

    def wait_for_window(self) -> str:
        """Until it is closed, or hangs, or `close_window` is called. Returns in words that it did not answer; empty: it did."""
        said = ""
        while self._group["display"].exit is None and not self._closing:
            self._group.listen()
            for process, child in self._group.newly_dead():
                said = child.last_words() if process.name == "display" and child.failure else said
        self._group.tell("display", "finish")
        self._group.wait_for("display", clock.now() + FAILED_PATIENCE)
        self._group.end("display", 0.5)
        self._group.board.close()
        return said

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
        while not all(self._group[name].ready for name in NEEDED):
            self._tick_before()
            if self._stops:
                self.result.worse("stopped", self._stops[0])
                return
            if unable := [name for name in NEEDED if name in self._group.gone]:
                # Others end with exit 0 because of the one that failed, and may be found first.
                failed = [name for name in NEEDED if self._group[name].failure]
                raise WorkerDied(self._group[(failed or unable)[0]].last_words())
        self._group.hurry("bench")
        if self._plan.resumption is not None:
            self._event("supervisor", "resumed", self._plan.resumption.text)
        for text in injecting.configured(self._plan.bench):
            self._event(VIRTUAL_BENCH, injecting.KIND, text)
        self._group.tell("bench", "start")
        self._started = True

    def _tick_before(self) -> None:
        """One before the test. Raises WorkerDied where this process has hung meanwhile: no test begins."""
        self._tick()
        if self._hung:
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
        self._answer_own_hanging()
        for process, child in self._group.newly_dead():
            self._answer_death(process, child)
        self._let_begin()
        self._operate()
        self._hear_notified()
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
            self._event("supervisor", SLOW, late)
        if (found := self._disk.look(bench.get("sample") or 0, bench.get("end", 0))) is None:
            return
        self._event("supervisor", SHORT, found.text)
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
                request.refuse(f"the test is {self.state}; expected one that runs")

    def _inject(self, request: Request) -> None:
        """A fault on the virtual bench of this run, written down before it comes."""
        if why := injecting.refused(self._plan.bench, VIRTUAL_BENCH in self._group, request.data):
            request.refuse(why)
            return
        self._event(VIRTUAL_BENCH, injecting.KIND, injecting.asked(request.data))
        self._group.tell(VIRTUAL_BENCH, injecting.VERB, injections=request.data["injections"])
        request.reply(done=request.verb)

    def _reports(self, *names: str) -> list[Report]:
        return [self._group[name].report if name in self._group else Report() for name in names]

    def _let_begin(self) -> None:
        """The test that has been prepared, once everybody whose death would stop it has given a sign of life since this was asked for."""
        asked = self._asked_to_begin
        if asked is None or self._stops or self._hung:
            return
        needed = [process.name for process in self._group.table.values() if self._answer(process) == "stop"]
        if all(name not in self._group.gone and self._group.board.alive(name) > asked for name in needed):
            self._asked_to_begin = None
            self._group.tell("bench", "begin")

    def _answer(self, process: Process) -> str:
        return process.on_death if process.on_death != "ask" else self._plan.experiment.predictor.on_death

    def _answer_own_hanging(self) -> None:
        """This process had been stopped, or was kept from its work: a test that nobody follows has come to its end, or does so now. One
        that was at its end before stays what it was."""
        self._group.beat()
        if not self._group.stood or self._hung:
            return
        self._hung = True
        why = f"the supervisor gave no sign of life for {self._group.stood:.1f} s"
        kept = "it had been stopped, or was kept from its work"
        if self._came_to_its_end():
            self.result.warnings.append(f"{why} when the test had come to its end, which stays as it was: {kept}")
            return
        self.result.worse("failed", f"{why}, allowed {SUPERVISOR_SILENT:g} s: {kept}; the test was ended meanwhile")
        self._group.tell("bench", "stop", reason=self.result.reason, outcome="failed")  # where it has not done so by itself

    def _came_to_its_end(self) -> bool:
        """Whether the bench worker has ended, and not because nobody followed its test."""
        bench = self._group.members.get("bench")
        if bench is None:
            return False
        if bench.exit is not None:
            self._group.hear_out("bench")  # it may have said so while this process was away
        return bench.figures is not None and bench.figures["outcome"] != "failed"

    def _hear(self, name: str, kind: str, message: Message) -> None:
        if self._called_off:
            return
        if kind == "event":
            self._note(message)
        elif kind == "failed":
            self._event(name, "failure", message["text"])
        elif kind == "request" and message["verb"] == "stop" and name == "display":
            self.stop(message["reason"])  # a person, as with Ctrl-C: asked again it is an interlock
        elif kind == "answer":
            self._operation.answered(message)
        elif kind == "request" and message["verb"] in ("hold", "resume"):
            self._group.tell("bench", message["verb"], reason=message["reason"])
        elif kind == "request" and message["verb"] == "begin":
            self._asked_to_begin = clock.now()
        elif kind == "request" and message["verb"] == "stop":
            self._group.tell("bench", "stop", reason=message["reason"], outcome=message.get("outcome", "stopped"))

    def _note(self, event: EventMessage) -> None:
        """An event: kept, recorded, shown. The bench's own tell the state."""
        event.setdefault("time_s", None)
        self._place(event)
        if event["kind"] == "block":
            self._block = event["text"]
        if state := event.get("state"):
            self.state = state
            if state == "starting" and self._first_sample_at is None:  # there may be a preparation before the test proper
                self._first_sample_at = clock.now()
                self.result.begun_at = time.time()
                self.result.startup_s = self._first_sample_at - self._begun
                self._cpu_at_start = self._group.cpu()
        self._operation.status.limits.note(event)
        self.result.events.append(event)
        self.notices.note(event, *self._reports("bench"))
        self._group.tell("recorder", "event", **recorded(event))

    def _place(self, event: EventMessage) -> None:
        """In the whole record, where this is not the first session of its test."""
        if first := self._plan.first_sample:
            sample, time_s = event["sample"], event["time_s"]
            event["sample"] = None if sample is None else sample + first
            rate = self._plan.experiment.acquisition.rate
            event["time_s"] = None if time_s is None else time_s + first / ((self._reports("bench")[0].get("rate")) or rate)

    def _keep_state(self, ended: bool = False) -> None:
        """For one who goes on with this test when it has been broken off."""
        (bench,) = self._reports("bench")
        if not ended:
            self._keeper.keep(bench, self.state, self._block)
        else:
            self._keeper.keep(bench, self.state, self._block, self.result.outcome, self.result.reason)
            self._keeper.close()
        if self._keeper.error is not None and not self._not_kept:
            self._not_kept = True
            why = f"state.json cannot be written ({self._keeper.error.strerror}): a test that is broken off now has lost its place"
            self.result.warnings.append(why)
            if not ended:
                self._event("supervisor", "state_file", why)

    def _hear_notified(self) -> None:
        """How the programs went that were told of this test."""
        for text in self.notices.take():
            self._event(SOURCE, KIND, text)

    def _event(self, source: str, kind: str, text: str) -> None:
        bench = self._group["bench"].report if "bench" in self._group else Report()
        sample, rate = bench.get("sample"), bench.get("rate")
        time_s = sample / rate if sample is not None and rate else None
        self._note({"sample": sample, "time_s": time_s, "source": source, "kind": kind, "text": text})

    def _answer_death(self, process: Process, child: WorkerProcess) -> None:
        """What the table of processes says; an end that was to be is no death."""
        self._answer_own_hanging()  # others end when this process has hung, which is the reason of all
        # Simulated hardware ends by itself where this process is silent and nothing moves any more: no death once the test was at its end.
        if child.exit == 0 and (process.name != VIRTUAL_BENCH or (self._hung and self._came_to_its_end())):
            return
        said = self.result.deaths[process.name] = child.last_words()
        if child.failure is None:
            self._event(process.name, "death", said)
        answer = self._answer(process)
        if answer in ("go on", "mark"):
            self.result.warnings.append(said)
            return
        # The predictor's death is a verdict on the test, any other one a fault of the rig.
        self.result.worse("tripped" if process.on_death == "ask" else "failed", said)
        if answer == "stop":
            self._group.tell("bench", "stop", reason=said, outcome="tripped")

    # -- status --------------------------------------------------------------------------------------------------------------------

    def _show_status(self) -> None:
        bench, predictor, recorder = self._reports(*NEEDED)
        self._keep_state()
        self._operation.status.note_lag(predictor.get("lag_s"))
        rate = bench.get("rate") or 1.0
        status: Status = {
            "state": self.state,
            "time_s": (bench.get("sample") or 0) / rate,
            "duration_s": bench.get("end", 0) / rate,
            "cycle": int(bench.get("cycle", -1)),
            "lag_s": predictor.get("lag_s"),
            "lost": int(recorder.get("lost_samples", 0)),
            "message": self.result.reason,
            "disk": self._disk.room,
        }
        self._watch(status)
        new = [recorded(event) for event in self.result.events[self._events_shown :]]
        self._events_shown = len(self.result.events)
        self._group.tell("display", "status", **status, events=new)

    # -- end -----------------------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Bench first, so that nothing moves; then those who drain its streams; the simulated hardware last."""
        if self._first_sample_at is not None:
            self.result.duration_s = clock.now() - self._first_sample_at
            self.result.cpu_cores = (self._group.cpu() - self._cpu_at_start) / max(self.result.duration_s, 1e-9)
        self._end_bench()
        self._show_status()  # at rest
        if self._first_sample_at is None:
            self._call_off()
            return
        for name in ("predictor", "recorder"):
            hurried = self.result.failed and name != "recorder"
            self._finish(name, FAILED_PATIENCE if hurried else self._group.table[name].closing if name in self._group else 0.0)
        self._rest_window()
        if VIRTUAL_BENCH in self._group:
            if self.result.failed and VIRTUAL_BENCH not in self._group.gone:
                time.sleep(self._group.table[VIRTUAL_BENCH].linger)
            # After a death what turned may still coast, and the bench's log is to tell how it came to rest.
            self._group.end(VIRTUAL_BENCH, self._group.table[VIRTUAL_BENCH].closing if self.result.failed else 2.0)
        self._answer_own_hanging()
        self._collect()

    def _call_off(self) -> None:
        """A test that never began: the others are sent home, and what they say of that is no news."""
        self._called_off = True
        for name in list(self._group.members):
            if name != "display" or not self.window_stays:
                self._group.end(name, 1.0)
        self._rest_window()
        self._answer_own_hanging()
        self._collect()

    def _rest_window(self) -> None:
        """Nothing more comes for it. Where it stays it lets the rings go, and tells what drawing took."""
        if "display" not in self._group:
            return
        patience = FAILED_PATIENCE if self.result.failed else self._group.table["display"].closing
        if not self.window_stays:
            self._finish("display", patience)
            return
        self._group.tell("display", "rest")
        child, deadline = self._group["display"], clock.now() + patience
        while child.figures is None and child.exit is None and clock.now() < deadline:
            self._group.listen()

    def _collect(self) -> None:
        for name, child in self._group.members.items():
            self.result.processes[name] = child.usage
            if child.figures is not None:
                self.result.figures[name] = child.figures
            elif name == "bench" and (rate := child.report.get("rate")) and (samples := child.report.get("sample")) is not None:
                self.result.figures[name] = {"rate": rate, "samples": samples}  # as far as it told

    def _end_bench(self) -> None:
        was_gone = "bench" in self._group.gone
        child = self._group.end("bench", BENCH_PATIENCE)  # the end of its input makes a bench that still moves interlock
        if child is None:
            return
        if child.figures and child.failure is None:
            self.result.worse(child.figures["outcome"], child.figures["reason"])
        if child.exit == 0 or was_gone:
            return
        if self._stops and not self._started and child.failure is None:
            # It was still opening its instruments, and could not end in the time that it was given: nothing has been moved.
            self._event("bench", "death", f"{child.last_words()} while it opened its instruments, {BENCH_PATIENCE:g} s after the stop")
            return
        self._answer_death(self._group.table["bench"], child)

    def _finish(self, name: str, patience: float) -> None:
        was_gone = name in self._group.gone
        self._group.tell(name, "finish")
        self._group.wait_for(name, clock.now() + patience)
        child = self._group.end(name, 0.5)
        if child is not None and child.exit != 0 and not was_gone:
            self._answer_death(self._group.table[name], child)
