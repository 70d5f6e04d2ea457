"""Qt's one application object, set up for cheap drawing."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

import pyqtgraph as pg  # isort: skip  # after Qt, so that it takes the same binding

NO_HINTS = "does not support propagateSizeHints"


def application() -> QApplication:
    """The application, made at the first call."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    qInstallMessageHandler(_say)
    made = QApplication(["clearance-rig"])
    made.setApplicationDisplayName("clearance-rig")
    made.setQuitOnLastWindowClosed(False)
    made.setStyle("Fusion")
    made.setFont(QFont("DejaVu Sans", 10) if "DejaVu Sans" in _families() else made.font())
    pg.setConfigOptions(antialias=False, exitCleanup=False)
    return made


def _say(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    """What Qt says, but for what its platform without a display says of every window."""
    if message and NO_HINTS not in message:
        print(message, file=sys.stderr)


def _families() -> list[str]:
    from PySide6.QtGui import QFontDatabase

    return list(QFontDatabase.families())
