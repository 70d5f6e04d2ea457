"""What happened, the newest at the end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from rig.display.panels.panel import Panel
from rig.display.quantities import clock
from rig.display.status import Event

KEPT_EVENTS = 500


class Events(Panel):
    """Time, who said it, and what, a line each."""

    def __init__(self) -> None:
        super().__init__("Events")
        self._text = QPlainTextEdit(readOnly=True, maximumBlockCount=KEPT_EVENTS, placeholderText="nothing has happened yet")
        self._text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._text.setMinimumSize(60, 30)
        self._text.setUndoRedoEnabled(False)
        self.body.addWidget(self._text)

    def add(self, events: Sequence[Event]) -> None:
        """Add these."""
        for event in events:
            self._text.appendPlainText(line(event))

    def restart(self, events: Sequence[Event]) -> None:
        """Show these and no others."""
        self._text.setPlainText("\n".join(line(event) for event in events[-KEPT_EVENTS:]))
        bar = self._text.verticalScrollBar()
        bar.setValue(bar.maximum())


def line(event: Event) -> str:
    """As `12.3 s  bench  limit: force 31 kN exceeds ...`; what only says the same twice is said once."""
    at = "–" if event.time_s is None else clock(event.time_s)
    kind = f"{event.kind}: " if event.kind and event.kind not in ("state", event.text) else ""
    return "  ".join(part for part in (f"{at:>7}", event.source, kind + event.text) if part)
