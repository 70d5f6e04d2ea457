"""The bar of one channel in the table: where it stands between its limits, by place, by colour and by a word."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from rig.display.levels import Level
from rig.display.theme import LIGHT, Theme

BAR_ROLE = int(Qt.ItemDataRole.UserRole) + 1
HEIGHT = 10.0  # px
LEAST = 3.0  # px, width of a bar that does not move
WORD = 54  # px kept free for the word beside the bar


class Bar(NamedTuple):
    """What is drawn: smallest to largest within the range, the state, and the word for it."""

    level: Level
    range: tuple[float, float]
    state: str
    word: str


class BarDelegate(QStyledItemDelegate):
    """Draws a `Bar`: a groove from limit to limit, on it what the channel has covered lately, and zero as a thin mark."""

    theme: Theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        bar = index.data(BAR_ROLE)
        if bar is None:
            return
        cell = QRectF(option.rect)  # type: ignore[attr-defined]
        groove = QRectF(cell.left() + 6.0, cell.center().y() - HEIGHT / 2.0 + 0.5, cell.width() - WORD - 12.0, HEIGHT)
        painter.fillRect(groove, QColor(self.theme.edge))
        low, high = bar.range
        if low < 0.0 < high:
            painter.fillRect(QRectF(place(0.0, bar.range, groove), groove.top(), 1.0, HEIGHT), QColor(self.theme.muted))
        if math.isfinite(bar.level.low) and math.isfinite(bar.level.high):
            begin, end = place(bar.level.low, bar.range, groove), place(bar.level.high, bar.range, groove)
            colour = {"near": self.theme.near, "over": self.theme.warning}.get(bar.state, self.theme.measured)
            widened = max(end - begin, LEAST)
            begin = min(max(groove.left(), begin - (widened - (end - begin)) / 2.0), groove.right() - widened)
            painter.fillRect(QRectF(begin, groove.top() + 2.0, widened, HEIGHT - 4.0), QColor(colour))
        if bar.word:
            painter.setPen(QColor(self.theme.text))
            words = QRectF(groove.right() + 6.0, cell.top(), float(WORD), cell.height())
            painter.drawText(words, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), bar.word)


def place(value: float, ends: tuple[float, float], groove: QRectF) -> float:
    """Where a value stands in the groove, within it, px."""
    share = (value - ends[0]) / (ends[1] - ends[0])
    return groove.left() + min(max(share, 0.0), 1.0) * groove.width()
