"""The window: state and stop button on top, force over time and its difference on the left, loop and events on the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QMainWindow, QSplitter, QToolButton, QWidget

from rig.display.closing import ClosingQuestion
from rig.display.labels import text
from rig.display.layout import Layout
from rig.display.loop import Loop
from rig.display.overlay import Difference, Overlay
from rig.display.plot import Plot
from rig.display.source import Source, Trace
from rig.display.status import Banner, Events, Status, StopButton, Tiles
from rig.display.subject import Subject
from rig.display.theme import DARK, LIGHT, THEMES, style

DEFAULT_SPAN = 2.0  # s
HINTS = "Esc stop   ·   Space pause   ·   + − time shown   ·   T dark or light   ·   F11 full screen"


class Window(QMainWindow):
    """Shows a source; what the person wants goes out by two calls, `stop(reason)` and `detach()`."""

    def __init__(self, what: Subject, source: Source, settings: Path, stop: Callable[[str], None], detach: Callable[[], None]) -> None:
        super().__init__()
        self._what, self._source = what, source
        self._stop, self._detach = stop, detach
        self._status = Status()
        self._paused = False
        self.setWindowTitle(f"{what.run} – clearance-rig")
        self._parts()
        self._arrange()
        self._keys()
        self._restore(settings)
        self.question = ClosingQuestion(self, self._stop_and_leave, self._leave)
        self.show_status(self._status)

    def _parts(self) -> None:
        self._banner, self._tiles = Banner(self._what), Tiles(self._what)
        self.stop_button, self._events = StopButton(), Events()
        self.stop_button.clicked.connect(lambda: self._stop("stop button"))
        self.overlay, self.difference = Overlay(self._what), Difference(self._what)
        self.loop = Loop(self._what) if self._what.stroke is not None else None
        self._hint = text("caption", HINTS)
        self._theme_button = QToolButton()
        self._theme_button.setToolTip("dark or light (T)")
        self._theme_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme_button.clicked.connect(self.toggle_theme)
        self.overlay.span_changed.connect(self._span)

    def _arrange(self) -> None:
        self._left, self._right = QSplitter(Qt.Orientation.Vertical), QSplitter(Qt.Orientation.Vertical)
        self._middle = QSplitter(Qt.Orientation.Horizontal)
        for splitter, widgets, shares in (
            (self._left, [self.overlay, self.difference], [5, 3]),
            (self._right, [*self._loops(), self._events], [5, 3]),
            (self._middle, [self._left, self._right], [5, 3]),
        ):
            for widget in widgets:
                splitter.addWidget(widget)
            splitter.setSizes([100 * share for share in shares[-len(widgets) :]])
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(8)
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(10, 10, 10, 6)
        grid.setSpacing(8)
        grid.addWidget(self._banner, 0, 0)
        grid.addWidget(self._tiles, 1, 0)
        grid.addWidget(self.stop_button, 0, 1, 2, 1)
        grid.addWidget(self._middle, 2, 0, 1, 2)
        grid.addWidget(self._hint, 3, 0)
        grid.addWidget(self._theme_button, 3, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(2, 1)
        grid.setColumnStretch(0, 1)
        self.setCentralWidget(body)

    def _keys(self) -> None:
        for keys, action in (
            (["Esc", "Ctrl+S"], lambda: self._stop_by_key()),
            (["Space"], self.toggle_pause),
            (["T"], self.toggle_theme),
            (["+", "="], lambda: self.overlay.widen(+1)),
            (["-"], lambda: self.overlay.widen(-1)),
            (["F11"], lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)),
            (["Ctrl+W", "Ctrl+Q"], self.close),
        ):
            for key in keys:
                QShortcut(QKeySequence(key), self, autoRepeat=False).activated.connect(action)

    def _loops(self) -> list[Loop]:
        return [] if self.loop is None else [self.loop]

    def _restore(self, settings: Path) -> None:
        splitters = {"left": self._left, "right": self._right, "middle": self._middle}
        self._layout = Layout(settings, self, splitters)
        self.resize(1280, 780)
        self._layout.restore()
        self.overlay.choose(self._layout.span(DEFAULT_SPAN))
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        default = (DARK if dark else LIGHT).name
        kept = self._layout.theme(default)
        self.apply_theme(kept if kept in THEMES else default)

    def refresh(self) -> None:
        """Take in what is new and draw it; nothing is drawn while nobody can see it."""
        self._source.poll()
        if self._paused or self.isMinimized() or not self.isVisible():
            return
        now = self._source.end(Trace("measured", self._what.force))
        if now is None:
            return
        seconds = self.overlay.seconds
        self.overlay.refresh(self._source, now, seconds)
        self.difference.refresh(self._source, now, seconds)
        for loop in self._loops():
            loop.refresh(self._source, now)

    def show_status(self, status: Status) -> None:
        """Take on what the supervisor tells; the figures beside the curves change at this pace too, so that they can be read."""
        self._status = status
        for part in (self._banner, self._tiles, self.stop_button, self._events):
            part.show_status(status)
        if self.overlay.extremes:
            self.overlay.tell()
            self.difference.tell(max(abs(end) for end in self.overlay.extremes["measured"]))

    def toggle_pause(self) -> None:
        """Hold the picture, or go on; the test is not touched."""
        self._paused = not self._paused
        self._hint.setText("PICTURE PAUSED – the test goes on.   Space to go on" if self._paused else HINTS)

    def toggle_theme(self) -> None:
        """Dark to light and back."""
        self.apply_theme((LIGHT if self._theme is DARK else DARK).name)

    def apply_theme(self, name: str) -> None:
        """Colours of this theme."""
        self._theme = THEMES[name]
        self.setStyleSheet(style(self._theme))
        self._theme_button.setText("light" if self._theme is DARK else "dark")
        plots: list[Plot] = [self.overlay, self.difference, *self._loops()]
        for plot in plots:
            plot.theme(self._theme)

    def _span(self, seconds: float) -> None:
        self.overlay.span(seconds)
        self.difference.span(seconds)

    def _stop_by_key(self) -> None:
        if not self._status.ended:
            self._stop("key pressed in the window")

    def _stop_and_leave(self) -> None:
        self._stop("window closed with stop")
        self._leave()

    def _leave(self) -> None:
        self.keep()
        self.hide()
        self._detach()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first while a test runs: closing by mistake must neither stop it nor go unnoticed."""
        event.ignore()
        if self._status.ended:
            self._leave()
        else:
            self.question.ask()

    def keep(self) -> None:
        """Write the layout down."""
        self._layout.keep(self.overlay.seconds, self._theme.name)
