"""The frame of the window: state on top, panels in their places, buttons below; theme and layout, which are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import shiboken6
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QMainWindow, QMenu, QToolButton, QWidget

from rig.display.labels import text
from rig.display.panels.banner import Banner
from rig.display.panels.overlay import Overlay
from rig.display.panels.panel import BAR_HEIGHT
from rig.display.panels.panels import Panels
from rig.display.panels.tiles import Tiles
from rig.display.sources.view_model import Subject
from rig.display.status import Status
from rig.display.theme import DARK, LIGHT, THEMES, style
from rig.display.window.help import Help
from rig.display.window.keys import hint
from rig.display.window.layout import Layout

SIZE = QSize(1440, 900)
DEFAULT_SPAN = 2.0  # s


class Frame(QMainWindow):
    """Everything that does not depend on where the samples come from."""

    replay = False

    def __init__(self, what: Subject, longest: float) -> None:
        """`longest` (s) is the longest span that can be shown."""
        super().__init__()
        self.what = what
        self._status = Status()
        self.setWindowTitle(f"{what.run} – clearance-rig")
        self.panels = Panels(what, longest, self.replay)
        self._banner, self._tiles = Banner(what), Tiles(what)
        self.help = Help(self, self.replay)
        self._arrange()

    def __del__(self) -> None:
        """A window that nobody holds any more is deleted as a whole, from the outside in.

        The collector would take its parts apart in any order: the viewport of the table, say, while the table is still to be hidden, and Qt
        does not survive that. It calls this of all that it found before it takes the first of them apart (PEP 442).
        """
        if QGuiApplication.instance() is not None and shiboken6.isValid(self):
            shiboken6.delete(self)

    @property
    def overlay(self) -> Overlay:
        """The plot that sets the time shown."""
        return self.panels.overlay

    def beside_banner(self) -> QWidget | None:
        """What stands beside the state."""
        return None

    def below_banner(self) -> Sequence[QWidget]:
        """What stands below the figures, as wide as the window."""
        return ()

    def show_status(self, status: Status) -> None:
        """Take on what is told; the figures beside the curves change at this pace too, so that they can be read."""
        self._status = status
        for part in (self._banner, self._tiles):
            part.show_status(status)
        self.panels.tell()

    def toggle_theme(self) -> None:
        """Dark to light and back."""
        self.apply_theme((LIGHT if self._theme is DARK else DARK).name)

    def apply_theme(self, name: str) -> None:
        """Colours of this theme."""
        self._theme = THEMES[name]
        self.setStyleSheet(style(self._theme))
        self._theme_button.setText("light" if self._theme is DARK else "dark")
        self.panels.theme(self._theme)

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def reset_layout(self) -> None:
        """Panels as they were at first."""
        self._layout.reset()

    def show_help(self) -> None:
        self.help.toggle()

    def keep(self) -> None:
        """Write the layout down."""
        self._layout.keep(span=self.overlay.seconds, theme=self._theme.name, channel=self.overlay.channel)

    def restore(self, settings: Path) -> str:
        """Size, places, span and theme as they were; returns the channel that was shown."""
        self.resize(SIZE.boundedTo(self._room()))
        self._layout = Layout(settings, self, self._middle)
        menu = self.createPopupMenu() or QMenu(self)
        menu.addSeparator()
        menu.addAction("as they were at first (Ctrl+L)", self.reset_layout)
        self._panels_button.setMenu(menu)
        self._layout.restore()
        self.overlay.show_span(self._layout.number("span", DEFAULT_SPAN))
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        default = (DARK if dark else LIGHT).name
        kept = self._layout.word("theme", default)
        self.apply_theme(kept if kept in THEMES else default)
        return self._layout.word("channel", self.what.force)

    def _arrange(self) -> None:
        top = QWidget()
        grid = QGridLayout(top)
        grid.setContentsMargins(0, 6, 0, 4)
        grid.setSpacing(8)
        grid.addWidget(self._banner, 0, 0)
        grid.addWidget(self._tiles, 1, 0)
        grid.setColumnStretch(0, 1)
        if (beside := self.beside_banner()) is not None:
            grid.addWidget(beside, 0, 1, 2, 1)
        for row, widget in enumerate(self.below_banner(), 2):
            grid.addWidget(widget, row, 0, 1, 2)
        self.setMenuWidget(top)
        self._middle = self.panels.arrange(self)
        self.setContentsMargins(10, 4, 10, 0)
        self._hint = text("caption", hint(self.replay))
        self._hint.setMinimumWidth(1)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setFixedHeight(BAR_HEIGHT)
        bar.addWidget(self._hint, 1)
        self._panels_button = self._button("panels", "which panels are shown", lambda: None)
        self._panels_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._theme_button = self._button("", "dark or light (T)", self.toggle_theme)
        for button in (self._panels_button, self._theme_button):
            bar.addPermanentWidget(button)

    def _button(self, words: str, tip: str, action: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setText(words)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(action)
        return button

    def _room(self) -> QSize:
        """What the screen has; one that is simulated has any size."""
        screen = QGuiApplication.primaryScreen()
        return SIZE if QGuiApplication.platformName() == "offscreen" or screen is None else screen.availableSize()
