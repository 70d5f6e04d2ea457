"""The window: what its frame shows comes from a source, and goes where the keys and the mouse send it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QKeySequence, QShortcut

from rig.display.sources.lowpassed import Judged
from rig.display.sources.source import Source, Trace
from rig.display.sources.tracking import CycleTracker
from rig.display.sources.view_model import Subject
from rig.display.window.dragging import Dragging
from rig.display.window.frame import Frame
from rig.display.window.keys import KEYS

STEP = 0.2  # share of the span by which the keys move
MAGNIFY = 1.25
REPEATED = ("earlier", "later", "magnify", "reduce")  # while the key is held down


class Window(Frame):
    """What a running test and a record have in common; the keys call the public methods without arguments."""

    def __init__(self, what: Subject, source: Source, settings: Path, longest: float) -> None:
        """`longest` (s) is the longest span that can be shown."""
        super().__init__(what, longest)
        self.source = source
        self._tracker: CycleTracker | None = None
        self._judged: Judged | None = None
        self._watched: tuple[str, ...] = ()
        self._dragging = [Dragging(plot.area) for plot in (self.panels.overlay, self.panels.difference)]
        self._connect()
        self.choose(self.restore(settings))

    # -- what the two kinds of window fill in --------------------------------------------------------------------------------------

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

    # -- drawing -------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> bool:
        """Take in what is new and draw it; nothing is drawn while there is nothing, or nobody can see it (False)."""
        if self._watched != self.panels.motion_shown:  # no signal tells it: one comes while a window is taken apart, too
            self._watch()
        self.source.poll()
        newest, now = self.newest(), self.moment()
        if newest is None or now is None or not self.source.rate:
            return False
        self.tracker(now).advance(self.source)
        if self.isMinimized() or not self.isVisible():
            return False
        self.panels.refresh(self.source, now, newest, self.tracker(now), self.curves)
        return True

    def tracker(self, now: int) -> CycleTracker:
        """Errors by cycle of the chosen channel."""
        if self._tracker is None:
            self._tracker = CycleTracker(self.overlay.channel, now, self.source.rate, self.what.lowpass, self.what.left_out)
        return self._tracker

    @property
    def curves(self) -> Source:
        """Where curves over time and angle come from."""
        return self.source if self._judged is None else self._judged

    def toggle_lowpass(self) -> None:
        """Curves behind the low-pass of the comparison, as they are judged, or as they came; nothing where it has none."""
        if self.what.lowpass is None:
            return
        self._judged = None if self._judged is not None else Judged(self.source, self.what.lowpass, self.overlay.channel)
        self.panels.say_behind("" if self._judged is None else f"below {self.what.lowpass:g} Hz: ")
        self.panels.restart()

    def toggle_orbit(self) -> None:
        """Each pin in its clearance, or not."""
        self.panels.toggle("orbit")

    def toggle_animation(self) -> None:
        """The mechanism in motion, or not."""
        self.panels.toggle("animation")

    def show_motion(self) -> None:
        """Both of them."""
        for dock in self.panels.motion_docks:
            dock.show()
        self._watch()

    def choose(self, name: str) -> None:
        """Show this channel, measured and predicted; a name that is not there means the force."""
        self.panels.choose(name)
        self._watch()
        if self._judged is not None:
            self._judged.channel = self.overlay.channel
        self._tracker = None

    def _watch(self) -> None:
        """What is shown is asked for."""
        self._watched = self.panels.motion_shown
        self.source.watch(tuple(dict.fromkeys((*self.what.traces(self.overlay.channel), *self.panels.traces))))

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
                QShortcut(QKeySequence(keys), self, autoRepeat=key.action in REPEATED).activated.connect(action)

    def _look_at(self, begin: float, end: float) -> None:
        """A stretch of the time axis, s before the moment shown."""
        self.shift(min(end, 0.0))
        self.overlay.show_span(end - begin)

    def _wheel(self, direction: int, value_axis: bool) -> None:
        if value_axis:
            self.overlay.magnify(MAGNIFY**direction)
        else:
            self.overlay.widen(-direction)
