"""The window's layout, kept between runs in the user's own configuration folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths
from PySide6.QtWidgets import QMainWindow, QSplitter

VERSION = 2  # of the arrangement; another one's is not understood


def settings_file() -> Path:
    """Where it is kept."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(folder) / "clearance-rig" / "window.ini"


class Layout:
    """Size, place, docks and a few choices. What cannot be understood, or written, is left as it is."""

    def __init__(self, file: Path, window: QMainWindow, splitter: QSplitter) -> None:
        self._settings = QSettings(str(file), QSettings.Format.IniFormat)
        self._window, self._splitter = window, splitter
        self._first = window.saveState(VERSION), splitter.saveState()

    def keep(self, **choices: str | float) -> None:
        """Write all down."""
        self._settings.setValue("geometry", self._window.saveGeometry())
        self._settings.setValue("docks", self._window.saveState(VERSION))
        self._settings.setValue("middle", self._splitter.saveState())
        for name, value in choices.items():
            self._settings.setValue(name, value)
        self._settings.sync()

    def restore(self) -> None:
        """Size, place and docks as they were."""
        if (geometry := self._bytes("geometry")) is not None:
            self._window.restoreGeometry(geometry)
        if (docks := self._bytes("docks")) is not None:
            self._window.restoreState(docks, VERSION)
        if (middle := self._bytes("middle")) is not None:
            self._splitter.restoreState(middle)

    def reset(self) -> None:
        """Docks as they were at first; the window keeps its size."""
        docks, middle = self._first
        self._window.restoreState(docks, VERSION)
        self._splitter.restoreState(middle)

    def number(self, name: str, default: float) -> float:
        """A choice that is a number."""
        try:
            return float(str(self._settings.value(name, default)))
        except ValueError:
            return default

    def word(self, name: str, default: str) -> str:
        """A choice that is a word."""
        return str(self._settings.value(name, default))

    def _bytes(self, name: str) -> QByteArray | None:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else None
