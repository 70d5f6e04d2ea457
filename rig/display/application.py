"""Qt's one application object, set up for cheap drawing."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

import pyqtgraph as pg  # isort: skip  # after Qt, so that it takes the same binding


def application() -> QApplication:
    """The application, made at the first call."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    made = QApplication(["clearance-rig"])
    made.setApplicationDisplayName("clearance-rig")
    made.setQuitOnLastWindowClosed(False)
    made.setStyle("Fusion")
    made.setFont(QFont("DejaVu Sans", 10) if "DejaVu Sans" in _families() else made.font())
    pg.setConfigOptions(antialias=False, exitCleanup=False)
    return made


def _families() -> list[str]:
    from PySide6.QtGui import QFontDatabase

    return list(QFontDatabase.families())
