"""Widgets by the name under which the style sheet knows them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QLabel, QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str) -> W:
    """The widget, under this name."""
    widget.setObjectName(name)
    return widget


def text(name: str, content: str = "") -> QLabel:
    """A line of text that looks as the style sheet says for `name`."""
    return named(QLabel(content), name)
