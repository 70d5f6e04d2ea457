"""A plot with thin curves: the part that all panels with curves have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGraphicsItem

from rig.display.labels import text
from rig.display.panels.curve import Curve
from rig.display.panels.panel import Panel
from rig.display.quantities import Shown
from rig.display.ranges import StableRange
from rig.display.sources.source import Floats
from rig.display.theme import Theme

AXIS_WIDTH = 58  # px, the same for all plots, so that those above each other are in line
AXIS_HEIGHT = 42
NUMBERS, GRIDS = ("left", "bottom"), ("right", "top")  # an axis with a grid leaves out the numbers at its ends
LEGEND = ("measured", "predicted", "command", "difference", "accent")  # order of the legend; the curves are drawn in another


class Line(NamedTuple):
    """One curve: its name in the legend and its role, which gives the colour."""

    text: str
    role: str


class Plot(Panel):
    """Bar (title, legend, figures) above the curves. Axes follow the data by themselves and calmly."""

    def __init__(self, title: str, shown: Shown, minimum: float, lines: Sequence[Line], below: str) -> None:
        """`minimum` (SI) is the least height of the vertical axis; `lines` are drawn in their order, the last on top."""
        super().__init__(title)
        self.shown, self.vertical = shown, StableRange(minimum * shown.factor)
        self.magnified = 1.0  # by how much the vertical axis is narrower than what it would hold by itself
        self._below, self._lines = below, tuple(lines)
        self._theme: Theme | None = None
        self._legend = text("muted")
        self._legend.setMinimumWidth(1)
        self.header.insertWidget(1, self._legend)
        self.area: pg.PlotWidget = pg.PlotWidget()
        self.curves: Mapping[str, Curve] = {line.role: self._curve(order) for order, line in enumerate(self._lines)}
        self._prepare()
        self.body.addWidget(self.area, 1)
        self._apply_range()

    def sizeHint(self) -> QSize:
        return QSize(420, 190)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 90)

    def _curve(self, order: int) -> Curve:
        curve = Curve()
        curve.setZValue(order)
        self.area.getViewBox().addItem(curve, ignoreBounds=True)
        return curve

    def _prepare(self) -> None:
        item = self.area.getPlotItem()
        item.setMenuEnabled(False)
        item.hideButtons()
        item.setMouseEnabled(x=False, y=False)
        item.disableAutoRange()
        item.getViewBox().sigRangeChanged.connect(self._extend)
        item.layout.setContentsMargins(0, 8, 20, 0)  # room for half of the last numbers
        item.getAxis("left").setWidth(AXIS_WIDTH)
        item.getAxis("bottom").setHeight(AXIS_HEIGHT)
        for side in (*NUMBERS, *GRIDS):
            axis = item.getAxis(side)
            item.showAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickLength=-5, tickTextOffset=6, maxTickLevel=1, hideOverlappingLabels=False)
            font = QFont()
            font.setPointSize(9)
            axis.setTickFont(font)
            # Kept as a picture, or numbers and grid are drawn with every frame.
            axis.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        for side in GRIDS:
            item.getAxis(side).setStyle(showValues=False)
            item.getAxis(side).setGrid(55)
        self.area.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # or the panel below is painted first
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setMinimumSize(60, 40)

    def theme(self, theme: Theme) -> None:
        self._theme = theme
        self.area.setBackground(theme.plot)
        item = self.area.getPlotItem()
        for side in (*NUMBERS, *GRIDS):
            item.getAxis(side).setPen(pg.mkPen(theme.muted if side in NUMBERS else theme.edge, width=1))
            item.getAxis(side).setTickPen(pg.mkPen(theme.muted, width=1))
            item.getAxis(side).setTextPen(theme.muted)
        for line in self._lines:
            self.curves[line.role].colour(theme.colour(line.role))
        self._name_lines()
        self._name_axes()

    def restart(self, shown: Shown, minimum: float) -> None:
        """Show another quantity: its unit, and an axis that begins anew."""
        self.shown, self.vertical = shown, StableRange(minimum * shown.factor)
        self.magnified = 1.0
        for curve in self.curves.values():
            curve.clear()
        self.figures.setText("")
        self._name_lines()
        self._name_axes()
        self._apply_range()

    def draw(self, role: str, x: Floats, y: Floats) -> None:
        """Points of one curve, in shown units."""
        self.curves[role].draw(x, y)

    def hold_height(self, low: float, high: float) -> None:
        """Let the vertical axis follow what is drawn, low .. high in shown units."""
        if self.vertical.update(low, high):
            self._apply_range()

    def magnify(self, factor: float) -> None:
        """Narrow the vertical axis about its middle by this factor more."""
        self.magnified = min(max(self.magnified * factor, 0.2), 1000.0)
        self._apply_range()

    def pixel(self) -> float:
        """Height of one pixel in shown units."""
        return (self.vertical.high - self.vertical.low) / self.magnified / max(50.0, float(self.area.getViewBox().height()))

    def pixels(self) -> int:
        """Width of the drawing area, at least 50."""
        return max(50, int(self.area.getViewBox().width()))

    def drawn(self, role: str) -> bool:
        """Whether there is such a curve, and so a name for it."""
        return True

    def _name_lines(self) -> None:
        if (theme := self._theme) is None:
            return
        told = sorted((line for line in self._lines if self.drawn(line.role)), key=lambda line: LEGEND.index(line.role))
        swatches = (f'<span style="color:{theme.colour(line.role)}">━━</span> {line.text}' for line in told)
        self._legend.setText(" &nbsp; ".join(swatches))

    def _name_axes(self) -> None:
        if self._theme is not None:
            for side, label in zip(NUMBERS, (self.shown.unit, self._below), strict=True):
                self.area.getPlotItem().getAxis(side).setLabel(label or None, color=self._theme.muted, **{"font-size": "9pt"})

    def _extend(self) -> None:
        for curve in self.curves.values():
            curve.extend(self.area.getViewBox().viewRect())

    def _apply_range(self) -> None:
        middle, half = 0.5 * (self.vertical.low + self.vertical.high), 0.5 * (self.vertical.high - self.vertical.low)
        self.area.setYRange(middle - half / self.magnified, middle + half / self.magnified, padding=0)
