"""The window: state on top, curves in the middle, the other panels docked around them. What is shown is a source's affair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QMainWindow, QMenu, QToolButton, QWidget

from rig.display.banner import Banner
from rig.display.dragging import Dragging
from rig.display.help import Help
from rig.display.keys import KEYS, hint
from rig.display.labels import text
from rig.display.layout import Layout
from rig.display.overlay import Overlay
from rig.display.panel import BAR_HEIGHT
from rig.display.panels import Panels
from rig.display.source import Source, Trace
from rig.display.status import Status
from rig.display.subject import Subject
from rig.display.theme import DARK, LIGHT, THEMES, style
from rig.display.tiles import Tiles
from rig.display.tracking import CycleTracker

SIZE = QSize(1440, 900)
DEFAULT_SPAN = 2.0  # s
STEP = 0.2  # share of the span by which the keys move
MAGNIFY = 1.25


class Window(QMainWindow):
    """What a running test and a record have in common; the keys call the public methods without arguments."""

    replay = False

    def __init__(self, what: Subject, source: Source, settings: Path, longest: float) -> None:
        """`longest` (s) is the longest span that can be shown."""
        super().__init__()
        self.what, self.source = what, source
        self._status = Status()
        self._tracker: CycleTracker | None = None
        self.setWindowTitle(f"{what.run} – clearance-rig")
        self.panels = Panels(what, longest)
        self._banner, self._tiles = Banner(what), Tiles(what)
        self.help = Help(self, self.replay)
        self._dragging = [Dragging(plot.area) for plot in (self.panels.overlay, self.panels.difference)]
        self._arrange()
        self._connect()
        self._restore(settings)

    @property
    def overlay(self) -> Overlay:
        """The plot that sets the time shown."""
        return self.panels.overlay

    # -- what the two kinds of window fill in --------------------------------------------------------------------------------------

    def beside_banner(self) -> QWidget | None:
        """What stands beside the state."""
        return None

    def newest(self) -> int | None:
        """n behind the newest sample; None while there is none."""
        return self.source.end(Trace("measured", self.what.force))

    def moment(self) -> int | None:
        """n behind the sample that the picture ends with."""
        return self.newest()

    def shift(self, seconds: float) -> None:
        """Show what is so much later."""

    def whole(self) -> None:
        """The value axis as it was."""
        self.overlay.magnify(1.0 / self.overlay.magnified)

    # -- set-up --------------------------------------------------------------------------------------------------------------------

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

    def _connect(self) -> None:
        self.overlay.channel_chosen.connect(self.choose)
        self.panels.channels.channel_chosen.connect(self.choose)
        for dragging in self._dragging:
            dragging.stretch.connect(self._look_at)
            dragging.wheel.connect(self._wheel)
            dragging.back.connect(self.whole)
        for key in KEYS:
            if (action := getattr(self, key.action, None)) is None:
                continue
            for keys in key.keys:
                repeats = key.action in ("earlier", "later", "magnify", "reduce")
                QShortcut(QKeySequence(keys), self, autoRepeat=repeats).activated.connect(action)

    def _restore(self, settings: Path) -> None:
        self.resize(SIZE.boundedTo(self._room()))
        self._layout = Layout(settings, self, self._middle)
        menu = self.createPopupMenu() or QMenu(self)
        menu.addSeparator()
        menu.addAction("as they were at first (Ctrl+L)", self.reset_layout)
        self._panels_button.setMenu(menu)
        self._layout.restore()
        self.overlay.show_span(self._layout.number("span", DEFAULT_SPAN))
        self.choose(self._layout.word("channel", self.what.force))
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        default = (DARK if dark else LIGHT).name
        kept = self._layout.word("theme", default)
        self.apply_theme(kept if kept in THEMES else default)

    def _room(self) -> QSize:
        """What the screen has; one that is simulated has any size."""
        screen = QGuiApplication.primaryScreen()
        return SIZE if QGuiApplication.platformName() == "offscreen" or screen is None else screen.availableSize()

    # -- drawing -------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> bool:
        """Take in what is new and draw it; nothing is drawn while there is nothing, or nobody can see it (False)."""
        self.source.poll()
        newest, now = self.newest(), self.moment()
        if newest is None or now is None or not self.source.rate:
            return False
        self.tracker(now).advance(self.source)
        if self.isMinimized() or not self.isVisible():
            return False
        self.panels.refresh(self.source, now, newest, self.tracker(now))
        return True

    def tracker(self, now: int) -> CycleTracker:
        """Errors by cycle of the chosen channel."""
        if self._tracker is None:
            self._tracker = CycleTracker(self.overlay.channel, now, self.source.rate)
        return self._tracker

    def show_status(self, status: Status) -> None:
        """Take on what is told; the figures beside the curves change at this pace too, so that they can be read."""
        self._status = status
        for part in (self._banner, self._tiles):
            part.show_status(status)
        self.panels.tell()

    def choose(self, name: str) -> None:
        """Show this channel, measured and predicted; a name that is not there means the force."""
        self.panels.choose(name)
        self.source.watch(self.what.traces(self.overlay.channel))
        self._tracker = None

    # -- keys ----------------------------------------------------------------------------------------------------------------------

    def longer(self) -> None:
        self.overlay.widen(+1)

    def shorter(self) -> None:
        self.overlay.widen(-1)

    def earlier(self) -> None:
        self.shift(-STEP * self.overlay.seconds)

    def later(self) -> None:
        self.shift(STEP * self.overlay.seconds)

    def magnify(self) -> None:
        self.overlay.magnify(MAGNIFY)

    def reduce(self) -> None:
        self.overlay.magnify(1.0 / MAGNIFY)

    def next_channel(self) -> None:
        self.choose(self.overlay.neighbour(+1))

    def previous_channel(self) -> None:
        self.choose(self.overlay.neighbour(-1))

    def toggle_theme(self) -> None:
        """Dark to light and back."""
        self.apply_theme((LIGHT if self._theme is DARK else DARK).name)

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def reset_layout(self) -> None:
        """Panels as they were at first."""
        self._layout.reset()

    def show_help(self) -> None:
        self.help.toggle()

    def apply_theme(self, name: str) -> None:
        """Colours of this theme."""
        self._theme = THEMES[name]
        self.setStyleSheet(style(self._theme))
        self._theme_button.setText("light" if self._theme is DARK else "dark")
        self.panels.theme(self._theme)

    def keep(self) -> None:
        """Write the layout down."""
        self._layout.keep(span=self.overlay.seconds, theme=self._theme.name, channel=self.overlay.channel)

    def _look_at(self, begin: float, end: float) -> None:
        """A stretch of the time axis, s before the moment shown."""
        self.shift(min(end, 0.0))
        self.overlay.show_span(end - begin)

    def _wheel(self, direction: int, value_axis: bool) -> None:
        if value_axis:
            self.overlay.magnify(MAGNIFY**direction)
        else:
            self.overlay.widen(-direction)
