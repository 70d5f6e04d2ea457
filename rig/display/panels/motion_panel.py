"""What the panels of the model's motion have in common: the mechanism is looked up when it is drawn for the first time."""

from __future__ import annotations

from abc import abstractmethod

from rig.display.labels import text
from rig.display.panels.board import Board
from rig.display.panels.display_panel import DockPanel
from rig.display.panels.loop import cycle_length
from rig.display.sources.moving import Moving, moving
from rig.display.sources.source import Source, Trace
from rig.display.sources.view_model import Subject
from rig.display.theme import LIGHT, Theme
from rig.errors import ConfigError
from rig.motion.parts import Motion

NOT_YET = "the model has told no place yet"


class MotionPanel(DockPanel):
    """A board, or in words why nothing is drawn on it."""

    def __init__(self, title: str, what: Subject) -> None:
        super().__init__(title)
        self._what, self._theme = what, LIGHT
        self._moving: Moving | None = None
        self._refused = False
        self.board, self.why = Board(), text("muted", "")
        self.why.setWordWrap(True)
        self.why.hide()
        self.body.addWidget(self.why)
        self.body.addWidget(self.board, 1)

    def traces(self) -> tuple[Trace, ...]:
        """What is drawn from, as soon as the panel is wanted."""
        made = self._looked_up()
        return () if made is None else made.traces

    def theme(self, theme: Theme) -> None:
        self._theme = theme
        self.board.setBackground(theme.plot)
        self.coloured()

    def refresh(self, source: Source, now: int) -> None:
        """Draw what is known at sample `now`."""
        made = self._looked_up()
        if made is not None and source.rate:
            self.draw(made, source, now)

    def say(self, why: str) -> None:
        """Why nothing is drawn; empty: it is."""
        self.why.setText(why)
        self.why.setVisible(bool(why))

    @abstractmethod
    def draw(self, made: Moving, source: Source, now: int) -> None:
        """On the board."""

    def coloured(self) -> None:
        """Take on the colours of the theme."""

    def _looked_up(self) -> Moving | None:
        if self._moving is None and not self._refused:
            try:
                self._moving = moving(self._what.folder, dict(self._what.quantities))
            except ConfigError as error:
                self._refused = True
                self.say(f"nothing is drawn here: {error}")
        return self._moving


def last_cycle(made: Moving, source: Source, now: int) -> Motion | None:
    """Of the cycle that ends at sample `now`."""
    return made.motion(source, now - cycle_length(source, now), now)
