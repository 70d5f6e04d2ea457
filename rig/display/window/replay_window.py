"""The same window on a record: a playhead instead of the newest sample, a player instead of the stop button."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtGui import QCloseEvent

from rig.display.sources.record import AT_ONCE, RecordSource
from rig.display.sources.tracking import CYCLE
from rig.display.sources.view_model import Subject
from rig.display.status import Event, Status
from rig.display.window.player import Player
from rig.display.window.playhead import Playhead
from rig.display.window.window import Window
from rig.host import clock

TELL_EVERY = 0.2  # s between two changes of the figures


class ReplayWindow(Window):
    """`at` (s) is the moment shown first; `lost` the samples that the record lacks, `doubt` what is to be said of it."""

    replay = True
    source: RecordSource

    def __init__(
        self, what: Subject, source: RecordSource, settings: Path, at: float, events: Sequence[Event] = (), lost: int = 0, doubt: str = ""
    ) -> None:
        self.playhead = Playhead(source.samples_recorded, source.rate, at * source.rate)
        self._events, self._lost, self._doubt = sorted(events, key=_when), lost, doubt
        self._happened = -1
        self.closed = self._looking = False
        self._next_telling = 0.0
        super().__init__(what, source, settings, max(10.0, 1.05 * source.samples_recorded / source.rate))
        self.player = Player(self.playhead)
        self.player.moved.connect(self._tell)
        self._bar()
        self._tell()

    def _bar(self) -> None:
        self.statusBar().insertWidget(0, self.player, 3)

    def moment(self) -> int:
        return self.playhead.position

    def newest(self) -> int:
        return self.playhead.position

    def shift(self, seconds: float) -> None:
        """Seek by so much."""
        self.playhead.seek(self.playhead.position + seconds * self.source.rate)
        self._tell()

    def whole(self) -> None:
        super().whole()
        self.shift(-1e12)

    def toggle_pause(self) -> None:
        """Play or pause."""
        self.player.toggle()

    def faster(self) -> None:
        self.player.change_speed(+1)

    def slower(self) -> None:
        self.player.change_speed(-1)

    def refresh(self) -> bool:
        """Move on and draw."""
        now = clock.now()
        self.playhead.tick(now)
        drawn = super().refresh()
        if now >= self._next_telling:
            self._next_telling = now + TELL_EVERY
            self._tell()
        return drawn

    def work(self, seconds: float) -> bool:
        """Look through the record for what long spans and the errors by cycle need; False when that is done."""
        self._looking = True
        until = clock.now() + seconds
        tracker = self.tracker(self.moment())
        while True:
            more = tracker.advance(self.source) or tracker.turn_back(self.source.samples_recorded)
            if not more or clock.now() >= until:
                break
        return self.source.advance(until) or more

    def draw_picture(self, goes_on: bool = False) -> None:
        """Everything that belongs to the moment shown, at once; of the errors by cycle those before it.

        goes_on: it will be drawn again, and so nothing is read that takes long: a long span fills while the window is open.
        """
        if goes_on:
            self.panels.draw_all(self.source, self.moment(), self.tracker(self.moment()), self.curves)
            self._tell()
            return
        tracker = self.tracker(self.moment())
        while tracker.reached < self.moment() and tracker.advance(self.source):
            pass
        self.panels.draw_all(self.source, self.moment(), tracker, self.curves)
        if self.overlay.seconds * self.source.rate > AT_ONCE and self.source.look_through():  # nobody will draw it again
            self.panels.draw_all(self.source, self.moment(), tracker, self.curves)
        self._tell()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep()
        self.closed = True
        event.accept()

    def _tell(self) -> None:
        position = self.playhead.position
        rate, end = self.source.rate, self.playhead.end
        progress = self.source.progress
        self._looking &= progress < 1.0
        reading = f"looking through the record: {progress:.0%}" if self._looking else ""
        message = "   ".join(part for part in (self._doubt, reading) if part)
        self.show_status(Status("replay", position / rate, end / rate, self._cycle(position), None, self._lost, message))
        self.player.show_position()
        happened = sum(_when(event) <= position / rate for event in self._events)
        if happened != self._happened:
            self._happened = happened
            self.panels.events.restart(self._events[:happened])

    def _cycle(self, position: int) -> int:
        _, cycle = self.source.samples(CYCLE, max(0, position - 1), max(1, position))
        return int(cycle[-1]) if len(cycle) and np.isfinite(cycle[-1]) else -1


def _when(event: Event) -> float:
    return -1.0 if event.time_s is None else event.time_s
