"""The window's process. It only looks: it may lose samples, and its end leaves the test running."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rig.config.plan import Plan
from rig.display.sources.live import LiveSource
from rig.display.sources.view_model import subject
from rig.display.window.availability import reason_headless
from rig.display.window.pacing import Pacer
from rig.errors import RigError
from rig.host import clock
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command, Report

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from rig.display.window.live_window import LiveWindow

LISTEN = 0.010  # s between two looks at mouse and keyboard


class Display:
    """Window, source of its arrays and its pace."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        self.done = False
        self._pacer = Pacer()
        self._source: LiveSource | None = None
        self._window: LiveWindow | None = None
        self._application: QApplication

    def setup(self) -> None:
        """Open the window; the rings are opened as they appear. Raises RigError when no window can be shown."""
        reason = reason_headless()
        if reason is not None:
            raise RigError(f"display: no window can be shown: {reason}")
        from rig.display.window.application import application
        from rig.display.window.layout import settings_file
        from rig.display.window.live_window import LiveWindow

        self._application = application()
        plan = self._plan
        what = replace(subject(plan.experiment, plan.bench, plan.run), folder=plan.run_dir)
        self._source = LiveSource(plan.streams, what.traces(what.force), what.measured_delay, what.rate, plan.first_sample)
        self._window = LiveWindow(what, self._source, settings_file(), self._stop, self._detach, self._source.prepared, self._operate)
        self._window.show()
        self._application.processEvents()  # fonts and first layout before the test begins

    def step(self) -> float:
        """Answer mouse and keyboard; draw when a frame is due."""
        assert self._window is not None
        began, used = clock.now(), time.thread_time()
        due = self._pacer.wait(began) == 0.0
        drawn = False
        if due:
            drawn = self._window.refresh()
        self._application.processEvents()
        if due:
            self._pacer.drawn(began, clock.now(), time.thread_time() - used, counts=drawn)
        return min(LISTEN, self._pacer.wait(clock.now()))

    def report(self) -> Report:
        return {"frames": self._pacer.frames}  # the figures come at the end: they are made from every frame

    def command(self, verb: str, data: Command) -> None:
        """`status` is shown; at `rest` nothing more comes, and the rings may go; `ended` is shown, too; `finish` closes.

        Without a supervisor there is nothing to look at.
        """
        if verb == "status" and self._window is not None:
            from rig.display.status import Status

            self._window.show_status(Status.of(dict(data)))
        elif verb == "rest" and self._source is not None:
            self._source.freeze()
            self._links.send("closed", figures=self._pacer.figures())  # they are asked for before the window is closed
        elif verb == "ended" and self._window is not None:
            from rig.display.ending import Ended

            self._window.show_ended(Ended.of(data))
        elif verb in ("finish", ORPHANED, ABANDONED):
            self.done = True

    def close(self) -> Mapping[str, object]:
        """Keep the layout; returns pace and drawing time."""
        if self._window is not None:
            self._window.keep()
            self._window.hide()
        if self._source is not None:
            self._source.close()
        return self._pacer.figures()

    def _stop(self, reason: str) -> None:
        self._links.request("stop", reason=reason)

    def _operate(self, verb: str, reason: str) -> None:
        self._links.request(verb, reason=reason)

    def _detach(self) -> None:
        self._links.event(None, "window", "window closed")
        self.done = True


def create(plan: Plan, links: Links) -> Display:
    """The worker that the runtime runs."""
    return Display(plan, links)
