"""The bench: owns all drivers. Sends the command, reads the channels, checks every block, brings everything to its safe state."""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Any

import numpy as np

from drivers.errors import DriverError
from rig.errors import BenchRefused
from rig.figures import statistics
from rig.plan import Plan
from rig.trajectory.blocks import begins
from rig.workers import setpoint
from rig.workers.attending import Attending
from rig.workers.output import Block, Output
from rig.workers.preparing import Preparing, session
from rig.workers.rings import Rings
from rig.workers.runtime import ORPHANED, Links
from rig.workers.setpoint import NOT_COUNTED, Timing
from rig.workers.unloading import Unloading
from rig.workers.watching import Finding, Watching
from rig.workers.wiring import wiring

STRICT = ("predictor", "recorder")
LEAD_IN_BLOCKS = 5  # beyond what is filled ahead: time to switch the program on while the command stands still
FADE = 0.2  # s over which the feedback's offset leaves the command
SETTLE = 0.1  # s recorded after the last commanded sample
IDLE = 0.01  # s between two looks for the start


class Bench:
    """States: stopped, starting, running, stopping, tripped; `verdict` says how it ended."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        bench, experiment = plan.bench, plan.experiment
        self.done = False
        self.state, self.outcome, self.reason = "stopped", "done", ""
        self._begun = False
        self._daq = sys.modules[type(bench.daq).__module__].create(bench.daq, wiring(bench), bench.address)
        zeros = {mode: bench.loader_zero(mode) for mode in ("force", "stroke")}
        self._loader = sys.modules[type(bench.loader).__module__].create(bench.loader, self._daq, experiment.command.mode, zeros)
        self._names = [channel.name for channel in bench.channels]
        self._units = {channel.name: channel.unit for channel in bench.channels} | {"command": "N" if self._loader.mode == "force" else "m"}
        self._n = 0
        self._waits: list[float] = []  # s in a read, s of work after it
        self._turns: list[float] = []
        self._safe = True
        self._output: Output | None = None
        self._preparing: Preparing | None = None
        self._unloading: Unloading | None = None
        self._unloaded = False
        self._refused: str | None = None
        self._prepared: dict[str, Any] | None = None
        # With this pace the device waits for the program, so the program can wait for its slowest reader.
        self._waits_for_readers = bench.pace == "lockstep"

    # -- the four verbs ------------------------------------------------------------------------------------------------------------

    def setup(self) -> None:
        """Open every instrument, learn the real rate, make the rings; nothing moves."""
        acquisition, command = self._plan.experiment.acquisition, self._plan.experiment.command
        self._block = max(1, round(acquisition.block * acquisition.rate))
        self._ahead_samples = max(2 * self._block, round(command.ahead * acquisition.rate))
        self._daq.connect()
        self._feedback = dict(zip(self._names, self._daq.read_once(), strict=True))
        self._rate = self._daq.open(acquisition.rate, self._block, self._ahead_samples)
        if self._rate != acquisition.rate:
            self._event(None, "rate", f"device runs at {self._rate:.13g} Hz, asked {acquisition.rate:.13g} Hz")
        self._rings = Rings(self._plan, self._names, self._units, self._rate)
        self._daq.reset_watchdog()  # large files have been made since it began to run
        self._watching = Watching(self._plan, self._names, self._units, self._loader.mode, self._rate)
        loader, watchdog = self._plan.bench.loader, self._plan.bench.daq.watchdog
        self._attending = Attending(self._daq, self._loader, acquisition.block, loader.heartbeat_period, watchdog)

    def step(self) -> float:
        """One block."""
        if not self._begun:
            self._daq.reset_watchdog()
            return IDLE
        if self._preparing is not None:
            return self._prepare(self._preparing)
        if self._waits_for_readers and self._links.slowest(STRICT) < self._n - 2 * self._block:
            return 0.001
        assert self._output is not None
        asked = time.monotonic()
        measured = self._daq.read(self._block)
        arrived = time.monotonic()
        command = self._output.take()
        findings = self._watching.test(self._n, command[:, 0], measured)
        self._react(findings)
        if self.state == "tripped":
            self._lower()
        elif self._unloading is not None:
            self._unload(self._unloading, measured)
            self._attend()
        else:
            self._learn(command, measured, findings)
            self._output.refill()
            self._attend()
        self._rings.append(command, measured)
        self._n += self._block
        self._cycle = float(command[-1, 2])
        self._last = measured
        self._advance_state()
        self._tell_blocks()
        self._waits.append(arrived - asked)
        self._turns.append(time.monotonic() - arrived)
        return 0.0

    def report(self) -> dict[str, Any]:
        """State, sample, cycle and expected end."""
        if not self._begun or not hasattr(self, "_setpoint"):
            return {"state": self.state, "sample": 0, "cycle": NOT_COUNTED, "end": 0, "rate": self._rate}
        end = self._setpoint.end + round(SETTLE * self._rate)
        return {"state": self.state, "sample": self._n, "cycle": self._cycle, "end": end, "rate": self._rate}

    def command(self, verb: str, data: dict[str, Any]) -> None:
        """start, stop (ramped), trip (interlock), orphaned (the supervisor is gone: interlock)."""
        if verb == "start":
            self._start()
        elif verb == "stop":
            self._stop(data["reason"], data.get("outcome", "stopped"))
        elif verb == "trip" and self._begun:
            self._trip(data["reason"])
        elif verb == ORPHANED:
            self.done = not self._begun
            self._waits_for_readers = False  # nobody is left to say who is gone
            if self._begun:
                self._trip("supervisor is gone")

    def close(self) -> dict[str, Any]:
        """Interlock if anything may still move, then close every task."""
        complaints = []
        if not self._safe:
            try:
                self._loader.trip()
            except DriverError as error:
                complaints.append(f"the interlock line could not be written: {error}")
        complaints += self._daq.close()
        if hasattr(self, "_rings"):
            self._rings.close()
        for text in complaints:
            self._event(self._n, "close", text)
        rate = getattr(self, "_rate", None)
        filled = self._output.figures(self._rate) if self._output else {"min_ahead_s": None, "delay_s": statistics([])}
        ao = {"underflows": self._daq.underflows, **filled}
        turns = {"read_s": statistics(self._waits), "work_s": statistics(self._turns)}
        control = self._setpoint.figures() if hasattr(self, "_setpoint") else None
        return {
            "outcome": self.outcome, "reason": self.reason, "samples": self._n, "rate": rate, "ao": ao, "turns": turns, "control": control,
            "preparation": self._prepared,
        }  # fmt: skip

    # -- transitions ---------------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._cycle, self._safe = NOT_COUNTED, False
        if (ring := self._rings.preparation) is None:
            self._loader.prepare()
            self._start_test(float(self._feedback[self._loader.feedback_channel]))
            return
        note = partial(self._event, None, "preparation")
        self._preparing = session(self._plan, self._daq, self._loader, ring, self._block, self._rate, note)
        self._preparing.begin()
        self._begun = True
        self._enter("starting", "preparation")

    def _start_test(self, feedback: float) -> None:
        lead_in = self._ahead_samples + LEAD_IN_BLOCKS * self._block
        timing = Timing(lead_in, max(1, round(FADE * self._rate)))
        self._setpoint = setpoint.create(self._plan.experiment, self._plan.bench, self._rate, feedback, timing)
        self._marks = begins(self._plan.experiment.trajectory, self._rate, lead_in)
        self._mark = next(self._marks, None)
        self._controlled = self._names.index(self._loader.feedback_channel)
        self._last = np.full((1, len(self._names)), feedback)
        self._output = Output(self._daq, self._loader, self._setpoint, self._block)
        self._output.write(self._ahead_samples)
        self._daq.start()
        self._begun = True
        self._enter("starting")

    def _advance_state(self) -> None:
        if self.state == "starting":
            # One block has been read, so the volts out there equal the feedback.
            self._loader.enable()
            self._enter("running")
        elif self.state in ("running", "stopping") and self._n >= self._setpoint.end + SETTLE * self._rate:
            self._come_to_an_end()
        elif self.state == "tripped" and self._ramped:
            self._finish()

    def _come_to_an_end(self) -> None:
        """Force mode has ended at zero force; in stroke mode the specimen may still be loaded."""
        assert self._output is not None
        if self._loader.mode == "stroke" and self._unloading is None:
            loader, last = self._plan.bench.loader, self._watching.force_and_stroke(self._last)
            self._unloading = Unloading(loader, self._output, self._block, self._rate, *last)
            self._unloaded = not self._unloading.needed
            if not self._unloaded:
                self._enter("stopping", "unloading")
                return
        if self._unloading is not None and not self._unloaded:
            return
        self._loader.release()
        self._finish()

    def _tell_blocks(self) -> None:
        """The record says at which sample each block of a program began."""
        while self._mark is not None and self._mark[0] < self._n and self.state == "running":
            self._event(self._mark[0], "block", self._mark[1])
            self._mark = next(self._marks, None)

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
        elif self.state in ("starting", "running"):
            self.outcome, self.reason = outcome, reason
            feedback = float(np.mean(self._last[:, self._controlled]))
            self._setpoint.stop(self._loader.safe_setpoint(feedback), self._plan.experiment.command.stop_ramp)
            self._enter("stopping", reason)

    def _trip(self, reason: str) -> None:
        if self.state == "tripped":
            return
        self._loader.trip()  # first of all: the output waits behind what is filled ahead
        self.outcome, self.reason = "tripped", reason
        if self._preparing is not None:
            self._preparing.refuse()
            self._enter("tripped", reason)
            return
        assert self._output is not None
        self._output.abort(self._plan.experiment.command.stop_ramp)
        self._ramp_start = self._n
        self._ramped = False
        self._enter("tripped", reason)

    def _enter(self, state: str, why: str = "") -> None:
        self.state = state
        self._event(self._n, "state", f"{state}: {why}" if why else state, state=state)

    def _event(self, sample: int | None, kind: str, text: str, **data: Any) -> None:
        time_s = None if sample is None or not hasattr(self, "_rate") else sample / self._rate
        self._links.event(sample, kind, text, time_s=time_s, **data)

    # -- before the test -----------------------------------------------------------------------------------------------------------

    def _prepare(self, preparing: Preparing) -> float:
        """One block of the preparation."""
        measured = self._daq.read(self._block)
        self._react(self._watching.before(preparing.sample, measured), before=True)
        try:
            preparing.take(measured)
        except BenchRefused as error:
            self._loader.trip()
            preparing.refuse()
            self._event(None, "refused", f"{error.name}: {error.text}", name=error.name)
            self.outcome, self.reason, self._refused = "failed", f"preparation: {error}", error.name
            self._enter("tripped", self.reason)
        if self.state != "tripped":
            self._attend()
        if preparing.done:
            self._prepared = {"duration_s": preparing.duration, "largest_force": preparing.largest, "refused": self._refused}
            self._preparing = None
            self._after_preparation(preparing)
        return 0.0

    def _after_preparation(self, preparing: Preparing) -> None:
        if self.state == "starting":
            self._start_test(preparing.feedback)
        else:
            if self.state == "stopping":
                self._loader.release()
            self._finish()

    # -- parts of a step -----------------------------------------------------------------------------------------------------------

    def _react(self, findings: list[Finding], before: bool = False) -> None:
        """before: nothing has begun that could be ramped down, and the samples are not the test's."""
        for found in findings:
            action = "interlock" if before and found.action == "stop" else found.action
            if self.state == "tripped" or (action == "stop" and self.state == "stopping"):
                continue
            self._event(None if before else found.sample, found.kind, found.told)
            if action == "interlock":
                self._trip(found.text)
            elif action == "stop":
                self._stop(found.text, "tripped")

    def _learn(self, command: Block, measured: Block, findings: list[Finding]) -> None:
        """What came back corrects what goes out next; a block in which a limit was passed teaches nothing."""
        if self.state != "running":
            return
        controlled = measured[:, self._controlled]
        doubt = findings[0].text if findings else ""
        for note in self._setpoint.learn(self._n, command, controlled, doubt):
            self._event(note.sample, "control", note.text)
            if note.stop:
                self._stop(note.text, "tripped")

    def _attend(self) -> None:
        """Heartbeat, watchdog, the controller's own state."""
        if fault := self._attending.attend():
            self._event(self._n, "interlock", f"loader: {fault}")
            self._trip(f"loader: {fault}")

    def _unload(self, unloading: Unloading, measured: Block) -> None:
        try:
            if not self._unloaded and unloading.take(*self._watching.force_and_stroke(measured)):
                self._unloaded = True
                self._event(self._n, "unloading", unloading.figures())
        except BenchRefused as error:
            self._trip(str(error))

    def _lower(self) -> None:
        """After a trip: one value a block, on demand; the interlock has acted already."""
        assert self._output is not None
        elapsed = (self._n - self._ramp_start) / self._rate
        self._output.lower(elapsed)
        self._ramped = elapsed >= self._plan.experiment.command.stop_ramp + SETTLE


def create(plan: Plan, links: Links) -> Bench:
    """The bench worker."""
    return Bench(plan, links)
