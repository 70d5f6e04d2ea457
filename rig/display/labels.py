"""Widgets by the name under which the style sheet knows them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str) -> W:
    """The widget, under this name."""
    widget.setObjectName(name)
    return widget


def text(name: str, content: str = "") -> QLabel:
    """A line of text that looks as the style sheet says for `name`."""
    return named(QLabel(content), name)


class Figures(QLabel):
    """Figures at the right end of a bar. What does not fit ends in dots: it must not force a width on a small screen, and a number that
    has lost its first digits is another number."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "muted")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    @property
    def shown(self) -> str:
        """As much of the text as there is room for."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, cut at its end."""
        painter, rectangle = QPainter(self), self.contentsRect()
        self.style().drawItemText(
            painter, rectangle, int(self.alignment()), self.palette(), self.isEnabled(), self.shown, self.foregroundRole()
        )
