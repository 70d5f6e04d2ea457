"""Where a test was held, or broken off and resumed, as bands and lines in a plot over time, with words."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from rig.display.theme import Theme
from rig.streaming.interruptions import Interruption

MOST = 24  # that are drawn at once, the newest: more would be a wall
DOWN = -90.0  # deg: words run down from the top, behind their line
BAND, BEHIND = 40, -10.0


class InterruptionMarks:
    """In one plot, whose horizontal axis is s before the moment shown."""

    def __init__(self, box: pg.ViewBox, found: Sequence[Interruption], words: bool) -> None:
        self._box, self._found, self._words = box, found, words
        self._colour, self._ink = QColor("gray"), QColor("gray")
        self._drawn: list[tuple[pg.InfiniteLine, pg.LinearRegionItem, pg.TextItem]] = []

    def theme(self, theme: Theme) -> None:
        """Take the colours."""
        self._colour, self._ink = QColor(theme.colour("near")), QColor(theme.text)
        for _ in range(len(self._drawn)):
            for item in self._drawn.pop():
                self._box.removeItem(item)

    def refresh(self, now: float, seconds: float) -> None:
        """Those in the last `seconds` before `now`, s of the test."""
        shown = [one for one in self._found if one.begin <= now and (one.end is None or one.end >= now - seconds)][-MOST:]
        while len(self._drawn) < len(shown):
            self._drawn.append(self._made())
        top = self._box.viewRange()[1][1]
        for place, (line, band, words) in enumerate(self._drawn):
            for item in (line, band, words):
                item.setVisible(place < len(shown))
            if place < len(shown):
                one = shown[place]
                line.setValue(one.begin - now)
                band.setRegion((one.begin - now, (now if one.end is None else one.end) - now))
                words.setText(one.words if self._words else "")
                words.setPos(max(one.begin - now, -seconds), top)

    def _made(self) -> tuple[pg.InfiniteLine, pg.LinearRegionItem, pg.TextItem]:
        line = pg.InfiniteLine(angle=90, pen=pg.mkPen(self._colour, width=1.5, style=Qt.PenStyle.DashLine), movable=False)
        fill = QColor(self._colour)
        fill.setAlpha(BAND)
        band = pg.LinearRegionItem(brush=fill, pen=pg.mkPen(None), movable=False)
        words = pg.TextItem(color=self._ink, angle=DOWN, anchor=(0.0, 1.0))
        for item in (line, band):
            item.setZValue(BEHIND)
        for item in (line, band, words):
            self._box.addItem(item, ignoreBounds=True)
        return line, band, words
