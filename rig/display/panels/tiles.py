"""Time, cycle, lag, losses in large figures, and how far the test has come."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout

from rig.display.labels import named, text
from rig.display.quantities import clock
from rig.display.sources.view_model import Subject
from rig.display.status import Status

HEIGHT = 50  # px; fixed, as other heights are: the plots below do not move with a font
_STEPS = 1000  # of the progress bar


class Tile(QFrame):
    """One figure with its name above it."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        named(self, "tile")
        self._value = text("value", "–")
        self._late = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 5)
        layout.setSpacing(0)
        layout.addWidget(text("caption", name))
        layout.addWidget(self._value)
        self.setMinimumWidth(width)
        self.setFixedHeight(HEIGHT)

    def set(self, value: str, late: bool = False) -> None:
        """Show a value; a late one is marked by a word's sign as well as by colour."""
        self._value.setText(f"{value}  ▲" if late else value)
        if late != self._late:
            self._late = late
            self._value.setProperty("late", "true" if late else "false")
            self._value.style().polish(self._value)


class Tiles(QFrame):
    """The four figures in a row, the progress below."""

    def __init__(self, what: Subject) -> None:
        super().__init__()
        self._what = what
        self._time, self._cycle = Tile("elapsed", 190), Tile("cycle", 100)
        self._lag, self._lost = Tile("predictor lag", 120), Tile("samples lost", 110)
        self._progress = QProgressBar(maximum=_STEPS, textVisible=False)
        self._progress.setFixedHeight(6)
        row = QHBoxLayout()
        row.setSpacing(8)
        for tile in (self._time, self._cycle, self._lag, self._lost):
            row.addWidget(tile, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self._progress)

    def show_status(self, status: Status) -> None:
        """Take on the figures."""
        total = f" / {clock(status.duration_s)}" if status.duration_s > 0.0 else ""
        self._time.set(clock(status.time_s) + total)
        cycles = f" / {self._what.cycles}" if self._what.cycles else ""
        self._cycle.set(f"{status.cycle}{cycles}" if status.cycle >= 0 else "–")
        late = status.lag_s is not None and status.lag_s > self._what.late
        self._lag.set("–" if status.lag_s is None else f"{1e3 * status.lag_s:.0f} ms", late)
        self._lost.set(f"{status.lost:,}".replace(",", " "), status.lost > 0)
        share = status.time_s / status.duration_s if status.duration_s > 0.0 else 0.0
        self._progress.setValue(round(_STEPS * min(share, 1.0)))
