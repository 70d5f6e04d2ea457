"""The mouse over the curves: drag over a stretch of time, wheel, double click."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QRubberBand

LEAST = 6  # px; a shorter drag is a click


class Dragging(QObject):
    """Watches one plot area; tells stretches in the units of its horizontal axis."""

    stretch = Signal(float, float)
    wheel = Signal(int, bool)  # direction, with Ctrl
    back = Signal()

    def __init__(self, area: pg.PlotWidget) -> None:
        super().__init__(area)
        self._area = area
        self._begin: float | None = None
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, area.viewport())
        area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QWheelEvent):
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self.wheel.emit(1 if event.angleDelta().y() > 0 else -1, control)
            return True
        if not isinstance(event, QMouseEvent) or (event.button() != Qt.MouseButton.LeftButton and kind != QEvent.Type.MouseMove):
            return False
        if kind == QEvent.Type.MouseButtonDblClick:
            self._begin = None
            self.back.emit()
        elif kind == QEvent.Type.MouseButtonPress:
            self._begin = event.position().x()
        elif kind == QEvent.Type.MouseMove and self._begin is not None:
            self._show(event.position().x())
        elif kind == QEvent.Type.MouseButtonRelease and self._begin is not None:
            self._release(event.position().x())
        return True

    def _show(self, x: float) -> None:
        assert self._begin is not None
        left, right = sorted((int(self._begin), int(x)))
        self._band.setGeometry(QRect(left, 0, right - left, self._area.viewport().height()))
        self._band.setVisible(right - left >= LEAST)

    def _release(self, x: float) -> None:
        assert self._begin is not None
        left, right = sorted((self._begin, x))
        self._begin = None
        self._band.hide()
        if right - left >= LEAST:
            box = self._area.getViewBox()
            ends = [box.mapSceneToView(self._area.mapToScene(QPointF(place, 1.0).toPoint())).x() for place in (left, right)]
            self.stretch.emit(*ends)
