"""State, run and message on the colour of the state: to be read from across the laboratory."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from rig.display.ending import Ended
from rig.display.labels import named, text
from rig.display.sources.view_model import Subject
from rig.display.status import Status
from rig.display.theme import STATES, UNKNOWN, banner_style


class Banner(QFrame):
    """One line in large letters, the run and what there is to say beside it."""

    def __init__(self, what: Subject) -> None:
        super().__init__()
        named(self, "banner")
        self._state = text("state")
        self._run = text("run", f"{what.run} · {what.title}" if what.title else what.run)
        self._message = QLabel(wordWrap=True)
        for line in (self._run, self._message):
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shown, self._ended = "", False
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

    def show_ended(self, ended: Ended) -> None:
        """The verdict, or how it was broken off, from now on."""
        self._ended = True
        self.setStyleSheet(banner_style(ended.look))
        name = "no verdict" if ended.name == "none" else ended.name.replace("_", " ")
        self._state.setText(f"{ended.look.sign}  {name.upper()}")
        self._message.setText(ended.message)
        self._message.setVisible(bool(ended.message))

    def show_status(self, status: Status) -> None:
        """Take on the state, until the end is shown."""
        if self._ended:
            return
        if status.state != self._shown:
            self._shown = status.state
            look = STATES.get(status.state, UNKNOWN)
            self.setStyleSheet(banner_style(look))
            self._state.setText(f"{look.sign}  {status.state.upper()}")
        self._message.setText(status.message)
        self._message.setVisible(bool(status.message))
