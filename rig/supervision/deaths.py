"""What the end of a process means for a test, and what it means that the supervisor itself was kept from its work."""

from __future__ import annotations

from rig.config.plan import Plan
from rig.streaming.processes import SUPERVISOR_SILENT, VIRTUAL_BENCH, Process
from rig.supervision.event_log import EventLog
from rig.supervision.outcome import Outcome
from rig.supervision.process_group import ProcessGroup
from rig.supervision.worker_process import WorkerProcess


class Deaths:
    """`hung`: this process gave no sign of life for longer than the others wait for one."""

    def __init__(self, plan: Plan, group: ProcessGroup, result: Outcome, log: EventLog) -> None:
        self._plan, self._group, self._result, self._log = plan, group, result, log
        self.hung = False

    def look(self) -> None:
        """Answer those that have come since the last look."""
        self.own_hanging()
        for process, child in self._group.newly_dead():
            self.answer(process, child)

    def stopping(self) -> list[str]:
        """Names of those whose death would stop the test."""
        return [process.name for process in self._group.table.values() if self._meaning(process) == "stop"]

    def own_hanging(self) -> None:
        """This process had been stopped, or was kept from its work: a test that nobody follows has come to its end, or does so now. One
        that was at its end before stays what it was."""
        self._group.beat()
        if not self._group.stood or self.hung:
            return
        self.hung = True
        why = f"the supervisor gave no sign of life for {self._group.stood:.1f} s"
        kept = "it had been stopped, or was kept from its work"
        if self._came_to_its_end():
            self._result.warnings.append(f"{why} when the test had come to its end, which stays as it was: {kept}")
            return
        self._result.worse("failed", f"{why}, allowed {SUPERVISOR_SILENT:g} s: {kept}; the test was ended meanwhile")
        self._group.tell("bench", "stop", reason=self._result.reason, outcome="failed")  # where it has not done so by itself

    def answer(self, process: Process, child: WorkerProcess) -> None:
        """What the table of processes says; an end that was to be is no death."""
        self.own_hanging()  # others end when this process has hung, which is the reason of all
        # Simulated hardware ends by itself where this process is silent and nothing moves any more: no death once the test was at its end.
        if child.exit == 0 and (process.name != VIRTUAL_BENCH or (self.hung and self._came_to_its_end())):
            return
        said = self._result.deaths[process.name] = child.last_words()
        if child.failure is None:
            self._log.write(process.name, "death", said)
        meaning = self._meaning(process)
        if meaning in ("go on", "mark"):
            self._result.warnings.append(said)
            return
        # The predictor's death is a verdict on the test, any other one a fault of the rig.
        self._result.worse("tripped" if process.on_death == "ask" else "failed", said)
        if meaning == "stop":
            self._group.tell("bench", "stop", reason=said, outcome="tripped")

    def _meaning(self, process: Process) -> str:
        return process.on_death if process.on_death != "ask" else self._plan.experiment.predictor.on_death

    def _came_to_its_end(self) -> bool:
        """Whether the bench worker has ended, and not because nobody followed its test."""
        bench = self._group.members.get("bench")
        if bench is None:
            return False
        if bench.exit is not None:
            self._group.hear_out("bench")  # it may have said so while this process was away
        return bench.figures is not None and bench.figures["outcome"] != "failed"
