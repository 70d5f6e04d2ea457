"""The panels of the window and their places: overlay and difference in the middle, the others docked around them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter

from rig.display.panels.animation import Animation
from rig.display.panels.channels import Channels
from rig.display.panels.display_panel import DockPanel, found_panels
from rig.display.panels.events import Events
from rig.display.panels.loop import Loop
from rig.display.panels.motion_panel import MotionPanel
from rig.display.panels.orbit import Orbit
from rig.display.panels.overlay import Difference, Overlay
from rig.display.panels.panel import Card, Panel, dock
from rig.display.panels.spectrum import PICTURE, Spectrum
from rig.display.panels.trend import Trend
from rig.display.panels.turn import Turn
from rig.display.sources.source import Source, Trace
from rig.display.sources.tracking import CycleTracker
from rig.display.sources.view_model import Subject
from rig.display.theme import Theme

RIGHT, LEFT = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.LeftDockWidgetArea
ORBIT_EVERY = 6
"""Frames from one picture of the orbit to the next, where the mechanism is shown beside."""
NOTHING: tuple[Trace, ...] = ()
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class Panels:
    """All of them. Each frame draws the curves over time and one of the others: no frame has to draw everything."""

    def __init__(self, what: Subject, longest: float, replay: bool = False) -> None:
        self.overlay, self.difference = Overlay(what, longest), Difference(what)
        self.loop = Loop(what) if what.stroke is not None else None
        self.turn = Turn(what) if what.angle is not None else None
        self.spectrum, self.trend = Spectrum(what), Trend(what.lowpass)
        self.channels, self.events = Channels(what), Events()
        self.orbit, self.animation = Orbit(what), Animation(what, follows=replay)
        self._found = found_panels(what)
        self._frame = self._turn = 0
        self.overlay.span_changed.connect(self.difference.span)
        self.overlay.span_changed.connect(self.overlay.span)

    @property
    def docked(self) -> dict[str, tuple[Panel, str, Qt.DockWidgetArea]]:
        """Name -> (panel, title in the list of panels, place)."""
        closer: dict[str, tuple[Panel, str, Qt.DockWidgetArea]] = {}
        if self.loop is not None:
            closer["loop"] = (self.loop, "Force – stroke", RIGHT)
        if self.turn is not None:
            closer["turn"] = (self.turn, "Last turn", RIGHT)
        return closer | {
            "channels": (self.channels, "Channels", RIGHT),
            "events": (self.events, "Events", RIGHT),
            "trend": (self.trend, "Error by cycle", BOTTOM),
            "spectrum": (self.spectrum, "Spectrum", BOTTOM),
            "animation": (self.animation, "Mechanism", LEFT),
            "orbit": (self.orbit, "Orbit in the clearance", LEFT),
            **self._found,
        }

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What the panels ask for that are found by their kind."""
        moved: list[DockPanel] = [panel for name, panel in self._of_motion if not _dock_of(panel).isHidden()]
        wanting = [*moved, *(panel for panel, _, _ in self._found.values())]
        return tuple(trace for panel in wanting for trace in panel.attempt(panel.traces, NOTHING))

    @property
    def motion_docks(self) -> tuple[QDockWidget, ...]:
        """Of what is drawn from more than the other panels."""
        return tuple(_dock_of(panel) for _, panel in self._of_motion)

    @property
    def motion_shown(self) -> tuple[str, ...]:
        """Names of those that are shown."""
        return tuple(name for name, panel in self._of_motion if not _dock_of(panel).isHidden())

    def toggle(self, name: str) -> None:
        """Show the panel of this name, or put it away."""
        dock = _dock_of(dict(self._of_motion)[name])
        dock.setVisible(dock.isHidden())

    def arrange(self, window: QMainWindow) -> QSplitter:
        """Put all into their first places; returns the splitter in the middle."""
        middle = QSplitter(Qt.Orientation.Vertical)
        for plot in (self.overlay, self.difference):
            middle.addWidget(Card(plot))
        middle.setSizes([500, 250])
        middle.setChildrenCollapsible(False)
        middle.setHandleWidth(8)
        window.setCentralWidget(middle)
        window.setDockNestingEnabled(True)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        docks: dict[str, QDockWidget] = {}
        for name, (panel, title, area) in self.docked.items():
            docks[name] = dock(panel, name, title)
            window.addDockWidget(area, docks[name])
        window.splitDockWidget(docks["trend"], docks["spectrum"], Qt.Orientation.Horizontal)
        right = [docks[name] for name in ("loop", "turn", "channels", "events") if name in docks]
        window.resizeDocks(right, [300, 240, 150][-len(right) :], Qt.Orientation.Vertical)
        window.resizeDocks([right[0]], [480], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["trend"]], [230], Qt.Orientation.Vertical)
        window.resizeDocks([docks["trend"], docks["spectrum"]], [450, 450], Qt.Orientation.Horizontal)
        window.resizeDocks([docks[name] for name, _ in self._of_motion], [360, 360], Qt.Orientation.Horizontal)
        for name, _ in self._of_motion:
            docks[name].hide()  # until they are asked for: they are drawn from more than the others
        return middle

    def choose(self, name: str) -> None:
        """Show this channel."""
        for part in (self.overlay, self.difference, self.spectrum, self.turn):
            if part is not None:
                part.choose(name)
        for panel, _, _ in self._found.values():
            panel.attempt(partial(panel.choose, name), None)
        self.trend.clear()

    def restart(self) -> None:
        """Value axes as wide as what comes now wants them."""
        for part in (self.overlay, self.difference, self.turn):
            if part is not None:
                part.choose(self.overlay.channel)

    def say_behind(self, what: str) -> None:
        """What the curves are behind; empty: nothing."""
        self.overlay.behind = self.difference.behind = what

    def theme(self, theme: Theme) -> None:
        """Take on these colours."""
        for panel in (self.overlay, self.difference, *(panel for panel, _, _ in self.docked.values())):
            if isinstance(panel, DockPanel):
                panel.attempt(partial(panel.theme, theme), None)
            else:
                panel.theme(theme)

    def refresh(self, source: Source, now: int, newest: int, tracker: CycleTracker, curves: Source) -> None:
        """One frame at sample `now`; the table is about `newest`. Curves over time and angle come from `curves`."""
        seconds = self.overlay.seconds
        self.overlay.refresh(curves, now, seconds)
        self.difference.refresh(curves, now, seconds)
        self._turn += 1
        if self._moves and self._turn % 2:
            self._refresh_motion(source, now)
            return
        self._frame = (self._frame + 1) % 5
        closer = self.turn or self.loop
        if self._frame in (0, 2) and closer is not None and closer.isVisible():
            closer.refresh(curves, now)
        elif self._frame == 1 and self.channels.isVisible():
            self.channels.refresh(source, newest)
        elif self._frame == 3 and self.spectrum.isVisible():
            self.spectrum.refresh(source, now)
        elif self._frame == 4 and self.trend.isVisible():
            self.trend.refresh(tracker.errors.known(now))
        if self._frame == 4:
            self._refresh_found(curves, now)

    @property
    def _of_motion(self) -> tuple[tuple[str, MotionPanel], ...]:
        return ("animation", self.animation), ("orbit", self.orbit)

    @property
    def _moves(self) -> bool:
        """Whether one of them is shown: it has every other frame."""
        return any(panel.isVisible() for _, panel in self._of_motion)

    def _refresh_motion(self, source: Source, now: int) -> None:
        """One of them a frame: the mechanism moves, and of an orbit its newest part changes."""
        there = [panel for _, panel in self._of_motion if panel.isVisible()]
        panel = there[-1] if self._turn % ORBIT_EVERY == 1 else there[0]
        panel.attempt(partial(panel.refresh, source, now), None)

    def _refresh_found(self, curves: Source, now: int) -> None:
        """One that fails says so in its bar, and is asked again the next time: it may lack samples yet."""
        for panel, _, _ in self._found.values():
            if panel.isVisible():
                panel.attempt(partial(panel.refresh, curves, now), None)

    def draw_all(self, source: Source, now: int, tracker: CycleTracker, curves: Source) -> None:
        """Everything at once, for a picture."""
        for _ in range(10 if self._moves else 5):
            self.refresh(source, now, now, tracker, curves)
        self.spectrum.refresh(source, now, PICTURE)
        self.tell()

    def tell(self) -> None:
        """The figures beside the curves, at a pace at which they can be read."""
        if self.overlay.extremes:
            self.overlay.tell()
            self.difference.tell(max(abs(end) for end in self.overlay.extremes["measured"]))


def _dock_of(panel: MotionPanel) -> QDockWidget:
    """The dock that it stands in."""
    dock = panel.parentWidget()
    assert isinstance(dock, QDockWidget)
    return dock
