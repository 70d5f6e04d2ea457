"""How a test ended, and the figures it ended with: they stay in the window until it is closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPlainTextEdit

from rig.display.labels import named
from rig.display.theme import RESULTS, UNKNOWN, StateLook

HEIGHT = 250  # px
BROKEN_OFF = ("tripped", "failed", "stopped")


@dataclass(frozen=True)
class Ended:
    """outcome, as of the command; verdict and its reason; why the run ended; the figures as the table of the terminal."""

    outcome: str
    verdict: str
    verdict_reason: str
    reason: str
    figures: str

    @classmethod
    def of(cls, data: Mapping[str, object]) -> Ended:
        """From the supervisor's message."""
        return cls(**{name: str(data.get(name) or "") for name in cls.__dataclass_fields__})

    @property
    def name(self) -> str:
        """The key of the look: how it ended where it was broken off, else the verdict."""
        return self.outcome if self.outcome in BROKEN_OFF else self.verdict

    @property
    def look(self) -> StateLook:
        """Sign and colours of the banner."""
        return RESULTS.get(self.name, UNKNOWN)

    @property
    def message(self) -> str:
        """The reason: of the end, and of the verdict."""
        verdict = f"verdict: {self.verdict.replace('_', ' ')}: {self.verdict_reason}" if self.verdict else ""
        return "\n".join(part for part in (self.reason, verdict) if part)


class Figures(QPlainTextEdit):
    """The table, as in the terminal; empty and hidden until there is one."""

    def __init__(self) -> None:
        super().__init__(readOnly=True)
        named(self, "ending")
        font = QFont("DejaVu Sans Mono")
        font.setStyleHint(QFont.StyleHint.Monospace)
        self.setFont(font)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def show_figures(self, text: str) -> None:
        """Show the table; nothing where there is none."""
        self.setPlainText(text)
        self.setVisible(bool(text))
