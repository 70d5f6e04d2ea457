"""A panel: a bar with its name above what it shows. As a dock, the bar is what it is moved by."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QVBoxLayout

from rig.display.labels import Figures, named, text
from rig.display.theme import Theme

BAR_HEIGHT = 34  # px, the same for all, so that plots beside each other are in line


class Bar(QFrame):
    """The bar of a panel. A dock asks for the height that it would like, whatever it is fixed to."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "bar")
        self.setFixedHeight(BAR_HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), BAR_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, BAR_HEIGHT)


class Panel(QFrame):
    """Bar (title, and at its right end figures in grey) and body."""

    def __init__(self, title: str) -> None:
        super().__init__()
        named(self, "panel")
        self.bar = Bar()
        self.header = QHBoxLayout(self.bar)
        self.header.setContentsMargins(10, 4, 8, 0)
        self.header.setSpacing(14)
        self.heading = text("title", title)
        self.figures = Figures()
        self.header.addWidget(self.heading)
        self.header.addWidget(self.figures, 1)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(10, 0, 8, 4)
        self.body.setSpacing(2)

    def theme(self, theme: Theme) -> None:
        """Take on these colours."""


class Card(QFrame):
    """A panel that stays in its place: bar and body as one."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(panel.bar)
        layout.addWidget(panel, 1)


def dock(panel: Panel, name: str, title: str) -> QDockWidget:
    """The panel as a dock that can be moved, put into a window of its own, and closed from the list of panels."""
    made = named(QDockWidget(title), name)
    features = QDockWidget.DockWidgetFeature
    made.setFeatures(features.DockWidgetMovable | features.DockWidgetFloatable | features.DockWidgetClosable)
    made.setTitleBarWidget(panel.bar)
    made.setWidget(panel)
    panel.bar.setToolTip("drag to move, double click for a window of its own, right click for the list of panels")
    return made
