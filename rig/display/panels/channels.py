"""All channels: value, unit, limits, a bar that shows where each stands between its limits; calculated ones and instruments below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from rig.display.levels import Level, ends, state
from rig.display.panels.levelbar import BAR_ROLE, Bar, BarDelegate
from rig.display.panels.panel import Panel
from rig.display.quantities import label, shown
from rig.display.sources.source import Floats, Source
from rig.display.sources.view_model import ShownChannel, Subject
from rig.display.theme import LIGHT, Theme

WINDOW = 0.4  # s that smallest and largest are taken over
LATELY = 0.01  # s that the value is the mean of
HEADINGS = ("channel", "value", "unit", "limits", "")
SIGNS = {"near": "▲ near", "over": "✖ over", "unknown": "?"}
BESIDE = "an instrument on a line of its own: no limits, and no curve"
VALUE = 1  # column of what changes; the others are as wide as what they say
NAME = 140  # px at the most for a channel's name
ROW = 20  # px
Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Model(QAbstractTableModel):
    """One row a channel, measured or calculated, then one an instrument."""

    def __init__(self, channels: Sequence[ShownChannel], instruments: Sequence[ShownChannel] = ()) -> None:
        super().__init__()
        self.channels = (*channels, *instruments)
        self.sampled = len(channels)
        self.levels = [Level()] * len(self.channels)
        self.theme = LIGHT

    def set(self, names: Sequence[str], block: Floats, lately: int, read: Mapping[str, Level] | None = None) -> None:
        """The last samples, block (k, channels) of `names`; the value is the mean of the last `lately` of them. `read`: of instruments."""
        if len(block) == 0:
            return
        read = read or {}
        columns = {name: place for place, name in enumerate(names)}
        stacked = np.stack([block[-lately:].mean(axis=0), np.fmin.reduce(block, axis=0), np.fmax.reduce(block, axis=0)], axis=1).tolist()
        self.levels = [Level(*stacked[columns[c.name]]) if c.name in columns else read.get(c.name, Level()) for c in self.channels]
        self.dataChanged.emit(self.index(0, 1), self.index(len(self.channels) - 1, len(HEADINGS) - 1))

    def state(self, row: int) -> str:
        channel = self.channels[row]
        return state(self.levels[row], channel.minimum, channel.maximum)

    @property
    def empty(self) -> bool:
        """Whether there is no sample of any channel."""
        return bool(self.levels[: self.sampled]) and all(np.isnan(level.value) for level in self.levels[: self.sampled])

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self.channels)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == BAR_ROLE:
            return self._bar(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (1, 3):
            return _RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and column == 1 and self.state(row) == "over":
            return QColor(self.theme.warning)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.channels[row].limits or ("no limits" if row < self.sampled else BESIDE)
        return None

    def _text(self, row: int, column: int) -> str:
        channel = self.channels[row]
        unit = shown(channel.unit, channel.scale)
        if column == 0:
            return label(channel.name)
        if column == 1:
            value = self.levels[row].value
            return "–" if np.isnan(value) else unit.text(value, unit=False)
        if column == 2:
            return unit.unit
        limits = (channel.minimum, channel.maximum)
        bounds = ["" if limit is None else f"{limit * unit.factor:.4g}".replace("-", "−") for limit in limits]
        return " … ".join(bounds) if column == 3 and any(bounds) else ""

    def _bar(self, row: int) -> Bar | None:
        channel = self.channels[row]
        range_ = ends(channel.minimum, channel.maximum, channel.scale)
        return None if range_ is None else Bar(self.levels[row], range_, self.state(row), SIGNS.get(self.state(row), ""))


class Channels(Panel):
    """The table. A double click on a row shows that channel in the overlay."""

    channel_chosen = Signal(str)

    def __init__(self, what: Subject) -> None:
        super().__init__("Channels")
        self.model = Model((*what.channels, *what.calculated), what.instruments)
        self.table = table = QTableView()
        table.setModel(self.model)
        self._delegate = BarDelegate(table)
        table.setItemDelegateForColumn(len(HEADINGS) - 1, self._delegate)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.setShowGrid(False)
        table.setMinimumSize(60, 30)
        table.setWordWrap(False)
        table.setToolTip("double click: show the channel in the overlay")
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(ROW)
        table.verticalHeader().setMinimumSectionSize(ROW)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setFixedHeight(ROW)
        header.setMinimumSectionSize(24)
        table.setColumnWidth(VALUE, 62)
        header.setSectionResizeMode(len(HEADINGS) - 1, QHeaderView.ResizeMode.Stretch)
        table.doubleClicked.connect(self._choose)
        self.body.addWidget(table)

    def _choose(self, index: QModelIndex) -> None:
        if index.row() < self.model.sampled:
            self.channel_chosen.emit(self.model.channels[index.row()].name)

    def sizeHint(self) -> QSize:
        return QSize(420, 3 * ROW + ROW * min(len(self.model.channels), 10))

    def showEvent(self, event: QShowEvent) -> None:
        """A limit that has lost its last digits is another limit."""
        for column in range(len(HEADINGS) - 1):
            if column != VALUE:
                self.table.resizeColumnToContents(column)
        self.table.setColumnWidth(0, min(self.table.columnWidth(0), NAME))
        super().showEvent(event)

    def theme(self, theme: Theme) -> None:
        self.model.theme = self._delegate.theme = theme
        self.table.viewport().update()

    def refresh(self, source: Source, now: int) -> None:
        """The levels at sample `now`."""
        counts = [max(1, round(seconds * source.rate)) for seconds in (WINDOW, LATELY)]
        self.model.set(*source.levels(now, counts[0]), counts[1], source.instruments(now))
        states = [self.model.state(row) for row in range(len(self.model.channels))]
        near, over = states.count("near"), states.count("over")
        words = [f"{count} {name} a limit" for count, name in ((over, "over"), (near, "near")) if count]
        known = any(channel.limits for channel in self.model.channels)
        if self.model.empty:
            self.figures.setText("no samples here")
            return
        self.figures.setText(", ".join(words) or ("all within their limits" if known else "no limits are known"))
