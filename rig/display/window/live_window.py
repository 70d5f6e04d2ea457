"""The window of a running test: follows the newest sample, can hold the picture, and stops the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from rig.display.ending import Ended, Figures
from rig.display.preparing import Preparation, Prepared
from rig.display.sources.source import Source
from rig.display.sources.view_model import Subject
from rig.display.status import Status
from rig.display.window.closing import ClosingQuestion
from rig.display.window.holding import HoldButton, side_by_side
from rig.display.window.keys import hint
from rig.display.window.stopping import StopButton
from rig.display.window.window import Window

STAYS = "ENDED – this stays until the window is closed: Ctrl W here, or Ctrl-C in the terminal"
LONGEST = 120.0  # s; what the source remembers


class LiveWindow(Window):
    """What the person wants goes out by three calls, `stop(reason)`, `detach()` and `operate("hold" or "resume", reason)`."""

    def __init__(
        self,
        what: Subject,
        source: Source,
        settings: Path,
        stop: Callable[[str], None],
        detach: Callable[[], None],
        prepared: Callable[[], Prepared | None] = lambda: None,
        operate: Callable[[str, str], None] = lambda verb, reason: None,
    ) -> None:
        """prepared: the newest samples of what goes before the test."""
        self._prepared = prepared
        self.stop_button, self.hold_button = StopButton(), HoldButton()
        self._stop, self._detach = stop, detach
        self._held: int | None = None
        self._over = False
        self.preparation, self.figures = Preparation(what.preparation_guard), Figures()
        super().__init__(what, source, settings, LONGEST)
        self.stop_button.asked.connect(stop)
        self.hold_button.asked.connect(operate)
        self.question = ClosingQuestion(self, self._stop_and_leave, self._leave)
        self.show_status(self._status)

    def beside_banner(self) -> QWidget:
        return side_by_side(self.hold_button, self.stop_button)

    def below_banner(self) -> Sequence[QWidget]:
        return (self.preparation, self.figures)

    def apply_theme(self, name: str) -> None:
        super().apply_theme(name)
        self.preparation.theme(self._theme)

    def refresh(self) -> bool:
        """As any window; before the first sample of the test what goes before it, where there is something."""
        if super().refresh():
            self.preparation.hide()
            return True
        if self._over or self.newest() is not None or (now := self._prepared()) is None:
            return False
        self.preparation.refresh(now)
        return True

    def show_ended(self, ended: Ended) -> None:
        """Verdict, reason and figures, until the window is closed."""
        self._over = True
        self.show_status(replace(self._status, state="tripped" if ended.outcome == "tripped" else "stopped", events=()))
        self._banner.show_ended(ended)
        self.preparation.hide()
        self.figures.show_figures(ended.figures)
        self._hint.setText(STAYS)

    def moment(self) -> int | None:
        return self.newest() if self._held is None else self._held

    def shift(self, seconds: float) -> None:
        """Earlier holds the picture; later than now is now."""
        now, newest = self.moment(), self.newest()
        if now is None or newest is None:
            return
        oldest = max(0, newest - round((LONGEST - self.overlay.seconds) * self.source.rate))
        self._hold(max(min(now + round(seconds * self.source.rate), newest), oldest))

    def whole(self) -> None:
        super().whole()
        self._hold(None)

    def toggle_pause(self) -> None:
        """Hold the picture, or go on; the test is not touched, and the table of channels goes on."""
        self._hold(self.newest() if self._held is None else None)

    def show_status(self, status: Status) -> None:
        super().show_status(status)
        self.stop_button.show_status(status)
        self.hold_button.show_status(status)
        self.panels.events.add(status.events)

    def stop_by_key(self) -> None:
        """Esc: the second press stops."""
        self.stop_button.key()

    def hold_test(self) -> None:
        """Ctrl+H."""
        self.hold_button.key("hold")

    def resume_test(self) -> None:
        """Ctrl+R."""
        self.hold_button.key("resume")

    def stop_at_once(self) -> None:
        """Ctrl+S, which nobody presses by chance."""
        if not self._status.ended:
            self._stop("Ctrl+S pressed in the window")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first while a test runs: closing by mistake must neither stop it nor go unnoticed."""
        event.ignore()
        if self._status.ended:
            self._leave()
        else:
            self.question.ask()

    def _hold(self, sample: int | None) -> None:
        self._held = sample
        held = self.panels.animation.follows = sample is not None
        self._hint.setText("PICTURE PAUSED – the test goes on.   Space to go on" if held else hint(self.replay))

    def _stop_and_leave(self) -> None:
        self._stop("window closed with stop")
        self._leave()

    def _leave(self) -> None:
        self.keep()
        self.hide()
        self._detach()
