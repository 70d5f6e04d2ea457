"""The stop button, and the key that stops only when it is pressed twice."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy

from rig.display.labels import named
from rig.display.status import Status

WIDTH = 168  # px
GUARD = 2000  # ms within which the key must be pressed again


class StopButton(QPushButton):
    """Asks for a ramped stop; pressed once more it is an interlock; nothing any more when the test has ended."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__("STOP")
        named(self, "stop")
        self.setToolTip("ramped stop, complete record (Esc twice, or Ctrl+S); once more: interlock")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a space bar must not press it
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._words = "STOP"
        self._guard = QTimer(self, singleShot=True, interval=GUARD)
        self._guard.timeout.connect(self._tell)
        self.clicked.connect(lambda: self.asked.emit("stop button"))

    @property
    def waits(self) -> bool:
        """The key has been pressed once and is waited for."""
        return self._guard.isActive()

    def key(self) -> None:
        """The guarded key: the first press says so, the second within GUARD stops. A key hit by chance stops no test."""
        if not self.isEnabled():
            return
        if self.waits:
            self._guard.stop()
            self.asked.emit("Esc pressed twice in the window")
        else:
            self._guard.start()
        self._tell()

    def show_status(self, status: Status) -> None:
        """Say what pressing does now."""
        self.setEnabled(not status.ended)
        self._words = "ENDED" if status.ended else "STOPPING" if status.state == "stopping" else "STOP"
        if status.ended:
            self._guard.stop()
        self._tell()

    def _tell(self) -> None:
        self.setText("Esc again\nto STOP" if self.waits else self._words)
