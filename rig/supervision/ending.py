"""The end of a run: the bench first, so that nothing moves; then those who drain its streams; the simulated hardware last."""

from __future__ import annotations

import time
from collections.abc import Callable

from rig.host import clock
from rig.streaming.processes import VIRTUAL_BENCH
from rig.supervision.deaths import Deaths
from rig.supervision.event_log import EventLog
from rig.supervision.kept_window import DISPLAY, KeptWindow
from rig.supervision.outcome import Outcome
from rig.supervision.process_group import ProcessGroup

BENCH_PATIENCE = 1.5  # s for the bench to reach its safe state when everything must end
FAILED_PATIENCE = 3.0  # s for those who write nothing when the hardware is gone


class Ending:
    """Ends every process of `group`, whatever they do; what they leave goes into `result`."""

    def __init__(self, group: ProcessGroup, result: Outcome, log: EventLog, deaths: Deaths, window: KeptWindow) -> None:
        self._group, self._result, self._log, self._deaths, self._window = group, result, log, deaths, window

    def end_bench(self, called_off: bool) -> None:
        """called_off: it was to stop before anything had begun."""
        was_gone = "bench" in self._group.gone
        child = self._group.end("bench", BENCH_PATIENCE)  # the end of its input makes a bench that still moves interlock
        if child is None:
            return
        if child.figures and child.failure is None:
            self._result.worse(child.figures["outcome"], child.figures["reason"])
        if child.exit == 0 or was_gone:
            return
        if called_off and child.failure is None:
            # It was still opening its instruments, and could not end in the time that it was given: nothing has been moved.
            text = f"{child.last_words()} while it opened its instruments, {BENCH_PATIENCE:g} s after the stop"
            self._log.write("bench", "death", text)
            return
        self._deaths.answer(self._group.table["bench"], child)

    def end_others(self) -> None:
        """Those of a test that was run."""
        for name in ("predictor", "estimator", "recorder"):
            hurried = self._result.failed and name != "recorder"
            self._finish(name, FAILED_PATIENCE if hurried else self._group.table[name].closing if name in self._group else 0.0)
        self._rest_window()
        if VIRTUAL_BENCH in self._group:
            if self._result.failed and VIRTUAL_BENCH not in self._group.gone:
                time.sleep(self._group.table[VIRTUAL_BENCH].linger)
            # After a death what turned may still coast, and the bench's log is to tell how it came to rest.
            self._group.end(VIRTUAL_BENCH, self._group.table[VIRTUAL_BENCH].closing if self._result.failed else 2.0)
        self._collect()

    def send_home(self, silence: Callable[[], None]) -> None:
        """Those of a test that never began: what they say of that, from `silence()` on, is no news."""
        silence()
        for name in list(self._group.members):
            if name != DISPLAY or not self._window.stays:
                self._group.end(name, 1.0)
        self._rest_window()
        self._collect()

    def _rest_window(self) -> None:
        """Nothing more comes for it."""
        if DISPLAY not in self._group:
            return
        patience = FAILED_PATIENCE if self._result.failed else self._group.table[DISPLAY].closing
        if self._window.stays:
            self._window.rest(patience)
        else:
            self._finish(DISPLAY, patience)

    def _finish(self, name: str, patience: float) -> None:
        was_gone = name in self._group.gone
        self._group.tell(name, "finish")
        self._group.wait_for(name, clock.now() + patience)
        child = self._group.end(name, 0.5)
        if child is not None and child.exit != 0 and not was_gone:
            self._deaths.answer(self._group.table[name], child)

    def _collect(self) -> None:
        self._deaths.own_hanging()
        for name, child in self._group.members.items():
            self._result.processes[name] = child.usage
            if child.figures is not None:
                self._result.figures[name] = child.figures
            elif name == "bench" and (rate := child.report.get("rate")) and (samples := child.report.get("sample")) is not None:
                self._result.figures[name] = {"rate": rate, "samples": samples}  # as far as it told
