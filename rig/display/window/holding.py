"""The button that holds a running test, and lets it go on: what pressing does now is what stands on it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from rig.display.labels import named
from rig.display.status import Status
from rig.streaming.states import CAN_HOLD, CAN_RESUME, HOLD

WIDTH = 128  # px


class HoldButton(QPushButton):
    """Asks for a hold, or for a resume where the test is held; says nothing where neither can be."""

    asked = Signal(str, str)
    """verb, reason."""

    def __init__(self) -> None:
        super().__init__("HOLD")
        named(self, "hold")
        self.setToolTip("the command comes to a stand, and goes on in the same cycle (Ctrl+H, Ctrl+R)")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._state = "ready"
        self.clicked.connect(self._press)

    def show_status(self, status: Status) -> None:
        """Say what pressing does now."""
        self._state = status.state
        self.setText("RESUME" if status.state == HOLD else "HOLD")
        self.setEnabled(status.state == HOLD or status.state in CAN_HOLD)

    def key(self, verb: str) -> None:
        """A key of that verb: does nothing where the test is in no state for it."""
        if self._state in (CAN_HOLD if verb == "hold" else CAN_RESUME):
            self.asked.emit(verb, f"{verb} by a key in the window")

    def _press(self) -> None:
        verb = "resume" if self._state == HOLD else "hold"
        self.asked.emit(verb, f"{verb} button in the window")


def side_by_side(*widgets: QWidget) -> QWidget:
    """In one row, as high as the highest."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    return row
