"""One thin curve. It does not measure its own extent, which a general plot item does anew for every frame."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rig.display.sources.source import Floats

DOT = 9.0  # px

Flags = NDArray[np.bool_]


class Curve(QGraphicsItem):
    """Points joined by straight lines, broken at NaN; what lies outside the axes is cut off by the plot."""

    def __init__(self) -> None:
        super().__init__()
        self._path, self._pen, self._extent = QPainterPath(), QPen(), QRectF()
        self._points: list[QPointF] = []

    def draw(self, x: Floats, y: Floats) -> None:
        """The points, in the units of the axes."""
        self._path = pg.arrayToQPath(x, y, connect="finite")
        self.update()

    def join(self, places: Floats, joined: Flags) -> None:
        """Lines from place to place (M, 2), in the units of the axes, where they are joined (M - 1,)."""
        begins, ends = np.append(joined, False), np.append(False, joined)
        kept = begins | ends
        self._path = pg.arrayToQPath(places[kept, 0], places[kept, 1], connect=begins[kept].astype(np.int32))
        self.update()

    def clear(self) -> None:
        """Nothing to draw."""
        self._path = QPainterPath()
        self.update()

    def extend(self, extent: QRectF) -> None:
        """The range of the axes."""
        self.prepareGeometryChange()
        self._extent = extent

    def colour(self, name: str) -> None:
        """A pen of width 1 without antialiasing is what Qt draws fast; at width 2 it takes seven times as long."""
        self._pen = QPen(QColor(name), 1.0)
        self._pen.setCosmetic(True)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._extent

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setPen(self._pen)
        painter.drawPath(self._path)


class Band(Curve):
    """An area between two curves, through which one sees what lies below it."""

    def between(self, x: Floats, low: Floats, high: Floats) -> None:
        """Of points (N,) each, in the units of the axes."""
        self.draw(np.concatenate((x, x[::-1])), np.concatenate((high, low[::-1])))

    def colour(self, name: str) -> None:
        super().colour(name)
        self._pen = QPen(Qt.PenStyle.NoPen)
        self._fill = QColor(name)
        self._fill.setAlphaF(0.3)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if not self._path.isEmpty():
            painter.fillPath(self._path, self._fill)


class Points(Curve):
    """Points that are not joined, so few that a broad pen costs nothing."""

    def draw(self, x: Floats, y: Floats) -> None:
        """The points, in the units of the axes; one that is not a number is left out."""
        there = np.isfinite(x) & np.isfinite(y)
        self._points = [QPointF(float(a), float(b)) for a, b in zip(x[there], y[there], strict=True)]
        self.update()

    def clear(self) -> None:
        self._points = []
        self.update()

    def colour(self, name: str) -> None:
        super().colour(name)
        self._pen.setWidthF(5.0)
        self._pen.setCapStyle(Qt.PenCapStyle.RoundCap)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setPen(self._pen)
        painter.drawPoints(self._points)


class Dot(QGraphicsEllipseItem):
    """A mark of fixed size on the screen, at one point of the axes."""

    def __init__(self) -> None:
        super().__init__(-DOT / 2.0, -DOT / 2.0, DOT, DOT)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.hide()

    def place(self, x: float, y: float) -> None:
        self.setPos(x, y)
        self.show()

    def ring(self, name: str) -> None:
        """Open, so that one sees what lies below it."""
        self.setBrush(Qt.BrushStyle.NoBrush)
        self.setPen(QPen(QColor(name), 2.5))

    def colour(self, fill: str, edge: str) -> None:
        self.setBrush(QColor(fill))
        self.setPen(QColor(edge))
