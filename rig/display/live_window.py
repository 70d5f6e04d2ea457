"""The window of a running test: follows the newest sample, can hold the picture, and stops the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from rig.display.closing import ClosingQuestion
from rig.display.keys import hint
from rig.display.source import Source
from rig.display.status import Status
from rig.display.stopping import StopButton
from rig.display.subject import Subject
from rig.display.window import Window

LONGEST = 120.0  # s; what the source remembers


class LiveWindow(Window):
    """What the person wants goes out by two calls, `stop(reason)` and `detach()`."""

    def __init__(self, what: Subject, source: Source, settings: Path, stop: Callable[[str], None], detach: Callable[[], None]) -> None:
        self.stop_button = StopButton()
        self._stop, self._detach = stop, detach
        self._held: int | None = None
        super().__init__(what, source, settings, LONGEST)
        self.stop_button.asked.connect(stop)
        self.question = ClosingQuestion(self, self._stop_and_leave, self._leave)
        self.show_status(self._status)

    def beside_banner(self) -> QWidget:
        return self.stop_button

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
        self.panels.events.add(status.events)

    def stop_by_key(self) -> None:
        """Esc: the second press stops."""
        self.stop_button.key()

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
        held = sample is not None
        self._hint.setText("PICTURE PAUSED – the test goes on.   Space to go on" if held else hint(self.replay))

    def _stop_and_leave(self) -> None:
        self._stop("window closed with stop")
        self._leave()

    def _leave(self) -> None:
        self.keep()
        self.hide()
        self._detach()
