"""The question asked when the window is closed while a test runs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget


class ClosingQuestion:
    """Stop, leave running, or keep watching. It has no loop of its own: the curves go on behind it."""

    def __init__(self, parent: QWidget, stop: Callable[[], None], leave: Callable[[], None]) -> None:
        self._stop, self._leave = stop, leave
        self.box = box = QMessageBox(parent)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Close the window")
        box.setText("The test is running.")
        box.setInformativeText("Stop it with a ramp and a complete record, or close the window only and leave it running?")
        self.stop_button = box.addButton("Stop the test", QMessageBox.ButtonRole.DestructiveRole)
        self.leave_button = box.addButton("Leave it running", QMessageBox.ButtonRole.AcceptRole)
        self.stay_button = box.addButton("Keep watching", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(self.stay_button)
        box.setEscapeButton(self.stay_button)
        box.finished.connect(self._answered)

    def ask(self) -> None:
        """Show it, once."""
        if not self.box.isVisible():
            self.box.open()

    def _answered(self) -> None:
        chosen = self.box.clickedButton()
        if chosen is self.stop_button:
            self._stop()
        elif chosen is self.leave_button:
            self._leave()
