"""State of the test in words, figures and colours, the stop button, and the events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout

from rig.display.labels import named, text
from rig.display.quantities import clock
from rig.display.subject import Subject
from rig.display.theme import STATES, UNKNOWN, banner_style

ENDED = ("stopped", "tripped")
KEPT_EVENTS = 500
_STEPS = 1000  # of the progress bar


@dataclass(frozen=True)
class Status:
    """What the supervisor tells, about five times a second."""

    state: str = "starting"
    time_s: float = 0.0
    duration_s: float = 0.0
    cycle: int = -1
    lag_s: float | None = None
    lost: int = 0
    message: str = ""
    events: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, data: dict[str, Any]) -> Status:
        """From the supervisor's message; what is not known here is left out."""
        known = {key: value for key, value in data.items() if key in cls.__dataclass_fields__ and key != "events"}
        return cls(**known, events=tuple(data.get("events", ())))

    @property
    def ended(self) -> bool:
        return self.state in ENDED


class Banner(QFrame):
    """State, run and message on the colour of the state: to be read from across the laboratory."""

    def __init__(self, what: Subject) -> None:
        super().__init__()
        named(self, "banner")
        self._state = text("state")
        self._run = text("run", f"{what.run} · {what.title}" if what.title else what.run)
        self._message = QLabel(wordWrap=True)
        for line in (self._run, self._message):
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shown = ""
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._run)
        words.addWidget(self._message)
        words.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(18, 6, 18, 6)
        layout.setSpacing(24)
        layout.addWidget(self._state)
        layout.addLayout(words, 1)
        self.setMinimumHeight(64)

    def show_status(self, status: Status) -> None:
        """Take on the state."""
        if status.state != self._shown:
            self._shown = status.state
            look = STATES.get(status.state, UNKNOWN)
            self.setStyleSheet(banner_style(look))
            self._state.setText(f"{look.sign}  {status.state.upper()}")
        self._message.setText(status.message)
        self._message.setVisible(bool(status.message))


class Tile(QFrame):
    """One figure with its name above it."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        named(self, "panel")
        self._value = text("value", "–")
        self._late = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 5)
        layout.setSpacing(0)
        layout.addWidget(text("caption", name))
        layout.addWidget(self._value)
        self.setMinimumWidth(width)

    def set(self, value: str, late: bool = False) -> None:
        """Show a value; a late one is marked by a word's sign as well as by colour."""
        self._value.setText(f"{value}  ▲" if late else value)
        if late != self._late:
            self._late = late
            self._value.setProperty("late", "true" if late else "false")
            self._value.style().polish(self._value)


class Tiles(QFrame):
    """Time, cycle, lag, losses, and how far the test has come."""

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


class StopButton(QPushButton):
    """Asks for a ramped stop; as often as it is pressed, until the test has ended."""

    def __init__(self) -> None:
        super().__init__("STOP")
        named(self, "stop")
        self.setToolTip("ramped stop, complete record (Esc or Ctrl+S)")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a space bar must not press it
        self.setMinimumWidth(150)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def show_status(self, status: Status) -> None:
        """Say what pressing does now."""
        self.setEnabled(not status.ended)
        self.setText("ENDED" if status.ended else "STOPPING" if status.state == "stopping" else "STOP")


class Events(QFrame):
    """What happened, the newest at the end."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "panel")
        self._text = QPlainTextEdit(readOnly=True, maximumBlockCount=KEPT_EVENTS, placeholderText="nothing has happened yet")
        self._text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 8, 6)
        layout.setSpacing(2)
        layout.addWidget(text("title", "Events"))
        layout.addWidget(self._text)

    def show_status(self, status: Status) -> None:
        """Add the new ones."""
        for event in status.events:
            self._text.appendPlainText(event)
