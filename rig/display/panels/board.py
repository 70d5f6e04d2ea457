"""A plane without axes on which shapes are drawn to scale: as wide as high in all directions."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QFrame, QStyleOptionGraphicsItem, QWidget

from rig.display.panels.curve import Curve
from rig.display.sources.source import Floats

ROUND = np.linspace(0.0, 2.0 * np.pi, 49)


class Shape(Curve):
    """Lines of any width, or an area; smooth, as there are few of them."""

    def __init__(self, width: float = 1.5) -> None:
        super().__init__()
        self._width, self._fill = width, QColor(0, 0, 0, 0)

    def colour(self, name: str, fill: str = "", share: float = 1.0) -> None:
        """Of the lines, and of what they enclose, which covers so much of what is below."""
        self._pen = QPen(QColor(name), self._width)
        self._pen.setCosmetic(True)
        self._pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._fill = QColor(fill) if fill else QColor(0, 0, 0, 0)
        self._fill.setAlphaF(share if fill else 0.0)
        self.update()

    def circle(self, x: float, y: float, radius: float) -> None:
        """About x, y."""
        self.draw(x + radius * np.cos(ROUND), y + radius * np.sin(ROUND))

    def arc(self, x: float, y: float, radius: float, angle: float, width: float) -> None:
        """A part of that circle, `width` (rad) wide about an angle (rad)."""
        way = np.linspace(angle - 0.5 * width, angle + 0.5 * width, 9)
        self.draw(x + radius * np.cos(way), y + radius * np.sin(way))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setBrush(self._fill)
        super().paint(painter, option, widget)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class Board(pg.PlotWidget):  # type: ignore[misc]
    """What is put on it is drawn in the order of its height."""

    def __init__(self) -> None:
        super().__init__()
        item = self.getPlotItem()
        item.setMenuEnabled(False)
        item.hideButtons()
        item.setMouseEnabled(x=False, y=False)
        item.disableAutoRange()
        item.hideAxis("left")
        item.hideAxis("bottom")
        item.getViewBox().setAspectLocked(True)
        self._shapes: list[Curve] = []
        item.getViewBox().sigRangeChanged.connect(self._extend)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(60, 40)

    def sizeHint(self) -> QSize:
        return QSize(360, 300)

    def put(self, shape: Curve, height: float) -> None:
        """Draw this one as well."""
        shape.setZValue(height)
        shape.extend(self.getPlotItem().getViewBox().viewRect())
        self._shapes.append(shape)
        self.getPlotItem().getViewBox().addItem(shape, ignoreBounds=True)

    def name(self, text: str, x: float, y: float) -> pg.TextItem:
        """Words whose upper edge has its middle there."""
        words = pg.TextItem(text, anchor=(0.5, 0.0))
        words.setPos(x, y)
        self.getPlotItem().getViewBox().addItem(words, ignoreBounds=True)
        return words

    def wipe(self) -> None:
        """Nothing is on it any more."""
        self.getPlotItem().getViewBox().clear()
        self._shapes.clear()

    def frame(self, low: Floats, high: Floats) -> None:
        """Show at least what is between two corners, (2,) each."""
        self.getPlotItem().getViewBox().setRange(
            xRange=(float(low[0]), float(high[0])), yRange=(float(low[1]), float(high[1])), padding=0.0
        )

    def _extend(self) -> None:
        for shape in self._shapes:
            shape.extend(self.getPlotItem().getViewBox().viewRect())
