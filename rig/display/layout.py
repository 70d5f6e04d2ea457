"""The window's layout, kept between runs in the user's own configuration folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths
from PySide6.QtWidgets import QMainWindow, QSplitter


def settings_file() -> Path:
    """Where it is kept."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(folder) / "clearance-rig" / "window.ini"


class Layout:
    """Size, place, splitters and a few choices. What cannot be understood, or written, is left as it is."""

    def __init__(self, file: Path, window: QMainWindow, splitters: Mapping[str, QSplitter]) -> None:
        self._settings = QSettings(str(file), QSettings.Format.IniFormat)
        self._window, self._splitters = window, splitters

    def keep(self, span: float, theme: str) -> None:
        """Write all down."""
        self._settings.setValue("geometry", self._window.saveGeometry())
        for name, splitter in self._splitters.items():
            self._settings.setValue(name, splitter.saveState())
        self._settings.setValue("span", span)
        self._settings.setValue("theme", theme)
        self._settings.sync()

    def restore(self) -> None:
        """Size, place and splitters as they were."""
        if (geometry := self._bytes("geometry")) is not None:
            self._window.restoreGeometry(geometry)
        for name, splitter in self._splitters.items():
            if (state := self._bytes(name)) is not None:
                splitter.restoreState(state)

    def span(self, default: float) -> float:
        """Time shown, s."""
        try:
            return float(str(self._settings.value("span", default)))
        except ValueError:
            return default

    def theme(self, default: str) -> str:
        """Name of the theme."""
        return str(self._settings.value("theme", default))

    def _bytes(self, name: str) -> QByteArray | None:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else None
