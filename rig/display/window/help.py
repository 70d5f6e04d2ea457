"""The list of keys, on F1."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QWidget

from rig.display.labels import text
from rig.display.window.keys import key_help

BESIDES = (
    "Drag over the curves to look at that time; double click to go back. Wheel: time; with Ctrl: value axis.\n"
    "Panels: drag by their bar; double click: a window of its own; right click: list of panels."
)


class Help(QDialog):
    """Not modal: the curves go on behind it."""

    def __init__(self, parent: QWidget, replay: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 16, 20, 16)
        grid.setHorizontalSpacing(24)
        for row, (keys, does) in enumerate(key_help(replay)):
            grid.addWidget(text("title", keys), row, 0)
            grid.addWidget(QLabel(does), row, 1)
        grid.addWidget(text("caption", BESIDES), grid.rowCount(), 0, 1, 2)

    def toggle(self) -> None:
        """Show it, or put it away."""
        self.setVisible(not self.isVisible())
